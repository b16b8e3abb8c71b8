# SPDX-License-Identifier: Apache-2.0
"""Patches: from one state of a document to another."""
from __future__ import annotations

from .document import Document, MAX_BYTES, validated_nodes
from .errors import FormatError, head, reject, varint

_M64 = (1 << 64) - 1
_A, _B, _C, _D = 0xC2B2AE3D27D4EB4F, 0x9E3779B185EBCA87, 0x85EBCA77C2B2AE63, 0x165667B19E3779F9


def _rotl(value: int, by: int) -> int:
    return (value << by | value >> 64 - by) & _M64


def fingerprint(document: bytes | bytearray | memoryview) -> int:
    """Validates a document and returns its fingerprint."""
    return _fingerprint(document, False)[0]


def _fingerprint(data: bytes | bytearray | memoryview, exact: bool) -> tuple[int, int]:
    """The fingerprint, and where the last node ends."""
    document = Document(data)
    nodes = validated_nodes(document, exact)
    words = [document.root]
    end = 0
    for begin, stop in nodes:
        if begin != end:
            words.append(begin // 8)
        words += memoryview(bytes(document.data[begin:stop])).cast("Q") if _LITTLE else [
            int.from_bytes(document.data[at : at + 8], "little") for at in range(begin, stop, 8)
        ]
        end = stop
    total = 0
    for word in words:
        total ^= _rotl(word * _A & _M64, 31) * _B & _M64
        total = _rotl(total, 27) * _B + _C & _M64
    total = (total ^ total >> 33) * _A & _M64
    total = (total ^ total >> 29) * _D & _M64
    return total ^ total >> 32, end


_LITTLE = memoryview(b"\1\0\0\0\0\0\0\0").cast("Q")[0] == 1


class Patch:
    """A patch's bytes. ``value`` is what it writes: places, and the bytes that go there."""

    def __init__(self, data: bytes | bytearray | memoryview) -> None:
        data = self.data = memoryview(data).cast("B")
        head(data, b"ingP", 1, 32, "a patch", "the header of a patch")
        if data[5] > 1:
            reject("invalid_value", 5, f"expected flags 0 or 1, found {data[5]}")
        if data[6] or data[7]:
            reject("invalid_value", 6, "expected zeros")
        self.big_endian = data[5] == 1
        self.before = int.from_bytes(data[8:16], "little")
        self.after = int.from_bytes(data[16:24], "little")
        self.length = int.from_bytes(data[24:28], "little")
        self.root = int.from_bytes(data[28:32], "little")
        if self.length % 8 or not 16 <= self.length <= MAX_BYTES:
            reject("invalid_value", 24, f"expected a length that is a multiple of 8, found {self.length}")
        self.value: list[tuple[int, memoryview]] = []
        at, position = 32, 16
        while at < len(data):
            begin = at
            skipped, at = varint(data, at, len(data))
            count, at = varint(data, at, len(data))
            if skipped == 0 and self.value:
                reject("not_canonical", begin, "expected only the first group to pass over none")
            if skipped >> 31 or count == 0 or count > (len(data) - at) // 8:
                reject("truncated", begin, f"expected {count} units, at least one, found {len(data) - at} bytes")
            position += 8 * skipped
            if position + 8 * count > self.length:
                reject("invalid_value", begin, "expected units inside what the document becomes")
            self.value.append((position, data[at : at + 8 * count]))
            position += 8 * count
            at += 8 * count

    def __repr__(self) -> str:
        return f"<ingot patch of {len(self.data)} bytes>"

    def apply(self, document: bytes | bytearray | memoryview) -> bytes:
        """Applies the patch to a document, which has to be the one that it is for."""
        source = Document(document)
        if source.big_endian != self.big_endian:
            reject("schema_mismatch", 5, "expected a document of the patch's byte order")
        if fingerprint(document) != self.before:
            reject("schema_mismatch", 8, "expected the document that the patch is for")
        patched = bytearray(source.data[: self.length])
        patched += bytes(self.length - len(patched))
        for position, units in self.value:
            patched[position : position + len(units)] = units
        order = "big" if self.big_endian else "little"
        patched[8:12] = self.length.to_bytes(4, order)  # type: ignore[arg-type]
        patched[12:16] = self.root.to_bytes(4, order)  # type: ignore[arg-type]
        try:
            found, end = _fingerprint(patched, True)
        except FormatError as error:
            reject("invalid_value", 32, f"expected the patch to make a document: {error}")
        if max(end, 16) != self.length:
            reject("invalid_value", 24, "expected the last node to end where what the document becomes ends")
        if found != self.after:
            reject("bad_checksum", 16, "expected the fingerprint of what the document becomes")
        return bytes(patched)
