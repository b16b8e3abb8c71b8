# SPDX-License-Identifier: Apache-2.0
"""Schemas: what packed and compact values are made of, and their descriptions as bytes."""
from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from math import gcd
from operator import or_
from typing import Any, NoReturn

from .errors import reject, varint
from .hash import Fingerprint

MAX_BYTES = 1 << 24
MAX_DEPTH = 128
#: A type whose values take no bytes may hold this many values: nothing else bounds them.
MAX_FREE = 64


class Kind(enum.IntEnum):
    """Kinds of parts, by their numbers in descriptions."""

    BOOLEAN = 1
    INTEGER = 2
    FLOATING = 3
    CHARACTER = 4
    BYTE = 5
    ENUMERATION = 6
    DURATION = 7
    TIME_POINT = 8
    COMPLEX = 9
    BITSET = 10
    STRING = 11
    PATH = 12
    SEQUENCE = 13
    ARRAY = 14
    SET = 15
    UNORDERED_SET = 16
    MAP = 17
    UNORDERED_MAP = 18
    OPTIONAL = 19
    VARIANT = 20
    EXPECTED = 21
    TUPLE = 22
    RECORD = 23
    RECURSION = 24
    DOCUMENT = 25


SIGNED, OPEN, REPEATED, EVOLVABLE, VERSIONED, ELIDES, VARINT, SHORT_FLOAT = 1, 2, 4, 8, 16, 32, 64, 128
TIGHT_FLOAT = 1  # for records
NAMES_TAGS = 1  # for variants: the names of alternatives are their tags in text
#: Flag of a variant, no part of the fingerprint: its tag is a member in JSON.
TAG_KEY = 2
COMBINED = 4  # for enumerations: flags
MEMBER_VARINT, MEMBER_FIXED, MEMBER_SHORT_FLOAT, MEMBER_TIGHT_FLOAT, MEMBER_QUANTIZED, MEMBER_UNIT_VECTOR = 1, 2, 4, 8, 16, 32
#: Bits of annotations in a description that are no part of the fingerprint: a member's form in
#: protobuf.
MEMBER_NUMBERED, MEMBER_PROTO = 64, 128

_WIDTHS = {
    Kind.BOOLEAN: (1,),
    Kind.INTEGER: (1, 2, 4, 8),
    Kind.FLOATING: (4, 8),
    Kind.CHARACTER: (1, 2, 4),
    Kind.BYTE: (1,),
    Kind.ENUMERATION: (1, 2, 4, 8),
    Kind.STRING: (1, 2, 4),
}
_FLAGS = {
    Kind.INTEGER: SIGNED,
    Kind.ENUMERATION: SIGNED | OPEN | COMBINED,
    Kind.SET: REPEATED,
    Kind.UNORDERED_SET: REPEATED,
    Kind.MAP: REPEATED,
    Kind.UNORDERED_MAP: REPEATED,
    Kind.VARIANT: NAMES_TAGS | TAG_KEY,
    Kind.RECORD: EVOLVABLE | VERSIONED | ELIDES | VARINT | SHORT_FLOAT | TIGHT_FLOAT,
}
_CHILDREN = {
    Kind.DURATION: 1,
    Kind.TIME_POINT: 1,
    Kind.COMPLEX: 1,
    Kind.SEQUENCE: 1,
    Kind.ARRAY: 1,
    Kind.SET: 1,
    Kind.UNORDERED_SET: 1,
    Kind.MAP: 2,
    Kind.UNORDERED_MAP: 2,
    Kind.OPTIONAL: 1,
}
LISTS = frozenset((Kind.SEQUENCE, Kind.SET, Kind.UNORDERED_SET, Kind.MAP, Kind.UNORDERED_MAP))
KEYED = frozenset((Kind.SET, Kind.UNORDERED_SET, Kind.MAP, Kind.UNORDERED_MAP))
#: What is one run of bytes, whose length nothing else says.
_TEXTS = frozenset((Kind.STRING, Kind.PATH, Kind.DOCUMENT))
#: What is None itself, so that an optional of one is a list.
MAY_BE_NONE = frozenset((Kind.OPTIONAL, Kind.DOCUMENT))
_THROUGH = frozenset((Kind.ARRAY, Kind.TUPLE, Kind.VARIANT, Kind.EXPECTED, Kind.RECORD, Kind.RECURSION))


