#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes families of C++ types for versions_test.cpp.

A family is the versions of a type after random changes.

  make_versions.py FOLDER --families 1 --versions 32 --parts 2 --seed 1

Each type is written twice: as C++ for the compiler, and as words for the model with which the
library is compared (parts.hpp has the grammar). The same arguments write the same files. Files with
the same content are not written again.
"""
import argparse
import copy
import json
import pathlib
import random

INTEGERS = {(w, s): f"std::{'' if s else 'u'}int{8 * w}_t" for w in (1, 2, 4, 8) for s in (0, 1)}
PERIODS = {(1, 1000): "std::milli"}
SEQUENCES = ("vector", "deque", "list")
MOST_MEMBERS = 14
CLOSED, OPEN, FLAGS = range(3)  # which numbers are values of an enumeration
CHANGES = 45
HINDRANCES = (13, 21, 26, 27)  # most of these are in the way of all later versions


class Family:
    """Makes versions from earlier ones."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = 0
        self.deck = []

    def name(self, stem="m"):
        self.names += 1
        return f"{stem}{self.names}"

    # --- parts 

    def integer(self):
        return {"k": "int", "w": self.r.choice((1, 2, 4, 8)), "s": self.r.randrange(2)}

    def enumeration(self):
        n = self.r.randrange(1, 5)
        under = self.r.choice(("", "", "", "", "char", "bool"))
        values = self.r.sample(range(1, 60), n - 1)
        if under == "bool":
            return {"k": "enum", "w": 1, "s": 0, "under": under, "takes": CLOSED,
                    "e": [[self.name("e"), 0, []], [self.name("e"), 1, []]]}
        return {"k": "enum", "w": self.r.choice((1, 2, 4)) if not under else 1, "s": self.r.randrange(2), "under": under,
                "takes": self.r.choice((CLOSED, CLOSED, OPEN, FLAGS)), "e": [[self.name("e"), v, []] for v in [0, *values]]}

    def flags(self):
        return {"k": "enum", "w": self.r.choice((1, 2, 4)), "s": 0, "under": "", "takes": FLAGS,
                "e": [[self.name("e"), v, []] for v in (0, 1, 2, 4, 8)]}

    def take_others(self, enumeration):
        enumeration["takes"] = self.r.choice([each for each in (CLOSED, OPEN, FLAGS) if each != enumeration["takes"]])

    def duration(self):
        # Documents do not contain periods, so periods stay equal here. Other tests change them.
        return {"k": "dur", "p": (1, 1000), "c": [{"k": "int", "w": 8, "s": 1}]}

    def key(self):
        return self.r.choice((self.integer, self.integer, lambda: {"k": "str"}, self.enumeration))()

    def scalar(self):
        return self.r.choice((
            self.integer, self.integer, self.integer, self.enumeration, self.enumeration, self.duration,
            lambda: {"k": "bool"}, lambda: {"k": "flt", "w": self.r.choice((4, 8))}, lambda: {"k": "chr", "w": self.r.choice((1, 1, 2, 4))},
            lambda: {"k": "byte"}, lambda: {"k": "str"}, lambda: {"k": "str"}, lambda: {"k": "bits", "n": self.r.randrange(1, 20)},
            lambda: {"k": "path"}, lambda: {"k": "time", "c": [self.duration()]},
            lambda: {"k": "cplx", "c": [{"k": "flt", "w": self.r.choice((4, 8))}]}))()

    def stepped(self, announced=None, version=None):
        """Returns a record whose meaning changes with each version, with code that upgrades it."""
        announced = self.r.randrange(2) if announced is None else announced
        version = self.r.randrange(1, 5) if version is None else version
        last = ("c", {"k": "int", "w": 8, "s": 1})
        numbers = {1: ("a", {"k": "int", "w": 2, "s": 0}), 2: ("b", {"k": "int", "w": 4, "s": 0}), 3: last, 4: last}
        name, kind = numbers[version]
        members = [self.member(name, kind, plain=True)]
        if announced:
            members.insert(0, self.member("version", {"k": "int", "w": 4, "s": 0}, plain=True))
        if version >= 3:
            members.append(self.member("note", {"k": "opt", "box": 0, "c": [{"k": "str"}]}, plain=True))
        made = {"k": "rec", "m": members, "ev": 0, "version": version, "announced": announced, "prev": None, "up": None}
        if version > 1:
            # Version 3 is read as version 4, which has no other members.
            before = min(version - 1, 2)
            made["prev"] = self.stepped(announced, before)
            made["up"] = (numbers[before][0], name, 10 if version == 2 else 1, 0 if version == 2 else 1)
        return made

    def part(self, depth):
        if depth <= 0 or self.r.random() < 0.35:
            return self.scalar()
        one = lambda: self.part(depth - 1)
        return self.r.choice((
            lambda: {"k": "seq", "of": self.r.choice(SEQUENCES), "c": [one()]}, lambda: {"k": "seq", "of": "vector", "c": [self.record(depth - 1)]},
            lambda: {"k": "seq", "of": self.r.choice(SEQUENCES), "c": [{"k": "byte"}]},
            lambda: {"k": "arr", "n": self.r.randrange(1, 4), "c": [one()]}, lambda: {"k": "arr", "n": 5, "c": [{"k": "chr", "w": 1}]},
            lambda: {"k": "set", "of": self.r.choice(("set", "multiset", "unordered_set")), "c": [self.hashed_key()]},
            lambda: {"k": "map", "of": self.r.choice(("map", "map", "multimap")), "c": [self.key(), one()]},
            lambda: {"k": "map", "of": "unordered_map", "c": [self.hashed_key(), one()]},
            lambda: {"k": "opt", "box": int(self.r.random() < 0.25), "c": [one()]}, lambda: {"k": "opt", "box": 0, "c": [self.record(depth - 1)]},
            lambda: {"k": "var", "tags": [], "c": [one() for _ in range(self.r.randrange(1, 4))]},
            lambda: {"k": "exp", "c": [one() for _ in range(self.r.randrange(1, 3))]},
            lambda: {"k": "tup", "c": [one() for _ in range(self.r.randrange(1, 4))]}, self.stepped,
            lambda: self.record(depth - 1), lambda: self.record(depth - 1)))()

    def hashed_key(self):
        key = self.key()
        return key if key["k"] != "enum" else {"k": "str"}

    def member(self, name, part, plain=False):
        made = {"n": name, "f": [], "t": part, "init": None, "dv": None, "range": None}
        if not plain:
            self.give_default(made)
            if part["k"] == "int" and self.r.random() < 0.15:
                made["range"] = (0, self.r.choice((50, 100, 120)))
        return made

    def give_default(self, member):
        member["init"] = self.r.randrange(1, 99) if self.r.random() < 0.4 else None
        member["dv"] = self.r.randrange(1, 99) if self.r.random() < 0.25 else None

    def record(self, depth):
        members = [self.member(self.name(), self.part(depth)) for _ in range(self.r.randrange(1, 4))]
        return {"k": "rec", "m": members, "ev": int(self.r.random() < 0.15), "version": 0, "announced": 0, "prev": None, "up": None}

    # --- changes 

    def collect(self, part, found, is_key=False):
        """Returns every part, with a function that replaces the part."""
        if part["k"] == "rec":
            if part["version"]:
                return
            for m in part["m"]:
                found.append((m["t"], lambda new, m=m: m.__setitem__("t", new), False))
                self.collect(m["t"], found)
            return
        for i, child in enumerate(part.get("c", [])):
            key = part["k"] == "set" or (part["k"] == "map" and i == 0)
            if part["k"] not in ("dur", "time", "cplx"):
                found.append((child, lambda new, part=part, i=i: part["c"].__setitem__(i, new), key))
            self.collect(child, found, key)

    def change(self, root):
        parts = []
        self.collect(root, parts)
        records = [root] + [p for p, _, _ in parts if p["k"] == "rec" and not p["version"]]
        r = self.r
        record = r.choice(records) if r.random() < 0.7 else root
        of = lambda *kinds: [x for x in parts if x[0]["k"] in kinds]
        if not self.deck:  # each of the changes as often as any other
            self.deck = [c for c in range(CHANGES) if c not in HINDRANCES or r.random() < 0.5]
            r.shuffle(self.deck)
        what = self.deck.pop()
        if what <= 2:
            if len(record["m"]) < MOST_MEMBERS:
                record["m"].insert(r.randrange(len(record["m"]) + 1), self.member(self.name(), self.part(2)))
                return True
        elif what == 3:
            if record["m"] and (record is not root or len(record["m"]) > 2):
                record["m"].pop(r.randrange(len(record["m"])))
                return True
        elif what == 4:
            r.shuffle(record["m"])
            return len(record["m"]) > 1
        elif what <= 6 and record["m"]:
            m = r.choice(record["m"])
            m["f"] = [m["n"], *m["f"]][:3] if what == 5 or r.random() < 0.5 else []
            m["n"] = self.name()
            return True
        elif what == 7 and len(record["m"]) > 1:  # names that change hands
            a, b = r.sample(record["m"], 2)
            a["f"], b["f"] = [a["n"], *a["f"]][:3], [b["n"], *b["f"]][:3]
            a["n"], b["n"] = b["n"], self.name()
            return True
        elif what == 8 and record["m"]:
            self.give_default(r.choice(record["m"]))
            return True
        elif what == 9:
            record["ev"] ^= 1
            return True
        elif what <= 12 and of("int", "flt"):
            p, put, key = r.choice(of("int", "flt"))
            if p["k"] == "int" and not key and r.random() < 0.3:
                put({"k": "flt", "w": r.choice((4, 8))})
            elif p["w"] < 8:
                p["w"] *= 2
                if p["k"] == "int" and not p["s"] and r.random() < 0.4:
                    p["s"] = 1
            return True
        elif what == 13 and of("int", "flt"):
            p, _, _ = r.choice(of("int", "flt"))
            if p["w"] > (1 if p["k"] == "int" else 4):
                p["w"] //= 2
            elif p["k"] == "int":
                p["s"] ^= 1
            return True
        elif what <= 18 and of("enum"):
            p, _, _ = r.choice(of("enum"))
            if p["under"] == "bool":
                p["under"], p["w"] = "", r.choice((1, 2))
                return True
            how = r.randrange(8)
            if how == 0:
                p["e"].append([self.name("e"), max(v for _, v, _ in p["e"]) + r.randrange(1, 5), []])
            elif how == 1 and len(p["e"]) > 1:
                p["e"].pop(r.randrange(1, len(p["e"])))
            elif how == 2:
                r.choice(p["e"])[0] = self.name("e")
            elif how == 5:  # renamed
                each = r.choice(p["e"])
                each[2] = [each[0], *each[2]][:3]
                each[0] = self.name("e")
            elif how == 6 and len(p["e"]) > 2:  # two become one
                gone = p["e"].pop(r.randrange(1, len(p["e"])))
                p["e"][0][2] = [*p["e"][0][2], gone[0], *gone[2]][:4]
            elif how == 3:
                values = [v for _, v, _ in p["e"]]
                r.shuffle(values)
                for each, v in zip(p["e"], values):
                    each[1] = v
                p["e"].sort(key=lambda each: each[1])
            elif how == 4:
                self.take_others(p)
            elif not p["under"]:
                p["w"] = 4 if p["w"] < 4 else 1
            return True
        elif what <= 20 and parts:
            p, put, key = r.choice(parts)
            if not key:
                put({"k": "opt", "box": int(r.random() < 0.2), "c": [p]})
                return True
        elif what == 21 and of("opt"):
            p, put, _ = r.choice(of("opt"))
            if r.random() < 0.5:
                put(p["c"][0])
            else:
                p["box"] ^= 1
            return True
        elif what == 22 and of("seq", "set", "map"):
            p, put, _ = r.choice(of("seq", "set", "map"))
            if p["k"] == "seq":
                p["of"] = r.choice(SEQUENCES)
            elif p["k"] == "set":
                p["of"] = {"set": "multiset", "multiset": "set", "unordered_set": "unordered_set"}[p["of"]]
            else:
                p["of"] = {"map": "multimap", "multimap": "map", "unordered_map": "map"}[p["of"]]
            return True
        elif what in (23, 44) and of("var"):
            p, _, _ = r.choice(of("var"))
            how = r.randrange(4)
            if how <= 1 and len(p["c"]) < 4:
                p["c"].append(self.part(1))
            elif how == 2 and p["tags"]:  # in other places
                order = r.sample(range(len(p["c"])), len(p["c"]))
                p["c"], p["tags"] = [p["c"][i] for i in order], [p["tags"][i] for i in order]
            elif len(p["c"]) > 1:
                gone = r.randrange(len(p["c"])) if p["tags"] else len(p["c"]) - 1
                p["c"].pop(gone)
                p["tags"][gone : gone + 1] = []
            return True
        elif what == 24 and of("bits", "arr"):
            p, _, _ = r.choice(of("bits", "arr"))
            p["n"] = max(1, p["n"] + (r.randrange(1, 9) if p["k"] == "bits" else 1) * r.choice((1, 1, -1)))
            return True
        elif what == 26 and parts:
            _, put, key = r.choice(parts)
            put({"k": "str"} if key else self.scalar())
            return True
        elif what == 27 and parts:
            p, put, key = r.choice(parts)
            if not key:
                put({"k": "seq", "of": "vector", "c": [p]} if r.random() < 0.5 else {"k": "tup", "c": [p, p]})
                return True
        elif what <= 30 and [p for p, _, _ in parts if p["k"] == "rec" and p["version"]]:
            p, put, _ = r.choice([x for x in parts if x[0]["k"] == "rec" and x[0]["version"]])
            put(self.stepped(p["announced"], min(4, max(1, p["version"] + r.choice((-1, 1, 1))))))
            return True
        elif what == 31 and record["m"]:
            m = r.choice(record["m"])
            if m["t"]["k"] == "int":
                m["range"] = None if m["range"] else (0, r.choice((50, 100, 120)))
                return True
        # A member of a type of this version, also deep inside of others.
        elif what <= 33 and len(record["m"]) < MOST_MEMBERS:
            record["m"].append(self.member(self.name(), r.choice((
                lambda: {"k": "seq", "of": "vector", "c": [self.record(1)]}, self.stepped,
                lambda: {"k": "opt", "box": 0, "c": [self.record(1)]}, lambda: {"k": "seq", "of": "vector", "c": [self.stepped()]}))()))
            return True
        elif what <= 35 and record["m"]:  # two that were one
            m = r.choice(record["m"])
            record["m"].append(self.member(self.name(), copy.deepcopy(m["t"])))
            record["m"][-1]["f"] = m["f"] = [m["n"], *m["f"]][:3]
            m["n"] = self.name()
            return True
        # An absent optional, and the value of a new one instead.
        elif what <= 37 and len(record["m"]) < MOST_MEMBERS:
            m = self.member(self.name(), {"k": "opt", "box": 0, "c": [{"k": "int", "w": 4, "s": 1}]})
            m["init"] = r.randrange(1, 99)
            m["dv"] = r.randrange(1, 99) if what == 36 else None
            record["m"].append(m)
            return True
        elif what == 38:  # a former name that another has now
            other = r.choice(record["m"]) if record["m"] else None
            if other and len(record["m"]) < MOST_MEMBERS:
                record["m"].append(self.member(self.name(), copy.deepcopy(other["t"])))
                record["m"][-1]["f"] = [other["n"]]
                return True
        elif what == 39 and of("int"):
            p, put, key = r.choice(of("int"))
            if not key:
                put({"k": "flt", "w": 4})
                return True
        elif what == 40 and [p for p, _, _ in parts if p["k"] == "seq" and p["c"][0]["k"] == "byte"]:
            p = r.choice([p for p, _, _ in parts if p["k"] == "seq" and p["c"][0]["k"] == "byte"])
            p["c"][0] = {"k": "opt", "box": r.randrange(2), "c": [p["c"][0]]}
            return True
        elif what == 41:
            mine = [m for m in root["m"] if m["t"]["k"] == "int"]
            if mine:
                r.choice(mine)["range"] = (0, r.choice((50, 100, 120)))
                return True
        elif what == 42:  # a new member in a record with an initialiser of its own
            mine = [m for m in root["m"] if m["t"]["k"] == "rec" and not m["t"]["version"]]
            if mine:
                m = r.choice(mine)
                m["init"] = r.randrange(1, 99)
                m["t"]["m"].append(self.member(self.name(), r.choice((self.integer(), {"k": "bits", "n": 9}))))
                return True
        elif what == 43:
            mine = [m["t"] for m in root["m"] if m["t"]["k"] == "enum" and not m["t"]["under"]]
            if mine:
                self.take_others(r.choice(mine))
                return True
        return False

    def settle(self, part):
        """Removes properties that no C++ type can have.

        These are two members of one name, and limits of types other than integers.
        """
        if part["k"] == "rec":
            seen = set()
            for m in part["m"]:
                if m["n"] in seen:
                    m["n"] = self.name()
                seen.add(m["n"])
                if m["t"]["k"] != "int":
                    m["range"] = None
                self.settle(m["t"])
            self.settle_former_names(part)
        for child in part.get("c", []):
            self.settle(child)
        if part["k"] == "var":
            self.settle_tags(part)

    def settle_former_names(self, part):
        """Removes former names that the compiler rejects.

        Two members had one name, members exchanged names, or an absent value is not written.
        """
        present = {m["n"]: m for m in part["m"]}
        seen = set()
        for m in part["m"]:
            kept = []
            for name in m["f"]:
                other = present.get(name)
                written = m["t"]["k"] != "opt" or m["dv"] is not None and not m["t"]["box"] and m["t"]["c"][0]["k"] == "int"
                if name in seen or name in kept or name == m["n"] or other and not written:
                    continue
                at, steps = other, 0
                while at and at is not m and steps < 99:  # along names that settled ones had
                    at, steps = next((present[f] for f in at["f"] if f in present and f != at["n"]), None), steps + 1
                if at is not m and steps < 99:
                    kept.append(name)
            seen.update(kept)
            m["f"] = kept

    def settle_tags(self, part):
        """Gives alternatives tags only if one of them makes the type unique.

        Names of alternatives belong to a C++ type.
        """
        own = next((c for c in part["c"] if c["k"] in ("rec", "enum") and not c.get("under")), None)
        for c in part["c"]:
            c.pop("salt", None)
        if own is None:
            part["tags"] = []
            return
        part["tags"] = (part["tags"] + [self.name("t") for _ in part["c"]])[: len(part["c"])]
        own["salt"] = part["tags"]

    def versions(self, count):
        parts = [self.integer(), self.enumeration(), {"k": "seq", "of": "vector", "c": [{"k": "byte"}]}, self.part(2), {"k": "flt", "w": 4},
                 {"k": "bits", "n": 5},
                 {"k": "seq", "of": "vector", "c": [self.record(1)]}, self.record(1), self.stepped(1),
                 {"k": "map", "of": "map", "c": [self.key(), self.scalar()]},
                 {"k": "var", "tags": [], "c": [self.record(0), self.record(0), self.integer(), {"k": "str"}]},
                 self.flags(), {"k": "map", "of": "map", "c": [self.flags(), self.flags()]}]
        if self.r.random() < 0.5:
            parts[2] = self.part(1)
        root = {"k": "rec", "m": [self.member(self.name(), part) for part in parts], "ev": 0, "version": 0, "announced": 0,
                "prev": None, "up": None}
        root["m"][7]["init"] = 7
        self.settle(root)
        made = [root]
        while len(made) < count:
            # Early versions are similar enough that most can be read as one another.
            parent = self.r.choice(made[:1 + len(made) // 2])
            now = copy.deepcopy(parent)
            changes = self.r.choice((1, 1, 1, 2))
            while changes:
                changes -= self.change(now)
            self.settle(now)
            made.append(now)
        made[-1] = self.record(1)  # has nothing in common with the others
        return made


class Writer:
    """Writes parts as C++ and as words; equal parts are one type."""

    def __init__(self):
        self.known = {}
        self.lines = []
        self.records = []

    # --- defaults 

    def init(self, part, n, limits=None):
        """Returns C++ that initialises a member of the type, or nothing."""
        k = part["k"]
        if k == "int":
            return str(limits[0] + n % (limits[1] - limits[0] + 1) if limits else n)
        if k == "flt":
            return f"{n}.25" + ("F" if part["w"] == 4 else "")
        if k == "bool":
            return "true" if n % 2 else "false"
        if k == "str":
            return f'"i{n}"'
        if k == "enum":
            return f"{self.type(part)}::{part['e'][n % len(part['e'])][0]}"
        if k == "bits":
            return f"std::bitset<{part['n']}>(~0ULL)"
        if k == "opt" and not part["box"] and part["c"][0]["k"] in ("int", "str", "enum", "flt"):
            return self.init(part["c"][0], n)
        if k == "seq" and part["c"][0]["k"] == "int":
            return f"{{1, {n}}}"
        if k == "rec" and not part["version"]:
            others = [f"made.{m['n']} = {self.init(m['t'], n + 1, m['range'])}; " for m in part["m"] if m["t"]["k"] in ("int", "str", "bits")]
            if others:  # than what the record itself has
                return f"[] {{ {self.type(part)} made; {''.join(others)}return made; }}()"
        return None

    def default_value(self, part, n, limits=None):
        """Returns the C++ of an annotation's value, and its words."""
        k = part["k"]
        if k == "int":
            n = limits[0] + n % (limits[1] - limits[0] + 1) if limits else n
            return str(n), f"i {n}"
        if k == "str":
            return f'"d{n}"', f"s d{n}"
        if k == "bool":
            return ("true" if n % 2 else "false"), f"i {n % 2}"
        if k == "enum":
            name, value, _ = part["e"][n % len(part["e"])]
            return f"VERSIONS::{self.type(part)}::{name}", f"i {value}"
        if k == "opt" and not part["box"] and part["c"][0]["k"] == "int":
            return f"static_cast<{self.type(part['c'][0])}>({n})", f"o {n}"
        return None, None

    # --- types 

    def type(self, p):
        k = p["k"]
        c = [self.type(child) for child in p.get("c", [])]
        if k == "int":
            return INTEGERS[p["w"], p["s"]]
        if k == "enum":
            return self.enumeration(p)
        if k == "rec":
            return self.record(p)
        if k == "seq":
            return f"std::{p['of']}<{c[0]}>"
        if k in ("set", "map"):
            return f"std::{p['of']}<{', '.join(c)}>"
        if k == "exp":
            return f"std::expected<{', '.join(c if len(c) == 2 else ['void', *c])}>"
        if k == "dur":
            return f"std::chrono::duration<{c[0]}, {PERIODS[tuple(p['p'])]}>"
        return {"bool": lambda: "bool", "flt": lambda: "float" if p["w"] == 4 else "double",
                "chr": lambda: {1: "char", 2: "char16_t", 4: "char32_t"}[p["w"]], "byte": lambda: "std::byte", "str": lambda: "std::string",
                "bits": lambda: f"std::bitset<{p['n']}>", "path": lambda: "std::filesystem::path",
                "time": lambda: f"std::chrono::time_point<std::chrono::system_clock, {c[0]}>", "cplx": lambda: f"std::complex<{c[0]}>",
                "arr": lambda: f"std::array<{c[0]}, {p['n']}>", "opt": lambda: f"std::{'unique_ptr' if p['box'] else 'optional'}<{c[0]}>",
                "var": lambda: self.variant(p, c), "tup": lambda: f"std::tuple<{', '.join(c)}>"}[k]()

    def class_name(self, p):
        """Returns the word for the name that an alternative has without tags."""
        return f"={self.type(p)}" if p["k"] in ("rec", "enum") else "-"

    def variant(self, p, c):
        name = f"std::variant<{', '.join(c)}>"
        if p["tags"] and name not in self.known:
            self.known[name] = name
            alias = f"variant{len(self.known)}"
            self.lines.append(f"using {alias} = {name};")
            self.elsewhere(f"template <>\ninline constexpr std::string_view ingot::json::variant_names<VERSIONS::{alias}>[] = "
                           f"{{{', '.join(json.dumps(tag) for tag in p['tags'])}}};")
        return name

    def enumeration(self, p):
        key = json.dumps(p, sort_keys=True)
        if key not in self.known:
            name = self.known[key] = f"choice{len(self.known)}"
            under = p["under"] or INTEGERS[p["w"], p["s"]]
            listed = [f"{n} = {'true' if v else 'false'}" if under == "bool" else f"{n} = {v}" for n, v, _ in p["e"]]
            self.lines.append(f"enum class {name} : {under} {{ {', '.join(listed)} }};")
            notes = {CLOSED: [], OPEN: ["ingot::type(ingot::open_enum)"], FLAGS: ["ingot::type(ingot::flags)"]}[p["takes"]]
            notes += [f"ingot::enumerator<VERSIONS::{name}::{n}>(ingot::renamed_from({', '.join(json.dumps(each) for each in f)}))" for n, _, f in p["e"] if f]
            if notes:
                self.annotate(name, notes)
        return self.known[key]

    def record(self, p):
        key = json.dumps(p, sort_keys=True)
        if key in self.known:
            return self.known[key]
        members = []
        notes = []
        for m in p["m"]:
            init = self.init(m["t"], m["init"], m["range"]) if m["init"] is not None else None
            if m["n"] == "version" and p["announced"]:
                init = str(p["version"])
            if init is None:
                members.append(f"  {self.type(m['t'])} {m['n']}{{}};")
            else:
                members.append(f"  {self.type(m['t'])} {m['n']}{init if init.startswith('{') else ' = ' + init};")
            own = []
            if m["f"]:
                own.append(f"ingot::renamed_from({', '.join(json.dumps(f) for f in m['f'])})")
            if m["range"]:
                own.append(f"ingot::range({m['range'][0]}, {m['range'][1]})")
            if m["dv"] is not None and self.default_value(m["t"], m["dv"], m["range"])[0]:
                own.append(f"ingot::default_value({self.default_value(m['t'], m['dv'], m['range'])[0]})")
            if own:
                notes.append(f'ingot::member<"{m["n"]}">({", ".join(own)})')
        own = (["ingot::evolvable"] if p["ev"] else []) + ([f"ingot::version({p['version']})"] if p["version"] else [])
        if own:
            notes.insert(0, f"ingot::type({', '.join(own)})")
        before = self.record(p["prev"]) if p["prev"] else None
        name = self.known[key] = f"record{len(self.known)}"
        self.lines.append(f"struct {name} {{\n" + "\n".join(members) + "\n};")
        self.records.append(name)
        if notes:
            self.annotate(name, notes)
        if before:
            old, new, factor, more = p["up"]
            kind = self.type(next(m["t"] for m in p["m"] if m["n"] == new))
            self.elsewhere(f"template <>\nstruct ingot::previous<VERSIONS::{name}> {{\n  using type = VERSIONS::{before};\n"
                           f"  static void upgrade(const VERSIONS::{before}& old, VERSIONS::{name}& made) {{\n"
                           f"    made.{new} = static_cast<{kind}>(old.{old}) * {factor} + {more};\n  }}\n}};")
        return name

    def annotate(self, name, notes):
        self.elsewhere(f"template <>\ninline constexpr auto ingot::annotations<VERSIONS::{name}> =\n    ingot::annotate({', '.join(notes)});")

    def elsewhere(self, text):
        self.lines.append(f"}} // namespace VERSIONS\n{text}\nnamespace VERSIONS {{")

    # --- words 

    def words(self, p):
        k = p["k"]
        own = {"int": lambda: f"{p['w']} {p['s']}", "flt": lambda: p["w"], "chr": lambda: p["w"], "bits": lambda: p["n"],
               "dur": lambda: f"{p['p'][0]} {p['p'][1]}", "arr": lambda: p["n"],
               "var": lambda: " ".join([str(len(p["c"])), *(p["tags"] or map(self.class_name, p["c"]))]), "exp": lambda: len(p["c"]), "tup": lambda: len(p["c"])}
        if k == "enum":
            sign = "c" if p["under"] == "char" else p["s"]
            return f"enum {p['w']} {sign} {p['takes']} {len(p['e'])} " + " ".join(" ".join([n, str(v), str(len(f)), *f]) for n, v, f in p["e"])
        if k == "rec":
            name = self.record(p)
            text = f"rec {name} {p['ev']} {p['version']} {p['announced']} {len(p['m'])}"
            for m in p["m"]:
                _, default = self.default_value(m["t"], m["dv"], m["range"]) if m["dv"] is not None else (None, None)
                limits = f"1 {m['range'][0]} {m['range'][1]}" if m["range"] else "0"
                text += " " + " ".join([m["n"], str(len(m["f"])), *m["f"], default or "-", limits, self.words(m["t"])])
            if p["prev"]:
                return text + f" 1 {' '.join(str(x) for x in p['up'])} {self.words(p['prev'])}"
            return text + " 0"
        head = [p["of"] if k in ("seq", "set", "map") else k, str(own[k]()) if k in own else ""]
        return " ".join([w for w in head if w] + [self.words(child) for child in p.get("c", [])])


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--families", type=int, default=1)
    parser.add_argument("--versions", type=int, default=44)
    parser.add_argument("--parts", type=int, default=2, help="files a family, which are compiled by themselves")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for f in range(args.families):
        all_versions = Family(args.seed * 1000 + f).versions(args.versions)
        for part in range(args.parts):
            writer = Writer()
            entries = []
            for i in range(part, args.versions, args.parts):
                words = writer.words(all_versions[i])
                entries.append((i, writer.record(all_versions[i]), words))
            space = f"family{f}_{part}"
            body = "\n".join(writer.lines).replace("VERSIONS", space)
            text = ("// Made by tests/versions/make_versions.py\n#include \"versions/type_functions.hpp\"\n\n" + f"namespace {space} {{\n{body}\n" +
                    "namespace {\n" +
                    "const versions::registered_defaults defaults{\n" +
                    "".join(f'    {{"{space}", "{name}", versions::default_bytes<{name}>}},\n' for name in writer.records) + "};\n" +
                    "const versions::registered_types types{\n" +
                    "".join(f'    {{{f}, {i}, "{space}", "{words}", versions::functions_of<{name}>}},\n' for i, name, words in entries) + "};\n" +
                    f"}} // namespace\n}} // namespace {space}\n")
            write(args.folder / f"family{f}_{part}.cpp", text)


if __name__ == "__main__":
    main()
