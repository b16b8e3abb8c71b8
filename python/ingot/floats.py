# SPDX-License-Identifier: Apache-2.0
"""Floats in forms of their own: tight ones, and those that are a number of steps.

docs/format.md has the forms.
"""
from __future__ import annotations

import struct

_LOWEST, _DECIMALS, _TWO, _SINGLE, _WHOLE = 2.0**-20, 0xC0, 0xFC, 0xFE, 0xFF


def from_decimal(number: int, digits: int, width: int) -> float:
    """The float nearest to number / 10^digits."""
    value = number / 10**digits
    return struct.unpack("<f", struct.pack("<f", value))[0] if width == 4 else value


def steps_in(value: float, units: int, digits: int) -> int:
    """The nearest number of steps, halves away from zero."""
    above, below = abs(value).as_integer_ratio()
    count = (2 * above * 10**digits // below + units) // (2 * units)
    return -count if value < 0 else count


def payload_of(lead: int, width: int) -> int:
    """Returns the number of bytes that follow a leading byte."""
    if lead < _DECIMALS:
        return 0
    if lead < _TWO:
        return (lead - _DECIMALS) % 6 + 1
    return width if lead == _WHOLE else lead - _TWO + 2


def expanded(lead: int, payload: bytes, width: int) -> bytes | None:
    """The bytes of the float that a form means, if it means one."""
    code = "<f" if width == 4 else "<d"
    if lead < _DECIMALS:
        return struct.pack(code, lead if lead < 160 else 159 - lead)
    if lead < _TWO:
        return struct.pack(code, from_decimal(int.from_bytes(payload, "little", signed=True), (lead - _DECIMALS) // 6, width))
    if lead != _SINGLE:
        return bytes(width - len(payload)) + payload
    if width == 4:
        return None
    single = struct.unpack("<f", payload)[0]
    return struct.pack("<d", single) if single == single else None


def _binary(raw: bytes) -> bytes:
    """The form of a float that is no decimal."""
    for lead, width in ((_TWO, 2), (_TWO + 1, 3)):
        if not any(raw[:-width]):
            return bytes((lead,)) + raw[-width:]
    if len(raw) == 8:
        value = struct.unpack("<d", raw)[0]
        if 2.0**-126 <= abs(value) < 2.0**128 and int.from_bytes(raw, "little") & 0x1FFFFFFF == 0:
            return bytes((_SINGLE,)) + struct.pack("<f", value)
    return bytes((_WHOLE,)) + raw


def tightened(raw: bytes) -> bytes:
    """Returns the shortest form of a float of 4 or 8 bytes.

    If two are equally short, it is the one with the lesser leading byte.
    """
    width = len(raw)
    if not any(raw):
        return b"\0"
    value = struct.unpack("<f" if width == 4 else "<d", raw)[0]
    plain = _binary(raw)
    if not _LOWEST <= abs(value) < (2.0**23 if width == 4 else 2.0**47):
        return plain
    above, below = abs(value).as_integer_ratio()
    for digits in range(10):
        number = (2 * above * 10**digits + below) // (2 * below)
        if from_decimal(number, digits, width) != abs(value):
            continue
        number = -number if value < 0 else number
        if digits == 0 and -32 <= number < 160:
            return bytes((number if number >= 0 else 159 - number,))
        size = ((number if number >= 0 else ~number).bit_length() + 8) // 8
        if size > (3 if width == 4 else 6) or size >= len(plain):
            return plain
        return bytes((_DECIMALS + digits * 6 + size - 1,)) + number.to_bytes(size, "little", signed=True)
    return plain
