# SPDX-License-Identifier: Apache-2.0
"""Compressed payloads: LZ4 by the package lz4 or in Python, Zstandard by the package zstandard."""
from __future__ import annotations

from .errors import FormatError, refuse

try:
    import lz4.block as _lz4
except ImportError:
    _lz4 = None
try:
    import zstandard as _zstandard
except ImportError:
    _zstandard = None

NONE, LZ4, ZSTANDARD = 0, 1, 2
_BEST = {LZ4: 255, ZSTANDARD: 32768}


def lz4_block_python(data: bytes | memoryview, size: int) -> bytes:
    """What one block of LZ4's block format becomes, which has to be that many bytes; ValueError if it does not."""
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
    if len(out) != size:
        raise ValueError(f"{len(out)} bytes, not {size}")
    return bytes(out)


def _lz4_block(data: memoryview, size: int) -> bytes:
    if _lz4 is None:
        return lz4_block_python(data, size)
    try:
        made = _lz4.decompress(data, uncompressed_size=size)
    except _lz4.LZ4BlockError as error:
        raise ValueError(str(error)) from None
    if len(made) != size:
        raise ValueError(f"{len(made)} bytes, not {size}")
    return made


def _zstandard_frame(data: memoryview, size: int) -> bytes:
    if bytes(data[:4]) != b"\x28\xb5\x2f\xfd":
        raise ValueError("this is no frame of Zstandard")
    try:
        if _zstandard.get_frame_parameters(data).dict_id:
            raise ValueError("the frame needs a dictionary")
        reader = _zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
        out = bytearray()
        for at in range(0, len(data), 1024):
            if reader.eof:
                raise ValueError("bytes are behind the frame")
            out += reader.decompress(data[at : at + 1024])
            if len(out) > size:
                raise ValueError(f"more than {size} bytes")
        if not reader.eof or reader.unused_data:
            raise ValueError("not one frame")
    except _zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    if len(out) != size:
        raise ValueError(f"{len(out)} bytes, not {size}")
    return bytes(out)


def decode(data: memoryview, method: int, size: int, begin: int) -> bytes:
    """What a compressed payload becomes, which has to be size bytes; begin is where the payload is in its file."""
    best = _BEST[method]
    if len(data) < size // best:
        refuse("too_large", begin, f"expected a payload that can become {size} bytes, found {len(data)}")
    if len(data) < 4:
        refuse("truncated", begin + len(data), "expected the length of a block")
    length = int.from_bytes(data[:4], "little")
    if not 1 << 12 <= length <= 1 << 26:
        refuse("invalid_value", begin, f"expected blocks of 2^12 to 2^26 bytes, found {length}")
    count = (size + length - 1) // length
    if count > (len(data) - 4) // 4:
        refuse("truncated", begin + len(data), f"expected the lengths of {count} blocks")
    if method == ZSTANDARD and _zstandard is None:
        refuse("unsupported", begin, "expected no Zstandard: pip install zstandard to read this")
    decoder = _lz4_block if method == LZ4 else _zstandard_frame
    at = 4 + 4 * count
    out = []
    for number in range(count):
        here = int.from_bytes(data[4 + 4 * number : 8 + 4 * number], "little")
        becomes = min(length, size - number * length)
        if here == 0 or here > becomes or here < becomes // best:
            refuse("invalid_value", begin + 4 + 4 * number, f"expected a block of 1 to {becomes} bytes, found {here}")
        if here > len(data) - at:
            refuse("truncated", begin + at, f"expected a block of {here} bytes, found {len(data) - at}")
        block = data[at : at + here]
        try:
            out.append(bytes(block) if here == becomes else decoder(block, becomes))
        except FormatError:
            raise
        except ValueError as error:
            refuse("invalid_value", begin + at, f"expected a block that becomes {becomes} bytes: {error}")
        at += here
    if at != len(data):
        refuse("trailing_bytes", begin + at, "expected the end of the compressed payload")
    return b"".join(out)
