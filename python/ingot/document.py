# SPDX-License-Identifier: Apache-2.0
"""Documents: values without a declared type, in nodes."""
from __future__ import annotations

import struct
from typing import Any, NoReturn

from .errors import Path, reject
from .hash import document_hash

ARRAY, OBJECT, SHAPED, SHAPE, BLOB, LONG_KEY, SINGLE = 1, 2, 3, 4, 5, 6, 7
MAX_BYTES = (1 << 31) - 8192
_NAMES = {1: "an array", 2: "an object", 3: "a shaped object", 4: "a shape", 5: "a blob", 6: "a long key", 7: "a single"}


def smallest_normal(value: float) -> bool:
    """Whether a double is a normal float."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0] == value and 2.0**-126 <= abs(value) < 2.0**128
    except OverflowError:
        return False


class Node:
    """A node whose head was read and found to be inside the document."""

    __slots__ = ("position", "kind", "wide", "size", "count", "heap", "cells", "hashes", "shape")

    def __init__(self, position: int, kind: int) -> None:
        self.position = position
        self.kind = kind
        self.wide = False
        self.size = 0
        self.count = 0
        self.heap = 0  # position of the heap
        self.cells: tuple[int, ...] = ()
        self.hashes: tuple[int, ...] = ()
        self.shape = 0

    @property
    def end(self) -> int:
        return self.position + self.size


class Document:
    """A document's bytes. ``value`` is their value; all bytes are validated.

    It consists of None, bool, int, float, str, bytes, list and dict.
    """

    def __init__(self, data: bytes | bytearray | memoryview) -> None:
        self.data = memoryview(data).cast("B")
        data = self.data
        if len(data) < 4:
            reject("truncated", len(data), "expected a document")
        if data[:4] != b"ingD":
            reject("bad_magic", 0, "expected ingD")
        if len(data) < 16:
            reject("truncated", len(data), "expected the header of a document")
        if data[4] != 3:
            reject("wrong_version", 4, f"expected version 3, found {data[4]}")
        if data[5] > 1:
            reject("invalid_value", 5, f"expected flags 0 or 1, found {data[5]}")
        if data[6] or data[7]:
            reject("invalid_value", 6, "expected zeros")
        self.big_endian = data[5] == 1
        self.order = ">" if self.big_endian else "<"
        length, self.root = struct.unpack_from(self.order + "II", data, 8)
        if length % 8 or not 16 <= length <= MAX_BYTES:
            reject("invalid_value", 8, f"expected a length that is a multiple of 8 and at most 2^31 - 8192, found {length}")
        if length > len(data):
            reject("truncated", len(data), f"expected {length} bytes, found {len(data)}")
        if length < len(data):
            reject("trailing_bytes", length, f"expected {length} bytes, found {len(data)}")
        self._value: Any = None
        self._read = False

    def __repr__(self) -> str:
        return f"<ingot document of {len(self.data)} bytes>"

    @property
    def value(self) -> Any:
        """The document's value."""
        if not self._read:
            self._value = _Reader(self).root()
            self._read = True
        return self._value


def validated_nodes(document: Document, exact: bool) -> list[tuple[int, int]]:
    """Validates a document and returns the positions of its nodes, ascending.

    exact also checks the numbers of users.
    """
    reader = _Reader(document)
    reader.root()
    if exact:
        for position, (at, users) in reader.users.items():
            if reader.number(at, 4) != users:
                reject("invalid_value", at, f"expected {users} users of the node at {position}, found {reader.number(at, 4)}")
    return reader.taken


