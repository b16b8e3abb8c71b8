# SPDX-License-Identifier: Apache-2.0
"""Live blocks, read by the description of their layout."""
from __future__ import annotations

import struct
from typing import Any

from . import layout as L
from .document import Document, validated_nodes
from .errors import FormatError, Path, Reading, head, inner, reject, run
from .hash import KeyHash
from .layout import Layout, Limits, Type, up
from .values import Duration, Enumerator, Pool, Record, Ref, SingleComplex, TimePoint, Variant, floating, mapping, scalars, text

SENTINEL = 56
ROOT = 64
_PLAIN = frozenset((L.BOOLEAN, L.INTEGER, L.CHARACTER, L.BYTE, L.ENUMERATION))
#: What is None itself, so that an optional of one is a list.
_MAY_BE_NONE = frozenset((L.OPTIONAL, L.BOX, L.VALUE))
_VIEWED = frozenset((L.INTEGER, L.FLOAT, L.CHARACTER, L.BYTE))
_CODES = {(1, False): "B", (2, False): "H", (4, False): "I", (8, False): "Q", (1, True): "b", (2, True): "h", (4, True): "i", (8, True): "q"}


def code_of(each: Type) -> str:
    """The code by which the module struct knows a number."""
    if each.kind == L.FLOAT:
        return "f" if each.size == 4 else "d"
    return _CODES[each.size, bool(each.flags & L.F_SIGNED)]


class Block:
    """A live block and its layout. ``value`` is the object; all bytes are validated."""

    def __init__(self, data: bytes | bytearray | memoryview, layout: Layout) -> None:
        self.data = memoryview(data).cast("B")
        self.layout = layout
        self._value: Any = None
        self._read = False
        data = self.data
        head(data, b"ingL", 2, ROOT, "a live block", "the header of a block")
        if data[5] > 7:
            reject("invalid_value", 5, f"expected flags 1, 2 and 4, found {data[5]}")
        if bool(data[5] & 1) != layout.big_endian or bool(data[5] & 2) != (layout.offset == 8):
            reject("schema_mismatch", 5, "expected the byte order and the width of offsets of the layout")
        if data[6] or data[7]:
            reject("invalid_value", 6, "expected zeros")
        order = "big" if layout.big_endian else "little"
        if int.from_bytes(data[8:16], order) != layout.layout_id:
            reject("schema_mismatch", 8, f"expected the layout {layout.layout_id:016x}")
        if int.from_bytes(data[16:24], order) != layout.schema_id:
            reject("schema_mismatch", 16, f"expected the schema {layout.schema_id:016x}")
        length = int.from_bytes(data[24:32], order)
        limit = (1 << (63 if layout.offset == 8 else 31)) - 4097
        if length % 8 or not ROOT <= length <= limit:
            reject("invalid_value", 24, f"expected a length that is a multiple of 8, found {length}")
        if length > len(data):
            reject("truncated", len(data), f"expected {length} bytes, found {len(data)}")
        if length < len(data):
            reject("trailing_bytes", length, f"expected {length} bytes, found {len(data)}")
        word = layout.offset
        prefix = SENTINEL - 2 * word
        if any(data[32:prefix]):
            reject("invalid_value", 32, "expected zeros")
        if int.from_bytes(data[prefix : prefix + word], order) or int.from_bytes(data[prefix + word : SENTINEL], order) != prefix:
            reject("invalid_value", prefix, "expected the prefix of the sentinel")
        if any(data[SENTINEL:ROOT]):
            reject("invalid_value", SENTINEL, "expected the sentinel")
        if layout.root.size > length - ROOT:
            reject("truncated", length, f"expected {layout.root.size} bytes of the root, found {length - ROOT}")

    def __repr__(self) -> str:
        return f"<ingot live block of {len(self.data)} bytes>"

    @property
    def value(self) -> Any:
        """The value of the block."""
        if not self._read:
            self._value = run(_Reader(self.data, self.layout).value(self.layout.root, ROOT, None, None))
            self._read = True
        return self._value


