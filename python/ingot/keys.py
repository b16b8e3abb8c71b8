# SPDX-License-Identifier: Apache-2.0
"""The order of keys in packed and compact values: by value, or by their packed bytes."""
from __future__ import annotations

import struct
from typing import Any

from .archive import archived
from .errors import Path, Reading, reject, run
from .schema import EVOLVABLE, KEYED, LISTS, MAY_BE_NONE, REPEATED, Kind, Part, is_variable
from .values import ABSENT, units


class _Unknown(Exception):
    """A member was left out, so the comparison has no result."""



def packed(part: Part, value: Any) -> bytes:
    """The packed bytes of a value that was read: its payload."""
    return bytes(run(_payload(part, value)))


def number_bytes(part: Part, value: Any) -> bytes:
    if part.kind == Kind.FLOATING:
        return struct.pack("<f" if part.width == 4 else "<d", value)
    return (int(value) & ((1 << 8 * part.width) - 1)).to_bytes(part.width, "little")


def _bits(part: Part, value: list[bool]) -> bytes:
    return sum(1 << at for at, bit in enumerate(value) if bit).to_bytes(part.slot, "little")


def _slots(part: Part, value: Any, slots: bytearray, tail: bytearray) -> Reading:
    if value is ABSENT:
        raise _Unknown
    if part.kind == Kind.RECURSION:
        part = part.target
    kind = part.kind
    if is_variable(part):
        tail += yield _payload(part, value)
        slots += len(tail).to_bytes(4, "little")
    elif kind == Kind.DURATION:
        slots += number_bytes(part.children[0], value.count)
    elif kind == Kind.TIME_POINT:
        slots += number_bytes(part.children[0].children[0], value.since_epoch.count)
    elif kind == Kind.COMPLEX:
        slots += number_bytes(part.children[0], value.real) + number_bytes(part.children[0], value.imag)
    elif kind == Kind.BITSET:
        slots += _bits(part, value)
    elif kind == Kind.ARRAY:
        for element in value:
            yield _slots(part.children[0], element, slots, tail)
    elif kind in (Kind.RECORD, Kind.TUPLE):
        for child, element in zip(part.children, value):
            yield _slots(child, element, slots, tail)
    elif kind in (Kind.OPTIONAL, Kind.VARIANT, Kind.EXPECTED):
        begin = len(slots)
        child, tag, held = _alternative(part, value)
        slots.append(tag)
        if child is not None:
            yield _slots(child, held, slots, tail)
        slots += bytes(begin + part.slot - len(slots))
    else:
        slots += number_bytes(part, value)


def _alternative(part: Part, value: Any) -> tuple[Part | None, int, Any]:
    if part.kind == Kind.OPTIONAL:
        if value is None:
            return None, 0, None
        child = part.children[0]
        if child.kind == Kind.RECURSION:
            child = child.target
        return child, 1, value[0] if child.kind in MAY_BE_NONE else value
    if part.kind == Kind.VARIANT:
        return part.children[value.index], value.index, value.value
    if len(part.children) == 1:
        return (None, 0, None) if value.has_value else (part.children[0], 1, value.value)
    return part.children[0 if value.has_value else 1], int(not value.has_value), value.value


def _payload(part: Part, value: Any) -> Reading:
    if value is ABSENT:
        raise _Unknown
    if part.kind == Kind.RECURSION:
        part = part.target
    kind = part.kind
    if kind == Kind.STRING:
        return units(value, part.width)
    if kind == Kind.PATH:
        return units(value, 1)
    if kind == Kind.DOCUMENT:
        return (yield archived(value))
    slots, tail = bytearray(), bytearray()
    if kind in LISTS:
        element = part.entry or part.children[0]
        elements = list(value.items()) if isinstance(value, dict) else value
        if element.kind == Kind.RECURSION:
            element = element.target
        if element.kind == Kind.RECORD and element.flags & EVOLVABLE:
            for item in elements:
                own, values = bytearray(), bytearray()
                for child, held in zip(element.children, item):
                    yield _slots(child, held, own, values)
                tail += values
                slots += len(tail).to_bytes(4, "little") + own
            return len(elements).to_bytes(4, "little") + element.slot.to_bytes(4, "little") + slots + tail
        for item in elements:
            yield _slots(element, item, slots, tail)
        if element.fixed and element.slot:
            return slots
        return len(elements).to_bytes(4, "little") + slots + tail
    if is_variable(part) and kind != Kind.RECORD:
        child, tag, held = _alternative(part, value)
        if child is None:
            return b"" if kind == Kind.OPTIONAL else bytes([tag])
        inner = yield _payload(child, held)
        return bytes([tag]) + inner
    if kind == Kind.RECORD:
        for child, element in zip(part.children, value):
            yield _slots(child, element, slots, tail)
    else:
        yield _slots(part, value, slots, tail)
    if is_variable(part):
        return len(slots).to_bytes(4, "little") + slots + tail
    return slots + tail


def ordered(part: Part, value: Any) -> tuple:
    """A tuple that compares as the key does by value."""
    out: list[Any] = []
    run(_order(part, value, out))
    return tuple(out)


def _order(part: Part, value: Any, out: list[Any]) -> Reading:
    if value is ABSENT:
        raise _Unknown
    if part.kind == Kind.RECURSION:
        part = part.target
    kind = part.kind
    if kind in (Kind.STRING, Kind.PATH):
        raw = units(value, part.width or 1)
        if part.width > 1:
            out.append(tuple(int.from_bytes(raw[at : at + part.width], "little") for at in range(0, len(raw), part.width)))
        else:
            out.append(raw)
    elif kind == Kind.DOCUMENT:
        out.append((yield archived(value)))
    elif kind == Kind.DURATION:
        out.append(value.count)
    elif kind == Kind.TIME_POINT:
        out.append(value.since_epoch.count)
    elif kind == Kind.COMPLEX:
        out += (value.real, value.imag)
    elif kind == Kind.BITSET:
        out.append(_bits(part, value))
    elif kind in LISTS:
        # An element is greater than the end.
        element = part.entry or part.children[0]
        for item in value.items() if isinstance(value, dict) else value:
            out.append(1)
            yield _order(element, item, out)
        out.append(0)
    elif kind == Kind.ARRAY:
        for element in value:
            yield _order(part.children[0], element, out)
    elif kind in (Kind.RECORD, Kind.TUPLE):
        for child, element in zip(part.children, value):
            yield _order(child, element, out)
    elif kind in (Kind.OPTIONAL, Kind.VARIANT, Kind.EXPECTED):
        child, tag, held = _alternative(part, value)
        out.append(tag)
        if child is not None:
            yield _order(child, held, out)
    else:
        out.append(value)


def check(part: Part, keys: list[Any], values: list[Any], at: int, path: Path) -> None:
    """Refuses keys that are not in the order of their container."""
    if len(keys) < 2 or part.kind not in KEYED:
        return
    repeated = bool(part.flags & REPEATED)
    key = part.children[0]
    try:
        if part.kind in (Kind.SET, Kind.MAP):
            found: list[Any] = [ordered(key, value) for value in keys]
        else:
            found = [packed(key, value) for value in keys]
            if repeated and part.kind == Kind.UNORDERED_MAP:
                found = [(raw, packed(part.children[1], value)) for raw, value in zip(found, values)]
    except _Unknown:
        return
    for number in range(1, len(found)):
        if not (found[number - 1] < found[number] or repeated and found[number - 1] == found[number]):
            reject("out_of_order", at, "expected keys that ascend" + ("" if repeated else " and are distinct"), (path, number))
