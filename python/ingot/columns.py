# SPDX-License-Identifier: Apache-2.0
"""Split blocks: records by their columns, put together again."""
from __future__ import annotations

from .errors import reject, varint


def _number(data: bytes | memoryview, at: int, end: int) -> tuple[int, int]:
    value, after = varint(data, at, end)
    if value >> 32:
        reject("invalid_value", at, "expected a number of at most 32 bits")
    return value, after


def table(data: memoryview, begin: int) -> list[list[int]]:
    """Returns the kinds of records, each as the widths of its columns; the table is at byte 8.

    Kind 0 is bytes.
    """
    end = len(data)
    if end == 8:
        reject("truncated", begin + 8, "expected how many kinds of records there are")
    count, at = data[8], 9
    if count == 0:
        reject("invalid_value", begin + 8, "expected 1 to 255 kinds of records")
    kinds = [[1]]
    for _ in range(count):
        columns, at = _number(data, at, end)
        if not 1 <= columns <= 256:
            reject("invalid_value", begin + at, f"expected 1 to 256 columns, found {columns}")
        widths = []
        for _ in range(columns):
            width, at = _number(data, at, end)
            widths.append(width)
        if not all(widths) or sum(widths) > 65535:
            reject("invalid_value", begin + at, "expected columns of at least one byte, of at most 65,535 together")
        kinds.append(widths)
    if at != end:
        reject("trailing_bytes", begin + at, "expected the end of the table")
    return kinds


class _Split:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        if size > len(self.data) - self.at:
            raise ValueError("a split block ends too soon")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self) -> int:
        value, self.at = _number(self.data, self.at, len(self.data))
        return value

    def shuffled(self, count: int, width: int) -> bytes:
        raw = self.take(count * width)
        out = bytearray(len(raw))
        for byte in range(width):
            out[byte::width] = raw[byte * count : (byte + 1) * count]
        return bytes(out)

    def column(self, count: int, width: int) -> bytes:
        """Returns the values of a column, one after the other."""
        form = self.take(1)[0]
        if form > 5 or form not in (0, 4) and width not in (1, 2, 4, 8):
            raise ValueError(f"a column of width {width} has no form {form}")
        if form == 0:
            return self.take(count * width)
        if form == 1:
            return self.shuffled(count, width)
        if form == 2:
            raw, value, out = self.shuffled(count, width), 0, []
            mask = (1 << 8 * width) - 1
            for at in range(0, len(raw), width):
                value = value + int.from_bytes(raw[at : at + width], "little") & mask
                out.append(value.to_bytes(width, "little"))
            return b"".join(out)
        if form == 3:
            common = self.take(width)
            bits = int.from_bytes(self.take((count + 7) // 8), "little")
            if bits >> count:
                raise ValueError("unused bits are not zero")
            others = self.shuffled(bits.bit_count(), width)
            which, out = 0, []
            for letter in reversed(format(bits, f"0{count}b")):
                out.append(others[which : which + width] if letter == "1" else common)
                which += width if letter == "1" else 0
            return b"".join(out)
        if form == 4:
            return self.take(width) * count
        last, size = self.take(2)
        if not 1 <= size <= 8 or last >> size:
            raise ValueError("a palette is larger than its indexes")
        colours = self.take((last + 1) * width)
        raw = self.take((count * size + 7) // 8)
        if count * size % 8 and raw[-1] >> count * size % 8:
            raise ValueError("unused bits are not zero")
        out = []
        for number in range(count):
            at = number * size
            index = (int.from_bytes(raw[at // 8 : at // 8 + 2], "little") >> at % 8) & (1 << size) - 1
            if index > last:
                raise ValueError("an index is not in its palette")
            out.append(colours[index * width : (index + 1) * width])
        return b"".join(out)


def join(data: bytes, size: int, kinds: list[list[int]]) -> bytes:
    """Returns the block that a split block of these kinds of records becomes.

    Raises ValueError or FormatError if that is no block of size bytes.
    """
    split = _Split(data)
    runs = split.number()
    which = split.take(runs)
    counts = []
    left = size
    records: dict[int, int] = {}
    for kind in which:
        count = split.number()
        if kind >= len(kinds) or count == 0 or count > left // sum(kinds[kind]):
            raise ValueError("a run of records is not inside its block")
        left -= count * sum(kinds[kind])
        counts.append(count)
        records[kind] = records.get(kind, 0) + count
    if left:
        raise ValueError("runs are not the whole block")
    columns: dict[int, bytes] = {}
    for kind in sorted(records):
        widths, count = kinds[kind], records[kind]
        stride = sum(widths)
        how = split.take(1)[0]
        if how > 1:
            raise ValueError("records are neither rows nor columns")
        if how == 0:
            columns[kind] = split.take(count * stride)
            continue
        out, begin = bytearray(count * stride), 0
        for width in widths:
            column = split.column(count, width)
            for byte in range(width):
                out[begin + byte :: stride] = column[byte::width]
            begin += width
        columns[kind] = bytes(out)
    if split.at != len(data):
        raise ValueError("bytes follow the last column")
    positions = dict.fromkeys(records, 0)
    parts = []
    for kind, count in zip(which, counts):
        length = count * sum(kinds[kind])
        parts.append(columns[kind][positions[kind] : positions[kind] + length])
        positions[kind] += length
    return b"".join(parts)