class _Reader:
    def __init__(self, data: memoryview, layout: Layout) -> None:
        self.data = data
        self.word = layout.offset
        self.big = layout.big_endian
        self.order = "big" if layout.big_endian else "little"
        self.taken = bytearray(len(data) // 8)
        first = up(ROOT + layout.root.size, 8)
        self.first = first
        for at in range(min(first // 8, len(self.taken))):
            self.taken[at] = 1

    def number(self, at: int, size: int, signed: bool = False) -> int:
        data = self.data[at : at + size]
        return int.from_bytes(data, self.order, signed=signed)  # type: ignore[arg-type]

    def claim(self, begin: int, end: int, at: int, path: Path) -> None:
        """Bytes that belong to one storage or node alone; both a multiple of 8."""
        low, high = begin // 8, end // 8
        if begin < self.first or end > len(self.data):
            reject("invalid_value", at, "expected a storage that is inside the block, after the root", path)
        if self.taken.find(1, low, high) >= 0:
            reject("invalid_value", at, "expected no byte to belong to two storages", path)
        self.taken[low:high] = b"\1" * (high - low)

    def storage(self, at: int, alignment: int, path: Path) -> tuple[int, int]:
        """Returns position and size of the storage that the anchor at this place leads to.

        Returns (0, 0) if there is none.
        """
        begin = at + self.number(at, self.word, True)
        if begin == SENTINEL:
            return 0, 0
        return self.prefixed(begin, alignment, at, path)

    def prefixed(self, begin: int, alignment: int, at: int, path: Path) -> tuple[int, int]:
        prefix = begin - 2 * self.word
        if prefix < self.first or begin > len(self.data) or prefix % 8 or begin % alignment:
            reject("invalid_value", at, f"expected an anchor that leads to a storage, found {begin}", path)
        capacity = self.number(prefix, self.word)
        if capacity < 2 * self.word or capacity % 8 or capacity > len(self.data) - begin:
            reject("invalid_value", prefix, f"expected a capacity that is a multiple of 8, of two offsets or more, inside the block, found {capacity}", path)
        if self.number(prefix + self.word, self.word) != prefix:
            reject("invalid_value", prefix + self.word, "expected the distance of the storage from the block's beginning", path)
        self.claim(prefix, begin + capacity, at, path)
        return begin, capacity

    def zeros(self, begin: int, end: int, path: Path) -> None:
        if any(self.data[begin:end]):
            reject("not_canonical", begin, "expected zeros", path)

    # Values in an object's own bytes

    def scalar(self, each: Type, at: int, path: Path, key: bool = False) -> Any:
        kind = each.kind
        if kind == L.FLOAT:
            return self.floating(each.size, at, path, key)
        if kind == L.DURATION:
            return Duration(self.scalar(each.parts[0], at, path, key), *each.period)
        if kind == L.TIME_POINT:
            return TimePoint(self.scalar(each.parts[0], at, path, key))
        if kind == L.COMPLEX:
            half = each.size // 2
            kind_of = SingleComplex if half == 4 else complex
            return kind_of(self.floating(half, at, path, key), self.floating(half, at + half, path, key))
        if kind == L.BITSET:
            return self.bits(each, at, path)
        value = self.number(at, each.size, bool(each.flags & L.F_SIGNED))
        if kind == L.BOOLEAN:
            if value > 1:
                reject("invalid_value", at, f"expected 0 or 1, found {value}", path)
            return value == 1
        if kind == L.ENUMERATION:
            name = each.by_value.get(value)
            if name is None and not each.flags & L.F_OPEN and not (each.flags & L.F_COMBINED and value & ~each.bits == 0):
                reject("invalid_value", at, f"expected an enumerator, found {value}", path)
            return Enumerator(value, name)
        return value

    def floating(self, size: int, at: int, path: Path, key: bool) -> float:
        value = floating(struct.unpack_from((">" if self.big else "<") + ("f" if size == 4 else "d"), self.data, at)[0], size)
        if key and (value != value or value == 0 and any(self.data[at : at + size])):
            reject("not_canonical", at, "expected a float in a key to be neither NaN nor -0", path)
        return value

    def bits(self, each: Type, at: int, path: Path) -> list[bool]:
        width = each.alignment
        value = 0
        for word in range(each.size // width):
            value |= self.number(at + word * width, width) << 8 * width * word
        if value >> each.extent:
            reject("invalid_value", at, "expected unused bits to be zero", path)
        return [letter == "1" for letter in reversed(format(value, f"0{each.extent}b"))] if each.extent else []

    def value(self, each: Type, at: int, limits: Limits | None, path: Path, key: bool = False) -> Reading:
        value = yield self.unlimited(each, at, path, key)
        if limits is not None:
            self.check_limits(each, value, limits, at, path)
        return value

    def unlimited(self, each: Type, at: int, path: Path, key: bool) -> Reading:  # noqa: C901
        kind = each.kind
        if kind == L.RECORD:
            values = []
            for name, offset, part, limits in zip(each.names, each.offsets, each.parts, each.limits):
                if part.kind <= L.BITSET and limits is None:
                    values.append(self.scalar(part, at + offset, (path, name), key))
                else:
                    values.append((yield self.value(part, at + offset, limits, (path, name), key)))
            return Record(each.names, values, each.name, each.version_apart)
        if kind <= L.BITSET:
            return self.scalar(each, at, path, key)
        if kind == L.REF:
            return Ref(self.number(at, 4), self.number(at + 4, 4))
        if kind == L.ARRAY:
            return (yield self.elements(each.parts[0], at, each.extent, path, key))
        if kind == L.PAIR:
            first = yield self.value(each.parts[0], at, None, (path, "first"), key)
            second = yield self.value(each.parts[1], at + each.offsets[1], None, (path, "second"), key)
            return first, second
        if kind == L.OPTIONAL:
            return (yield self.optional(each, at, path))
        if kind == L.VARIANT:
            return (yield self.variant(each, at, path))
        if kind == L.STRING:
            return self.string(each, at, path)
        if kind == L.BOX:
            begin, capacity = self.storage(at, each.parts[0].alignment, path)
            if not begin:
                return None
            if capacity < each.parts[0].size:
                reject("invalid_value", at, "expected a storage in which the object fits", path)
            value = yield self.value(each.parts[0], begin, None, path)
            return [value] if each.parts[0].kind in _MAY_BE_NONE else value
        count = self.number(at + self.word, self.word)
        if kind == L.VECTOR:
            part = each.parts[0]
            begin, capacity = self.storage(at, part.alignment, path)
            self.check_count(count, capacity // part.size, at, path)
            return (yield self.elements(part, begin, count, path, key))
        if kind == L.VALUE:
            return self.any_value(at, count, path)
        if kind == L.QUEUE:
            return (yield self.queue(each, at, count, path, key))
        if kind in (L.MAP, L.SET, L.MULTIMAP):
            return (yield self.tree(each, at, count, path))
        if kind in (L.FLAT_MAP, L.FLAT_SET):
            return (yield self.flat(each, at, count, path))
        if kind in (L.HASH_MAP, L.HASH_SET):
            return (yield self.table(each, at, count, path))
        return (yield self.pool(each, at, count, path))

    def check_count(self, count: int, slots: int, at: int, path: Path) -> None:
        if count > slots:
            reject("invalid_value", at + self.word, f"expected at most {slots} elements, the storage's capacity, found {count}", path)

    def elements(self, part: Type, begin: int, count: int, path: Path, key: bool) -> Reading:
        if part.kind in _VIEWED and not key:
            return scalars(self.data[begin : begin + count * part.size], code_of(part), self.big)
        found = []
        for number in range(count):
            found.append((yield self.value(part, begin + number * part.size, None, (path, number), key)))
        return found

    def optional(self, each: Type, at: int, path: Path) -> Reading:
        part = each.parts[0]
        tag = self.data[at + part.size]
        if tag > 1:
            reject("invalid_value", at + part.size, f"expected 0 or 1, found {tag}", path)
        self.zeros(at + part.size + 1, at + each.size, path)
        if tag:
            value = yield self.value(part, at, None, path)
            return [value] if part.kind in _MAY_BE_NONE else value
        if each.model is None:
            self.zeros(at, at + part.size, path)
            return None
        empty = bytearray(each.model)
        positions: list[int] = []
        yield L.anchors(part, each.model, 0, self.word, positions)
        for position in positions:
            distance = SENTINEL - at - position
            anchor = distance.to_bytes(self.word, self.order, signed=True)  # type: ignore[arg-type]
            empty[position : position + self.word] = anchor
        if self.data[at : at + part.size] != empty:
            reject("not_canonical", at, "expected an absent value to be zeros, but for empty containers", path)
        return None

    def variant(self, each: Type, at: int, path: Path) -> Reading:
        index, begin = L.variant_begin(each, self.word)
        if each.anchored and at + self.number(at, self.word, True) != SENTINEL:
            reject("invalid_value", at, "expected an anchor to the sentinel", path)
        held = self.data[at + index]
        if held >= len(each.parts):
            reject("invalid_value", at + index, f"expected an alternative below {len(each.parts)}, found {held}", path)
        self.zeros(at + index + 1, at + begin, path)
        part = each.parts[held]
        value = yield self.value(part, at + begin, None, path)
        self.zeros(at + begin + (0 if part.flags & L.F_EMPTY else part.size), at + begin + max(other.size for other in each.parts), path)
        return Variant(held, value, each.tags[held], each.tag_key)

    def string(self, each: Type, at: int, path: Path) -> str | bytes:
        width, word = each.parts[0].size, self.word
        own = at + word
        last = own + 3 * word - 1
        limit = (3 * word - 1) // width
        begin, capacity = self.storage(at, width, path)
        if not begin:
            left = self.data[last]
            if left > limit:
                reject("invalid_value", last, f"expected at most {limit} more characters to fit, found {left}", path)
            size = (limit - left) * width
            self.zeros(own + size, last, path)
            return text(self.data[own : own + size], width, self.big)
        if self.data[last] < 0x80:
            reject("invalid_value", last, "expected the mark of text that has a storage", path)
        count = self.number(own, word)
        if count >= capacity // width:
            reject("invalid_value", own, f"expected text that fits into the storage with a zero, found {count} characters", path)
        end = begin + count * width
        if any(self.data[end : end + width]):
            reject("invalid_value", end, "expected a zero after the text", path)
        return text(self.data[begin:end], width, self.big)

    # Containers

    def any_value(self, at: int, holes: int, path: Path) -> Any:
        """A value of any kind: a document in a storage."""
        begin, capacity = self.storage(at, 8, path)
        size = 0
        value = None
        if begin:
            # The bytes after the document mean nothing.
            size = self.number(begin + 8, 4) if capacity >= 16 else capacity
            try:
                if capacity >= 16 and self.data[begin : begin + 5] == b"ingD\3" and self.data[begin + 5] & 1 != self.big:
                    reject("schema_mismatch", 5, "expected the byte order of the block")
                document = Document(self.data[begin : begin + min(size, capacity)])
                validated_nodes(document, True)
                value = document.value
            except FormatError as error:
                raise inner(error, begin, path) from None
        if holes > size:
            reject("invalid_value", at + self.word, f"expected at most {size} bytes of holes, found {holes}", path)
        return value

    def queue(self, each: Type, at: int, count: int, path: Path, key: bool) -> Reading:
        part, word = each.parts[0], self.word
        begin, capacity = self.storage(at, max(part.alignment, word), path)
        if not begin:
            self.check_count(count, 0, at, path)
            return []
        first_slot = begin + up(2 * word, part.alignment)
        if capacity < first_slot - begin:
            reject("invalid_value", at, "expected a storage in which the ring fits", path)
        first, slots = self.number(begin, word), self.number(begin + word, word)
        if slots > (capacity - (first_slot - begin)) // part.size:
            reject("invalid_value", begin + word, f"expected places that fit into the storage, found {slots}", path)
        if first >= slots:
            reject("invalid_value", begin, f"expected the first place to be one of {slots}, found {first}", path)
        self.check_count(count, slots, at, path)
        found = []
        for number in range(count):
            where = first_slot + (first + number) % slots * part.size
            found.append((yield self.value(part, where, None, (path, number), key)))
        return found

    def pool(self, each: Type, at: int, count: int, path: Path) -> Reading:
        part = each.parts[0]
        begin, capacity = self.storage(at, max(part.alignment, 4), path)
        pool = Pool()
        if not begin:
            self.check_count(count, 0, at, path)
            return pool
        alignment = max(part.alignment, 4)
        object_size = max(part.size, 4)
        generation_at = up(object_size, 4)
        stride = up(generation_at + 4, alignment)
        first_slot = begin + up(8, alignment)
        if capacity < first_slot - begin:
            reject("invalid_value", at, "expected a storage in which the pool fits", path)
        self.check_count(count, (capacity - (first_slot - begin)) // stride, at, path)
        alive, free = self.number(begin, 4), self.number(begin + 4, 4)
        found = 0
        links: dict[int, int] = {}
        for number in range(count):
            where = first_slot + number * stride
            generation = self.number(where + generation_at, 4)
            self.zeros(where + generation_at + 4, where + stride, (path, number))
            if generation & 1:
                pool[number, generation] = yield self.value(part, where, None, (path, number))
                self.zeros(where + (0 if part.flags & L.F_EMPTY else part.size), where + generation_at, (path, number))
                found += 1
            else:
                links[number] = self.number(where, 4)
                self.zeros(where + (4 if generation else 0), where + generation_at, (path, number))
        if alive != found:
            reject("invalid_value", begin, f"expected as many objects as are there, {found}, found {alive}", path)
        listed = 0
        while free:
            number = free - 1
            if number not in links:
                reject("invalid_value", begin + 4, "expected free slots in the list of free slots, each once", path)
            if self.number(first_slot + number * stride + generation_at, 4) == 0:
                reject("invalid_value", begin + 4, "expected no slot in the list whose generation came around", path)
            free = links.pop(number)
            listed += 1
        for number in links:
            where = first_slot + number * stride
            if self.number(where + generation_at, 4):
                reject("invalid_value", where, "expected a free slot to be in the list", (path, number))
        return pool

    def flat(self, each: Type, at: int, count: int, path: Path) -> Reading:
        key = each.parts[0]
        is_map = each.kind == L.FLAT_MAP
        value = each.parts[1] if is_map else None
        begin, capacity = self.storage(at, max(part.alignment for part in each.parts), path)
        slots = capacity // key.size
        if value is not None:
            slots = capacity // (key.size + value.size)
            while slots and up(slots * key.size, value.alignment) + slots * value.size > capacity:
                slots -= 1
        self.check_count(count, slots, at, path)
        keys, values = [], []
        for number in range(count):
            keys.append((yield self.value(key, begin + number * key.size, None, (path, number), True)))
            if value is not None:
                where = begin + up(slots * key.size, value.alignment) + number * value.size
                values.append((yield self.value(value, where, None, (path, number))))
        self.check_order(key, keys, False, at, path)
        return mapping(keys, values, False) if is_map else keys

    def table(self, each: Type, at: int, count: int, path: Path) -> Reading:
        is_map = each.kind == L.HASH_MAP
        entry = each.parts[2] if is_map else each.parts[0]
        word = self.word
        begin, capacity = self.storage(at, max(entry.alignment, 8), path)
        if not begin:
            self.check_count(count, 0, at, path)
            return {} if is_map else []
        head = 8 + 2 * word
        if capacity < head:
            reject("invalid_value", at, "expected a storage in which a table fits", path)
        homes, displacement = self.number(begin + 8, word), self.number(begin + 8 + word, word)
        slots = homes + min((homes + 2) // 4, 12)
        if homes == 0 or homes > capacity:
            reject("invalid_value", begin + 8, f"expected homes that fit into the storage, found {homes}", path)
        tags = begin + head
        steps = tags + slots + 16
        entries = up(steps + slots, entry.alignment)
        if entries + slots * entry.size > begin + capacity:
            reject("invalid_value", begin + 8, f"expected homes that fit into the storage, found {homes}", path)
        self.check_count(count, homes - homes // 5, at, path)
        self.zeros(tags + slots, steps, path)
        seed = self.number(begin, 8)
        keys, values, total, after_last, found = [], [], 0, 0, 0
        before: tuple[int, tuple] | None = None
        for slot in range(slots):
            tag, step = self.data[tags + slot], self.data[steps + slot]
            if tag == 0:
                if step:
                    reject("invalid_value", steps + slot, "expected no step of an empty slot", path)
                continue
            where = entries + slot * entry.size
            key = yield self.value(each.parts[0], where, None, (path, slot), True)
            key_hash = yield self.hash_of(seed, each.parts[0], key)
            wide = key_hash * homes
            if step != slot - (wide >> 64) or tag != 0x80 | wide >> 57 & 0x7F or step > 63 or step and slot != after_last:
                reject("out_of_order", where, "expected an entry where its hash says", (path, slot))
            here = key_hash, self.ordered(each.parts[0], key)
            if before is not None and not before < here:
                reject("out_of_order", where, "expected distinct keys in the order of their hashes", (path, slot))
            before = here
            after_last = slot + 1
            total += step
            keys.append(key)
            if is_map:
                values.append((yield self.value(each.parts[1], where + entry.offsets[1], None, (path, slot))))
            found += 1
        if found != count:
            reject("invalid_value", at + word, f"expected as many entries as are there, {found}, found {count}", path)
        if total != displacement or displacement > 4 * (homes - homes // 5) + 64:
            reject("invalid_value", begin + 8 + word, f"expected the sum of all steps, {total}, found {displacement}", path)
        return mapping(keys, values, False) if is_map else keys

    def tree(self, each: Type, at: int, count: int, path: Path) -> Reading:
        walk = _Tree(self, each)
        begin, capacity = self.storage(at, walk.alignment, path)
        if not begin:
            self.check_count(count, 0, at, path)
        else:
            yield walk.node(begin, capacity, None, at, path)
            if len(walk.keys) != count:
                reject("invalid_value", at + self.word, f"expected as many entries as are there, {len(walk.keys)}, found {count}", path)
            self.check_order(each.parts[0], walk.keys, each.kind == L.MULTIMAP, at, path)
            walk.check_separators(path)
        if each.kind == L.SET:
            return walk.keys
        return mapping(walk.keys, walk.values, each.kind == L.MULTIMAP)

    # Order of keys

    def ordered(self, each: Type, value: Any) -> tuple:
        out: list[Any] = []
        run(self.order_of(each, value, out))
        return tuple(out)

    def order_of(self, each: Type, value: Any, out: list[Any]) -> Reading:
        kind = each.kind
        if kind == L.STRING:
            if isinstance(value, bytes):
                raw = value if not self.big else b"".join(value[i : i + 4][::-1] for i in range(0, len(value), 4))
                out.append(tuple(struct.unpack(f"<{len(raw) // 4}I", raw)))
            elif each.parts[0].size == 1:
                out.append(value.encode("utf-8", "surrogateescape"))
            else:
                width = each.parts[0].size
                raw = value.encode(f"utf-{8 * width}-le", "surrogatepass")
                out.append(tuple(struct.unpack(f"<{len(raw) // width}{'H' if width == 2 else 'I'}", raw)))
        elif kind == L.DURATION:
            out.append(value.count)
        elif kind == L.TIME_POINT:
            out.append(value.since_epoch.count)
        elif kind == L.ARRAY:
            for element in value:
                yield self.order_of(each.parts[0], element, out)
        elif kind in (L.VECTOR, L.QUEUE):
            for element in value:
                out.append(1)
                yield self.order_of(each.parts[0], element, out)
            out.append(0)
        elif kind in (L.RECORD, L.PAIR):
            for part, element in zip(each.parts, value):
                yield self.order_of(part, element, out)
        elif kind == L.CHARACTER:
            out.append(value & 0xFFFFFFFF)
        else:
            out.append(value)

    def hash_of(self, seed: int, each: Type, value: Any) -> Reading:
        into = KeyHash(seed)
        yield self.hash_into(into, each, value)
        return into.done()

    def hash_into(self, into: KeyHash, each: Type, value: Any) -> Reading:
        kind = each.kind
        if kind == L.STRING:
            into.text(self.text_bytes(each, value))
        elif kind == L.FLOAT:
            into.number(int.from_bytes(struct.pack("<d", value), "little"))
        elif kind in (L.DURATION, L.TIME_POINT):
            yield self.hash_into(into, each.parts[0], value.count if kind == L.DURATION else value.since_epoch)
        elif kind in (L.ARRAY, L.VECTOR, L.QUEUE):
            part = each.parts[0]
            inner = part
            while inner.kind in (L.DURATION, L.TIME_POINT):
                inner = inner.parts[0]
            if inner.kind in _PLAIN and inner.size == 1 and kind != L.QUEUE:
                while part.kind in (L.DURATION, L.TIME_POINT):
                    value = [item.count if part.kind == L.DURATION else item.since_epoch for item in value]
                    part = part.parts[0]
                into.text(bytes(int(item) & 0xFF for item in value))
                return
            for item in value:
                yield self.hash_into(into, part, item)
            if kind != L.ARRAY:
                into.number(len(value))
        elif kind in (L.RECORD, L.PAIR):
            for part, item in zip(each.parts, value):
                yield self.hash_into(into, part, item)
        else:
            into.number(int(value) & (1 << 8 * each.size) - 1 if kind == L.CHARACTER else int(value))

    def text_bytes(self, each: Type, value: str | bytes) -> bytes:
        """Code units, the least significant byte first."""
        width = each.parts[0].size
        if isinstance(value, bytes):
            return value if not self.big else b"".join(value[i : i + width][::-1] for i in range(0, len(value), width))
        if width == 1:
            return value.encode("utf-8", "surrogateescape")
        return value.encode(f"utf-{8 * width}-le", "surrogatepass")

    def check_order(self, each: Type, keys: list[Any], repeated: bool, at: int, path: Path) -> None:
        found = [self.ordered(each, key) for key in keys]
        for number in range(1, len(found)):
            if not (found[number - 1] < found[number] or repeated and found[number - 1] == found[number]):
                reject("out_of_order", at, "expected keys that ascend", (path, number))

    # Limits

    def check_limits(self, each: Type, value: Any, limits: Limits, at: int, path: Path) -> None:
        if limits.max_size is not None:
            size = len(value) if not isinstance(value, str) else self.characters(each, value)
            if size > limits.max_size:
                reject("invalid_value", at, f"expected at most {limits.max_size} elements, found {size}", path)
        if limits.utf8:
            raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value)
            try:
                raw.decode()
            except UnicodeDecodeError:
                reject("invalid_value", at, "expected UTF-8", path)
        if limits.low is not None and limits.high is not None:
            stack = [value]
            while stack:
                item = stack.pop()
                if item is None:
                    continue
                if hasattr(item, "tolist"):
                    item = item.tolist()
                if isinstance(item, Duration):
                    item = item.count
                elif isinstance(item, TimePoint):
                    item = item.since_epoch.count
                if isinstance(item, (int, float)):
                    if not limits.low <= item <= limits.high:
                        reject("invalid_value", at, f"expected a number from {limits.low} to {limits.high}, found {item}", path)
                elif isinstance(item, str):
                    stack += map(ord, item)
                else:
                    stack += item.values() if isinstance(item, dict) else list(item)

    def characters(self, each: Type, value: str) -> int:
        width = each.parts[0].size if each.parts else 1
        if width == 1:
            return len(value.encode("utf-8", "surrogateescape"))
        return len(value.encode(f"utf-{8 * width}-le", "surrogatepass")) // width


class _Tree:
    """The nodes of a map, set or multimap."""

    def __init__(self, reader: _Reader, each: Type) -> None:
        self.reader = reader
        self.key = each.parts[0]
        self.held: Type | None = each.parts[1] if each.kind != L.SET else None
        part = self.key
        while part.kind in (L.DURATION, L.TIME_POINT):
            part = part.parts[0]
        self.plain = part.kind in _PLAIN
        self.repeated = each.kind == L.MULTIMAP
        self.number = part
        self.ordered = self.held is not None or not self.plain
        self.alignment = max(inner.alignment for inner in ([self.key] if self.held is None else [self.key, self.held]))
        self.keys: list[Any] = []
        self.values: list[Any] = []
        # Separators: the index of the entry after it, its key, its position.
        self.between: list[tuple[int, Any, int]] = []

    def leaf(self, limit: int) -> tuple[int, int, int]:
        """Returns the positions of keys and values in a leaf, and its size."""
        keys = up(16 if self.ordered else 8, self.key.alignment)
        values = keys + limit * self.key.size
        if self.held is None:
            return keys, values, values
        values = up(values, max(8, self.held.alignment))
        return keys, values, values + limit * self.held.size

    def inner(self, limit: int) -> tuple[int, int]:
        """Returns the position of the links in an inner node, and its size."""
        links = up(8 + (limit * self.key.size if self.plain else 0), self.reader.word)
        return links, links + limit * self.reader.word

    def node(self, begin: int, capacity: int | None, level: int | None, at: int, path: Path) -> Reading:
        """A node; capacity is that of a root's storage, level what its parent says."""
        reader, data = self.reader, self.reader.data
        if capacity is None and (begin < reader.first or begin > len(data) - 8 or begin % 8):
            reject("invalid_value", at, "expected a link that leads to a node", path)
        if capacity is not None and capacity < 8:
            reject("invalid_value", at, "expected a storage in which a node fits", path)
        count, limit, own_level = data[begin], data[begin + 1], data[begin + 2]
        reader.zeros(begin + 3, begin + 8, path)
        if level is not None and own_level != level:
            reject("invalid_value", begin + 2, f"expected a node of level {level}, found {own_level}", path)
        if own_level > 15:
            reject("invalid_value", begin + 2, f"expected at most 16 levels, found {own_level + 1}", path)
        limits = (4, 8, 12, 16) if own_level else range(1, 17)
        if limit not in limits or capacity is None and limit != 16 or not (own_level or level is not None) <= count <= limit:
            reject("invalid_value", begin, f"expected a count that fits into the node, found {count} and a capacity of {limit}", path)
        size = self.inner(limit)[1] if own_level else self.leaf(limit)[2]
        if capacity is None:
            if own_level == 0 and self.alignment == 16:
                _, capacity = reader.prefixed(begin, 16, at, path)
            else:
                if up(size, 8) > len(data) - begin:
                    reject("invalid_value", at, "expected a node that is inside the block", path)
                reader.claim(begin, begin + up(size, 8), at, path)
                capacity = up(size, 8)
        if size > capacity:
            reject("invalid_value", begin, f"expected a storage in which a node of {size} bytes fits, found {capacity}", path)
        if own_level:
            yield self.branches(begin, count, limit, own_level, path)
        else:
            yield self.entries(begin, count, limit, path)

    def branches(self, begin: int, count: int, limit: int, level: int, path: Path) -> Reading:
        reader = self.reader
        links, _ = self.inner(limit)
        if self.plain:
            self.largest(begin + 8, count - 1, limit, path)
        for child in range(count):
            if child and self.plain:
                where = begin + 8 + (child - 1) * self.key.size
                self.between.append((len(self.keys), reader.scalar(self.key, where, path), where))
            at = begin + links + child * reader.word
            yield self.node(begin + reader.number(at, reader.word, True), None, level - 1, at, path)

    def entries(self, begin: int, count: int, limit: int, path: Path) -> Reading:
        reader = self.reader
        keys, values, _ = self.leaf(limit)
        slots = list(range(16))
        if self.ordered:
            raw = reader.number(begin + 8, 8)
            slots = [raw >> 4 * number & 15 for number in range(16)]
            if len(set(slots)) != 16 or slots[limit:] != list(range(limit, 16)):
                reject("invalid_value", begin + 8, "expected an order in which all slots differ", path)
        for number in range(count):
            step = (path, len(self.keys))
            slot = slots[number]
            where = begin + keys + (number if self.plain else slot) * self.key.size
            self.keys.append((yield reader.value(self.key, where, None, step, True)))
            if self.held is not None:
                self.values.append((yield reader.value(self.held, begin + values + slot * self.held.size, None, step)))
        if self.plain:
            self.largest(begin + keys, count, limit, path)

    def largest(self, keys: int, count: int, limit: int, path: Path) -> None:
        """Checks that the largest number of its type follows the last plain key or separator."""
        bits = 8 * self.number.size - bool(self.number.flags & L.F_SIGNED)
        largest = 1 if self.number.kind == L.BOOLEAN else (1 << bits) - 1
        for number in range(count, limit):
            where = keys + number * self.key.size
            if self.reader.number(where, self.key.size) != largest:
                reject("invalid_value", where, "expected the largest number after the last key", path)

    def check_separators(self, path: Path) -> None:
        reader = self.reader
        for number, separator, where in self.between:
            value = reader.ordered(self.key, separator)
            upper = reader.ordered(self.key, self.keys[number])
            if not reader.ordered(self.key, self.keys[number - 1]) <= value <= upper or value == upper and not self.repeated:
                reject("out_of_order", where, "expected a separator between the keys of two children", path)
