# SPDX-License-Identifier: Apache-2.0
"""Paths to values, such as `hero->equips[1].id`: the command `ingot print` of gdb and lldb.

A path is what a C++ expression would be, but no code of the program is needed: `*`, `->`, `.`,
`[]`, `at()`, `size()`, `empty()` and `get<"name">()` work on everything that the printers show. The
debugger says how each step is made.
"""
import json
import re

TOKEN = re.compile(
    r"""\s*(?:
    (?P<text>"(?:[^"\\]|\\.)*")
    |(?P<character>'(?:[^'\\]|\\.)')
    |(?P<number>[-+]?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?))
    |(?P<name>[$A-Za-z_~][\w$]*(?:::[A-Za-z_]\w*)*)
    |(?P<sign>->|[.*()\[\]<>])
    )""",
    re.VERBOSE,
)


class PathError(Exception):
    """The path has a wrong form, or leads to nothing."""


class Key:
    """A key or index of a path. `value` is a str, an int or a float; `word` is its text."""

    def __init__(self, value, word):
        self.value, self.word = value, word

    def is_text(self, text):
        """Compares the key with the text of a key as a debugger shows it."""
        text = text.strip()
        if isinstance(self.value, str) and text[:1] == '"':
            try:
                return json.loads(text) == self.value
            except ValueError:
                return text[1:-1] == self.value
        if isinstance(self.value, float) or not isinstance(self.value, str) and re.fullmatch(r"[-+]?\d+\.\d*", text):
            try:
                return float(text) == float(self.value)
            except ValueError:
                return False
        if re.fullmatch("'.'", text):
            return ord(text[1]) == self.value
        # 97 'a': a character; mood::calm: an enumerator
        return text == str(self.value) or text.split(" ")[0] == str(self.value) or text.rsplit("::", 1)[-1] == self.word.rsplit("::", 1)[-1]


class Parser:
    """Reads one path. `steps` returns the name of a variable, and the steps from there."""

    def __init__(self, path):
        self.path, self.tokens = path, []
        at = 0
        while path[at:].strip():
            found = TOKEN.match(path, at)
            if not found:
                raise PathError(f"`{path[at:].strip()}` is not understood in a path")
            self.tokens.append((found.lastgroup, found.group(found.lastgroup)))
            at = found.end()
        self.tokens.reverse()

    def next(self):
        return self.tokens[-1] if self.tokens else ("end", "the end")

    def take(self, *wanted):
        kind, text = self.next()
        if text not in wanted and kind not in wanted:
            raise PathError(f"expected {' or '.join(wanted)} in the path, found {text}")
        self.tokens.pop()
        return text

    def steps(self):
        root, steps = self.prefixed()
        self.take("end") if self.tokens else None
        return root, steps

    def prefixed(self, level=0):
        if level > 100:
            raise PathError("more levels than a path can have")
        if self.next()[1] == "*":
            self.take("*")
            root, steps = self.prefixed(level + 1)
            return root, [*steps, ("inside",)]
        if self.next()[1] == "(":
            self.take("(")
            root, steps = self.prefixed(level + 1)
            self.take(")")
        else:
            root, steps = self.take("name"), []
        while self.next()[1] in (".", "->", "["):
            steps = [*steps, self.step()]
        return root, steps

    def step(self):
        if self.take(".", "->", "[") == "[":
            key = self.key()
            self.take("]")
            return "element", key
        name = self.take("name")
        if self.next()[1] == "<":
            self.take("<")
            name = json.loads(self.take("text"))
            self.take(">")
            self.take("(")
            self.take(")")
            return "member", name
        if self.next()[1] != "(":
            return "member", name
        self.take("(")
        if name in ("size", "empty"):
            self.take(")")
            return (name,)
        if name in ("value", "operator*"):
            self.take(")")
            return ("inside",)
        if name != "at":
            raise PathError(f"{name}() is not known: a path has at(), size(), empty() and get<\"name\">()")
        key = self.key()
        self.take(")")
        return "at", key

    def key(self):
        kind, word = self.next()
        self.take("text", "character", "number", "name")
        if kind == "text":
            try:
                return Key(json.loads(word), word)
            except ValueError:
                return Key(word[1:-1], word)
        if kind == "character":
            return Key(ord(word[-2]), word)
        if kind == "number":
            return Key(float(word) if "." in word and "x" not in word else int(word, 0), word)
        return Key({"true": 1, "false": 0}.get(word, word), word)


def pointed(pointer):
    """Returns the keys of a JSON pointer, such as "/price/0"."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


# Hint where a container or a document has no member of a name: its own members are private.
ELEMENTS = '; its elements are [0] or ["key"], and it has size() and empty()'


def among(names):
    """Returns a hint that lists names."""
    names = [name for name in names if name]
    return f"; there are {', '.join(names[:20])}{', ...' if len(names) > 20 else ''}" if names else ""


def part_of(value, key, member):
    """Returns the part of a Shown by a key or by the name of a member."""
    for label, part in value.parts:
        if label == key if member else label[:1] == "[" and key.is_text(label[1:-1]):
            return part
    wanted = f"member {key}" if member else f"element [{key.word}]"
    raise PathError(f"there is no {wanted}{among(label for label, _ in value.parts)}")


def made(steps, value, debugger):
    """Follows the steps from a value. `debugger` has the functions that make each step."""
    for kind, *rest in steps:
        if kind == "inside":
            value = debugger.inside(value)
        elif kind == "member":
            value = debugger.member(value, rest[0])
        elif kind in ("element", "at"):
            value = debugger.element(value, rest[0], kind == "at")
        else:
            count = debugger.size(value)
            value = count if kind == "size" else count == 0
    return value
