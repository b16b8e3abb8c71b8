# SPDX-License-Identifier: Apache-2.0
"""The hash that makes fingerprints of types and of layouts."""
from __future__ import annotations

MASK = (1 << 64) - 1


class Fingerprint:
    """Takes in words and texts, and becomes a number of 64 bits."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state = 0xCBF29CE484222325

    def word(self, word: int) -> None:
        state = (self.state ^ (word & MASK)) * 0x9E3779B97F4A7C15 & MASK
        self.state = state ^ state >> 32

    def text(self, text: bytes | memoryview) -> None:
        self.word(len(text))
        for at in range(0, len(text), 8):
            self.word(int.from_bytes(text[at : at + 8], "little"))

    def done(self) -> int:
        h = self.state
        h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
        h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
        return h ^ h >> 33


# The hash of keys: of documents, archives and tables.

TEXT_FACTOR = 0x6A09E667F3BCC909
FIRST_SEED = 0x7F4A7C159E3779B9


def fold(seed: int, x: int, y: int) -> int:
    """Both halves of a product of 128 bits, one xor the other."""
    product = (x ^ seed) * (y ^ (seed << 32 & MASK | seed >> 32))
    return (product >> 64 ^ product) & MASK


def next_seed(seed: int) -> int:
    """The seed that is tried behind another one."""
    return fold(seed, 0xBB67AE8584CAA73B, 0x243F6A8885A308D3) | 0x0000000100000001


def hash_number(seed: int, value: int) -> int:
    return fold(seed, value & MASK, 0)


def hash_text(seed: int, text: bytes | memoryview) -> int:
    """The hash of text as bytes, whose code units lie with their least significant byte first."""
    n = len(text)
    seed ^= n * TEXT_FACTOR & MASK

    def word(begin: int, end: int) -> int:
        return int.from_bytes(text[begin:end], "little")

    if n > 16:
        for at in range(0, n - 16, 16):
            seed = fold(seed, word(at, at + 8), word(at + 8, at + 16))
        return fold(seed, word(n - 16, n - 8), word(n - 8, n))
    if n >= 8:
        return fold(seed, word(0, 8), word(n - 8, n))
    if n >= 4:
        return fold(seed, word(0, 4), word(n - 4, n))
    if n == 0:
        return fold(seed, 0, 0)
    return fold(seed, text[0] | text[n // 2] << 8 | text[n - 1] << 16, 0)


def document_hash(key: bytes) -> int:
    """The 16 bits that objects of documents find a key by, of which the lower four say how long it is, or 0."""
    n = len(key)
    if n > 16:
        return hash_text(FIRST_SEED, key) >> 48 & 0xFFF0
    x = int.from_bytes(key[:8], "little")
    y = int.from_bytes(key[-8:], "little")
    told = n if 0 < n < 16 and key[0] else 0
    return fold(FIRST_SEED ^ n * TEXT_FACTOR & MASK, x, y) >> 48 & 0xFFF0 | told
