# SPDX-License-Identifier: Apache-2.0
"""Messages that say which type they are of: eight bytes of schema_id, then the message."""
from __future__ import annotations

from typing import Any

from . import compact, packed
from .errors import FormatError, reject
from .schema import Schema

_ALL = (1 << 64) - 1


def unpack(data: bytes | bytearray | memoryview, schema: Schema) -> Any:
    """The value of a typed message, which has to be of the schema."""
    return _read(data, schema, schema.id, packed.unpack)


def unpack_compact(data: bytes | bytearray | memoryview, schema: Schema) -> Any:
    """The value of a typed compact message, which has to be of the schema."""
    return _read(data, schema, schema.id ^ _ALL, compact.unpack)


def _read(data: bytes | bytearray | memoryview, schema: Schema, head: int, read: Any) -> Any:
    data = memoryview(data).cast("B")
    if len(data) < 8:
        reject("truncated", len(data), "expected 8 bytes that say the type")
    found = int.from_bytes(data[:8], "little")
    if found != head:
        reject("schema_mismatch", 0, f"expected bytes that begin with the number {head:016X}, found {found:016X}")
    try:
        return read(data[8:], schema, True)
    except FormatError as error:
        raise FormatError(error.code, error.offset + 8, error.message, error.path) from None
