# SPDX-License-Identifier: Apache-2.0
"""Reads containers in live blocks and documents from another program's memory.

The printers for gdb and lldb share this module. It follows docs/format.md, not the members of the
classes: the input for a container is its address, the types of its elements, and the bytes there.
The memory is not trusted: bytes that can't be read, or that are invalid, raise Damage. The number
of steps of a walk is limited by `MOST`, and by the number of elements that fit into a storage.

A memory is a function (address, length) -> bytes, which raises OSError. A type is any object with
the attributes `size`, `align` and `plain` (true if a key of this type is a number).
"""
import json
import struct

import ingot_paths

MOST = 1 << 16  # elements
LONGEST = 1 << 20  # bytes of one text


class Damage(Exception):
    """The bytes are not a container: they were freed or overwritten, or have no value yet."""


class Shown(str):
    """The text of a value that is no object of the program, for example a member of a view.

    `parts` are pairs of a name and the Shown of a member, element or entry. `at` is the address of
    the value's bytes, or 0.
    """

    parts: "tuple[tuple[str, Shown], ...]" = ()
    at = 0

    @classmethod
    def of(cls, text, parts=(), at=0):
        found = cls(text)
        found.parts, found.at = tuple(parts), at
        return found

    def prefixed(self, before):
        """Returns this value with a text before its own text."""
        return Shown.of(before + self, self.parts, self.at)


def shown(text):
    return text if isinstance(text, Shown) else Shown(text)


def round_up(n, step):
    return (n + step - 1) // step * step


class Memory:
    def __init__(self, read, little=True, pointer=8):
        self._read = read
        self.order = "little" if little else "big"
        self.pointer_size = pointer

    def bytes(self, at, length):
        if at <= 0 or length < 0 or at + length > 1 << 64:
            raise Damage(f"no memory at {at:#x}")
        if length == 0:
            return b""
        try:
            data = self._read(at, length)
        except OSError:
            data = None
        if data is None or len(data) != length:
            raise Damage(f"{length} bytes at {at:#x} can't be read")
        return bytes(data)

    def unsigned(self, at, width):
        return int.from_bytes(self.bytes(at, width), self.order)

    def signed(self, at, width):
        return int.from_bytes(self.bytes(at, width), self.order, signed=True)

    def pointer(self, at):
        return self.unsigned(at, self.pointer_size)


class Storage:
    """The storage of the container at an address. `at` is None if the container has no storage."""

    def __init__(self, memory, container, width):
        self.memory, self.width = memory, width
        offset = memory.signed(container, width)
        self.bound = offset != 0
        self.at, self.capacity, self.block = None, 0, None
        if not self.bound:
            return
        data = container + offset
        capacity = memory.unsigned(data - 2 * width, width)
        self.block = data - 2 * width - memory.unsigned(data - width, width)
        head = memory.bytes(self.block, 6)
        if head[:4] != b"ingL" or (head[5] & 2 != 0) != (width == 8):
            raise Damage("points at nothing in a block")
        if capacity == 0:
            if data - self.block != 56:
                raise Damage("a storage without capacity")
            return
        if capacity % 8 != 0 or capacity > (1 << (8 * width - 1)):
            raise Damage(f"a storage of {capacity} bytes")
        self.at, self.capacity = data, capacity


def counted(memory, container, width):
    """Returns the storage and the size of a container that consists of an anchor and a count."""
    return Storage(memory, container, width), memory.unsigned(container + width, width)


def fits(storage, need, what):
    if need > storage.capacity:
        raise Damage(f"{what} need {need} bytes, the storage has {storage.capacity}")


