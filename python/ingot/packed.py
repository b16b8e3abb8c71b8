# SPDX-License-Identifier: Apache-2.0
"""The pack profile: values with the ends of their variable fields in a fixed part."""
from __future__ import annotations

import struct
from typing import Any

from . import keys as key_order
from .archive import Archive
from .errors import FormatError, Path, Reading, inner, reject, run
from .schema import COMBINED, EVOLVABLE, LISTS, MAY_BE_NONE, OPEN, SIGNED, VERSIONED, Kind, Part, Schema, is_variable, slot_of
from .values import ABSENT, Duration, Enumerator, Expected, Record, SingleComplex, TimePoint, Variant, floating, mapping, scalars, text

MAX_DEPTH = 128
#: Elements of lists that take no bytes, in one message.
MAX_EMPTY = 65536

_INTEGERS = {(1, 0): "B", (2, 0): "H", (4, 0): "I", (8, 0): "Q", (1, 1): "b", (2, 1): "h", (4, 1): "i", (8, 1): "q"}
_NUMBERS = frozenset((Kind.INTEGER, Kind.FLOATING, Kind.CHARACTER, Kind.BYTE))


def code_of(part: Part) -> str:
    """The code by which the module struct knows a number."""
    if part.kind == Kind.FLOATING:
        return "f" if part.width == 4 else "d"
    return _INTEGERS[part.width, int(part.kind == Kind.INTEGER and bool(part.flags & SIGNED))]


def unpack(data: bytes | bytearray | memoryview, schema: Schema, exact: bool = False) -> Any:
    """Returns the value of a packed message, which is validated as a whole.

    exact says that the schema is the writer's: evolvable records have exactly its members.
    """
    data = memoryview(data).cast("B")
    return run(_Packed(data, exact).payload(schema.root, 0, len(data), 0, None, False))


class _Tail:
    """The tail of a fixed part, and where its next field begins."""

    __slots__ = ("begin", "size", "last")

    def __init__(self, begin: int, size: int) -> None:
        self.begin = begin
        self.size = size
        self.last = 0


class Scalars:
    """Values without structure, as both profiles have them."""

    def __init__(self, data: memoryview, exact: bool) -> None:
        self.data = data
        self.exact = exact
        self.empty = 0

    def deeper(self, into: Part, depth: int, at: int, path: Path) -> int:
        """Returns the depth inside a part: one more if a type in it contains itself."""
        if not into.nests:
            return depth
        if depth >= MAX_DEPTH:
            reject("too_deep", at, f"expected lists, optionals, variants and evolvable records nested at most {MAX_DEPTH} deep", path)
        return depth + 1

    def charge(self, count: int, at: int, path: Path) -> None:
        self.empty += count
        if self.empty > MAX_EMPTY:
            reject("too_large", at, f"expected at most {MAX_EMPTY} elements that take no bytes", path)

    def number(self, part: Part, at: int, path: Path, in_key: bool) -> Any:
        """A boolean, number, character, byte or enumerator."""
        kind = part.kind
        if kind == Kind.FLOATING:
            value = floating(struct.unpack_from("<f" if part.width == 4 else "<d", self.data, at)[0], part.width)
            if in_key and (value != value or value == 0 and self.data[at + part.width - 1]):
                reject("not_canonical", at, "expected a float in a key to be neither NaN nor -0", path)
            return value
        signed = bool(part.flags & SIGNED) and kind in (Kind.INTEGER, Kind.ENUMERATION)
        return self.meaning(part, int.from_bytes(self.data[at : at + part.width], "little", signed=signed), at, path)

    def meaning(self, part: Part, value: int, at: int, path: Path) -> Any:
        if part.kind == Kind.BOOLEAN:
            if value > 1:
                reject("invalid_value", at, f"expected 0 or 1, found {value}", path)
            return value == 1
        if part.kind == Kind.ENUMERATION:
            assert part.by_value is not None
            name = part.by_value.get(value)
            if name is None and not part.flags & OPEN and not (part.flags & COMBINED and value & ~part.bits == 0):
                reject("invalid_value", at, f"expected an enumerator, found {value}", path)
            return Enumerator(value, name)
        return value

    def bits(self, part: Part, at: int, path: Path) -> list[bool]:
        value = int.from_bytes(self.data[at : at + part.slot], "little")
        if value >> part.extent:
            reject("invalid_value", at + part.slot - 1, "expected unused bits to be zero", path)
        return [letter == "1" for letter in reversed(format(value, f"0{part.extent}b"))] if part.extent else []

    def text(self, part: Part, at: int, end: int, path: Path) -> str | bytes:
        return text(self.data[at:end], part.width or 1)

    def any_value(self, begin: int, end: int, path: Path) -> Any:
        """A value of any kind, as its archive says it."""
        try:
            return Archive(self.data[begin:end]).value
        except FormatError as error:
            raise inner(error, begin, path) from None

    def version(self, part: Part, value: Any, at: int, path: Path) -> None:
        if part.flags & VERSIONED and part.children and part.names[0] == "version" and part.children[0].kind == Kind.INTEGER:
            if value != part.extent:
                reject("wrong_version", at, f"expected version {part.extent}, found {value}", (path, "version"))


