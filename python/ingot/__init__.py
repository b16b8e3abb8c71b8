# SPDX-License-Identifier: Apache-2.0
"""Reads what ingot writes: packed, compact and live values, documents, archives, logs, schemas.

Written from ``docs/format.md`` alone. ``ingot.open(path_or_bytes)`` says what is in a file. Every
byte is checked against the format: no source is trusted.
"""
from . import compact as _compact
from . import packed as _packed
from . import typed as _typed
from .archive import Archive
from .document import Document
from .errors import FormatError
from .file import File, Header, Log, Message, Opened
from .file import open_any as open  # noqa: A001
from .layout import Layout
from .live import Block
from .patch import Patch
from .schema import Kind, Part, Schema
from .text import to_json
from .values import ABSENT, Duration, Enumerator, Expected, Pool, Record, Ref, TimePoint, Variant, to_dict

unpack = _packed.unpack
unpack_compact = _compact.unpack
unpack_typed = _typed.unpack
unpack_compact_typed = _typed.unpack_compact

__version__ = "0.1.0"
__all__ = [
    "ABSENT", "Archive", "Block", "Document", "Duration", "Enumerator", "Expected", "File", "FormatError", "Header", "Kind", "Layout", "Log", "Message",
    "Opened", "Part", "Patch", "Pool", "Record", "Ref", "Schema", "TimePoint", "Variant", "open", "to_dict", "to_json", "unpack", "unpack_compact",
    "unpack_compact_typed", "unpack_typed",
]  # fmt: skip
