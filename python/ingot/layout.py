# SPDX-License-Identifier: Apache-2.0
"""Layout descriptions: how the objects of a live block lie in it."""
from __future__ import annotations

import struct
from functools import reduce
from math import gcd
from operator import or_
from typing import Any, NoReturn

from .errors import Reading, head, reject, run, varint
from .hash import Fingerprint
from .schema import alternative_tags, check_tag_keys, check_version_key, name_is_fine, sign_extended

MAX_BYTES = 1 << 20
BOOLEAN, INTEGER, FLOAT, CHARACTER, BYTE, ENUMERATION, DURATION, TIME_POINT, COMPLEX, BITSET, ARRAY, PAIR, RECORD = range(1, 14)
STRING, VECTOR, OPTIONAL, VARIANT, BOX, MAP, SET, MULTIMAP, HASH_MAP, HASH_SET, FLAT_MAP, FLAT_SET, POOL, REF, QUEUE, VALUE = range(33, 49)
KIND_NAMES = {
    1: "boolean", 2: "integer", 3: "float", 4: "character", 5: "byte", 6: "enumeration", 7: "duration", 8: "time point", 9: "complex",
    10: "bitset", 11: "array", 12: "pair", 13: "record", 33: "string", 34: "vector", 35: "optional", 36: "variant", 37: "box", 38: "map",
    39: "set", 40: "multimap", 41: "hash map", 42: "hash set", 43: "flat map", 44: "flat set", 45: "pool", 46: "ref", 47: "queue", 48: "value",
}  # fmt: skip
F_SIGNED, F_OPEN, F_VALID, F_EMPTY, F_MODEL, F_VERSION, F_TAGS, F_COMBINED = 1, 2, 4, 8, 16, 32, 64, 128
F_TAG_KEY = 2  # for variants
L_RANGE, L_MAX_SIZE, L_UTF8 = 1, 2, 4
_FLAGS = {
    INTEGER: F_SIGNED, ENUMERATION: F_SIGNED | F_OPEN | F_COMBINED, RECORD: F_VALID | F_EMPTY | F_VERSION, REF: F_VALID,
    ARRAY: F_EMPTY, BITSET: F_EMPTY, OPTIONAL: F_MODEL, VARIANT: F_TAGS | F_TAG_KEY,
}  # fmt: skip
_WIDTHS = {BOOLEAN: (1,), INTEGER: (1, 2, 4, 8), FLOAT: (4, 8), CHARACTER: (1, 2, 4), BYTE: (1,), ENUMERATION: (1, 2, 4, 8), COMPLEX: (8, 16)}
_HELD = {STRING: 1, VECTOR: 1, OPTIONAL: 1, BOX: 1, MAP: 2, SET: 1, MULTIMAP: 2, HASH_MAP: 3, HASH_SET: 1, FLAT_MAP: 2, FLAT_SET: 1, POOL: 1, QUEUE: 1}
_KEYED = frozenset((MAP, SET, MULTIMAP, HASH_MAP, HASH_SET, FLAT_MAP, FLAT_SET))
_NUMBERS = frozenset((BOOLEAN, INTEGER, FLOAT, CHARACTER, BYTE, ENUMERATION))
_KEYS = _NUMBERS | {DURATION, TIME_POINT}
#: What lies in the bytes of the object itself, not in a storage.
INSIDE = frozenset((ARRAY, PAIR, RECORD, REF, OPTIONAL, VARIANT, DURATION, TIME_POINT))


