#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the printers on views with random descriptions and bytes, and paths.

The result is a text or a report of damage, in short time, and never a Python exception.

  forged.py [ROUNDS] [FIRST]     FIRST is the first seed, to repeat one
"""
import pathlib
import random
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/debug"))
import ingot_memory as im  # noqa: E402
import ingot_packed as ip  # noqa: E402
import ingot_paths as paths  # noqa: E402

BASE, MAGIC = 0x1000, 0x56676E69
BRANDS = [f"{profile}{kind}_view" for profile in ("", "checked_", "compact::") for kind in ("record", "list", "tagged")]
EXTENTS = [0, 1, 2, 3, 4, 7, 100, 1000, 1 << 31, 1 << 63, (1 << 64) - 1]
WORDS = [0, 1, 2, 4, 8, 16, 64, 100, 255, 10**6]


class Arena:
    def __init__(self):
        self.data = bytearray()
        self.memory = im.Memory(self.read)

    def put(self, raw):
        self.data += bytes(-len(self.data) % 8)
        self.data += raw
        return BASE + len(self.data) - len(raw)

    def read(self, at, length):
        if at < BASE or at - BASE + length > len(self.data):
            raise OSError
        return self.data[at - BASE : at - BASE + length]

    def describe(self, at, children, kind, width=0, flags=0, extent=0, divisor=0):
        """Writes the part at `at`.

        A child is (name, its bytes, part, annotations, first, second).
        """
        raw = b"".join(struct.pack("<QQIIII", name, part, length, *numbers) for name, length, part, *numbers in children)
        listed = self.put(raw) if raw else 0
        self.data[at - BASE : at - BASE + 40] = struct.pack("<QIIQQ4B4x", listed, MAGIC, len(children), extent, divisor, kind, width, flags, 2)


def forged(made):
    """Returns an arena, and the addresses of a view's constant and of a message in it."""
    arena = Arena()
    parts = [arena.put(bytes(40)) for _ in range(made.randint(1, 8))]
    names = arena.put(b"names of members")
    for at in parts:
        children = [(names, made.randint(0, 18), made.choice(parts), made.choice([0, 1, 2, 4, 8, 16, 32, 255]) | made.choice([0, 2, 4, 5, 99]) << 16,
                     made.choice([0, 1, made.getrandbits(32)]), made.choice([0, 1, 6, 255])) for _ in range(made.choice([0, 1, 1, 2, 2, 3, 5, 200]))]
        arena.describe(at, children, made.randint(1, 25), made.choice([0, 1, 1, 2, 4, 4, 8, 8, 3, 5]), made.choice([0, 0, 1, 2, 8, 32, 64, 128, 255]),
                       made.choice(EXTENTS), made.choice([0, 1, 10**9]))
    constant = arena.put(struct.pack("<QII", parts[0], made.choice([0, 1, 2, 4, 8, 16, 31, made.getrandbits(32)]), made.choice([0, made.getrandbits(32)])))
    size = made.choice([16, 200, 4000])
    raw = made.choice([bytes(size), made.randbytes(size), b"".join(struct.pack("<I", made.choice(WORDS)) for _ in range(size // 4))])
    return arena, constant, arena.put(raw)


def text_or_damage(seed):
    made = random.Random(seed)
    arena, constant, message = forged(made)
    brand = made.choice(BRANDS)

    def number(*names):
        absolute = names[-1] in ("at_", "tail_", "from_", "base", "message") or brand in ("record_view", "list_view") and names[-1] in ("at", "tail")
        return message + made.choice([0, 4, 8]) if absolute else made.choice([0, 1, 2, 4, 5, 8, 100, (1 << 32) - 1])

    try:
        shown = im.shown(ip.view_text(brand, number, arena.memory, constant))
        assert every_part(shown) <= 4 * ip.MOST_VALUES
        return shown
    except im.Damage as why:
        return f"<damaged: {why}>"


def one_of_each(kind, width, extent=0):
    """Returns the text of a packed view of a record with one member `x`, whose bytes are all 1."""
    arena = Arena()
    record, inner = arena.put(bytes(40)), arena.put(bytes(40))
    name = arena.put(b"x")
    arena.describe(record, [(name, 1, inner, 0, 0, 0)], ip.RECORD)
    arena.describe(inner, [], kind, width, extent=extent)
    constant, message = arena.put(struct.pack("<QQ", record, 0)), arena.put(b"\1" * 64)
    try:
        return ip.view_text("record_view", lambda *_: message, arena.memory, constant)
    except im.Damage as why:
        return f"<damaged: {why}>"


def every_part(shown):
    """Returns the number of parts of a value, whose texts are parts of its text."""
    count, waiting = 0, [shown]
    while waiting:
        value = waiting.pop()
        count += len(value.parts)
        for name, part in value.parts:
            assert isinstance(name, str) and (part in value or name == "..."), (name, part, value)
            waiting.append(part)
    return count


def walk_document(seed):
    """Follows random keys in a document of random bytes: only Damage and PathError are raised."""
    made = random.Random(seed)
    arena = Arena()
    size = made.choice([16, 64, 400])
    raw = bytearray(b"".join(struct.pack("<H", made.choice([0, 1, 2, 3, 4, 7, 8, 16, 32, made.getrandbits(16)])) for _ in range(size // 2)))
    raw[12:16] = struct.pack("<I", made.choice([0, 1, 2, 16, 24, made.randrange(size)]))
    document, spot = im.Document(arena.memory, arena.put(raw), size), ()
    try:
        for _ in range(4):
            document.elements_of(spot)
            every_part(im.shown(document.text(*spot)))
            spot = document.follow(spot, made.choice([0, 1, 5, "a", "/0/a"]), made.choice([False, True]))
    except (im.Damage, paths.PathError):
        pass


def random_path(seed):
    made = random.Random(seed)
    words = ["a", "b::c", "->", ".", "[", "]", "(", ")", "*", "1", "-2", "0x1f", "1.5", '"x"', "'c'", "at", "size", "get", "<", ">", " ", "$", "\\"]
    try:
        root, steps = paths.Parser("".join(made.choice(words) for _ in range(made.randint(1, 9)))).steps()
        assert root and all(step[0] in ("inside", "member", "element", "at", "size", "empty") for step in steps)
    except paths.PathError:
        pass


PATHS = {
    "hero": ("hero", []),
    "*hero": ("hero", ["inside"]),
    "*hero->name": ("hero", ["member", "inside"]),
    "(*hero).name": ("hero", ["inside", "member"]),
    "hero->equips[1].id": ("hero", ["member", "element", "member"]),
    'order["by"].at("/x").size()': ("order", ["element", "at", "size"]),
    'view.get<"tags">()[0]': ("view", ["member", "element"]),
    "a::b[mood::calm].empty()": ("a::b", ["element", "empty"]),
}


def main():
    for path, (name, kinds) in PATHS.items():
        root, steps = paths.Parser(path).steps()
        assert (root, [step[0] for step in steps]) == (name, kinds), path
    for seed in range(2000):
        random_path(seed)
        walk_document(seed)
    rounds, first = (int(word) for word in (sys.argv[1:] + ["3000", "0"][len(sys.argv) - 1 :]))
    texts, damaged = 0, 0
    for seed in range(first, first + rounds):
        start = time.process_time()
        try:
            shown = text_or_damage(seed)
        except Exception as failure:
            raise AssertionError(f"seed {seed}") from failure
        spent = time.process_time() - start
        assert spent < 5 and len(shown) < 1 << 20, f"seed {seed}: {len(shown)} characters, {spent:.1f} s"
        damaged += shown.startswith("<damaged")
        texts += not shown.startswith("<damaged")
    assert rounds < 1000 or min(texts, damaged) > rounds // 100, f"{texts} texts, {damaged} damaged"

    # Widths that are invalid for the kind.
    assert one_of_each(ip.INTEGER, 4) == "{x = 16843009}"
    assert one_of_each(ip.FLOATING, 2) == one_of_each(ip.CHARACTER, 8) == one_of_each(ip.STRING, 3) == "<damaged: a description of nothing>"
    # The largest floats, which have no next larger one, and the smallest.
    for bits, text in ((0x7F7FFFFF, "3.4028235e+38"), (0xFF7FFFFF, "-3.4028235e+38"), (0x7F7FFFFE, "3.4028233e+38"), (1, "1e-45"), (0x7F800000, "inf")):
        assert ip.float_text(struct.pack("<I", bits)) == text, text
    # A recursive member has an infinite size, which is an error. The number of read descriptions
    # is bounded.
    arena = Arena()
    endless = arena.put(bytes(40))
    arena.describe(endless, [(0, 0, endless, 0, 0, 0)], ip.RECORD)
    constant = arena.put(struct.pack("<QQ", endless, 0))
    for brand in ("record_view", "checked_record_view", "compact::record_view"):
        try:
            raise AssertionError(ip.view_text(brand, lambda *_: BASE, arena.memory, constant))
        except im.Damage as why:
            assert "without end" in str(why)
    arena, reads = Arena(), [0]
    parts = [arena.put(bytes(40)) for _ in range(40)]
    for at in parts:
        arena.describe(at, [(0, 0, part, 0, 0, 0) for part in parts * 100], ip.TUPLE)
    constant = arena.put(struct.pack("<QQ", parts[0], 0))
    plain = arena.read

    def counted(at, length):
        reads[0] += 1
        return plain(at, length)

    try:
        raise AssertionError(ip.view_text("record_view", lambda *_: BASE, im.Memory(counted), constant))
    except im.Damage as why:
        assert "without end" in str(why) and reads[0] < 10 * ip.MOST_CHILDREN
    print(f"forged descriptions: {texts} texts, {damaged} damaged")


if __name__ == "__main__":
    main()
