# SPDX-License-Identifier: Apache-2.0
"""Archives: documents to keep or send, each with exactly one encoding."""
from __future__ import annotations

import struct
from typing import Any

from .document import smallest_normal
from .errors import Path, Reading, reject, varint
from .hash import document_hash


class Archive:
    """An archive's bytes. ``value`` is the document in it; all bytes are validated."""

    def __init__(self, data: bytes | bytearray | memoryview) -> None:
        self.data = memoryview(data).cast("B")
        data = self.data
        if len(data) < 4:
            reject("truncated", len(data), "expected an archive")
        if data[:4] != b"ingA":
            reject("bad_magic", 0, "expected ingA")
        if len(data) < 6:
            reject("truncated", len(data), "expected the header of an archive")
        if data[4] != 2:
            reject("wrong_version", 4, f"expected version 2, found {data[4]}")
        if data[5]:
            reject("invalid_value", 5, f"expected flags 0, found {data[5]}")
        self._value: Any = None
        self._read = False

    def __repr__(self) -> str:
        return f"<ingot archive of {len(self.data)} bytes>"

    @property
    def value(self) -> Any:
        """The document in the archive."""
        if not self._read:
            self._value = _Reader(self.data).archive()
            self._read = True
        return self._value


def value_size(value: int) -> int:
    """Returns the size of an integer as a value, in bytes."""
    if -16 <= value < 64:
        return 1
    return 1 + (max(value, -1 - value).bit_length() + 7) // 8


class _Open:
    """A container that has not ended."""

    __slots__ = ("names", "values", "begin", "end", "where")

    def __init__(self, names: list[str] | None, begin: int, end: int) -> None:
        self.names = names
        self.values: list[Any] = []
        self.begin = begin
        self.end = end
        self.where = 0


