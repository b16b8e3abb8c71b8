# SPDX-License-Identifier: Apache-2.0
"""XXH3 of 64 bits with a seed.

Computed by the package xxhash where it is installed, else here, in Python.
"""
from __future__ import annotations

import struct

try:
    import xxhash as _xxhash
except ImportError:  # all of it works without
    _xxhash = None

_M64 = (1 << 64) - 1
_P32_1, _P32_2, _P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
_P64_1, _P64_2, _P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
_P64_4, _P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _u64(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _fold(a: int, b: int) -> int:
    product = a * b
    return (product & _M64) ^ (product >> 64)


def _avalanche(h: int) -> int:
    h ^= h >> 37
    h = h * 0x165667919E3779F9 & _M64
    return h ^ h >> 32


def _avalanche64(h: int) -> int:
    h ^= h >> 33
    h = h * _P64_2 & _M64
    h ^= h >> 29
    h = h * _P64_3 & _M64
    return h ^ h >> 32


def _swap32(value: int) -> int:
    return int.from_bytes(value.to_bytes(4, "little"), "big")


def _swap64(value: int) -> int:
    return int.from_bytes(value.to_bytes(8, "little"), "big")


def _short(data: bytes, seed: int) -> int:
    n = len(data)
    if n > 8:
        low = (_u64(_SECRET, 24) ^ _u64(_SECRET, 32)) + seed & _M64
        high = (_u64(_SECRET, 40) ^ _u64(_SECRET, 48)) - seed & _M64
        first = _u64(data, 0) ^ low
        last = _u64(data, n - 8) ^ high
        return _avalanche(n + _swap64(first) + last + _fold(first, last) & _M64)
    if n >= 4:
        seed ^= _swap32(seed & 0xFFFFFFFF) << 32
        keyed = (_u32(data, n - 4) + (_u32(data, 0) << 32)) ^ ((_u64(_SECRET, 8) ^ _u64(_SECRET, 16)) - seed & _M64)
        keyed ^= (keyed << 49 | keyed >> 15) & _M64 ^ (keyed << 24 | keyed >> 40) & _M64
        keyed = keyed * 0x9FB21C651E98DF25 & _M64
        keyed ^= (keyed >> 35) + n
        keyed = keyed * 0x9FB21C651E98DF25 & _M64
        return keyed ^ keyed >> 28
    if n:
        combined = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return _avalanche64(combined ^ ((_u32(_SECRET, 0) ^ _u32(_SECRET, 4)) + seed & _M64))
    return _avalanche64(seed ^ _u64(_SECRET, 56) ^ _u64(_SECRET, 64))


def _mix16(data: bytes, at: int, secret: int, seed: int) -> int:
    return _fold(
        _u64(data, at) ^ (_u64(_SECRET, secret) + seed & _M64), _u64(data, at + 8) ^ (_u64(_SECRET, secret + 8) - seed & _M64)
    )


def _middle(data: bytes, seed: int) -> int:
    n = len(data)
    acc = n * _P64_1
    if n <= 128:
        for i in range((n - 1) // 32, -1, -1):
            acc += _mix16(data, 16 * i, 32 * i, seed) + _mix16(data, n - 16 * (i + 1), 32 * i + 16, seed)
        return _avalanche(acc & _M64)
    for i in range(8):
        acc += _mix16(data, 16 * i, 16 * i, seed)
    acc = _avalanche(acc & _M64)
    for i in range(8, n // 16):
        acc += _mix16(data, 16 * i, 16 * (i - 8) + 3, seed)
    acc += _mix16(data, n - 16, 136 - 17, seed)
    return _avalanche(acc & _M64)


def _long(data: bytes, seed: int) -> int:
    secret = _SECRET
    if seed:
        words = list(struct.unpack("<24Q", _SECRET))
        for i in range(0, 24, 2):
            words[i] = words[i] + seed & _M64
            words[i + 1] = words[i + 1] - seed & _M64
        secret = struct.pack("<24Q", *words)
    n = len(data)
    acc = [_P32_3, _P64_1, _P64_2, _P64_3, _P64_4, _P32_2, _P64_5, _P32_1]
    keys = [struct.unpack_from("<8Q", secret, 8 * i) for i in range(16)]
    scramble = struct.unpack_from("<8Q", secret, 192 - 64)
    stripes = (n - 1) // 64
    for number, stripe in enumerate(struct.iter_unpack("<8Q", data[: 64 * stripes])):
        key = keys[number & 15]
        for i in range(8):
            word = stripe[i]
            keyed = word ^ key[i]
            acc[i ^ 1] += word
            acc[i] += (keyed & 0xFFFFFFFF) * (keyed >> 32)
        if number & 15 == 15:
            for i in range(8):
                a = acc[i] & _M64
                acc[i] = (a ^ a >> 47 ^ scramble[i]) * _P32_1 & _M64
    last = struct.unpack_from("<8Q", data, n - 64)
    key = struct.unpack_from("<8Q", secret, 192 - 64 - 7)
    for i in range(8):
        keyed = last[i] ^ key[i]
        acc[i ^ 1] += last[i]
        acc[i] += (keyed & 0xFFFFFFFF) * (keyed >> 32)
    result = n * _P64_1
    for i in range(4):
        result += _fold(acc[2 * i] & _M64 ^ _u64(secret, 11 + 16 * i), acc[2 * i + 1] & _M64 ^ _u64(secret, 19 + 16 * i))
    return _avalanche(result & _M64)


def xxh3_64_python(data: bytes, seed: int = 0) -> int:
    """XXH3 of 64 bits, some three megabytes a second."""
    if len(data) <= 16:
        return _short(data, seed)
    if len(data) <= 240:
        return _middle(data, seed)
    return _long(data, seed)


def xxh3_64(data: bytes | memoryview, seed: int = 0) -> int:
    """XXH3 of 64 bits of some bytes."""
    if _xxhash is not None:
        return _xxhash.xxh3_64_intdigest(data, seed)
    return xxh3_64_python(bytes(data), seed)
