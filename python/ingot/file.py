# SPDX-License-Identifier: Apache-2.0
"""Files: a header, a payload, what its type is; logs; compressed messages."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from . import compact, compression, packed
from .archive import Archive
from .document import Document
from .errors import FormatError, head, reject
from .layout import Layout
from .live import Block
from .patch import Patch
from .schema import Schema
from .xxh3 import xxh3_64

PACKED, COMPACT, LIVE, DOCUMENT, PACKED_LOG, COMPACT_LOG, EDITED_LIVE, EDITED_DOCUMENT = 1, 2, 3, 4, 5, 6, 7, 8
KINDS = {1: "packed", 2: "compact", 3: "live", 4: "document", 5: "packed log", 6: "compact log", 7: "edited live", 8: "edited document"}
BLOCKS = (LIVE, EDITED_LIVE)
DOCUMENTS = (DOCUMENT, EDITED_DOCUMENT)
EDITED = (EDITED_LIVE, EDITED_DOCUMENT)
PORTABLE, LAYOUT = 1, 2
HEADER = 64
PART = 16384
BEGINNING = 65536
MAX_SCHEMA = 1 << 24


@dataclass(frozen=True)
class Header:
    """The 64 bytes at the beginning of a file, validated."""

    version: int
    kind: int
    compression: int
    schema_form: int
    schema_id: int
    layout_id: int
    length: int
    stored: int
    schema_length: int
    schema_checksum: int
    checksum: int

    @classmethod
    def from_bytes(cls, data: memoryview) -> Header:
        """Reads a header and holds its fields against each other."""
        head(data, b"ingF", 1, HEADER, "a file", "the header of a file", newest=2)

        def number(at: int, size: int = 8) -> int:
            return int.from_bytes(data[at : at + size], "little")

        if number(56) != xxh3_64(data[:56]):
            reject("bad_checksum", 56, "expected the checksum of the header")
        header = cls(
            data[4], data[5], data[6], data[7], number(8), number(16), number(24), number(32), number(40, 4), number(44, 4), number(48)
        )
        header.check()
        return header

    def check(self) -> None:
        def hold(right: bool, at: int, message: str) -> None:
            if not right:
                reject("invalid_value", at, message)

        is_log = self.kind in (PACKED_LOG, COMPACT_LOG)
        is_edited = self.kind in EDITED
        hold(self.kind in KINDS, 5, f"expected a kind from 1 to 8, found {self.kind}")
        hold(self.compression in ((0,) if is_log or is_edited else compression.METHODS), 6, f"expected a compression, found {self.compression}")
        form = LAYOUT if self.kind in BLOCKS else 0 if self.kind in DOCUMENTS else PORTABLE
        hold(self.schema_form in (0, form), 7, f"expected the form of a schema for this kind, found {self.schema_form}")
        hold(self.kind not in DOCUMENTS or self.schema_id == 0, 8, "expected no fingerprint, of a document")
        hold(self.kind in BLOCKS or self.layout_id == 0, 16, "expected a fingerprint of a layout only of live blocks")
        hold(not is_log or self.length == 0, 24, "expected no length, of a log")
        if is_log:
            hold(self.stored == 0, 32, "expected no length, of a log")
        elif self.compression:
            hold(self.stored < self.length, 32, "expected a compressed payload to be shorter than what it becomes")
        else:
            hold(self.stored == self.length, 32, "expected both lengths to be the same without compression")
        if self.schema_form:
            hold(1 <= self.schema_length <= MAX_SCHEMA, 40, "expected a schema of 1 byte to 16 MiB")
        else:
            hold(self.schema_length == 0, 40, "expected no length of a schema that is not there")
            hold(self.schema_checksum == 0, 44, "expected no checksum of a schema that is not there")
        if self.version == 2 and (is_log or is_edited or self.stored <= PART):
            reject("wrong_version", 4, "expected version 1, of logs, of what is edited, and of payloads of one part")
        hold(not is_log or self.checksum == 0, 48, "expected no checksum of the payload, of a log")
        hold(not is_edited or self.checksum in (0, 1), 48, "expected 0 or 1, of what is edited where it is")


class Opened:
    """Something of ingot's that was opened.

    ``kind`` is one of ``packed``, ``compact``, ``live``, ``document``, ``packed log``,
    ``compact log``, ``edited live``, ``edited document``, ``archive``, ``message`` (compressed
    bytes), ``patch``, ``schema``, ``layout``. ``schema`` is the value's type, if that is known.
    ``value`` is read and validated at the first access. ``header`` is that of a file.
    """

    kind: str = ""
    schema: Any = None
    header: Header | None = None

    @property
    def value(self) -> Any:
        """The value of the bytes."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<ingot {self.kind}>"