def alternative_tags(names: list[str], are_explicit: bool) -> list[str]:
    """Returns the tags of alternatives with these names.

    These are the names if the program gave them, else each name that only one alternative has, else
    the index.
    """
    if are_explicit:
        return list(names)
    counts = Counter(names)
    return [name if name and not "0" <= name[0] <= "9" and counts[name] == 1 else str(index) for index, name in enumerate(names)]


class Part:
    """A part of a schema: a type, and what it is made of.

    ``names`` are those of a record's members, a variant's alternatives (which may be empty) or an
    enumeration's enumerators, ``values`` the latter's numbers, ``annotations`` the members'. For
    protobuf members have ``fields``, their numbers where an annotation says them, else 0, and
    ``encodings``. ``name`` is the name of a record's or an enumeration's C++ type, or empty.
    ``tag_key`` is the key of a variant's tag in JSON, or empty. ``target`` is the record that a
    recursion means.
    """

    # fmt: off
    __slots__ = ("kind", "width", "flags", "extent", "divisor", "children", "names", "values", "annotations", "fields", "encodings", "target",
                 "fixed", "slot", "free", "key", "by_value", "bits", "entry", "nests", "known_tags", "name", "tag_key")
    # fmt: on

    def __init__(self, kind: int, width: int = 0, flags: int = 0, extent: int = 0, divisor: int = 0) -> None:
        self.kind = Kind(kind)
        self.width = width
        self.flags = flags
        self.extent = extent
        self.divisor = divisor
        self.children: list[Part] = []
        self.names: list[str] = []
        self.values: list[int] = []
        self.annotations: list[int] = []
        self.fields: list[int] = []
        self.encodings: list[int] = []
        self.target: Part = self
        self.fixed = False
        self.slot = 0
        self.free = 0
        self.key = 0
        self.nests = False
        self.by_value: dict[int, str] | None = None
        self.bits = 0  # union of the bits of all enumerators of flags
        self.entry: Part | None = None
        self.known_tags: list[str] | None = None
        self.name = ""
        self.tag_key = ""

    @property
    def version_apart(self) -> int | None:
        """The version of a record without a member for it: JSON has ``$version``."""
        own = bool(self.names) and self.names[0] == "version" and self.children[0].kind == Kind.INTEGER
        return self.extent if self.kind == Kind.RECORD and self.flags & VERSIONED and not own else None

    @property
    def tags(self) -> list[str]:
        """The keys of a variant's alternatives in text and documents."""
        if self.known_tags is None:
            self.known_tags = alternative_tags(self.names, bool(self.flags & NAMES_TAGS))
        return self.known_tags

    @property
    def alternatives(self) -> list[Part | None]:
        """The records that a variant holds; None for an alternative that is no record."""
        whole = [child.target if child.kind == Kind.RECURSION else child for child in self.children]
        return [child if child.kind == Kind.RECORD else None for child in whole]

    @property
    def count(self) -> int:
        return len(self.values) if self.kind == Kind.ENUMERATION else len(self.children)

    def __repr__(self) -> str:
        return f"<{self.kind.name.lower()} {self.key:016x}>"


class Schema:
    """The schema of a packed or compact value.

    ``root`` is its type, ``id`` its fingerprint (``schema_id``).
    """

    def __init__(self, root: Part) -> None:
        self.root = root
        self.parts = list(_walk(root))
        self.id = fingerprint(root)
        _lay_out(self)

    @property
    def kind(self) -> str:
        return "portable"

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Schema:
        """Reads a description (``ingS``).

        Raises FormatError if it makes no sense or is not in its one form.
        """
        return _Reader(bytes(data)).schema()

    def __repr__(self) -> str:
        return f"<ingot schema {self.id:016x} of a {self.root.kind.name.lower()}>"