class _Reader:
    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.at = 6

    def length(self) -> int:
        begin = self.at
        value, self.at = varint(self.data, self.at, len(self.data))
        if value >> 31:
            reject("invalid_value", begin, f"expected a length below 2^31, found {value}")
        return value

    def inside(self, end: int) -> int:
        """A length of bytes that are there; where they end."""
        begin = self.at
        size = self.length()
        if size > end - self.at:
            reject("truncated", begin, f"expected {size} bytes, found {end - self.at}")
        return self.at + size

    def archive(self) -> Any:
        end = self.inside(len(self.data))
        if end != len(self.data):
            reject("trailing_bytes", end, "expected the end of the archive")
        self.keys()
        self.shapes()
        value = self.values()
        if self.at != end:
            reject("trailing_bytes", self.at, "expected the end of the archive")
        if not all(self.used):
            reject("not_canonical", 6, "expected each shape to be that of an object")
        return value

    def keys(self) -> None:
        begin = self.at
        count = self.length()
        end = self.inside(len(self.data))
        if count > end - self.at:
            reject("truncated", begin, f"expected {count} keys, found {end - self.at} bytes")
        self.names: list[str] = []
        before: tuple[int, bytes] | None = None
        for number in range(count):
            at = self.at
            stop = self.inside(end)
            raw = bytes(self.data[self.at : stop])
            self.at = stop
            here = document_hash(raw), raw
            if before is not None and not before < here:
                reject("out_of_order", at, "expected distinct keys that ascend by hash, then by their bytes", (None, number))
            before = here
            self.names.append(str(raw, "utf-8", "surrogateescape"))
        if self.at != end:
            reject("trailing_bytes", self.at, "expected the end of the keys")

    def shapes(self) -> None:
        begin = self.at
        count = self.length()
        end = self.inside(len(self.data))
        if count > end - self.at:
            reject("truncated", begin, f"expected {count} shapes, found {end - self.at} bytes")
        every = len(self.names)
        used = bytearray(every)
        self.sets: list[list[int]] = []
        before: tuple[int, list[int]] | None = None
        for _ in range(count):
            at = self.at
            keys = self.shape(end, every)
            if before is not None and not before < (len(keys), keys):
                reject("out_of_order", at, "expected shapes that ascend")
            before = len(keys), keys
            for key in keys:
                used[key] = 1
            self.sets.append(keys)
        if self.at != end:
            reject("trailing_bytes", self.at, "expected the end of the shapes")
        if not all(used):
            reject("not_canonical", begin, "expected each key to be in a shape")
        self.used = bytearray(count)

    def shape(self, end: int, every: int) -> list[int]:
        begin = self.at
        count = self.length()
        if not 1 <= count <= every:
            reject("invalid_value", begin, f"expected 1 to {every} keys, found {count}")
        if count == every:
            return list(range(every))
        size = (every + 7) // 8
        if size < count:
            if size > end - self.at:
                reject("truncated", begin, f"expected {size} bytes, found {end - self.at}")
            bits = int.from_bytes(self.data[self.at : self.at + size], "little")
            self.at += size
            if bits >> every or bits.bit_count() != count:
                reject("invalid_value", begin, f"expected {count} bits of {every}")
            raw = format(bits, f"0{every}b")
            return [every - 1 - at for at in range(every - 1, -1, -1) if raw[at] == "1"]
        keys: list[int] = []
        next_key = 0
        for _ in range(count):
            if self.at >= end:
                reject("truncated", self.at, "expected the number of a key")
            at = self.at
            key = next_key + self.length()
            if key >= every:
                reject("invalid_value", at, f"expected a key below {every}, found {key}")
            keys.append(key)
            next_key = key + 1
        return keys

    # Values

    def values(self) -> Any:
        """The root with all in it; what is open is a list, not a stack of calls."""
        root = _Open(None, self.at, len(self.data))
        stack = [root]
        while True:
            here = stack[-1]
            if here is root and root.values:
                return root.values[0]
            if self.at < here.end and (here.names is None or len(here.values) < len(here.names)):
                inner = self.value(here, stack)
                if inner is not None:
                    stack.append(inner)
                continue
            if here is root:
                reject("truncated", self.at, "expected a value, found the end")
            if here.names is not None and len(here.values) < len(here.names):
                reject("truncated", self.at, f"expected {len(here.names)} values, found {len(here.values)}", self.path(stack))
            if self.at != here.end:
                reject("trailing_bytes", self.at, "expected the end of a container", self.path(stack))
            if here.names is None:
                self.check_packing(here.values, here.begin, stack)
            stack.pop()
            if here.names is None:
                stack[-1].values.append(here.values)
            else:
                stack[-1].values.append(dict(zip(here.names, here.values)))

    def path(self, stack: list[_Open]) -> Path:
        path: Path = None
        for frame in stack[1:]:
            number = len(frame.values)
            path = (path, frame.names[number] if frame.names is not None and number < len(frame.names) else number)
        return path

    def check_packing(self, values: list[Any], at: int, stack: list[_Open]) -> None:
        """Refuses arrays of integers that had to be packed."""
        lowest, highest, size = 0, 0, 0
        for value in values:
            if type(value) is not int or value >> 63 not in (0, -1):
                return
            lowest, highest = min(lowest, value), max(highest, value)
            size += value_size(value)
        if len(values) * width_of(lowest, highest) <= size:
            reject("not_canonical", at, "expected an array of integers to be packed", self.path(stack[:-1]))

    def value(self, here: _Open, stack: list[_Open]) -> _Open | None:  # noqa: C901
        """Reads a value into what is open; returns a container that has begun."""
        data, begin, end = self.data, self.at, here.end
        tag = data[begin]
        self.at += 1
        values = here.values

        def take(size: int) -> memoryview:
            if size > end - self.at:
                reject("truncated", begin, f"expected {size} bytes, found {end - self.at}", self.path(stack))
            self.at += size
            return data[self.at - size : self.at]

        def take_length() -> int:
            size = self.length()
            if self.at > end or size > end - self.at:
                reject("truncated", begin, f"expected {size} bytes, found {end - self.at}", self.path(stack))
            return size

        if tag < 0x40:
            values.append(tag)
        elif tag < 0x70:
            values.append(str(take(tag - 0x40), "utf-8", "surrogateescape"))
        elif tag < 0x80:
            values.append(tag - 0x80)
        elif tag <= 0x82:
            values.append((None, False, True)[tag - 0x80])
        elif tag == 0x83:
            size = take_length()
            if size < 48:
                reject("not_canonical", begin, "expected a string of 48 bytes or more", self.path(stack))
            values.append(str(take(size), "utf-8", "surrogateescape"))
        elif tag == 0x84:
            values.append(bytes(take(take_length())))
        elif tag == 0x85:
            size = take_length()
            if size == 0:
                reject("not_canonical", begin, "expected an array of one element or more", self.path(stack))
            return _Open(None, begin, self.at + size)
        elif tag == 0x86 or tag >= 0xC0:
            which = tag - 0xC0
            if tag == 0x86:
                which = self.length()
                if which < 64:
                    reject("not_canonical", begin, "expected the number of a shape, 64 or above", self.path(stack))
            if which >= len(self.sets):
                reject("invalid_value", begin, f"expected a shape below {len(self.sets)}, found {which}", self.path(stack))
            size = take_length()
            if len(self.sets[which]) > size:
                reject("truncated", begin, f"expected {len(self.sets[which])} values, found {size} bytes", self.path(stack))
            self.used[which] = 1
            return _Open([self.names[key] for key in self.sets[which]], begin, self.at + size)
        elif tag in (0x87, 0x88):
            values.append([] if tag == 0x87 else {})
        elif 0x90 <= tag <= 0x9F:
            number = int.from_bytes(raw := take((tag & 7) + 1), "little")
            lowest = 64 if tag < 0x98 else 16
            if raw[-1] == 0 or number < lowest or tag >= 0x98 and number >> 63:
                reject("not_canonical", begin, "expected an integer in as few bytes as it can have", self.path(stack))
            values.append(number if tag < 0x98 else -1 - number)
        elif 0xA0 <= tag <= 0xA8:
            upper = bytes(take(tag - 0xA0))
            value = struct.unpack("<d", bytes(8 - len(upper)) + upper)[0]
            if upper and upper[0] == 0 or len(upper) == 5 and smallest_normal(value):
                reject("not_canonical", begin, "expected a double in as few bytes as it can have", self.path(stack))
            values.append(value)
        elif tag == 0xA9:
            value = struct.unpack("<f", take(4))[0]
            if not smallest_normal(value) or struct.pack("<d", value)[3] == 0:
                reject("not_canonical", begin, "expected a normal float that takes five bytes as a double", self.path(stack))
            values.append(value)
        elif 0xB0 <= tag <= 0xB7:
            self.packed(tag - 0xAF, begin, end, values, stack)
        else:
            reject("invalid_value", begin, f"expected a tag, found {tag:#x}", self.path(stack))
        return None

    def packed(self, width: int, begin: int, end: int, values: list[Any], stack: list[_Open]) -> None:
        count = self.length()
        if self.at > end or count > (end - self.at) // width:
            reject("truncated", begin, f"expected {count} integers of {width} bytes, found {end - self.at}", self.path(stack))
        raw = self.data[self.at : self.at + count * width]
        self.at += count * width
        found = [int.from_bytes(raw[at : at + width], "little", signed=True) for at in range(0, len(raw), width)]
        if not found or width != width_of(min(found), max(found)) or len(raw) > sum(value_size(value) for value in found):
            reject("not_canonical", begin, "expected packed integers to be as short as they can be", self.path(stack))
        values.append(found)


