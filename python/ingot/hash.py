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