def _walk(root: Part) -> Iterator[Part]:
    """All parts, each once, a part's children before it."""
    seen = {id(root)}
    stack: list[tuple[Part, int]] = [(root, 0)]
    while stack:
        part, at = stack.pop()
        if at < len(part.children):
            stack.append((part, at + 1))
            child = part.children[at]
            if id(child) not in seen:
                seen.add(id(child))
                stack.append((child, 0))
        else:
            yield part


def fingerprint(root: Part) -> int:
    """The fingerprint of a part; those of all parts in it are noted."""
    for part in _walk(root):
        mixed = Fingerprint()
        mixed.word(part.kind + (part.width << 8) + (part.flags << 16) + (part.count << 32))
        mixed.word(part.extent)
        mixed.word(part.divisor)
        if part.kind == Kind.ENUMERATION:
            for value, name in zip(part.values, part.names):
                mixed.word(value)
                mixed.text(name.encode())
        elif part.kind == Kind.RECORD:
            for name, annotation, child in zip(part.names, part.annotations, part.children):
                mixed.text(name.encode())
                mixed.word(annotation)
                mixed.word(child.key)
        elif part.kind == Kind.VARIANT:
            for name, child in zip(part.names, part.children):
                mixed.text(name.encode())
                mixed.word(child.key)
        else:
            for child in part.children:
                mixed.word(child.key)
        part.key = mixed.done()
    return root.key


def _lay_out(schema: Schema) -> None:
    """Computes which parts are fixed, and the sizes of slots."""
    for part in schema.parts:
        part.nests = part.kind == Kind.RECURSION or any(child.nests for child in part.children)
    # 1 while what it needs is looked at, 2 when it is known.
    seen: dict[int, int] = {}
    for first in schema.parts:
        stack = [first]
        while stack:
            part = stack[-1]
            state = seen.get(id(part), 0)
            if state == 0:
                seen[id(part)] = 1
                if part.kind not in LISTS:
                    stack += [child for child in part.children if seen.get(id(child), 0) == 0]
                continue
            stack.pop()
            if state == 1:
                seen[id(part)] = 2
                if part.kind == Kind.RECURSION or part.kind in LISTS or part.kind in _TEXTS:
                    part.fixed = False
                elif part.kind == Kind.ARRAY:
                    part.fixed = part.extent == 0 or part.children[0].fixed
                else:
                    part.fixed = not part.flags & EVOLVABLE and all(child.fixed for child in part.children)
    # Slots, along what lies in the bytes of another part.
    seen.clear()
    for first in schema.parts:
        stack = [first]
        while stack:
            part = stack[-1]
            state = seen.get(id(part), 0)
            needs = _in_own_bytes(part)
            if state == 0:
                seen[id(part)] = 1
                for child in needs:
                    if seen.get(id(child), 0) == 1:
                        reject("invalid_value", 0, "expected no record that contains itself, except through a container or an optional")
                    stack.append(child)
                continue
            stack.pop()
            if state == 1:
                seen[id(part)] = 2
                _slot(part)
    for part in schema.parts:
        if part.kind in (Kind.MAP, Kind.UNORDERED_MAP):
            entry = part.entry = Part(Kind.TUPLE)
            entry.children = part.children
            entry.nests = part.nests
            entry.fixed = all(child.fixed for child in part.children)
            _slot(entry)
        if part.kind == Kind.ENUMERATION:
            part.by_value = dict(zip(part.values, part.names))
            if part.flags & COMBINED:
                part.bits = reduce(or_, part.values, 0)


def _in_own_bytes(part: Part) -> list[Part]:
    if part.kind == Kind.RECURSION:
        return [part.target]
    if part.kind in _THROUGH or part.kind == Kind.OPTIONAL and part.fixed:
        return part.children
    return part.children if part.kind in (Kind.DURATION, Kind.TIME_POINT, Kind.COMPLEX) else []


