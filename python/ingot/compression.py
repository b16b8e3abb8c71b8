# SPDX-License-Identifier: Apache-2.0
"""Compressed payloads: LZ4 by the package lz4 or in Python, Zstandard by the package zstandard."""
from __future__ import annotations

from .columns import join, table
from .errors import FormatError, reject
from .xxh3 import xxh3_64

try:
    import lz4.block as _lz4
except ImportError:
    _lz4 = None
try:
    import zstandard as _zstandard
except ImportError:
    _zstandard = None

NONE, LZ4, ZSTANDARD, COLUMNS = 0, 1, 2, 4
_BEST = {LZ4: 255, ZSTANDARD: 32768}
#: What byte 6 of a file may be.
METHODS = (0, 1, 2, 4, 5, 6)


def lz4_block_python(data: bytes | memoryview, size: int, exact: bool = True) -> bytes:
    """Decompresses one block of LZ4's block format.

    Raises ValueError unless the result has at most size bytes, or exactly size with exact.
    """
    out = bytearray()
    at, end = 0, len(data)
    while at < end:
        token = data[at]
        at += 1
        count = token >> 4
        if count == 15:
            more = 255
            while more == 255:
                if at >= end:
                    raise ValueError("a length has no end")
                more = data[at]
                at += 1
                count += more
        if count > end - at or count > size - len(out):
            raise ValueError("literals are longer than what is there")
        out += data[at : at + count]
        at += count
        if at == end:
            break
        if end - at < 2:
            raise ValueError("an offset has no end")
        offset = data[at] | data[at + 1] << 8
        at += 2
        count = (token & 15) + 4
        if token & 15 == 15:
            more = 255
            while more == 255:
                if at >= end:
                    raise ValueError("a length has no end")
                more = data[at]
                at += 1
                count += more
        if not 0 < offset <= len(out) or count > size - len(out):
            raise ValueError("a match is not inside what is there")
        if at == end:
            raise ValueError("a block ends with a match")
        begin = len(out) - offset
        while count > 0:
            part = out[begin : begin + min(count, offset)]
            out += part
            count -= len(part)
    if exact and len(out) != size:
        raise ValueError(f"{len(out)} bytes, not {size}")
    return bytes(out)


def _undone(block: memoryview, method: int, limit: int) -> bytes:
    """A split block, of at most so many bytes, without its codec."""
    if method == NONE:
        return bytes(block)
    if method == LZ4:
        return lz4_block_python(block, limit, exact=False)
    return _zstandard_frame(block, limit, exact=False)


def _lz4_block(data: memoryview, size: int) -> bytes:
    if _lz4 is None:
        return lz4_block_python(data, size)
    try:
        output = _lz4.decompress(data, uncompressed_size=size)
    except _lz4.LZ4BlockError as error:
        raise ValueError(str(error)) from None
    if len(output) != size:
        raise ValueError(f"{len(output)} bytes, not {size}")
    return output


def _zstandard_frame(data: memoryview, size: int, exact: bool = True) -> bytes:
    if bytes(data[:4]) != b"\x28\xb5\x2f\xfd":
        raise ValueError("this is no frame of Zstandard")
    try:
        if _zstandard.get_frame_parameters(data).dict_id:
            raise ValueError("the frame needs a dictionary")
        reader = _zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
        out = bytearray()
        for at in range(0, len(data), 1024):
            if reader.eof:
                raise ValueError("bytes follow the frame")
            out += reader.decompress(data[at : at + 1024])
            if len(out) > size:
                raise ValueError(f"more than {size} bytes")
        if not reader.eof or reader.unused_data:
            raise ValueError("not one frame")
    except _zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    if exact and len(out) != size:
        raise ValueError(f"{len(out)} bytes, not {size}")
    return bytes(out)


def decode(data: memoryview, method: int, size: int, begin: int, sum_of_head: int | None = None) -> bytes:
    """Decompresses a payload to exactly size bytes; begin is its position in its file.

    sum_of_head is the checksum of the bytes before the first block, if there is one.
    """
    columns = method & COLUMNS
    method &= 3
    best = 32768 if columns else _BEST[method]
    if len(data) < size // best:
        reject("too_large", begin, f"expected a payload that can become {size} bytes, found {len(data)}")
    if len(data) < 4:
        reject("truncated", begin + len(data), "expected the length of a block")
    length = int.from_bytes(data[:4], "little")
    limit = 20 if columns else 26
    if not 1 << 12 <= length <= 1 << limit:
        reject("invalid_value", begin, f"expected blocks of 2^12 to 2^{limit} bytes, found {length}")
    head = 4
    kinds: list[list[int]] = []
    if columns:
        if len(data) < 8:
            reject("truncated", begin + len(data), "expected the length of the table")
        head = 8 + int.from_bytes(data[4:8], "little")
        if head - 8 > 1 << 16 or head > len(data):
            reject("invalid_value", begin + 4, f"expected a table of at most 2^16 bytes, found {head - 8}")
        kinds = table(data[:head], begin)
    count = (size + length - 1) // length
    if count > (len(data) - head) // 4:
        reject("truncated", begin + len(data), f"expected the lengths of {count} blocks")
    if method == ZSTANDARD and _zstandard is None:
        reject("unsupported", begin, "expected no Zstandard: pip install zstandard to read this")
    if sum_of_head is not None and xxh3_64(data[: head + 4 * count]) != sum_of_head:
        reject("bad_checksum", begin, "expected the checksum of the bytes before the first block")
    decoder = _lz4_block if method == LZ4 else _zstandard_frame
    at = head + 4 * count
    out = []
    for number in range(count):
        here = int.from_bytes(data[head + 4 * number : head + 4 + 4 * number], "little")
        becomes = min(length, size - number * length)
        if here == 0 or here > becomes or here < becomes // best:
            reject("invalid_value", begin + head + 4 * number, f"expected a block of 1 to {becomes} bytes, found {here}")
        if here > len(data) - at:
            reject("truncated", begin + at, f"expected a block of {here} bytes, found {len(data) - at}")
        block = data[at : at + here]
        try:
            if here == becomes:
                out.append(bytes(block))
            elif columns:
                out.append(join(_undone(block, method, 2 * becomes + 64), becomes, kinds))
            else:
                out.append(decoder(block, becomes))
        except FormatError:
            raise
        except ValueError as error:
            reject("invalid_value", begin + at, f"expected a block that becomes {becomes} bytes: {error}")
        at += here
    if at != len(data):
        reject("trailing_bytes", begin + at, "expected the end of the compressed payload")
    return b"".join(out)