class _Packed(Scalars):
    def payload(self, part: Part, begin: int, end: int, depth: int, path: Path, in_key: bool) -> Reading:
        """Reads the payload of a message or of a variable field."""
        if part.kind == Kind.RECURSION:
            part = part.target
        kind = part.kind
        if kind == Kind.STRING or kind == Kind.PATH:
            if kind == Kind.STRING and (end - begin) % part.width:
                reject("invalid_value", begin, "expected whole characters", path)
            return self.text(part, begin, end, path)
        if kind == Kind.DOCUMENT:
            return self.any_value(begin, end, path)
        if kind in LISTS:
            return (yield self.list(part, begin, end, depth, path, in_key))
        if is_variable(part):
            if kind == Kind.RECORD:
                depth = self.deeper(part, depth, begin, path)
                return (yield self.evolvable(part, begin, end, depth, path, in_key))
            return (yield self.alternative(part, begin, end, depth, path, in_key))
        if part.slot > end - begin:
            reject("truncated", end, f"expected {part.slot} bytes, found {end - begin}", path)
        tail = _Tail(begin + part.slot, end - begin - part.slot)
        value = yield self.slots(part, begin, tail, depth, path, in_key)
        self.ended(tail, path)
        return value

    def ended(self, tail: _Tail, path: Path) -> None:
        if tail.last != tail.size:
            reject("trailing_bytes", tail.begin + tail.last, f"expected the end, found {tail.size - tail.last} bytes", path)

    def alternative(self, part: Part, begin: int, end: int, depth: int, path: Path, in_key: bool) -> Reading:
        if begin == end:
            if part.kind == Kind.OPTIONAL:
                return None
            reject("truncated", begin, "expected a tag, found the end", path)
        child = self.chosen(part, self.data[begin], begin, path)
        if child is None:
            if part.kind == Kind.OPTIONAL:
                reject("not_canonical", begin, "expected nothing, or the tag 1", path)
            if end - begin > 1:
                reject("trailing_bytes", begin + 1, "expected nothing after the tag", path)
            return self.tagged(part, self.data[begin], None)
        depth = self.deeper(child, depth, begin, path)
        value = yield self.payload(child, begin + 1, end, depth, path, in_key)
        return self.tagged(part, self.data[begin], value)

    def chosen(self, part: Part, tag: int, at: int, path: Path) -> Part | None:
        """The alternative that a tag means."""
        choices: list[Part | None] = list(part.children)
        if part.kind == Kind.OPTIONAL:
            choices = [None, part.children[0]]
        elif part.kind == Kind.EXPECTED and len(choices) == 1:
            choices = [None, part.children[0]]
        if tag >= len(choices):
            reject("invalid_value", at, f"expected a tag below {len(choices)}, found {tag}", path)
        return choices[tag]

    def tagged(self, part: Part, tag: int, value: Any) -> Any:
        if part.kind == Kind.OPTIONAL:
            child = part.children[0]
            nested = (child.target if child.kind == Kind.RECURSION else child).kind in MAY_BE_NONE
            return None if tag == 0 else [value] if nested else value
        return Variant(tag, value, part.tags[tag], part.tag_key) if part.kind == Kind.VARIANT else Expected(tag == 0, value)

    def slots(self, part: Part, at: int, tail: _Tail, depth: int, path: Path, in_key: bool) -> Reading:
        """Reads the value at a slot, or at several."""
        if part.kind == Kind.RECURSION:
            part = part.target
        kind = part.kind
        if is_variable(part):
            end = int.from_bytes(self.data[at : at + 4], "little")
            if not tail.last <= end <= tail.size:
                reject("invalid_value", at, f"expected an end from {tail.last} to {tail.size}, found {end}", path)
            begin, tail.last = tail.last, end
            return (yield self.payload(part, tail.begin + begin, tail.begin + end, depth, path, in_key))
        if kind == Kind.RECORD or kind == Kind.TUPLE:
            return (yield self.members(part, at, tail, depth, path, in_key, len(part.children)))
        if kind == Kind.ARRAY:
            child = part.children[0]
            size = slot_of(child)
            if child.kind in _NUMBERS and not (in_key and child.kind == Kind.FLOATING):
                return scalars(self.data[at : at + part.slot], code_of(child))
            found = []
            for number in range(part.extent):
                found.append((yield self.slots(child, at + number * size, tail, depth, (path, number), in_key)))
            return found
        if kind in (Kind.OPTIONAL, Kind.VARIANT, Kind.EXPECTED):
            tag = self.data[at]
            child_or_none = self.chosen(part, tag, at, path)
            value, used = None, 1
            if child_or_none is not None:
                used += child_or_none.slot
                value = yield self.slots(child_or_none, at + 1, tail, depth, path, in_key)
            if any(self.data[at + used : at + part.slot]):
                reject("not_canonical", at + used, "expected zeros after a smaller alternative", path)
            return self.tagged(part, tag, value)
        return self.scalar(part, at, path, in_key)

    def scalar(self, part: Part, at: int, path: Path, in_key: bool) -> Any:
        kind = part.kind
        if kind == Kind.DURATION:
            return Duration(self.number(part.children[0], at, path, in_key), part.extent, part.divisor)
        if kind == Kind.TIME_POINT:
            return TimePoint(self.scalar(part.children[0], at, path, in_key))
        if kind == Kind.COMPLEX:
            child = part.children[0]
            kind_of = SingleComplex if child.width == 4 else complex
            return kind_of(self.number(child, at, path, in_key), self.number(child, at + child.width, path, in_key))
        if kind == Kind.BITSET:
            return self.bits(part, at, path)
        return self.number(part, at, path, in_key)

    def members(self, part: Part, at: int, tail: _Tail, depth: int, path: Path, in_key: bool, count: int) -> Reading:
        """Reads the first count members of a record."""
        values = []
        for number, child in enumerate(part.children):
            if number >= count:
                values.append(ABSENT)
                continue
            step = (path, part.names[number] if part.kind == Kind.RECORD else number)
            value = yield self.slots(child, at, tail, depth, step, in_key)
            if number == 0:
                self.version(part, value, at, path)
            values.append(value)
            at += slot_of(child)
        return Record(part.names, values, version=part.version_apart) if part.kind == Kind.RECORD else tuple(values)

    def known(self, part: Part, size: int, at: int, path: Path) -> int:
        """Returns the number of the schema's members that a fixed part of this size has."""
        if size == part.slot or size > part.slot and not self.exact:
            return len(part.children)
        if self.exact:
            reject("invalid_value", at, f"expected a fixed part of {part.slot} bytes, found {size}", path)
        end = 0
        for number, child in enumerate(part.children):
            if end == size:
                return number
            end += slot_of(child)
        reject("invalid_value", at, f"expected a fixed part that ends between two members, found {size} bytes", path)

    def evolvable(self, part: Part, begin: int, end: int, depth: int, path: Path, in_key: bool) -> Reading:
        if end - begin < 4:
            reject("truncated", end, "expected the size of a fixed part", path)
        size = int.from_bytes(self.data[begin : begin + 4], "little")
        if size > end - begin - 4:
            reject("truncated", begin, f"expected a fixed part that is there, found one of {size} bytes", path)
        count = self.known(part, size, begin, path)
        tail = _Tail(begin + 4 + size, end - begin - 4 - size)
        value = yield self.members(part, begin + 4, tail, depth, path, in_key, count)
        if size <= part.slot:
            self.ended(tail, path)
        return value

    def list(self, part: Part, begin: int, end: int, depth: int, path: Path, in_key: bool) -> Reading:
        element = part.entry or part.children[0]
        if element.kind == Kind.RECURSION:
            element = element.target
        keyed = part.kind != Kind.SEQUENCE
        if element.fixed and element.slot:
            if (end - begin) % element.slot:
                reject("invalid_value", begin, f"expected elements of {element.slot} bytes, found {end - begin}", path)
            if not keyed and element.kind in _NUMBERS and not (in_key and element.kind == Kind.FLOATING):
                return scalars(self.data[begin:end], code_of(element))
            count, at, stride = (end - begin) // element.slot, begin, element.slot
            tail = _Tail(end, 0)
        else:
            if end - begin < 4:
                reject("truncated", end, "expected a count", path)
            count = int.from_bytes(self.data[begin : begin + 4], "little")
            at = begin + 4
            if element.kind == Kind.RECORD and element.flags & EVOLVABLE:
                return (yield self.evolvables(part, element, count, at, end, depth, path, in_key))
            stride = slot_of(element)
            if element.fixed:
                self.charge(count, begin, path)
            elif count * stride > end - at:
                reject("truncated", begin, f"expected {count} elements of {stride} bytes, found {end - at}", path)
            tail = _Tail(at + count * stride, end - at - count * stride)
        if count:
            depth = self.deeper(element, depth, begin, path)
        found, values = [], []
        for number in range(count):
            if part.entry is not None:
                key, value = part.children
                found.append((yield self.slots(key, at, tail, depth, (path, number), True)))
                values.append((yield self.slots(value, at + slot_of(key), tail, depth, (path, number), in_key)))
            else:
                found.append((yield self.slots(element, at, tail, depth, (path, number), in_key or keyed)))
            at += stride
        self.ended(tail, path)
        return self.finished(part, found, values, begin, path)

    def finished(self, part: Part, found: list, values: list, at: int, path: Path) -> Any:
        key_order.check(part, found, values, at, path)
        if part.entry is not None:
            return mapping(found, values, bool(part.flags & 4))
        return found

    def evolvables(
        self, part: Part, element: Part, count: int, at: int, end: int, depth: int, path: Path, in_key: bool
    ) -> Reading:
        """Elements that are evolvable records."""
        if end - at < 4:
            reject("truncated", end, "expected the size of a fixed part", path)
        size = int.from_bytes(self.data[at : at + 4], "little")
        known = self.known(element, size, at, path)
        at += 4
        if count * (4 + size) > end - at:
            reject("truncated", at - 8, f"expected {count} elements of {4 + size} bytes, found {end - at}", path)
        if count:
            depth = self.deeper(element, depth, at - 8, path)
        common = _Tail(at + count * (4 + size), end - at - count * (4 + size))
        found = []
        for number in range(count):
            step = (path, number)
            own_end = int.from_bytes(self.data[at : at + 4], "little")
            if not common.last <= own_end <= common.size:
                reject("invalid_value", at, f"expected an end from {common.last} to {common.size}, found {own_end}", step)
            tail = _Tail(common.begin + common.last, own_end - common.last)
            found.append((yield self.members(element, at + 4, tail, depth, step, in_key or part.kind != Kind.SEQUENCE, known)))
            if size <= element.slot:
                self.ended(tail, step)
            common.last = own_end
            at += 4 + size
        self.ended(common, path)
        return self.finished(part, found, [], at, path)