class _Once(Opened):
    """Reads its value when it is first asked for."""

    _done = False
    _value: Any = None

    @property
    def value(self) -> Any:
        if not self._done:
            self._value = self.read()
            self._done = True
        return self._value

    def read(self) -> Any:
        raise NotImplementedError


class File(_Once):
    """A file that is not a log. ``payload`` is decompressed.

    Offsets of errors in the value count from the beginning of ``payload``.
    """

    def __init__(self, data: memoryview, schema: Any = None, max_bytes: int = 1 << 30) -> None:
        header = self.header = Header.from_bytes(data)
        self.kind = KINDS[header.kind]
        edited = header.kind in EDITED
        if edited and header.checksum:
            reject("not_closed", 48, "expected a file that was closed: `ingot recover` says what is there")
        # The schema follows the payload, except in edited files, where it precedes the payload.
        at = (HEADER + header.schema_length + BEGINNING - 1) // BEGINNING * BEGINNING if edited else HEADER
        end = at + header.stored
        begin = HEADER if edited else (end + 7) // 8 * 8
        table = begin
        if header.version == 2:
            end = begin = table + 8 * (-(-header.stored // PART) + (header.compression != 0))
        if header.schema_form and not edited:
            end = begin + header.schema_length
        if end > len(data):
            reject("truncated", len(data), f"expected {end} bytes, found {len(data)}")
        if end < len(data):
            reject("trailing_bytes", end, f"expected {end} bytes, found {len(data)}")
        stored = data[at : at + header.stored]
        if header.version == 2:
            check_parts(stored, data[table:begin], header)
        elif not edited and xxh3_64(stored) != header.checksum:
            reject("bad_checksum", 48, "expected the checksum of the payload")
        self.schema = schema
        zeros = HEADER + header.schema_length if edited else HEADER + header.stored
        if (edited or header.schema_form or header.version == 2) and any(data[zeros : at if edited else table]):
            reject("invalid_value", zeros, "expected zeros after the " + ("schema" if edited else "payload"))
        if header.schema_form:
            self.schema = read_schema(data[begin : begin + header.schema_length], header)
        elif schema is not None and schema.id != header.schema_id:
            reject("schema_mismatch", 8, f"expected the fingerprint {schema.id:016x}, found {header.schema_id:016x}")
        if header.length > max_bytes:
            reject("too_large", 24, f"expected at most {max_bytes} bytes, found {header.length}")
        self.payload = stored if header.compression == 0 else memoryview(
            compression.decode(
                stored, header.compression, header.length, HEADER,
                int.from_bytes(data[begin - 8 : begin], "little") if header.version == 2 else None,
            )
        )

    def read(self) -> Any:
        assert self.header is not None
        if self.header.kind in DOCUMENTS:
            return Document(self.payload).value
        if self.schema is None:
            reject("unsupported", 7, "expected a file that carries its schema; give open() the schema")
        if self.header.kind in BLOCKS:
            return Block(self.payload, self.schema).value
        return (packed if self.header.kind == PACKED else compact).unpack(self.payload, self.schema, self.header.schema_form != 0)


def check_parts(stored: memoryview, table: memoryview, header: Header) -> None:
    """Compares the parts of a payload with the table of their checksums."""
    if xxh3_64(table) != header.checksum:
        reject("bad_checksum", 48, "expected the checksum of the table of checksums")

    for number, first in enumerate(range(0, len(stored), PART)):
        part = stored[first : first + PART]
        if xxh3_64(part) != int.from_bytes(table[8 * number : 8 * number + 8], "little"):
            begin = HEADER + first
            reject("bad_checksum", begin, f"expected the checksum of bytes {begin} to {begin + len(part) - 1}")


def read_schema(data: memoryview, header: Header) -> Any:
    """The schema of a file, held against its header."""
    if xxh3_64(data) & 0xFFFFFFFF != header.schema_checksum:
        reject("bad_checksum", 44, "expected the checksum of the schema")
    if header.schema_form == LAYOUT:
        layout: Any = Layout.from_bytes(data)
        if layout.layout_id != header.layout_id:
            reject("schema_mismatch", 16, f"expected the fingerprint {layout.layout_id:016x}, found {header.layout_id:016x}")
        found = layout.schema_id
    else:
        layout = Schema.from_bytes(data)
        found = layout.id
    if found != header.schema_id:
        reject("schema_mismatch", 8, f"expected the fingerprint {found:016x}, found {header.schema_id:016x}")
    return layout


class Records(Sequence[Any]):
    """The values of a log's records, each read when it is asked for."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def __len__(self) -> int:
        return len(self._log.positions)

    @overload
    def __getitem__(self, which: int) -> Any: ...

    @overload
    def __getitem__(self, which: slice) -> list[Any]: ...

    def __getitem__(self, which: int | slice) -> Any:
        if isinstance(which, slice):
            return [self[number] for number in range(*which.indices(len(self)))]
        number = range(len(self))[which]
        return self._log.record(number)

    def __iter__(self) -> Iterator[Any]:
        return (self._log.record(number) for number in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} records>"


class Log(Opened):
    """A log. ``value`` is a sequence of its records, ``positions`` those of their payloads.

    ``lost`` is the number of bytes after the last whole record.
    """

    def __init__(self, data: memoryview, schema: Schema | None = None) -> None:
        self._data = data
        header = self.header = Header.from_bytes(data)
        self.kind = KINDS[header.kind]
        self.schema = schema
        at = HEADER
        if header.schema_form:
            end = HEADER + header.schema_length
            at = (end + 7) // 8 * 8
            if at > len(data):
                reject("truncated", len(data), "expected the whole schema")
            self.schema = read_schema(data[HEADER:end], header)
            if any(data[end:at]):
                reject("invalid_value", end, "expected zeros after the schema")
        elif schema is not None and schema.id != header.schema_id:
            reject("schema_mismatch", 8, f"expected the fingerprint {schema.id:016x}, found {header.schema_id:016x}")
        self.positions: list[tuple[int, int]] = []
        while (end := self._record(at)) is not None:
            self.positions.append((at + 16, int.from_bytes(data[at : at + 4], "little")))
            at = end
        self.lost = len(data) - at

    def _record(self, at: int) -> int | None:
        """Returns the end of a record, or None if it is not whole."""
        data = self._data
        if len(data) - at < 16:
            return None
        size = int.from_bytes(data[at : at + 4], "little")
        if xxh3_64(data[at : at + 4], at) & 0xFFFFFFFF != int.from_bytes(data[at + 4 : at + 8], "little"):
            return None
        end = at + 16 + (size + 7) // 8 * 8
        if end > len(data) or any(data[at + 16 + size : end]):
            return None
        if xxh3_64(data[at + 16 : at + 16 + size], at) != int.from_bytes(data[at + 8 : at + 16], "little"):
            return None
        return end

    def record(self, number: int) -> Any:
        """Returns the value of a record.

        Offsets of errors count from the beginning of its payload. Their paths begin with the
        record's number.
        """
        if self.schema is None:
            reject("unsupported", 7, "expected a log that carries its schema; give open() the schema")
        begin, size = self.positions[number]
        assert self.header is not None
        try:
            return (packed if self.header.kind == PACKED_LOG else compact).unpack(
                self._data[begin : begin + size], self.schema, self.header.schema_form != 0
            )
        except FormatError as error:
            inner = error.path if error.path.startswith("[") or not error.path else "." + error.path
            raise FormatError(error.code, error.offset, error.message, f"[{number}]{inner}") from None

    @property
    def value(self) -> Records:
        return Records(self)


class Message(_Once):
    """Compressed bytes that are not in a file (``ingZ``); ``value`` is what they become."""

    kind = "message"

    def __init__(self, data: memoryview, max_bytes: int = 1 << 30) -> None:
        if len(data) < 5:
            reject("truncated", len(data), "expected a compressed message")
        if data[4] != 1:
            reject("wrong_version", 4, f"expected version 1, found {data[4]}")
        if len(data) < 24:
            reject("truncated", len(data), "expected the header of a compressed message")
        if data[5] not in compression.METHODS:
            reject("invalid_value", 5, f"expected a compression, found {data[5]}")
        if data[6] or data[7]:
            reject("invalid_value", 6, "expected zeros")
        self.method = data[5]
        self.length = int.from_bytes(data[8:16], "little")
        self._stored = data[24:]
        if xxh3_64(bytes(data[:16]) + bytes(self._stored)) != int.from_bytes(data[16:24], "little"):
            reject("bad_checksum", 16, "expected the checksum of the other bytes")
        if self.method == 0 and self.length != len(self._stored):
            reject("invalid_value", 8, f"expected {len(self._stored)} bytes, found a length of {self.length}")
        if self.method and len(data) >= self.length:
            reject("not_canonical", 8, "expected compressed bytes to be shorter than what they become")
        if self.length > max_bytes:
            reject("too_large", 8, f"expected at most {max_bytes} bytes, found {self.length}")

    def read(self) -> bytes:
        if self.method == 0:
            return bytes(self._stored)
        return compression.decode(self._stored, self.method, self.length, 24)


class _Whole(_Once):
    """Bytes without the header and the schema of a file."""

    def __init__(self, kind: str, inner: Any) -> None:
        self.kind = kind
        self.inner = inner

    def read(self) -> Any:
        return self.inner.value


class Live(_Once):
    """A live block by itself; its value takes its layout, as open()'s schema."""

    kind = "live"

    def __init__(self, data: memoryview, layout: Layout | None) -> None:
        self.schema = layout
        self._data = data

    def read(self) -> Any:
        if self.schema is None:
            reject("unsupported", 8, "expected the layout of the block; give open() a Layout as its schema")
        return Block(self._data, self.schema).value


class Description(Opened):
    """A schema or a layout by itself; ``value`` is it, too."""

    def __init__(self, kind: str, schema: Any) -> None:
        self.kind = kind
        self.schema = schema

    @property
    def value(self) -> Any:
        return self.schema


def open_any(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview, *, schema: Any = None, max_bytes: int = 1 << 30
) -> Opened:
    """Opens a file, or bytes, of any of ingot's kinds.

    ``source`` is a path or the bytes. ``schema`` is a Schema, or of live blocks a Layout, for bytes
    that don't carry their own. ``max_bytes`` is the maximum size of decompressed bytes. Raises
    FormatError if source is no file of ingot's, and OSError if it can't be read at all.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = memoryview(source).cast("B")
    else:
        with open(source, "rb") as stream:
            data = memoryview(stream.read())
    magic = bytes(data[:4])
    if magic == b"ingF":
        header = Header.from_bytes(data)
        return Log(data, schema) if header.kind in (PACKED_LOG, COMPACT_LOG) else File(data, schema, max_bytes)
    if magic == b"ingD":
        return _Whole("document", Document(data))
    if magic == b"ingA":
        return _Whole("archive", Archive(data))
    if magic == b"ingP":
        return _Whole("patch", Patch(data))
    if magic == b"ingZ":
        return Message(data, max_bytes)
    if magic == b"ingS":
        return Description("schema", Schema.from_bytes(data))
    if magic == b"ingY":
        return Description("layout", Layout.from_bytes(data))
    if magic == b"ingL":
        return Live(data, schema)
    if len(data) < 4:
        reject("truncated", len(data), "expected four bytes that say what this is")
    reject("bad_magic", 0, "expected a file of ingot's")