def text_of(memory, at, size, char):
    """Returns (text, true if it was cut) of the string at `at`.

    The string object has `size` bytes, 16 or 32; each character has `char` bytes.
    """
    start, length = text_place(memory, at, size, char)
    kept = min(length, LONGEST // char)
    data = memory.bytes(start, kept * char)
    little = memory.order == "little"
    coding = {1: "utf-8", 2: "utf-16-le" if little else "utf-16-be", 4: "utf-32-le" if little else "utf-32-be"}[char]
    return data.decode(coding, errors="backslashreplace"), kept < length


def text_place(memory, at, size, char):
    """Returns the address of the characters of the string at `at`, and their number."""
    width = 4 if size == 16 else 8
    mark = memory.unsigned(at + size - 1, 1)
    capacity = (size - width - 1) // char
    if mark & 0x80:
        storage = Storage(memory, at, width)
        length = memory.unsigned(at + width, width)
        if storage.at is None:
            raise Damage("text without a storage")
        fits(storage, (length + 1) * char, "characters")
        start = storage.at
    else:
        if mark > capacity:
            raise Damage("text that is longer than its place")
        start, length = at + width, capacity - mark
    return start, length


def vector(memory, at, width, element):
    """Returns the count of elements, and their addresses."""
    storage, count = counted(memory, at, width)
    if count:
        fits(storage, count * element.size, f"{count} elements")
    return count, (storage.at + i * element.size for i in range(min(count, MOST)))


def queue(memory, at, width, element):
    storage, count = counted(memory, at, width)
    if count == 0:
        return 0, iter(())
    fits(storage, 2 * width, "places")
    first, places = memory.unsigned(storage.at, width), memory.unsigned(storage.at + width, width)
    start = round_up(2 * width, max(element.align, width))
    fits(storage, start + places * element.size, f"{places} places")
    if count > places or first >= places:
        raise Damage(f"{count} elements in {places} places, from {first} on")
    return count, (storage.at + start + (first + i) % places * element.size for i in range(min(count, MOST)))


def box(memory, at, width):
    return Storage(memory, at, width).at


def live_value(memory, at, size):
    """Returns the document of the value of any kind at `at`, or None if that is null."""
    storage = Storage(memory, at, size // 2)
    if storage.at is None:
        return None
    used = memory.unsigned(storage.at + 8, 4)
    fits(storage, used, "bytes of a document")
    return Document(memory, storage.at, used)


def flat(memory, at, width, key, value):
    """Returns the count of entries, and for each (address of key, of value or None), in order."""
    storage, count = counted(memory, at, width)
    if count == 0:
        return 0, iter(())
    if value is None:
        fits(storage, count * key.size, f"{count} keys")
        return count, ((storage.at + i * key.size, None) for i in range(min(count, MOST)))

    def need(n):
        return round_up(n * key.size, value.align) + n * value.size

    capacity = storage.capacity // (key.size + value.size)
    if need(capacity) > storage.capacity:
        capacity -= 1
    if count > capacity:
        raise Damage(f"{count} entries in a capacity of {capacity}")
    values = storage.at + round_up(capacity * key.size, value.align)
    return count, ((storage.at + i * key.size, values + i * value.size) for i in range(min(count, MOST)))


def tree(memory, at, width, key, value):
    """Returns the count of entries, and for each (address of key, of value or None), in order."""
    storage, count = counted(memory, at, width)
    return count, _nodes(memory, storage, width, key, value) if count else iter(())


def _nodes(memory, storage, width, key, value):
    if storage.at is None:
        raise Damage("entries without a storage")
    ordered = value is not None or not key.plain
    ahead, steps = [(storage.at, None)], 0
    while ahead:
        node, level = ahead.pop()
        steps += 1
        if steps > 2 * MOST:
            raise Damage("more nodes than are looked at")
        count, capacity, here = memory.bytes(node, 3)
        if count == 0 or count > capacity or capacity > 16 or here > 16 or (level is not None and here != level):
            raise Damage(f"no node at {node:#x}")
        if here:
            links = node + (round_up(8 + capacity * key.size, width) if key.plain else 8)
            children = [node + memory.signed(links + i * width, width) for i in range(count)]
            ahead += [(child, here - 1) for child in reversed(children)]
            continue
        keys = node + (16 if ordered else 8)
        order = memory.unsigned(node + 8, 8) if ordered else 0
        values = value and node + round_up(keys - node + capacity * key.size, max(value.align, 8))
        for i in range(count):
            slot = order >> 4 * i & 15 if ordered else i
            if slot >= capacity:
                raise Damage(f"no slot {slot} in {node:#x}")
            yield keys + (i if key.plain else slot) * key.size, values and values + slot * value.size


def table(memory, at, width, key, value):
    """Returns the count of entries, and for each (address of key, of value or None), by hash."""
    storage, count = counted(memory, at, width)
    return count, _slots(memory, storage, width, key, value) if count else iter(())


def _slots(memory, storage, width, key, value):
    if storage.at is None:
        raise Damage("entries without a storage")
    fits(storage, 8 + 2 * width, "the head of a table")
    homes = memory.unsigned(storage.at + 8, width)
    slots = homes + min((homes + 2) // 4, 12)
    align = max(key.align, value.align) if value else key.align
    second = value and round_up(key.size, value.align)
    size = round_up(second + value.size, align) if value else key.size
    first = round_up(8 + 2 * width + 2 * slots + 16, align)
    fits(storage, first + slots * size, f"{slots} slots")
    for slot in range(min(slots, 4 * MOST)):
        if memory.unsigned(storage.at + 8 + 2 * width + slot, 1):
            entry = storage.at + first + slot * size
            yield entry, value and entry + second


def pool(memory, at, width, element):
    """Returns the count of objects in a pool, and (index, address) of each."""
    storage, slots = counted(memory, at, width)
    if slots == 0:
        return 0, iter(())
    align = max(element.align, 4)
    generation = round_up(max(element.size, 4), 4)
    stride = round_up(generation + 4, align)
    first = round_up(8, align)
    fits(storage, first + slots * stride, f"{slots} slots")

    def alive():
        for i in range(min(slots, MOST)):
            there = storage.at + first + i * stride
            if memory.unsigned(there + generation, 4) % 2:
                yield i, there

    return memory.unsigned(storage.at, 4), alive()


def buffer_text(memory, at, size):
    """Returns the bytes of a buffer, the first 32 of them."""
    raw = memory.bytes(at, min(size, 32)) if size else b""
    parts = [(f"[{i}]", Shown(f"0x{byte:02x}")) for i, byte in enumerate(raw)]
    return Shown.of(f"ingot::buffer of {size}" + (f" = {{{raw.hex(' ')}{'...' if size > len(raw) else ''}}}" if raw else ""), parts)


class Document:
    """The values of a document that begins at an address, as JSON text.

    At most `size` bytes are read.
    """

    EMPTY = {15: "[]", 16: "{}"}

    def __init__(self, memory, start, size):
        self.memory, self.start, self.size = memory, start, size
        self.values_left = 0

    def number(self, place, width):
        if place < 0 or place + width > self.size:
            raise Damage(f"byte {place} is not in the document")
        return self.memory.unsigned(self.start + place, width)

    def raw(self, place, length):
        if place < 0 or length > self.size or place + length > self.size:
            raise Damage(f"byte {place} is not in the document")
        return self.memory.bytes(self.start + place, length)

    def text(self, place=None, index=0, packed=0, most=200):
        """Returns the text of the root, or of the element `index` of the node at `place`."""
        self.values_left = most
        if not place:
            return self.root()
        return self.element(place, index, packed, 0)

    def root(self):
        root = self.number(12, 4)
        if root < 3:
            return ("null", "[]", "{}")[root]
        if self.number(root, 1) & 7 == 7:
            return self.element(root, 0, 0, 0)
        return self.container(root, 0)

    def head(self, place):
        kind = self.number(place, 1)
        wide, kind = kind >> 3, kind & 7
        if wide > 1 or kind not in (1, 2, 3, 4, 7):
            raise Damage(f"no node at byte {place}")
        step = 4 if wide else 2
        length, count, heap = (self.number(place + step + i * step, step) for i in range(3))
        head = (16 if wide else 8) + (4 if kind in (3, 4) else 0)
        if 8 * length > self.size - place or count * step + head > 8 * length:
            raise Damage(f"no node at byte {place}")
        return kind, step, 8 * length, count, heap, place + head

    def cell(self, place, index):
        """Returns (cell, its offset, offset of the element or None, width of a word, is a key)."""
        kind, step, length, count, heap, cells = self.head(place)
        if index >= count:
            raise Damage(f"no element {index} at byte {place}")
        cell = self.number(cells + index * step, step)
        return cell, cells + index * step, (place + length - cell if 0 < cell <= heap else None), 8 * step, kind in (2, 4)

    def length_in_hash(self, place, index):
        """Returns the length of a key from its hash, or 0 if the first byte of the key has it."""
        _, step, _, count, _, cells = self.head(place)
        return self.number(cells + count * step + 2 * index, 2) & 15

    def elements_of(self, spot=()):
        """Returns (container, array of integers, number of elements) of the value at a spot.

        A spot is (place, index, packed) of an element, and () for the root. The container is the
        offset of a node, or None; of the array it is the offset of its tag.
        """
        place, index, packed = spot or (self.number(12, 4), 0, 0)
        if not spot and (place < 3 or self.number(place, 1) & 7 != 7):
            return (place, None, self.head(place)[3]) if place > 2 else (None, None, 0)
        at = None if packed else self.value_of(place, index)
        tag = 0 if at is None else self.number(at, 1)
        if tag in (17, 18):
            place = self.number(at + 1, 4)
            return place, None, self.head(place)[3]
        return (None, at, self.number(at + 1, 1)) if 24 <= tag <= 27 else (None, None, 0)

    def step(self, spot, key):
        """Returns the spot of the element with this key (a str) or index (an int), or None."""
        container, numbers, count = self.elements_of(spot)
        if isinstance(key, int):
            if not 0 <= key < count:
                return None
            return (container, key, 0) if numbers is None else (*(spot or (self.number(12, 4), 0))[:2], key + 1)
        if container is None or self.head(container)[0] not in (2, 3):
            return None
        kind, _, _, _, _, cells = self.head(container)
        keys = self.number(cells - 4, 4) if kind == 3 else container
        wanted = json.dumps(key, ensure_ascii=False)
        return next(((container, i, 0) for i in range(min(count, MOST)) if self.key_of(keys, i) == wanted), None)

    def follow(self, spot, key, pointer=False):
        """Returns the spot of an element. If `pointer`, the key is a JSON pointer: "/price/0"."""
        for one in ingot_paths.pointed(key) if pointer and isinstance(key, str) else [key]:
            found = self.step(spot, one)
            if found is None and pointer and isinstance(one, str) and one.isdigit():
                found = self.step(spot, int(one))
            if found is None:
                label = json.dumps(one, ensure_ascii=False)
                raise ingot_paths.PathError(f"there is no element [{label}]{ingot_paths.among(name for name, _ in shown(self.text(*spot)).parts)}")
            spot = found
        return spot

    def key_of(self, keys, index):
        """Returns the key of an element, in quotes."""
        at = self.cell(keys, index)[2]
        if at is None:
            raise Damage("a member without a key")
        return self.key(at, self.length_in_hash(keys, index))

    def key(self, at, told):
        first = self.number(at, 1)
        if told:
            text = self.raw(at, told)
        elif first == 0x85:
            node = self.number(at + 1, 4)
            text = self.raw(node + 16, min(self.number(node + 8, 4), 4096))
        elif 1 <= first <= 33:
            text = self.raw(at + 1, first - 1)
        else:
            raise Damage(f"no key at byte {at}")
        return json.dumps(text.decode("utf-8", errors="backslashreplace"), ensure_ascii=False)

    def value_of(self, place, index):
        """Returns the offset of the tag of an element, after its key; None if it is in its cell."""
        _, _, at, _, keyed = self.cell(place, index)
        if at is not None and keyed:
            at += self.length_in_hash(place, index) or self.number(at, 1) & 0x7F
        return at

    def element(self, place, index, packed, depth):
        self.values_left -= 1
        cell, there, at, bits, _ = self.cell(place, index)
        if at is None:
            return Shown.of(self.immediate(cell, bits), at=self.start + there)
        at = self.value_of(place, index)
        tag = self.number(at, 1)
        text = self.packed(at, tag, packed - 1) if packed else self.tagged(at, tag, depth)
        found = shown(text)
        found.at = found.at or self.start + at
        return found

    def packed(self, at, tag, index):
        if not 24 <= tag <= 27 or index >= self.number(at + 1, 1):
            raise Damage("no such element of an array of integers")
        width = 1 << (tag - 24)
        return str(int.from_bytes(self.raw(at + 2 + index * width, width), self.memory.order, signed=True))

    @staticmethod
    def immediate(cell, bits):
        if cell == 0:
            return "null"
        if cell >> (bits - 3) == 7:
            number = cell & ((1 << (bits - 3)) - 1)
            return repr(float(number - 4096 if number & 2048 else number))
        if cell >> (bits - 2) == 3:
            return ("false", "true", '""', "h''", "[]", "{}", "?", "?")[min(cell & 7, 7)]
        if cell >> (bits - 1):
            number = cell & ((1 << (bits - 2)) - 1)
            return str(number - (1 << (bits - 2)) if number >> (bits - 3) else number)
        raise Damage("no value")

    def tagged(self, at, tag, depth):
        order = self.memory.order
        if 1 <= tag <= 8:
            return str(int.from_bytes(self.raw(at + 1, tag), order, signed=True))
        if tag == 9:
            return str(self.number(at + 1, 8))
        if tag in (10, 11):
            code = ("<" if order == "little" else ">") + ("d" if tag == 10 else "f")
            return repr(struct.unpack(code, self.raw(at + 1, 8 if tag == 10 else 4))[0])
        if tag in (12, 13, 14):
            return ("null", "false", "true")[tag - 12]
        if tag in self.EMPTY:
            return self.EMPTY[tag]
        if tag in (17, 18):
            return self.container(self.number(at + 1, 4), depth + 1)
        if tag in (19, 20):
            blob = self.number(at + 1, 4)
            return self.written(self.raw(blob + 12, min(self.number(blob + 8, 4), 4096)), tag == 19)
        if tag == 21:
            return self.written(self.raw(at + 2, self.number(at + 1, 1)), False)
        if 24 <= tag <= 27:
            numbers = [Shown(self.packed(at, tag, i)) for i in range(self.number(at + 1, 1))]
            for i, one in enumerate(numbers):
                one.at = self.start + at + 2 + (i << tag - 24)
            return Shown.of(f"[{', '.join(numbers)}]", ((f"[{i}]", one) for i, one in enumerate(numbers)))
        if 64 <= tag <= 127:
            return str(tag - 80)
        if tag >= 128:
            return self.written(self.raw(at + 1, tag - 128), True)
        raise Damage(f"no value at byte {at}")

    @staticmethod
    def written(data, text):
        if text:
            return json.dumps(data.decode("utf-8", errors="backslashreplace"), ensure_ascii=False)
        return "h'" + data[:64].hex() + ("..." if len(data) > 64 else "") + "'"

    def container(self, place, depth):
        kind, step, length, count, heap, cells = self.head(place)
        if depth > 40:
            return "..."
        keys = self.number(cells - 4, 4) if kind == 3 else place
        texts, parts = [], []
        for i in range(count):
            if self.values_left <= 0:
                texts.append("...")
                parts.append(("...", Shown(f"<{count - i} more are not shown>")))
                break
            value = self.element(place, i, 0, depth)
            name = f"[{i}]"
            if kind in (2, 3):
                key = self.key_of(keys, i)
                name = f"[{key}]"
                texts.append(f"{key}: {value}")
            else:
                texts.append(value)
            parts.append((name, value))
        inside = ", ".join(texts)
        return Shown.of(f"{{{inside}}}" if kind in (2, 3) else f"[{inside}]", parts, self.start + place)
