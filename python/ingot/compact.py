# SPDX-License-Identifier: Apache-2.0
"""The compact profile: values one after the other."""
from __future__ import annotations

import struct
from typing import Any

from . import floats, units
from .errors import Path, Reading, reject, run, varint
from .packed import _NUMBERS, _Packed, code_of
from .schema import (
    ELIDES,
    EVOLVABLE,
    LISTS,
    MEMBER_FIXED,
    MEMBER_QUANTIZED,
    MEMBER_SHORT_FLOAT,
    MEMBER_TIGHT_FLOAT,
    MEMBER_UNIT_VECTOR,
    MEMBER_VARINT,
    SHORT_FLOAT,
    SIGNED,
    TIGHT_FLOAT,
    VARINT,
    Kind,
    Part,
    Schema,
)
from .values import ABSENT, Record, floating, scalars

_FLOATS = MEMBER_SHORT_FLOAT | MEMBER_TIGHT_FLOAT | MEMBER_QUANTIZED
_SPELLED = frozenset((Kind.INTEGER, Kind.ENUMERATION))


def unpack(data: bytes | bytearray | memoryview, schema: Schema, exact: bool = False) -> Any:
    """Returns the value of a compact message, which is validated as a whole.

    exact says that the schema is the writer's: evolvable records have exactly its members.
    """
    data = memoryview(data).cast("B")
    reader = _Compact(data, exact)
    value = run(reader.value(schema.root, 0, 0, None, False))
    if reader.at != len(data):
        reject("trailing_bytes", reader.at, f"expected the end, found {len(data) - reader.at} bytes")
    return value


def short_float(byte: int) -> float:
    """Returns the number that a float of one byte stands for."""
    exponent, fraction = byte >> 3 & 15, byte & 7
    value = 2.0 ** (exponent - 7) * (1 + fraction / 8) if exponent else 2.0**-6 * fraction / 8
    return -value if byte & 0x80 else value


_SHORT = {struct.pack("<d", short_float(byte)) for byte in range(256) if byte != 0x80}


