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


# The hash of keys in tables: the one above under FIRST_SEED, SipHash-1-3 of the key's words under
# any other.

SECOND_HALF = 0x6A09E667F3BCC908


def siphash(first: int, second: int, words: list[int]) -> int:
    """SipHash-1-3 of words of eight bytes each, under a key of twice eight bytes."""
    v0, v1 = first ^ 0x736F6D6570736575, second ^ 0x646F72616E646F6D
    v2, v3 = first ^ 0x6C7967656E657261, second ^ 0x7465646279746573

    def turned(word: int, bits: int) -> int:
        return (word << bits | word >> 64 - bits) & MASK

    def mix() -> None:
        nonlocal v0, v1, v2, v3
        v0 = v0 + v1 & MASK
        v2 = v2 + v3 & MASK
        v1 = turned(v1, 13) ^ v0
        v3 = turned(v3, 16) ^ v2
        v0 = turned(v0, 32)
        v2 = v2 + v1 & MASK
        v0 = v0 + v3 & MASK
        v1 = turned(v1, 17) ^ v2
        v3 = turned(v3, 21) ^ v0
        v2 = turned(v2, 32)

    for word in (*words, len(words) * 8 % 256 << 56):
        v3 ^= word
        mix()
        v0 ^= word
    v2 ^= 0xFF
    for _ in range(3):
        mix()
    return v0 ^ v1 ^ v2 ^ v3


class KeyHash:
    """Takes in the numbers and texts that a key is made of, under the seed of a table."""

    __slots__ = ("seed", "state", "words")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.state = seed
        self.words: list[int] | None = None if seed == FIRST_SEED else []

    def number(self, value: int) -> None:
        if self.words is None:
            self.state = hash_number(self.state, value)
        else:
            self.words.append(value & MASK)

    def text(self, text: bytes | memoryview) -> None:
        if self.words is None:
            self.state = hash_text(self.state, text)
            return
        for at in range(0, len(text), 8):
            self.words.append(int.from_bytes(text[at : at + 8], "little"))
        self.words.append(len(text))

    def done(self) -> int:
        if self.words is None:
            return self.state
        return siphash(self.seed, (self.seed << 32 & MASK | self.seed >> 32) ^ SECOND_HALF, self.words)


def key_hash(seed: int, key: int | bytes) -> int:
    """The hash of a key that is one number or one text."""
    into = KeyHash(seed)
    if isinstance(key, int):
        into.number(key)
    else:
        into.text(key)
    return into.done()


def document_hash(key: bytes) -> int:
    """Returns the 16 bits by which objects of documents find a key.

    The lower four bits are the key's length, or 0.
    """
    n = len(key)
    if n > 16:
        return hash_text(FIRST_SEED, key) >> 48 & 0xFFF0
    x = int.from_bytes(key[:8], "little")
    y = int.from_bytes(key[-8:], "little")
    short_size = n if 0 < n < 16 and key[0] else 0
    return fold(FIRST_SEED ^ n * TEXT_FACTOR & MASK, x, y) >> 48 & 0xFFF0 | short_size