def width_of(lowest: int, highest: int) -> int:
    """Returns the number of bytes that hold both in two's complement."""
    return max(max(-1 - lowest, 0).bit_length(), max(highest, 0).bit_length()) // 8 + 1


def archived(value: Any) -> Reading:
    """Returns the archive of a value, as a routine.

    Keys are ordered by it, and bytes that were read are compared with it.
    """
    texts: set[bytes] = set()
    forms: set[frozenset[bytes]] = set()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            if each:
                forms.add(frozenset(map(_raw, each)))
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    for form in forms:
        texts |= form
    keys = sorted(texts, key=lambda raw: (document_hash(raw), raw))
    number = {raw: at for at, raw in enumerate(keys)}
    shapes = sorted((len(form), sorted(number[raw] for raw in form)) for form in forms)
    which = {tuple(shape): at for at, (_, shape) in enumerate(shapes)}
    body = _table(len(keys), b"".join(_sized(raw) for raw in keys))
    body += _table(len(shapes), b"".join(_shape(shape, len(keys)) for _, shape in shapes))
    body += yield _written(value, number, which)
    return b"ingA\2\0" + _sized(body)


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _number(value: int) -> bytes:
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _sized(raw: bytes) -> bytes:
    return _number(len(raw)) + raw


def _table(count: int, raw: bytes) -> bytes:
    return _number(count) + _sized(raw)


def _shape(shape: list[int], every: int) -> bytes:
    count = len(shape)
    if count == every:
        return _number(count)
    size = (every + 7) // 8
    if size < count:
        return _number(count) + sum(1 << key for key in shape).to_bytes(size, "little")
    steps = [key - before - 1 for before, key in zip([-1, *shape], shape)]
    return _number(count) + b"".join(map(_number, steps))


def _written(value: Any, number: dict[bytes, int], which: dict[tuple, int]) -> Reading:
    if isinstance(value, dict):
        if not value:
            return b"\x88"
        members = sorted(((number[_raw(key)], held) for key, held in value.items()), key=lambda member: member[0])
        inside = bytearray()
        for _, held in members:
            inside += yield _written(held, number, which)
        at = which[tuple(key for key, _ in members)]
        return (bytes([0xC0 + at]) if at < 64 else b"\x86" + _number(at)) + _sized(bytes(inside))
    if isinstance(value, list):
        return (yield _array(value, number, which))
    if value is None or isinstance(value, bool):
        return bytes([0x80 + (0 if value is None else 1 + value)])
    if isinstance(value, int):
        if -16 <= value < 64:
            return bytes([value & 0x7F])
        above = value if value >= 0 else -1 - value
        size = value_size(value) - 1
        return bytes([(0x90 if value >= 0 else 0x98) + size - 1]) + above.to_bytes(size, "little")
    if isinstance(value, float):
        if smallest_normal(value) and struct.pack("<d", value)[3]:
            return b"\xa9" + struct.pack("<f", value)
        upper = struct.pack("<d", value).lstrip(b"\0")
        return bytes([0xA0 + len(upper)]) + upper
    if isinstance(value, bytes):
        return b"\x84" + _sized(value)
    raw = _raw(value)
    return bytes([0x40 + len(raw)]) + raw if len(raw) < 48 else b"\x83" + _sized(raw)


def _array(value: list, number: dict[bytes, int], which: dict[tuple, int]) -> Reading:
    if not value:
        return b"\x87"
    if all(type(each) is int and each >> 63 in (0, -1) for each in value):
        width = width_of(min(value), max(value))
        if len(value) * width <= sum(map(value_size, value)):
            raw = b"".join(each.to_bytes(width, "little", signed=True) for each in value)
            return bytes([0xAF + width]) + _number(len(value)) + raw
    inside = bytearray()
    for each in value:
        inside += yield _written(each, number, which)
    return b"\x85" + _sized(bytes(inside))
