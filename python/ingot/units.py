# SPDX-License-Identifier: Apache-2.0
"""Directions and rotations that are numbers of the compact profile: docs/format.md."""
from __future__ import annotations

import math
import struct


def size_of(size: int, count: int) -> int:
    """Returns the size of an array of count floats whose annotation says size.

    Returns 0 if it is no direction or rotation.
    """
    if count == 3:
        return size if 2 <= size <= 5 else 0 if size else 4
    if count == 4:
        return size if 3 <= size <= 8 else 0 if size else 6
    return 0


def numbers(code: int, count: int, size: int) -> list[int] | None:
    """Whole numbers in the ratio of those that a code means, or None if it is no code."""
    if code == (1 << 8 * size) - 1:
        return [0] * count
    bits = size * 4 if count == 3 else (size * 8 - 2) // 3
    limit = (1 << bits - 1) - 1
    rest = code if count == 3 else code >> 2
    found = [(rest >> bits * index & (1 << bits) - 1) - limit for index in range(count - 1)]
    if rest >> bits * (count - 1) or max(found) > limit:
        return None
    if count == 4:
        largest = code & 3
        if any(abs(number) == limit for number in found[:largest]):
            return None
        return [*found[:largest], limit, *found[largest:]]
    u, v = found
    if abs(u) == limit and v < 0 or abs(v) == limit and u < 0:
        return None
    height = limit - abs(u) - abs(v)
    x, y = (abs(u), abs(v)) if height >= 0 else (limit - abs(v), limit - abs(u))
    return [-x if u < 0 else x, -y if v < 0 else y, height]


def values(whole: list[int], size: int, width: int) -> list[float]:
    """The floats of these numbers."""
    bits = size * 4 if len(whole) == 3 else (size * 8 - 2) // 3
    scaled = [number << 20 - bits for number in whole]
    length = math.isqrt(sum(number * number for number in scaled) << 22)
    if not length:
        return [0.0] * len(whole)
    floats = []
    for number in scaled:
        magnitude = ((abs(number) << 41) + length // 2) // length
        value = (-magnitude if number < 0 else magnitude) / (1 << 30)
        floats.append(struct.unpack("<f", struct.pack("<f", value))[0] if width == 4 else value)
    return floats