def up(at: int, alignment: int) -> int:
    """The next multiple of an alignment."""
    return -(-at // alignment) * alignment


class Limits:
    """Limits of a member's values."""

    __slots__ = ("low", "high", "max_size", "utf8")

    def __init__(self) -> None:
        self.low: int | float | None = None
        self.high: int | float | None = None
        self.max_size: int | None = None
        self.utf8 = False


class Type:
    """A type of a block.

    ``kind`` is a number of the description, ``parts`` are the types in it, ``offsets`` those of its
    members.
    """

    # fmt: off
    __slots__ = ("number", "kind", "flags", "size", "alignment", "name", "parts", "names", "offsets", "values", "limits", "period", "extent",
                 "model", "version", "by_value", "bits", "anchored", "span", "at", "tags", "tag_key")
    # fmt: on

    def __init__(self, number: int, kind: int, flags: int, size: int, alignment: int) -> None:
        self.number = number
        self.kind = kind
        self.flags = flags
        self.size = size
        self.alignment = alignment
        self.name = ""
        self.parts: list[Any] = []
        self.names: list[str] = []
        self.offsets: list[int] = []
        self.values: list[int] = []
        self.limits: list[Limits | None] = []
        self.period = (0, 0)
        self.extent = 0
        self.model: bytes | None = None
        self.version: int | None = None
        self.by_value: dict[int, str] = {}
        self.bits = 0  # union of the bits of all enumerators of flags
        self.anchored = False
        self.span: tuple[int, int] | None = None
        self.at = 0
        self.tags: list[str] = []  # tags of a variant's alternatives in text
        self.tag_key = ""  # key of a variant's tag in JSON, or empty

    @property
    def version_apart(self) -> int | None:
        """The version of a record without a member for it: JSON has ``$version``."""
        return None if self.names and self.names[0] == "version" and self.parts[0].kind == INTEGER else self.version

    @property
    def alternatives(self) -> list[Type | None]:
        """The records that a variant holds; None for an alternative that is no record."""
        return [part if part.kind in (RECORD, REF) else None for part in self.parts]

    @property
    def kind_name(self) -> str:
        return KIND_NAMES[self.kind]

    def __repr__(self) -> str:
        return f"<{self.kind_name}{' ' + self.name if self.name else ''} of {self.size} bytes>"


class Layout:
    """The layout of a type in a live block.

    ``root`` is the type; ``layout_id`` and ``schema_id`` are those of its blocks.
    """

    kind = "layout"

    def __init__(self, types: list[Type], layout_id: int, schema_id: int, big_endian: bool, offset: int) -> None:
        self.types = types
        self.root = types[0]
        self.layout_id = layout_id
        self.schema_id = schema_id
        self.big_endian = big_endian
        self.offset = offset

    @property
    def id(self) -> int:
        return self.schema_id

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Layout:
        """Reads a layout description (``ingY``).

        Raises FormatError if it makes no sense or is not in its one form.
        """
        return _Reader(bytes(data)).layout()

    def __repr__(self) -> str:
        return f"<ingot layout {self.layout_id:016x} of a {self.root.name or self.root.kind_name}>"


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 24
        self.end = len(data) - 8

    def fail(self, message: str, code: str = "invalid_value", at: int | None = None) -> NoReturn:
        reject(code, self.at if at is None else at, message)

    def byte(self) -> int:
        if self.at >= self.end:
            self.fail("expected a type, found the end", "truncated")
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value, self.at = varint(self.data, self.at, self.end)
        return value

    def raw(self, size: int) -> bytes:
        if size > self.end - self.at:
            self.fail(f"expected {size} bytes, found {self.end - self.at}", "truncated")
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        begin = self.at
        raw = self.raw(self.number())
        if not name_is_fine(raw):
            self.fail("expected UTF-8 without control characters", at=begin)
        return raw.decode()

    def identifier(self) -> str:
        begin = self.at
        name = self.text()
        if not all(letter.isalnum() or letter in "_$" or letter > "\x7f" for letter in name):
            self.fail("expected an identifier, or nothing", at=begin)
        return name

    def layout(self) -> Layout:
        data = self.data
        if len(data) > MAX_BYTES:
            reject("too_large", 0, "expected a description of at most 1 MiB")
        head(data, b"ingY", 3, 33, "a layout description", "the header of a layout description")
        if data[5] > 7:
            reject("invalid_value", 5, f"expected flags 1, 2 and 4, found {data[5]}")
        if data[6] or data[7]:
            reject("invalid_value", 6, "expected zeros")
        mixed = Fingerprint()
        mixed.text(data[: self.end])
        if mixed.done() != int.from_bytes(data[self.end :], "little"):
            reject("bad_checksum", self.end, "expected the hash of all bytes in front")
        self.big_endian = bool(data[5] & 1)
        self.offset = 8 if data[5] & 2 else 4
        count = self.number()
        if not 1 <= count <= 65536:
            self.fail(f"expected 1 to 65,536 types, found {count}")
        if count > (self.end - self.at) // 4:
            self.fail(f"expected {count} types, found {self.end - self.at} bytes", "truncated")
        self.types = [self.type(number, count) for number in range(count)]
        if self.at != self.end:
            self.fail("expected the end of the description", "trailing_bytes")
        for each in self.types:
            each.parts = [self.types[part] for part in each.parts]
        self.check_order()
        self.check_inside()
        for each in self.types:
            self.check_parts(each)
            check_version_key(each, each.at)
        self.check_keys()
        check_tag_keys([(each, each.at) for each in self.types if each.tag_key])
        found = self.layout_id()
        if found != int.from_bytes(data[8:16], "little"):
            reject("bad_checksum", 8, f"expected the fingerprint of the types, {found:016x}")
        return Layout(self.types, found, int.from_bytes(data[16:24], "little"), self.big_endian, self.offset)

    def part(self, count: int) -> int:
        begin = self.at
        value = self.number()
        if value >= count:
            self.fail(f"expected a type below {count}, found {value}", at=begin)
        return value

    def type(self, number: int, count: int) -> Type:
        begin = self.at
        kind, flags = self.byte(), self.byte()
        if kind not in KIND_NAMES:
            self.fail(f"expected a kind, found {kind}", at=begin)
        if flags & ~_FLAGS.get(kind, 0) or flags & F_OPEN and flags & F_COMBINED:
            self.fail(f"expected flags that a {KIND_NAMES[kind]} can have, found {flags}", at=begin + 1)
        size, alignment = self.number(), self.byte()
        if not 1 <= size <= 1 << 40:
            self.fail(f"expected a size of 1 to 2^40, found {size}", at=begin)
        if alignment not in (1, 2, 4, 8, 16) or size % alignment:
            self.fail(f"expected an alignment that divides the size, found {alignment}", at=begin)
        built = Type(number, kind, flags, size, alignment)
        built.at = begin
        if kind == ENUMERATION:
            self.enumeration(built)
        elif kind == DURATION:
            built.parts = [self.part(count)]
            built.period = self.number(), self.number()
            if not all(1 <= part < 1 << 63 for part in built.period) or gcd(*built.period) != 1:
                self.fail("expected a period in lowest terms", at=begin)
        elif kind == TIME_POINT:
            built.parts = [self.part(count)]
        elif kind == BITSET:
            built.extent = self.number()
        elif kind == ARRAY:
            built.extent = self.number()
            built.parts = [self.part(count)]
        elif kind == PAIR:
            built.offsets = [0, self.number()]
            built.parts = [self.part(count), self.part(count)]
        elif kind in (RECORD, REF):
            self.record(built, count)
        elif kind == VARIANT:
            if flags & F_TAG_KEY:
                built.tag_key = self.text()
                if built.tag_key in ("", "$version"):
                    self.fail("expected a tag_key that is neither empty nor $version", at=begin)
            held = self.number()
            if not 1 <= held <= self.end - self.at:
                self.fail("expected as many alternatives as there are bytes, at least one", at=begin)
            for _ in range(held):
                built.names.append(self.text())
                built.parts.append(self.part(count))
            if flags & F_TAGS and (len(set(built.names)) != held or "" in built.names):
                self.fail("expected a tag for each alternative, no two of one name", at=begin)
            built.tags = alternative_tags(built.names, bool(flags & F_TAGS))
        elif kind in _HELD:
            built.parts = [self.part(count) for _ in range(_HELD[kind])]
            if flags & F_MODEL:
                built.model = self.raw(self.number())
        return built

    def enumeration(self, built: Type) -> None:
        built.name = self.identifier()
        count = self.number()
        if count > (self.end - self.at) // 9:
            self.fail(f"expected {count} enumerators, found {self.end - self.at} bytes", "truncated")
        signed = bool(built.flags & F_SIGNED)
        if built.size > 8:
            self.fail("expected 1, 2, 4 or 8 bytes", at=built.at)
        for _ in range(count):
            begin = self.at
            value = int.from_bytes(self.raw(8), "little")
            if not sign_extended(value, built.size, signed):
                self.fail("expected a value that a number of the enumeration's size and sign can have", at=begin)
            if signed and value >> 63:
                value -= 1 << 64
            if built.values and value <= built.values[-1]:
                self.fail("expected enumerators ascending by value", "not_canonical", begin)
            built.values.append(value)
            built.names.append(self.text())
        built.by_value = dict(zip(built.values, built.names))
        if built.flags & F_COMBINED:
            built.bits = reduce(or_, built.values, 0)

    def record(self, built: Type, count: int) -> None:
        begin = self.at
        built.name = self.identifier()
        if built.kind == REF and built.name != "ref":
            self.fail("expected a ref to be called ref", at=begin)
        if built.flags & F_VERSION:
            built.version = self.number()
            if built.version >> 32:
                self.fail("expected a version below 2^32", at=begin)
        members = self.number()
        if members > (self.end - self.at) // 4:
            self.fail(f"expected {members} members, found {self.end - self.at} bytes", "truncated")
        for _ in range(members):
            built.names.append(self.text())
            built.offsets.append(self.number())
            built.parts.append(self.part(count))
            built.limits.append(self.limit())

    def limit(self) -> Limits | None:
        which = self.byte()
        if which > 7:
            self.fail(f"expected limits 1, 2 and 4, found {which}", at=self.at - 1)
        if which == 0:
            return None
        built = Limits()
        if which & L_RANGE:
            built.low, built.high = self.bound(), self.bound()
        if which & L_MAX_SIZE:
            built.max_size = self.number()
        built.utf8 = bool(which & L_UTF8)
        return built

    def bound(self) -> int | float:
        begin = self.at
        kind, raw = self.byte(), self.raw(8)
        if kind == 0:
            value = int.from_bytes(raw, "little", signed=True)
            if value >= 0:
                self.fail("expected a bound of kind 0 to be below zero", at=begin)
            return value
        if kind == 1:
            return int.from_bytes(raw, "little")
        if kind == 2:
            return struct.unpack("<d", raw)[0]
        self.fail(f"expected the kind of a bound, 0, 1 or 2, found {kind}", at=begin)

    # Whether it makes sense

    def check_order(self) -> None:
        """Types stand in the order in which a walk from the root meets them."""
        seen = [False] * len(self.types)
        seen[0] = True
        met = 1
        stack = [iter(self.types[0].parts)]
        while stack:
            part = next(stack[-1], None)
            if part is None:
                stack.pop()
            elif not seen[part.number]:
                if part.number != met:
                    self.fail("expected types in the order in which they are met", "not_canonical", part.at)
                seen[met] = True
                met += 1
                stack.append(iter(part.parts))
        if met != len(self.types):
            self.fail("expected each type to be in another", "not_canonical", self.types[met].at)

    def check_inside(self) -> None:
        """Checks that no type is inside its own bytes.

        Notes which types have anchors, and how deep objects are nested.
        """
        state = [0] * len(self.types)
        depth = [1] * len(self.types)
        steps = [1] * len(self.types)
        for first in self.types:
            stack = [first]
            while stack:
                each = stack[-1]
                parts = each.parts if each.kind in INSIDE else []
                if state[each.number] == 0:
                    state[each.number] = 1
                    for part in parts:
                        if state[part.number] == 1:
                            self.fail("expected no type that contains itself directly", at=each.at)
                        if state[part.number] == 0:
                            stack.append(part)
                    continue
                stack.pop()
                if state[each.number] == 2:
                    continue
                state[each.number] = 2
                if parts:
                    depth[each.number] = 1 + max(depth[part.number] for part in parts)
                if depth[each.number] > 64:
                    self.fail("expected objects nested at most 64 deep", "too_deep", each.at)
                each.anchored = each.kind >= STRING and each.kind not in (OPTIONAL, VARIANT, REF) or any(p.anchored for p in parts)
                if each.kind == ARRAY and each.extent == 0 and each.anchored:
                    self.fail("expected an array of nothing to have no containers", at=each.at)
                own = each.size if each.kind in (STRING, OPTIONAL, VARIANT, BITSET) else 0
                inner = [steps[part.number] for part in parts]
                held = max(inner) if each.kind == VARIANT else each.extent * inner[0] if each.kind == ARRAY else sum(inner)
                steps[each.number] = 1 + own + held
                if steps[each.number] > 64 * (each.size + 1):
                    self.fail("expected at most 64 steps for each byte", "too_large", each.at)

    def check_parts(self, each: Type) -> None:  # noqa: C901
        kind, parts = each.kind, each.parts

        def hold(right: bool, message: str) -> None:
            if not right:
                self.fail(f"expected {message}", at=each.at)

        def laid(size: int, alignment: int) -> None:
            hold(
                (each.size, each.alignment) == (size, alignment),
                f"a {each.kind_name} of {size} bytes aligned to {alignment}, found {each.size} and {each.alignment}",
            )

        word = self.offset
        if kind in _WIDTHS:
            hold(each.size in _WIDTHS[kind], f"a size that a {each.kind_name} can have, found {each.size}")
        elif kind == DURATION:
            hold(parts[0].kind in (INTEGER, FLOAT), "a duration to count in integers or floats")
            laid(parts[0].size, parts[0].alignment)
        elif kind == TIME_POINT:
            hold(parts[0].kind == DURATION, "a time point to have a duration")
            laid(parts[0].size, parts[0].alignment)
        elif kind == BITSET:
            laid(max(1, -(-each.extent // (8 * each.alignment))) * each.alignment, each.alignment)
            hold(not each.flags & F_EMPTY or each.extent == 0, "the flag of nothing where there is nothing")
        elif kind == ARRAY:
            if each.extent:
                laid(each.extent * parts[0].size, parts[0].alignment)
            hold(not each.flags & F_EMPTY or each.extent == 0, "the flag of nothing where there is nothing")
        elif kind == PAIR:
            second, alignment = each.offsets[1], max(part.alignment for part in parts)
            hold(second == up(parts[0].size, parts[1].alignment), "the second of a pair right after the first")
            hold(each.alignment >= alignment and each.size >= second + parts[1].size, "a pair with both in it")
            hold(each.size == up(second + parts[1].size, each.alignment), "nothing but padding after the second of a pair")
        elif kind in (RECORD, REF):
            self.check_record(each, hold)
        elif kind == OPTIONAL:
            laid(up(parts[0].size + 1, parts[0].alignment), parts[0].alignment)
            hold((each.model is not None) == parts[0].anchored, "a model exactly where an optional's value holds containers")
            if each.model is not None:
                hold(len(each.model) == parts[0].size, "a model as long as the value")
                self.check_model(each)
        elif kind == VARIANT:
            alignment = max(part.alignment for part in parts)
            begin = up((word if each.anchored else 0) + 1, alignment)
            whole = max(alignment, word) if each.anchored else alignment
            laid(up(begin + max(part.size for part in parts), whole), whole)
        elif kind == STRING:
            hold(parts[0].kind == CHARACTER, "a string of characters")
            laid(4 * word, word)
        elif kind == BOX:
            laid(word, word)
        else:
            laid(2 * word, word)
            if kind == HASH_MAP:
                hold(parts[2].kind == PAIR and parts[2].parts == parts[:2], "a hash map's pairs to be of its key and value")

    def check_record(self, each: Type, hold: Any) -> None:
        hold(not each.flags & F_EMPTY or not each.parts, "the flag of nothing only of records without members")
        if each.kind == REF:
            hold(
                each.size == 8 and each.alignment == 4 and each.offsets == [0, 4]
                and all(part.kind == INTEGER and part.size == 4 and not part.flags for part in each.parts),
                "a ref to be two unsigned integers of 4 bytes",
            )  # fmt: skip
        spans = []
        for part, offset, limits in zip(each.parts, each.offsets, each.limits):
            hold(offset % part.alignment == 0 and each.alignment >= part.alignment, "members at multiples of their alignment")
            hold(part.size <= each.size and offset <= each.size - part.size, "members to lie inside their record")
            if part.anchored:
                low, high = container_span(part)
                spans.append((offset + low, offset + high))
            if limits is not None:
                self.check_limits(part, limits, hold)
        spans.sort()
        for before, after in zip(spans, spans[1:]):
            hold(after[0] >= before[1], "no containers of two members in the same bytes")

    def check_limits(self, part: Type, limits: Limits, hold: Any) -> None:
        if limits.low is not None:
            inner, depth = part, 0
            while inner.kind in (ARRAY, STRING, VECTOR, QUEUE, POOL, OPTIONAL, BOX, SET, HASH_SET, FLAT_SET) and depth <= 32:
                inner = inner.parts[0]
                depth += 1
            hold(depth <= 32 and inner.kind in (INTEGER, FLOAT, CHARACTER, BYTE, ENUMERATION, BOOLEAN, DURATION, TIME_POINT), "a range of numbers")
        if limits.max_size is not None:
            hold(part.kind in (ARRAY, BITSET) or part.kind >= STRING and part.kind not in (OPTIONAL, VARIANT, BOX, REF), "max_size only on types that have a size")
        if limits.utf8:
            hold(part.kind in (STRING, VECTOR, ARRAY) and part.parts[0].size == 1, "utf8 of text")

    def check_model(self, each: Type) -> None:
        """A model has zeros for anchors, and its variants hold one of their alternatives."""
        assert each.model is not None
        positions: list[int] = []
        run(anchors(each.parts[0], each.model, 0, self.offset, positions))
        for position in positions:
            if any(each.model[position : position + self.offset]):
                self.fail("expected zeros for the anchors of a model", at=each.at)

    def check_keys(self) -> None:
        """Keys are of numbers, times, text, and what is made of these."""
        deep: dict[int, int] = {}
        for each in self.types:
            if each.kind not in _KEYED:
                continue
            stack = [(each.parts[0], 1)]
            while stack:
                part, depth = stack.pop()
                if depth > 32:
                    self.fail("expected keys whose objects are nested at most 32 deep", "too_deep", each.at)
                if part.kind in _KEYS or part.kind == STRING or deep.get(part.number, 0) >= depth:
                    continue
                deep[part.number] = depth
                if part.kind not in (ARRAY, PAIR, RECORD, VECTOR, QUEUE):
                    self.fail(f"expected no {part.kind_name} in a key", at=each.at)
                stack += [(inner, depth + 1) for inner in part.parts]

    def layout_id(self) -> int:
        mixed = Fingerprint()
        mixed.word(2 if self.big_endian else 1)
        mixed.word(self.offset)
        max_steps, max_depth = 64 * len(self.data) + 4096, len(self.data) + 4096
        met: set[int] = set()
        stack: list[Any] = [self.types[0]]
        steps = 0
        ends: list[int] = []
        while stack:
            each = stack.pop()
            if each is ends:
                ends.pop()
                continue
            if isinstance(each, int):
                mixed.word(each)
                continue
            steps += 1
            if steps > max_steps or len(ends) > max_depth:
                self.fail("expected a layout whose fingerprint is soon made", "too_large", 8)
            mixed.word(each.size)
            mixed.word(each.alignment)
            if each.kind == ARRAY:
                mixed.word(512 + each.extent)
                after: list[Any] = list(each.parts)
            elif each.kind == PAIR:
                mixed.word(768)
                after = list(each.parts)
            elif each.kind in (RECORD, REF):
                mixed.word(1024 + len(each.parts))
                after = [step for pair in zip(each.offsets, each.parts) for step in pair]
            elif each.kind >= STRING:
                mixed.word(256 + each.kind - 32)
                if each.number in met:
                    mixed.word(65535)
                    after = []
                else:
                    met.add(each.number)
                    after = list(each.parts[:2] if each.kind == HASH_MAP else each.parts)
            else:
                mixed.word(each.kind)
                if each.kind in (DURATION, TIME_POINT):
                    counts = each if each.kind == DURATION else each.parts[0]
                    mixed.word(counts.period[0])
                    mixed.word(counts.period[1])
                after = []
            if after:
                ends.append(0)
                stack.append(ends)
                stack += reversed(after)
        return mixed.done()


def container_span(each: Type) -> tuple[int, int]:
    """From the first byte of the first container in a type's bytes to the end of the last."""
    if each.span is None:
        spans = []
        stack = [(each, 0)]
        while stack:
            part, at = stack.pop()
            if part.span is not None:
                spans.append((at + part.span[0], at + part.span[1]))
            elif part.kind == ARRAY and part.anchored:
                stack += [(part.parts[0], at), (part.parts[0], at + (part.extent - 1) * part.parts[0].size)]
            elif part.kind in (RECORD, PAIR) and part.anchored:
                stack += [(inner, at + offset) for inner, offset in zip(part.parts, part.offsets) if inner.anchored]
            elif part.kind == OPTIONAL and part.anchored:
                stack.append((part.parts[0], at))
            elif part.anchored:
                spans.append((at, at + part.size))
        each.span = min(low for low, _ in spans), max(high for _, high in spans)
    return each.span


def variant_begin(each: Type, offset: int) -> tuple[int, int]:
    """Returns the positions of a variant's index and object."""
    index = offset if each.anchored else 0
    return index, up(index + 1, max(part.alignment for part in each.parts))


def anchors(each: Type, model: bytes, at: int, offset: int, positions: list[int]) -> Reading:
    """Collects the positions of anchors in an object whose containers are empty."""
    if not each.anchored:
        return
    if each.kind == ARRAY:
        for number in range(each.extent):
            yield anchors(each.parts[0], model, at + number * each.parts[0].size, offset, positions)
    elif each.kind in (RECORD, PAIR):
        for part, where in zip(each.parts, each.offsets):
            yield anchors(part, model, at + where, offset, positions)
    elif each.kind == OPTIONAL:
        yield anchors(each.parts[0], model, at, offset, positions)
    elif each.kind == VARIANT:
        index, begin = variant_begin(each, offset)
        positions.append(at)
        held = model[at + index]
        if held >= len(each.parts):
            reject("invalid_value", each.at, f"expected an alternative of a model's variant below {len(each.parts)}, found {held}")
        yield anchors(each.parts[held], model, at + begin, offset, positions)
    else:
        positions.append(at)