def slot_of(part: Part) -> int:
    """Returns the size of a part in the fixed part that contains it, in bytes."""
    if part.kind == Kind.RECURSION:
        part = part.target
    return 4 if is_variable(part) else part.slot


def is_variable(part: Part) -> bool:
    """Whether the part is a variable field, whose slot is an end."""
    kind = part.kind
    if kind == Kind.RECURSION:
        return is_variable(part.target)
    if kind == Kind.RECORD:
        return bool(part.flags & EVOLVABLE)
    return kind in LISTS or kind in _TEXTS or not part.fixed and kind in (Kind.OPTIONAL, Kind.VARIANT, Kind.EXPECTED)


def _slot(part: Part) -> None:
    """The bytes of the fixed part that is a part's own."""
    kind, children = part.kind, part.children
    part.free = 1
    if kind in (Kind.BOOLEAN, Kind.INTEGER, Kind.FLOATING, Kind.CHARACTER, Kind.BYTE, Kind.ENUMERATION):
        part.slot = part.width
    elif kind in (Kind.DURATION, Kind.TIME_POINT):
        part.slot = children[0].slot
    elif kind == Kind.COMPLEX:
        part.slot = 2 * children[0].slot
    elif kind == Kind.BITSET:
        part.slot = (part.extent + 7) // 8
    elif kind == Kind.ARRAY:
        part.slot = part.extent * slot_of(children[0])
        if part.slot == 0:
            part.free = 1 + part.extent * children[0].free
    elif kind in (Kind.RECORD, Kind.TUPLE):
        part.slot = sum(slot_of(child) for child in children)
        part.free = 1 + sum(child.free for child in children if slot_of(child) == 0)
    elif part.fixed and kind in (Kind.OPTIONAL, Kind.VARIANT, Kind.EXPECTED):
        part.slot = 1 + max(child.slot for child in children)
    elif kind == Kind.RECURSION:
        part.slot, part.free = part.target.slot, part.target.free
    if part.free > MAX_FREE:
        reject("too_large", 0, f"expected at most {MAX_FREE} values in a type that takes no bytes")