class _Compact(_Packed):
    def __init__(self, data: memoryview, exact: bool) -> None:
        super().__init__(data, exact)
        self.at = 0
        self.end = len(data)

    def take(self, size: int, path: Path) -> int:
        """Returns the position of the next size bytes; refuses if there are fewer."""
        if size > self.end - self.at:
            reject("truncated", self.end, f"expected {size} bytes, found {self.end - self.at}", path)
        self.at += size
        return self.at - size

    def varint(self, path: Path) -> int:
        value, self.at = varint(self.data, self.at, self.end, path)
        return value

    def spelled(self, part: Part, encoding: int, path: Path, in_key: bool) -> Any:
        """Returns a number in the form that annotations ask for."""
        begin = self.at
        if part.kind in _SPELLED and encoding & MEMBER_VARINT and part.width > 1:
            value = self.varint(path)
            bits = 8 * part.width
            if value >> bits:
                reject("invalid_value", begin, f"expected a number of {bits} bits", path)
            if part.flags & SIGNED:
                value = value >> 1 ^ -(value & 1)
            return self.meaning(part, value, begin, path)
        if part.kind == Kind.FLOATING and encoding & MEMBER_QUANTIZED:
            return self.quantised(part.width, encoding >> 8 & 0xFFFFFFFF, encoding >> 40 & 0xFF, path)
        if part.kind == Kind.FLOATING and encoding & MEMBER_TIGHT_FLOAT:
            return self.tight(part.width, path, in_key)
        if part.kind == Kind.FLOATING and encoding & MEMBER_SHORT_FLOAT:
            byte = self.data[self.take(1, path)]
            if byte != 0x80:
                return floating(short_float(byte), part.width)
            at = self.take(part.width, path)
            value = self.number(part, at, path, in_key)
            if struct.pack("<d", value) in _SHORT:
                reject("not_canonical", begin, "expected a float that has a short form to be in it", path)
            return value
        return self.number(part, self.take(part.width, path), path, in_key)

    def quantised(self, width: int, units: int, digits: int, path: Path) -> float:
        """A float that is a number of steps."""
        begin = self.at
        raw = self.varint(path)
        steps = raw >> 1 ^ -(raw & 1)
        if abs(steps) * units >= 1 << 53:
            reject("out_of_range", begin, "expected a number of steps below 2^53", path)
        value = floats.from_decimal(steps * units, digits, width)
        if floats.steps_in(value, units, digits) != steps:
            reject("not_canonical", begin, "expected the number of steps that the float has", path)
        return floating(value, width)

    def unit_vector(self, count: int, size: int, width: int, path: Path) -> list[float]:
        """A direction or rotation."""
        begin = self.take(size, path)
        whole = units.numbers(int.from_bytes(self.data[begin : self.at], "little"), count, size)
        if whole is None:
            reject("not_canonical", begin, "expected the code of a unit vector as it is written", path)
        return [floating(each, width) for each in units.values(whole, size, width)]

    def tight(self, width: int, path: Path, in_key: bool) -> float:
        """A float in its shortest form."""
        begin = self.take(1, path)
        lead = self.data[begin]
        size = floats.payload_of(lead, width)
        at = self.take(size, path)
        raw = floats.expanded(lead, bytes(self.data[at : at + size]), width)
        if raw is None or floats.tightened(raw) != bytes(self.data[begin : at + size]):
            reject("not_canonical", begin, "expected the shortest form of the float", path)
        value = floating(struct.unpack("<f" if width == 4 else "<d", raw)[0], width)
        if in_key and (value != value or value == 0 and raw[-1]):
            reject("not_canonical", begin, "expected a float in a key to be neither NaN nor -0", path)
        return value

    def value(  # noqa: C901
        self, part: Part, encoding: int, depth: int, path: Path, in_key: bool
    ) -> Reading:
        if part.kind == Kind.RECURSION:
            part = part.target
        kind = part.kind
        if kind == Kind.STRING or kind == Kind.PATH:
            begin = self.at
            count, width = self.varint(path), part.width or 1
            if count > (self.end - self.at) // width:
                reject("truncated", begin, f"expected {count} characters, found {self.end - self.at} bytes", path)
            at = self.take(count * width, path)
            return self.text(part, at, self.at, path)
        if kind == Kind.DOCUMENT:
            begin, size = self.at, self.varint(path)
            if size > self.end - self.at:
                reject("truncated", begin, f"expected {size} bytes, found {self.end - self.at}", path)
            at = self.take(size, path)
            return self.any_value(at, self.at, path)
        if kind in LISTS:
            return (yield self.elements(part, encoding, depth, path, in_key))
        if kind == Kind.RECORD:
            return (yield self.record(part, depth, path, in_key))
        if kind == Kind.TUPLE:
            found = []
            for number, child in enumerate(part.children):
                found.append((yield self.value(child, encoding, depth, (path, number), in_key)))
            return tuple(found)
        if kind == Kind.ARRAY:
            child = part.children[0]
            if encoding & MEMBER_UNIT_VECTOR and child.kind == Kind.FLOATING:
                size = units.size_of(encoding >> 48 & 0xFF, part.extent)
                if size:
                    return self.unit_vector(part.extent, size, child.width, path)
            if self.plain(child, encoding, in_key):
                at = self.take(part.extent * child.width, path)
                return scalars(self.data[at : self.at], code_of(child))
            if part.extent > self.end - self.at and not (child.fixed and child.slot == 0) and part.extent:
                reject("truncated", self.at, f"expected {part.extent} elements, found {self.end - self.at} bytes", path)
            found = []
            for number in range(part.extent):
                found.append((yield self.value(child, encoding, depth, (path, number), in_key)))
            return found
        if kind in (Kind.OPTIONAL, Kind.VARIANT, Kind.EXPECTED):
            at = self.take(1, path)
            tag = self.data[at]
            child_or_none = self.chosen(part, tag, at, path)
            held = None
            if child_or_none is not None:
                depth = self.deeper(child_or_none, depth, at, path)
                held = yield self.value(child_or_none, encoding, depth, path, in_key)
            return self.tagged(part, tag, held)
        return self.leaf(part, encoding, path, in_key)

    def leaf(self, part: Part, encoding: int, path: Path, in_key: bool) -> Any:
        kind = part.kind
        if kind in (Kind.DURATION, Kind.TIME_POINT, Kind.COMPLEX, Kind.BITSET):
            return self.scalar(part, self.take(part.slot, path), path, in_key)
        return self.spelled(part, encoding, path, in_key)

    def plain(self, part: Part, encoding: int, in_key: bool) -> bool:
        """Whether elements are numbers that can be seen as they lie."""
        if part.kind not in _NUMBERS:
            return False
        if part.kind == Kind.FLOATING:
            return not in_key and not encoding & _FLOATS
        return part.kind != Kind.INTEGER or part.width == 1 or not encoding & MEMBER_VARINT

    def elements(self, part: Part, encoding: int, depth: int, path: Path, in_key: bool) -> Reading:
        begin = self.at
        count = self.varint(path)
        element = part.entry or part.children[0]
        if element.kind == Kind.RECURSION:
            element = element.target
        keyed = part.kind != Kind.SEQUENCE
        if element.fixed and element.slot == 0:
            self.charge(count, begin, path)
        elif count > self.end - self.at:
            reject("truncated", begin, f"expected {count} elements, found {self.end - self.at} bytes", path)
        if not keyed and self.plain(element, encoding, in_key):
            at = self.take(count * element.width, path)
            return scalars(self.data[at : self.at], code_of(element))
        if count:
            depth = self.deeper(element, depth, begin, path)
        found, values = [], []
        for number in range(count):
            step = (path, number)
            if part.entry is not None:
                found.append((yield self.value(part.children[0], encoding, depth, step, True)))
                values.append((yield self.value(part.children[1], encoding, depth, step, in_key)))
            else:
                found.append((yield self.value(element, encoding, depth, step, in_key or keyed)))
        return self.finished(part, found, values, begin, path)

    def record(self, part: Part, depth: int, path: Path, in_key: bool) -> Reading:
        own = (MEMBER_VARINT if part.flags & VARINT else 0) | (MEMBER_SHORT_FLOAT if part.flags & SHORT_FLOAT else 0)
        own |= MEMBER_TIGHT_FLOAT if part.flags & TIGHT_FLOAT else 0
        outer = self.end
        if part.flags & EVOLVABLE:
            depth = self.deeper(part, depth, self.at, path)
            begin = self.at
            size = self.varint(path)
            if size > self.end - self.at:
                reject("truncated", begin, f"expected {size} bytes, found {self.end - self.at}", path)
            self.end = self.at + size
        stored = (1 << len(part.children)) - 1
        if part.flags & ELIDES:
            size = (len(part.children) + 7) // 8
            at = self.take(size, path)
            mask = int.from_bytes(self.data[at : at + size], "little")
            if mask & ~stored:
                reject("invalid_value", at + size - 1, "expected unused bits of the mask to be zero", path)
            stored = mask
        values: list[Any] = []
        for number, child in enumerate(part.children):
            if not stored >> number & 1 or part.flags & EVOLVABLE and self.at == self.end and not (child.fixed and child.slot == 0):
                values.append(ABSENT)
                continue
            annotation = part.annotations[number]
            encoding = 0 if annotation & MEMBER_FIXED else annotation or own
            at = self.at
            value = yield self.value(child, encoding, depth, (path, part.names[number]), in_key)
            if number == 0:
                self.version(part, value, at, path)
            values.append(value)
        if part.flags & EVOLVABLE:
            if self.exact and (self.at != self.end or any(value is ABSENT for value in values)):
                reject("invalid_value", self.at, "expected the end of the record where its schema has it", path)
            # Members that a newer writer appended are skipped.
            self.at, self.end = self.end, outer
        return Record(part.names, values, version=part.version_apart)