class _Reader:
    def __init__(self, document: Document) -> None:
        self.data = document.data
        self.order = document.order
        self.root_position = document.root
        self.taken: list[tuple[int, int]] = []
        self.visited: set[int] = set()
        self.shapes: dict[int, tuple[Node, list[str]]] = {}
        self.long_keys: dict[int, tuple[int, bytes]] = {}
        self.following: dict[int, int] = {}
        self.users: dict[int, tuple[int, int]] = {}
        self.compared = 0
        self.hashes: dict[bytes, int] = {}

    def fail(self, at: int, message: str, path: Path, code: str = "invalid_value") -> NoReturn:
        reject(code, at, message, path)

    def number(self, at: int, size: int, signed: bool = False) -> int:
        return int.from_bytes(self.data[at : at + size], "big" if self.order == ">" else "little", signed=signed)

    def root(self) -> Any:
        if self.root_position <= 2:
            return (None, [], {})[self.root_position]
        node = self.node(self.root_position, (ARRAY, OBJECT, SHAPED, SINGLE), 12, None)
        if node.kind == SINGLE:
            if node.count != 1:
                self.fail(node.position, f"expected a single to have one cell, found {node.count}", None)
            spans: list[tuple[int, int]] = []
            opened: list[tuple] = []
            cell = node.cells[0]
            value = self.cell(node, cell, 0, spans, opened, None)
            if opened or value is None or value in ([], {}):
                self.fail(node.position, "expected a single to hold neither null nor a container", None)
            self.check_spans(spans, None)
            result = value
        else:
            result = self.containers(node)
        self.check_nodes()
        return result

    def node(self, position: int, kinds: tuple[int, ...], at: int, path: Path) -> Node:
        """Returns a node's head; at is the position of the reference to it."""
        if position % 8 or not 16 <= position <= len(self.data) - 16:
            self.fail(at, f"expected the place of a node, found {position}", path)
        first = self.data[position]
        wide = first >= 8 and first & 7 not in (BLOB, LONG_KEY)
        node = Node(position, first & 7 if wide else first)
        node.wide = wide
        if node.kind not in kinds:
            found = _NAMES.get(node.kind, f"a node of kind {first}")
            self.fail(at, f"expected {' or '.join(_NAMES[kind] for kind in kinds)}, found {found}", path)
        if node.kind in (BLOB, LONG_KEY):
            node.size = 8 * self.number(position + 4, 4)
            node.count = self.number(position + 8, 4)
            head = 12 if node.kind == BLOB else 16
            needed = head + node.count
            if node.kind == LONG_KEY and node.count <= 32:
                self.fail(position + 8, f"expected more than 32 bytes, found {node.count}", path)
        else:
            word = 4 if wide else 2
            at = position + word
            node.size = 8 * self.number(at, word)
            node.count = self.number(at + word, word)
            heap = self.number(at + 2 * word, word)
            head = 4 * word + (4 if node.kind in (SHAPED, SHAPE) else 0)
            each = word + (2 if node.kind in (OBJECT, SHAPE) else 0)
            if not wide and (node.count > 8191 or heap > 32767):
                self.fail(position, "expected a narrow node to have at most 8,191 elements and 32,767 bytes of heap", path)
            needed = head + each * node.count + heap
        if node.size < 16 or node.size > len(self.data) - position:
            self.fail(position, f"expected a node of 16 bytes or more, inside the document, found {node.size}", path)
        if needed > node.size:
            self.fail(position, f"expected a node of {needed} bytes or more, found {node.size}", path)
        self.taken.append((position, node.end))
        if node.kind not in (BLOB, LONG_KEY):
            cells = position + head
            node.cells = struct.unpack_from(f"{self.order}{node.count}{'I' if wide else 'H'}", self.data, cells)
            if node.kind in (OBJECT, SHAPE):
                node.hashes = struct.unpack_from(f"{self.order}{node.count}H", self.data, cells + word * node.count)
            node.heap = node.end - heap
            if node.kind in (SHAPED, SHAPE):
                node.shape = self.number(position + 4 * word, 4)
        return node

    def once(self, position: int, at: int, path: Path) -> None:
        if position in self.visited:
            self.fail(at, "expected each node to be referred to once", path)
        self.visited.add(position)

    def check_nodes(self) -> None:
        self.taken.sort()
        for before, after in zip(self.taken, self.taken[1:]):
            if after[0] < before[1]:
                self.fail(after[0], "expected no byte to belong to two nodes", None)

    def check_spans(self, spans: list[tuple[int, int]], path: Path) -> None:
        spans.sort()
        for before, after in zip(spans, spans[1:]):
            if after[0] < before[1]:
                self.fail(after[0], "expected no byte to belong to two elements", path)

    # Keys

    def keys(self, node: Node, path: Path) -> tuple[list[str], list[int], list[tuple[int, int]]]:
        """Returns the keys of an object or a shape, and the position after each."""
        names, ends, spans = [], [], []
        before: tuple[int, bytes, int] | None = None
        for cell, key_hash in zip(node.cells, node.hashes):
            begin = self.element(node, cell, path)
            raw, end, position = self.key(begin, node.end, key_hash, path)
            spans.append((begin, end))
            if before is not None:
                self.check_order(before, (key_hash, raw, position), begin, path)
            before = (key_hash, raw, position)
            names.append(str(raw, "utf-8", "surrogateescape"))
            ends.append(end)
        return names, ends, spans

    def key(self, at: int, end: int, key_hash: int, path: Path) -> tuple[bytes, int, int]:
        begin, size = at, key_hash & 15
        if size == 0:
            first = self.data[at]
            if 1 <= first <= 33:
                begin, size = at + 1, first - 1
            elif first != 0x85:
                self.fail(at, f"expected a key of at most 32 bytes, or a long one, found {first}", path)
        if size or begin != at:
            if size > end - begin:
                self.fail(at, "expected a key that is inside its node", path)
            raw = bytes(self.data[begin : begin + size])
            if self.hash_of(raw) != key_hash:
                self.fail(at, "expected the hash of the key", path, "out_of_order")
            return raw, begin + size, 0
        if end - at < 5:
            self.fail(at, "expected the place of a long key", path)
        position = self.number(at + 1, 4)
        if position not in self.long_keys:
            self.once(position, at, path)
            node = self.node(position, (LONG_KEY,), at + 1, path)
            raw = bytes(self.data[position + 16 : position + 16 + node.count])
            self.long_keys[position] = self.number(position + 2, 2), raw
            if self.number(position + 2, 2) != document_hash(raw):
                self.fail(position + 2, "expected the hash of the key", path, "out_of_order")
        self.users[position] = position + 12, self.users.get(position, (0, 0))[1] + 1
        found, raw = self.long_keys[position]
        if found != key_hash:
            self.fail(position + 2, "expected the hash of the key as in the node that refers to it", path)
        return raw, at + 5, position

    def hash_of(self, raw: bytes) -> int:
        """Returns the hash of a short key. It is stored, since the keys of records come often."""
        found = self.hashes.get(raw)
        if found is None:
            found = self.hashes[raw] = document_hash(raw)
        return found

    def check_order(self, a: tuple[int, bytes, int], b: tuple[int, bytes, int], at: int, path: Path) -> None:
        if a[0] < b[0]:
            return
        if a[0] > b[0]:
            self.fail(at, "expected keys that ascend by hash", path, "out_of_order")
        if a[2] and b[2]:
            if self.following.get(a[2]) == b[2]:
                return
            self.compared += common(a[1], b[1])
            if self.compared > 16 * len(self.data) + 4096:
                self.fail(at, "expected fewer long keys that begin alike and have one hash", path, "too_large")
            self.following[a[2]] = b[2]
        if a[1] >= b[1]:
            self.fail(at, "expected keys of one hash to ascend by their bytes", path, "out_of_order")

    # Values

    def element(self, node: Node, cell: int, path: Path) -> int:
        """Returns the position of the element of a cell."""
        middle = 1 << (31 if node.wide else 15)
        if not 0 < cell < middle or cell > node.end - node.heap:
            self.fail(node.position, f"expected a cell that leads into the node's heap, found {cell}", path)
        return node.end - cell

    def cell(self, node: Node, cell: int, number: int, spans: list, opened: list, path: Path) -> Any:
        """A value in a node whose cells may be values."""
        bits = 32 if node.wide else 16
        if cell == 0:
            return None
        if cell < 1 << bits - 1:
            begin = self.element(node, cell, path)
            value, end = self.tagged(begin, node.end, number, opened, path)
            spans.append((begin, end))
            return value
        low = cell & ((1 << bits - 2) - 1)
        if not cell >> bits - 2 & 1:
            return low - (1 << bits - 2) if low >> bits - 3 else low
        kind = cell >> bits - 3 & 1
        low = cell & ((1 << bits - 3) - 1)
        if kind == 1 and low < 1 << 12:
            return float(low - 4096 if low >> 11 else low)
        if kind == 0 and low < 6:
            return (False, True, "", b"", [], {})[low]
        self.fail(node.position, f"expected a cell that means something, found {cell:#x}", path)

    def tagged(  # noqa: C901
        self, at: int, end: int, number: int, opened: list, path: Path
    ) -> tuple[Any, int]:
        """A value in a heap and where it ends; containers are noted in opened."""
        data = self.data
        if at >= end:
            self.fail(at, "expected a value, found the end of its node", path)
        tag = data[at]
        at += 1
        left = end - at
        if tag >= 128:
            size = tag - 128
            if size > left:
                self.fail(at - 1, "expected a string that is inside its node", path)
            return str(data[at : at + size], "utf-8", "surrogateescape"), at + size
        if tag >= 64:
            return tag - 80, at
        size = tag if 1 <= tag <= 8 else {9: 8, 10: 8, 11: 4, 17: 4, 18: 4, 19: 4, 20: 4, 21: 1, 24: 1, 25: 1, 26: 1, 27: 1}.get(tag, 0)
        if size > left:
            self.fail(at - 1, "expected a value that is inside its node", path)
        if 1 <= tag <= 8:
            return self.number(at, tag, True), at + tag
        if tag == 9:
            value = self.number(at, 8)
            if value >> 63 == 0:
                self.fail(at - 1, "expected an unsigned integer of 2^63 or more", path)
            return value, at + 8
        if tag == 10:
            return struct.unpack_from(self.order + "d", data, at)[0], at + 8
        if tag == 11:
            value = struct.unpack_from(self.order + "f", data, at)[0]
            if not smallest_normal(value):
                self.fail(at - 1, "expected a normal float", path)
            return value, at + 4
        if 12 <= tag <= 16:
            return (None, False, True, [], {})[tag - 12], at
        if tag in (17, 18):
            position = self.number(at, 4)
            self.once(position, at, path)
            opened.append((number, self.node(position, (ARRAY,) if tag == 17 else (OBJECT, SHAPED), at, path)))
            return None, at + 4
        if tag in (19, 20):
            position = self.number(at, 4)
            self.once(position, at, path)
            node = self.node(position, (BLOB,), at, path)
            raw = data[position + 12 : position + 12 + node.count]
            return str(raw, "utf-8", "surrogateescape") if tag == 19 else bytes(raw), at + 4
        if tag == 21:
            size = data[at]
            if size > 127 or size > left - 1:
                self.fail(at, "expected at most 127 bytes, inside the node", path)
            return bytes(data[at + 1 : at + 1 + size]), at + 1 + size
        if 24 <= tag <= 27:
            width = 1 << tag - 24
            count = data[at]
            if not 1 <= count <= 126 // width or count * width > left - 1:
                self.fail(at, "expected at most 126 bytes of integers, inside the node", path)
            return list(struct.unpack_from(f"{self.order}{count}{'bhiq'[tag - 24]}", data, at + 1)), at + 1 + count * width
        self.fail(at - 1, f"expected a tag, found {tag}", path)

    def containers(self, root: Node) -> Any:
        """The root with all in it, container by container."""
        self.once(root.position, 12, None)
        holder: list[Any] = [None]
        waiting: list[tuple[Any, Any, Node, Path]] = [(holder, 0, root, None)]
        while waiting:
            owner, where, node, path = waiting.pop()
            opened: list[tuple[int, Node]] = []
            names, values, spans = self.read(node, opened, path)
            result: Any = values
            if node.kind != ARRAY:
                result = dict(zip(names, values))
            owner[where] = result
            for number, inner in opened:
                step = number if node.kind == ARRAY else names[number]
                waiting.append((result, step, inner, (path, step)))
        return holder[0]

    def read(self, node: Node, opened: list, path: Path) -> tuple[list[str], list[Any], list]:
        values: list[Any] = []
        names: list[str] = []
        spans: list[tuple[int, int]] = []
        if node.kind == OBJECT:
            names, ends, spans = self.keys(node, path)
            for number, at in enumerate(ends):
                value, end = self.tagged(at, node.end, number, opened, (path, names[number]))
                spans[number] = (spans[number][0], end)
                values.append(value)
        else:
            if node.kind == SHAPED:
                names = self.shape(node, path)
            for number, cell in enumerate(node.cells):
                step = (path, names[number] if names else number)
                values.append(self.cell(node, cell, number, spans, opened, step))
        self.check_spans(spans, path)
        return names, values, spans

    def shape(self, node: Node, path: Path) -> list[str]:
        at = node.position + (16 if node.wide else 8)
        if node.shape not in self.shapes:
            self.once(node.shape, at, path)
            shape = self.node(node.shape, (SHAPE,), at, path)
            names, _, spans = self.keys(shape, path)
            self.check_spans(spans, path)
            self.shapes[node.shape] = shape, names
        shape, names = self.shapes[node.shape]
        self.users[node.shape] = node.shape + (16 if shape.wide else 8), self.users.get(node.shape, (0, 0))[1] + 1
        if shape.count != node.count:
            self.fail(at, f"expected a shape of {node.count} keys, found {shape.count}", path)
        return names


def common(a: bytes, b: bytes) -> int:
    """Returns the length of the longest common prefix, in bytes."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