def name_is_fine(raw: bytes) -> bool:
    """UTF-8 without control characters."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return False
    return not any(letter < " " or "\x7f" <= letter <= "\x9f" for letter in text)


def sign_extended(value: int, width: int, signed: bool) -> bool:
    """Whether 64 bits, as an unsigned number, are a number of that width, extended."""
    if not signed:
        return value >> 8 * width == 0
    top = value >> 8 * width - 1
    return top == 0 or top == (1 << 65 - 8 * width) - 1


def check_version_key(record: Any, at: int) -> None:
    """Checks that JSON has one value under $version.

    A record with a version must have a member for it, or no member of this name.
    """
    if record.version_apart is not None and "$version" in record.names:
        reject("invalid_value", at, "expected no member $version beside the version, whose key it is")


def check_tag_keys(variants: list[tuple[Any, int]]) -> None:
    """Checks that alternatives beside a tag_key are records without a member of that name.

    The variants are parts of a schema or types of a layout, each with its position.
    """
    names: dict[int, set[str]] = {}
    for variant, at in variants:
        for child in variant.alternatives:
            if child is None:
                reject("invalid_value", at, "expected records as alternatives, because of the tag_key")
            if id(child) not in names:
                names[id(child)] = set(child.names)
            if variant.tag_key in names[id(child)]:
                reject("invalid_value", at, "expected a tag_key that no member of an alternative has")


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def fail(self, message: str, code: str = "invalid_value") -> NoReturn:
        reject(code, self.at, message)

    def byte(self) -> int:
        if self.at >= len(self.data):
            self.fail("expected a part, found the end", "truncated")
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value, self.at = varint(self.data, self.at, len(self.data))
        return value

    def field_number(self) -> int:
        begin = self.at
        number = self.number()
        if not 1 <= number < 1 << 29 or 19_000 <= number <= 19_999:
            reject("invalid_value", begin, "expected a number that protobuf has for fields")
        return number

    def encoding(self) -> int:
        """Reads a member's encoding in protobuf.

        It is 1 or 2 for numbers, 4 or 8 for keys of maps, and 16, 32 or 48.
        """
        byte = self.byte()
        if byte == 0 or byte > 63 or byte & 3 == 3 or byte & 12 == 12:
            reject("invalid_value", self.at - 1, "expected annotations for protobuf that there are")
        return byte

    def step(self) -> int:
        """Reads the step of rounded floats, which follows the bits of an annotation.

        It is units, and the number of their digits after the point.
        """
        begin = self.at
        units, digits = self.number(), self.byte()
        if not 0 < units < 1 << 32 or digits > 9:
            reject("invalid_value", begin, "expected a step")
        if digits and units % 10 == 0:
            reject("not_canonical", begin, "expected a step in as few digits as it needs")
        return units << 8 | digits << 40

    def name(self, may_be_empty: bool = False) -> str:
        size = self.number()
        if size > len(self.data) - self.at:
            self.fail("expected as many bytes as the name has", "truncated")
        raw = self.data[self.at : self.at + size]
        if size == 0 and not may_be_empty or not name_is_fine(raw):
            self.fail("expected a name: UTF-8 without control characters, at least one byte")
        self.at += size
        return raw.decode()

    def schema(self) -> Schema:
        data = self.data
        if len(data) > MAX_BYTES:
            reject("too_large", 0, "expected a description of at most 16 MiB")
        if len(data) < 4:
            reject("truncated", len(data), "expected a description")
        if data[:4] != b"ingS":
            reject("bad_magic", 0, "expected ingS")
        if len(data) < 16:
            reject("truncated", len(data), "expected the header of a description")
        if data[4] != 3:
            reject("wrong_version", 4, f"expected version 3, found {data[4]}")
        if any(data[5:8]):
            reject("invalid_value", 5, "expected zeros")
        self.at = 16
        count = self.number()
        if count > (len(data) - self.at) // 3:
            self.fail("expected no more shared parts than fit into the bytes", "truncated")
        self.shared: list[Part] = []
        self.tagged: list[tuple[Part, int]] = []  # variants with a tag_key, and their positions
        self.depth: dict[int, int] = {}
        keys: set[bytes] = set()
        for _ in range(count):
            begin = self.at
            part = self.part(True)
            if part.kind not in (Kind.RECORD, Kind.ENUMERATION):
                reject("not_canonical", begin, "expected only records and enumerations to be shared")
            fingerprint(part)
            if data[begin : self.at] in keys:
                reject("not_canonical", begin, "expected no two shared parts to be equal")
            keys.add(data[begin : self.at])
            self.shared.append(part)
        root = self.part(False)
        if self.at != len(data):
            self.fail("expected the end of the description", "trailing_bytes")
        self.check_order(root)
        check_tag_keys(self.tagged)
        schema = Schema(root)
        if schema.id != int.from_bytes(data[8:16], "little"):
            reject("bad_checksum", 8, f"expected the fingerprint of what is described, {schema.id:016x}")
        return schema

    def check_order(self, root: Part) -> None:
        number = {id(part): at for at, part in enumerate(self.shared)}
        expected = 0
        for part in _walk(root):
            if id(part) in number:
                if number[id(part)] != expected:
                    self.fail("expected shared parts in the order in which a walk from the root has seen their ends", "not_canonical")
                expected += 1
        if expected != len(self.shared):
            self.fail("expected each shared part to be referred to", "not_canonical")

    def part(self, shared: bool) -> Part:
        """A part with all in it; shared says that it is one of the shared parts."""
        begun: list[Part] = []  # the records of the group, as they began
        # For each open record the first record of the group that a recursion in it means.
        lowest: list[int] = []
        # Open parts: the part, its count of children, its number in the group, its position.
        stack: list[tuple[Part, int, int, int]] = []
        while True:
            begin = self.at
            if stack and stack[-1][0].kind == Kind.RECORD:
                owner = stack[-1][0]
                owner.names.append(self.name())
                annotation = self.byte()
                proto, annotation = annotation & (MEMBER_NUMBERED | MEMBER_PROTO), annotation & 63
                if annotation & MEMBER_QUANTIZED:
                    annotation |= self.step()
                if annotation & MEMBER_UNIT_VECTOR:
                    size = self.byte()
                    if size == 1 or size > 8:
                        reject("invalid_value", self.at - 1, "expected from 2 to 8 bytes, or 0")
                    annotation |= size << 48
                owner.annotations.append(annotation)
                owner.fields.append(self.field_number() if proto & MEMBER_NUMBERED else 0)
                owner.encodings.append(self.encoding() if proto & MEMBER_PROTO else 0)
                begin = self.at
            elif stack and stack[-1][0].kind == Kind.VARIANT:
                owner = stack[-1][0]
                owner.names.append(self.name(may_be_empty=not owner.flags & NAMES_TAGS))
                begin = self.at
            kind = self.byte()
            if len(stack) + 1 > MAX_DEPTH:
                reject("too_deep", begin, f"expected parts nested at most {MAX_DEPTH} deep")
            if kind == 0:
                which = self.number()
                if which >= len(self.shared):
                    reject("invalid_value", begin, "expected the number of a shared part that stands in front")
                part = self.shared[which]
                if not stack and shared:
                    reject("not_canonical", begin, "expected a record or an enumeration, found a shared part")
                if len(stack) + self.depth[id(part)] > MAX_DEPTH:
                    reject("too_deep", begin, f"expected parts nested at most {MAX_DEPTH} deep")
                wanted, index = 0, -1
            else:
                part, wanted = self.head(kind, begin)
                index = -1
                if part.kind == Kind.ENUMERATION and (stack or not shared):
                    reject("not_canonical", begin, "expected enumerations to be shared")
                if part.kind == Kind.RECORD:
                    if not stack and not shared or stack and not begun:
                        reject("not_canonical", begin, "expected records that are complete to be shared")
                    index = len(begun)
                    begun.append(part)
                    lowest.append(index)
                elif part.kind == Kind.RECURSION:
                    if part.extent >= len(begun):
                        reject("invalid_value", begin, "expected a recursion to mean a record that has begun")
                    meant = len(begun) - 1 - part.extent
                    part.target = begun[meant]
                    for at, (_, _, number, _) in enumerate(stack):
                        if number >= 0:
                            lowest[number] = min(lowest[number], meant)
                self.depth[id(part)] = 1
            here = (part, wanted, index, begin)
            while True:
                part, wanted, index, begin = here
                if len(part.children) < wanted:
                    stack.append(here)
                    break
                if kind != 0 or wanted:
                    self.complete(part, begin)
                if index > 0 and lowest[index] >= index:
                    reject("not_canonical", begin, "expected records that are complete to be shared")
                if not stack:
                    return part
                owner = stack[-1][0]
                owner.children.append(part)
                self.depth[id(owner)] = max(self.depth[id(owner)], 1 + self.depth[id(part)])
                if len(owner.children) < stack[-1][1]:
                    break
                here = stack.pop()

    def head(self, kind: int, begin: int) -> tuple[Part, int]:
        """Reads the head of a part, and returns it with its count of children."""
        if kind > Kind.DOCUMENT:
            reject("invalid_value", begin, f"expected a kind, found {kind}")
        part = Part(kind)
        kind = part.kind
        if kind in _WIDTHS:
            part.width = 1 if kind in (Kind.BOOLEAN, Kind.BYTE) else self.byte()
            if part.width not in _WIDTHS[kind]:
                self.fail(f"expected a width that a {kind.name.lower()} can have, found {part.width}")
        if kind in _FLAGS:
            part.flags = self.byte()
            if part.flags & ~_FLAGS[kind] or kind == Kind.ENUMERATION and part.flags & OPEN and part.flags & COMBINED:
                self.fail(f"expected flags that a {kind.name.lower()} can have, found {part.flags}")
            if part.flags & EVOLVABLE and part.flags & ELIDES:
                self.fail("expected a record that is evolvable or elides defaults, not both")
        if kind == Kind.VARIANT and part.flags & TAG_KEY:
            part.flags ^= TAG_KEY
            part.tag_key = self.name()
            if part.tag_key == "$version":
                self.fail("expected a tag_key other than $version, the key of versions")
            self.tagged.append((part, begin))
        if kind == Kind.DURATION:
            part.extent, part.divisor = self.number(), self.number()
            if not 1 <= part.extent < 1 << 63 or not 1 <= part.divisor < 1 << 63 or gcd(part.extent, part.divisor) != 1:
                self.fail("expected a period that is a reduced fraction of numbers from 1 to 2^63 - 1")
        elif kind in (Kind.BITSET, Kind.ARRAY, Kind.RECURSION) or part.flags & VERSIONED:
            part.extent = self.number()
        if kind not in (Kind.VARIANT, Kind.EXPECTED, Kind.TUPLE, Kind.RECORD, Kind.ENUMERATION):
            return part, _CHILDREN.get(kind, 0)
        if kind in (Kind.RECORD, Kind.ENUMERATION):
            part.name = self.name(may_be_empty=True)
        count = self.number()
        if kind == Kind.VARIANT and not 1 <= count <= 256 or kind == Kind.EXPECTED and count not in (1, 2):
            self.fail(f"expected as many children as a {kind.name.lower()} can have, found {count}")
        if count > len(self.data) - self.at:
            self.fail("expected no more children than there are bytes", "truncated")
        if kind == Kind.ENUMERATION:
            self.enumerators(part, count)
            return part, 0
        return part, count

    def enumerators(self, part: Part, count: int) -> None:
        signed = bool(part.flags & SIGNED)
        for _ in range(count):
            if len(self.data) - self.at < 8:
                self.fail("expected the value of an enumerator", "truncated")
            value = int.from_bytes(self.data[self.at : self.at + 8], "little")
            if not sign_extended(value, part.width, signed):
                self.fail("expected a value that a number of the enumeration's width and sign can have")
            if signed and value >> 63:
                value -= 1 << 64
            if part.values and value <= part.values[-1]:
                self.fail("expected enumerators ascending by value", "not_canonical")
            self.at += 8
            part.values.append(value)
            part.names.append(self.name())
        if len(set(part.names)) != count:
            self.fail("expected no two enumerators of one name")

    def complete(self, part: Part, begin: int) -> None:
        """Checks the children of a part against its kind."""
        kinds = [child.kind for child in part.children]
        if part.kind == Kind.DURATION and kinds[0] not in (Kind.INTEGER, Kind.FLOATING):
            reject("invalid_value", begin, "expected a duration to count in integers or floats")
        if part.kind == Kind.VARIANT and part.flags & NAMES_TAGS and len(set(part.names)) != len(part.names):
            reject("invalid_value", begin, "expected no two tags of one name")
        check_version_key(part, begin)
        if part.kind == Kind.RECORD and any(part.fields):
            numbers = [own or (index + 1 if index < 18_999 else index + 1001) for index, own in enumerate(part.fields)]
            if len(set(numbers)) != len(numbers):
                reject("invalid_value", begin, "expected no two members of one field number")
        if part.kind == Kind.TIME_POINT and kinds[0] != Kind.DURATION:
            reject("invalid_value", begin, "expected a time point to have a duration")
        if part.kind == Kind.COMPLEX and kinds[0] != Kind.FLOATING:
            reject("invalid_value", begin, "expected a complex to be of floats")
