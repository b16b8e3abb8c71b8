# SPDX-License-Identifier: Apache-2.0
"""Values of views of packed and compact messages, as text.

The printers for gdb and lldb share this module. It follows docs/format.md. The program describes
the types that it views (docs/debugging.md); without a description, no value is shown. The memory is
not trusted: an invalid value is shown as damaged, and the numbers of values that are shown or
walked are limited.
"""
import codecs
import json
import math
import struct

from ingot_memory import Damage, Shown, shown

MOST_VALUES = 1000  # in one text
MOST_ELEMENTS = 100  # in one list
MOST_TEXT = 200  # characters
MOST_LEVELS = 32
MOST_STEPS = 1 << 16  # skipped values of compact bytes
MOST_PARTS = 1 << 14  # in a description
MOST_CHILDREN = 1 << 16  # members, alternatives, enumerators of all parts
FLOATS_END = float.fromhex("0x1.ffffffp127")  # smallest number that rounds to no float of 32 bits

(BOOLEAN, INTEGER, FLOATING, CHARACTER, BYTE, ENUMERATION, DURATION, TIME_POINT, COMPLEX, BITSET, STRING, PATH, SEQUENCE, ARRAY, SET, UNORDERED_SET, MAP,
 UNORDERED_MAP, OPTIONAL, VARIANT, EXPECTED, TUPLE, RECORD) = range(1, 24)
DOCUMENT = 25
LISTS = frozenset((SEQUENCE, SET, UNORDERED_SET, MAP, UNORDERED_MAP))
MAPS = frozenset((MAP, UNORDERED_MAP))
TAGGED = frozenset((OPTIONAL, VARIANT, EXPECTED))
SIGNED, OPEN, FLAGS, EVOLVABLE, ELIDES = 1, 2, 4, 8, 32
# Flags of members, and flags of types.
VARINT, FIXED, SHORT_FLOAT, TIGHT_FLOAT, QUANTIZED, UNIT_VECTOR = 1, 2, 4, 8, 16, 32
UNITS = {(1, 10**9): "ns", (1, 10**6): "us", (1, 1000): "ms", (1, 1): "s", (60, 1): "min", (3600, 1): "h", (86400, 1): "d"}


class Part:
    """A type, as the program describes it."""

    def __init__(self, facts, extent, divisor):
        self.kind, self.width, self.flags, _ = facts
        self.extent, self.divisor = extent, divisor
        self.children, self.names, self.annotations = [], [], []
        self.enumerators = {}
        self.bits = 0  # union of the bits of all enumerators
        self._fixed = self._slot = None

    @property
    def fixed(self):
        """True if all values of the type have one size. False for a type that contains itself."""
        if self._fixed is None:
            self._fixed = False  # if the type is reached again, it contains itself
            kind = self.kind
            if kind in LISTS or kind in (STRING, PATH, DOCUMENT) or kind == RECORD and self.flags & EVOLVABLE:
                return False
            self._fixed = kind == ARRAY and self.extent == 0 or all(child.fixed for child in self.children)
        return self._fixed

    @property
    def variable(self):
        """True if the slot of the type stores the end of its payload."""
        kind = self.kind
        if kind == RECORD:
            return bool(self.flags & EVOLVABLE)
        return kind in LISTS or kind in (STRING, PATH, DOCUMENT) or kind in TAGGED and not self.fixed

    @property
    def body(self):
        """Number of bytes of the fixed part of the type."""
        if self._slot is None:
            kind = self.kind
            if kind in (DURATION, TIME_POINT):
                self._slot = self.children[0].slot
            elif kind == COMPLEX:
                self._slot = 2 * self.children[0].slot
            elif kind == BITSET:
                self._slot = (self.extent + 7) // 8
            elif kind == ARRAY:
                self._slot = self.extent and self.extent * self.children[0].slot
            elif kind in (RECORD, TUPLE):
                self._slot = sum(child.slot for child in self.children)
            elif kind in TAGGED and self.fixed:
                self._slot = 1 + max((child.slot for child in self.children), default=0)
            else:
                self._slot = self.width
        return self._slot

    @property
    def slot(self):
        return 4 if self.variable else self.body

    @property
    def last_end(self):
        """Offset of the last end in the slots, or None if there is no end."""
        if self.variable:
            return 0
        if self.kind == ARRAY and self.extent:
            inner = self.children[0].last_end
            return None if inner is None else (self.extent - 1) * self.children[0].slot + inner
        if self.kind in (RECORD, TUPLE):
            return last_end_of(self.children)
        return None

    @property
    def entry(self):
        """The children of an entry of a list. For a map these are the key and the value."""
        return self.children[:2] if self.kind in MAPS else self.children[:1]


def last_end_of(parts):
    at, found = 0, None
    for part in parts:
        inner = part.last_end
        if inner is not None:
            found = at + inner
        at += part.slot
    return found


WIDTHS = {BOOLEAN: (1,), INTEGER: (1, 2, 4, 8), FLOATING: (4, 8), CHARACTER: (1, 2, 4), BYTE: (1,), ENUMERATION: (1, 2, 4, 8), STRING: (1, 2, 4), PATH: (0, 1)}
CHILDREN = {DURATION: 1, TIME_POINT: 1, COMPLEX: 1, SEQUENCE: 1, ARRAY: 1, SET: 1, UNORDERED_SET: 1, MAP: 2, UNORDERED_MAP: 2, OPTIONAL: 1}


class Descriptions:
    """The types that a program describes. `memory` is an ingot_memory.Memory."""

    def __init__(self, memory):
        self.memory = memory
        self.known = {}
        self.left = MOST_CHILDREN

    def view(self, at):
        """Returns (type, form) from the constant of a view."""
        size = self.memory.pointer_size
        return self.part(self.memory.pointer(at)), self.spelling(self.word(at + size), self.word(at + size + 4))

    def word(self, at):
        return self.memory.unsigned(at, 4)

    @staticmethod
    def spelling(low, high):
        """Converts the annotations in the type of a view to the numbers that members use."""
        annotations = (low & 1) | (low & 2) << 1 | (low & 4) << 1 | (low & 8) << 1 | (low & 16) << 1
        return annotations, low >> 8 | (high & 0xFF) << 24, high >> 8 & 0xFF, high >> 16 & 0xFF

    def part(self, at):
        waiting = [at]
        while waiting:
            one = waiting.pop()
            if one not in self.known:
                if len(self.known) > MOST_PARTS:
                    raise Damage("a description without end")
                waiting += self.read(one)
        return self.known[at]

    def read(self, at):
        """Reads one part, and returns the addresses of its children."""
        size = self.memory.pointer_size
        children, last = self.memory.pointer(at), at + size
        if self.word(last) != 0x56676E69:
            raise Damage("no description of the type where the program has it")
        count = self.word(last + 4)
        facts = self.memory.bytes(last + 24, 4)
        if facts[3] != 2:
            raise Damage(f"a description of form {facts[3]}: these printers know form 2")
        wide = [self.word(last + 8 + 8 * i) | self.word(last + 12 + 8 * i) << 32 for i in range(2)]
        part = Part(facts, *wide)
        if count > MOST_PARTS or count < CHILDREN.get(part.kind, 0) or not 1 <= part.kind <= DOCUMENT or part.width not in WIDTHS.get(part.kind, range(9)):
            raise Damage("a description of nothing")
        self.left -= count
        if self.left < 0:
            raise Damage("a description without end")
        self.known[at] = part
        step = 2 * size + 16
        found = []
        for child in range(children, children + count * step, step):
            name, meant = self.memory.pointer(child), self.memory.pointer(child + size)
            length, annotations, first, second = (self.word(child + 2 * size + 4 * i) for i in range(4))
            text = self.memory.bytes(name, length).decode("utf-8", "backslashreplace") if name and length <= 4096 else ""
            if part.kind == ENUMERATION:
                value = first | second << 32
                value -= (1 << 64) if part.flags & SIGNED and value >> 63 else 0
                part.enumerators[value] = text
                part.bits |= value
                continue
            part.names.append(text)
            part.annotations.append((annotations & 0xFF, first, second, annotations >> 16 & 0xFF))
            part.children.append(Later(self, meant))
            found.append(meant)
        return found


class Later:
    """A child of a part. It may be the part itself, so it is looked up when it is used."""

    def __init__(self, descriptions, at):
        self._of = descriptions, at

    def __getattr__(self, name):
        return getattr(self._of[0].known[self._of[1]], name)


class Bytes:
    """Reads memory in pieces, each only once."""

    PIECE = 256

    def __init__(self, memory):
        self.memory, self.pieces = memory, {}

    def bytes(self, at, length):
        if length > 4 * self.PIECE:
            return self.memory.bytes(at, length)
        found = b""
        while len(found) < length:
            here = at + len(found)
            start = here - here % self.PIECE
            if start not in self.pieces:
                try:
                    self.pieces[start] = self.memory.bytes(start, self.PIECE)
                except Damage:
                    return self.memory.bytes(at, length)
            found += self.pieces[start][here - start : at + length - start]
        return found

    def number(self, at, width, signed=False):
        return int.from_bytes(self.bytes(at, width), "little", signed=signed)


class Tail:
    """The tail of a fixed part: its position, the last end that was read, and its size or None."""

    def __init__(self, begin, last=0, size=None):
        self.begin, self.last, self.size = begin, last, size

    def take(self, end):
        """Returns (position, size) of the next payload."""
        if end < self.last or self.size is not None and end > self.size:
            most = "" if self.size is None else f" to {self.size}"
            raise Damage(f"an end of {end}, where {self.last}{most} can be")
        begin, self.last = self.last, end
        return self.begin + begin, end - begin


def float_text(raw):
    value = struct.unpack("<f" if len(raw) == 4 else "<d", raw)[0]
    if len(raw) == 4 and math.isfinite(value):
        for digits in range(1, 10):
            short = float(f"{value:.{digits}g}")
            if abs(short) < FLOATS_END and struct.pack("<f", short) == raw:
                return repr(short)
    return repr(value)


class Entry(str):
    """The text of an entry of a map, with its key and value."""

    def __new__(cls, key, value):
        made = super().__new__(cls, f"[{key}] = {value}")
        made.key, made.value = key, shown(value)
        return made


class Values:
    """Text of values, and the number of values that may still be shown."""

    def __init__(self, memory):
        self.bytes = Bytes(memory)
        self.left = MOST_VALUES
        self.lost = False  # true: the rest can't be shown any more

    def named(self, pairs):
        """Returns the value that consists of these members or elements.

        `pairs` are (name, function). The functions are called in order, as compact bytes require.
        The name of an element is None.
        """
        texts, parts = [], []
        for name, make in pairs:
            if self.left <= 0:
                self.lost = True
            if self.lost or len(texts) == MOST_ELEMENTS and name is None:
                texts.append("...")
                parts.append(("...", Shown("<the rest is not shown>")))
                break
            try:
                value = make()
            except Damage as why:
                value, self.lost = f"<damaged: {why}>", True
            if isinstance(value, Entry):
                texts.append(value)
                parts.append((f"[{value.key}]", value.value))
                continue
            texts.append(f"{name} = {value}" if name is not None else value)
            parts.append((name if name is not None else f"[{len(parts)}]", shown(value)))
        return Shown.of(f"{{{', '.join(texts)}}}", parts)

    def text(self, at, size, width):
        """Returns the text of `size` bytes; each character has `width` bytes."""
        if size % width:
            raise Damage(f"{size} bytes of characters of {width}")
        raw = self.bytes.bytes(at, min(size, MOST_TEXT * width))
        decoder = codecs.getincrementaldecoder({1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}[width])("backslashreplace")
        text = decoder.decode(raw, len(raw) == size)  # the cut may be inside a character
        return json.dumps(text, ensure_ascii=False) + ("..." if len(raw) < size else "")

    def number(self, part, value):
        """Returns the text of a boolean, number, character, byte or enumerator from its integer."""
        kind = part.kind
        if kind == BOOLEAN:
            return ("false", "true")[value] if value < 2 else f"<damaged: {value} is no bool>"
        if kind == BYTE:
            return f"{value:#04x}"
        if kind == CHARACTER:
            letter = chr(value) if value < 0x80 or part.width > 1 and value < 0x110000 else ""
            return f"{value} '{letter}'" if letter.isprintable() and letter else str(value)
        if kind == ENUMERATION:
            name = part.enumerators.get(value)
            known = part.flags & OPEN or part.flags & FLAGS and not value & ~part.bits
            return name or (str(value) if known else f"<damaged: {value} is no enumerator>")
        return str(value)

    def scalar(self, part, at):
        """Returns the text of a scalar that fills its slot and has no annotation."""
        kind = part.kind
        if kind == DURATION:
            unit = UNITS.get((part.extent, part.divisor), f"* {part.extent}/{part.divisor} s")
            return f"{self.scalar(part.children[0], at)} {unit}"
        if kind == TIME_POINT:
            return f"{self.scalar(part.children[0], at)} since its epoch"
        if kind == COMPLEX:
            half = part.children[0]
            return f"{self.scalar(half, at)} + {self.scalar(half, at + half.slot)}i".replace("+ -", "- ")
        if kind == BITSET:
            kept = min(part.extent, MOST_TEXT)
            bits = self.bytes.number(at, (kept + 7) // 8) & ((1 << kept) - 1)
            return ("0b..." if kept < part.extent else "0b") + format(bits, f"0{max(kept, 1)}b")
        if kind == FLOATING:
            return float_text(self.bytes.bytes(at, part.width))
        signed = bool(part.flags & SIGNED) and kind in (INTEGER, ENUMERATION)
        return self.number(part, self.bytes.number(at, part.width, signed))

    def chosen(self, part, tag):
        """Returns the alternative with this tag, or None if it has no value."""
        choices = list(part.children)
        if part.kind == OPTIONAL or part.kind == EXPECTED and len(choices) == 1:
            choices.insert(0, None)
        if tag >= len(choices):
            raise Damage(f"a tag of {tag}, there are {len(choices)} alternatives")
        return choices[tag]

    def tagged(self, part, tag, show):
        """Returns the text of a tagged value; `show` returns the text of the alternative."""
        child = self.chosen(part, tag)
        if child is None:
            return "none" if part.kind == OPTIONAL else "nothing, as expected"
        value = shown(show(child))
        if part.kind == VARIANT:
            name = part.names[tag]
            return value.prefixed(f"({tag} {name}) " if name else f"({tag}) ")
        return value.prefixed("error ") if part.kind == EXPECTED and tag else value

    def keyed(self, part, show):
        """Returns the text of an entry or element; `show(i)` returns the text of part i."""
        return Entry(show(0), show(1)) if part.kind in MAPS else show(0)


class Packed(Values):
    """Messages of the pack profile."""

    def slots(self, part, at, tail, level=0):
        self.left -= 1
        if part.variable:
            begin, size = tail.take(self.bytes.number(at, 4))
            return self.payload(part, begin, size, level + 1)
        kind = part.kind
        if kind in (RECORD, TUPLE):
            return self.members(part, at, tail, level, part.body)
        if kind == ARRAY:
            return self.array(part, at, tail, level)
        if kind in TAGGED:
            return self.tagged(part, self.bytes.number(at, 1), lambda child: self.slots(child, at + 1, Tail(at), level))
        return self.scalar(part, at)

    def members(self, part, at, tail, level, present):
        """Returns the members of a fixed part of `present` bytes.

        The fixed part may be that of another version of the type.
        """

        def pairs():
            offset = 0
            for name, child in zip(part.names, part.children):
                begin, offset = offset, offset + child.slot
                label = name if part.kind == RECORD else None
                if offset > present:
                    if begin < present:
                        raise Damage(f"{present} bytes of fixed part, which end in a member")
                    yield label, lambda: "default"
                else:
                    yield label, lambda child=child, begin=begin: self.slots(child, at + begin, tail, level)

        found = self.named(pairs())
        return self.after(part, at, tail, found)

    def record(self, part, at, tail, begin, present, size=None):
        """Returns the text of a view of a record.

        `begin` is the offset of its first payload in the tail. `size` is the size of the tail, or
        None if it is unknown.
        """
        ends = part.last_end if part.kind in (RECORD, TUPLE) and not part.flags & EVOLVABLE else None
        if size is None and ends is not None:
            size = self.bytes.number(at + ends, 4)
        return self.members(part, at, Tail(tail, begin, size), 0, part.body if present is None else present)

    def array(self, part, at, tail, level):
        child = part.children[0]
        pairs = ((None, lambda i=i: self.slots(child, at + i * child.slot, tail, level)) for i in range(part.extent))
        return self.after(part, at, tail, self.named(pairs))

    def after(self, part, at, tail, found):
        """Moves the tail after all payloads of the part, including those that are not shown."""
        last = None if part.variable else part.last_end
        if last is not None and not self.lost:
            tail.last = max(tail.last, self.bytes.number(at + last, 4))
        return found

    def payload(self, part, at, size, level):
        if level > MOST_LEVELS:
            return "..."
        kind = part.kind
        if kind in (STRING, PATH):
            return self.text(at, size, part.width or 1)
        if kind == DOCUMENT:
            return f"<a value of any kind, {size} bytes>"
        if kind in LISTS:
            return self.list(part, at, size, level)
        if kind == RECORD and part.flags & EVOLVABLE:
            if size < 4 or self.bytes.number(at, 4) > size - 4:
                raise Damage("a fixed part that does not fit")
            present = self.bytes.number(at, 4)
            return self.members(part, at + 4, Tail(at + 4 + present, 0, size - 4 - present), level, present)
        if kind in TAGGED and not part.fixed:
            if size == 0:
                if kind != OPTIONAL:
                    raise Damage("no tag")
                return "none"
            return self.tagged(part, self.bytes.number(at, 1), lambda child: self.whole(child, at + 1, size - 1, level))
        return self.whole(part, at, size, level)

    def whole(self, part, at, size, level):
        """Returns the text of a payload. For a type with a slot, it is a fixed part and a tail."""
        if part.variable:
            return self.payload(part, at, size, level)
        if size < part.body:
            raise Damage(f"{size} bytes where {part.body} are needed")
        return self.slots(part, at, Tail(at + part.body, 0, size - part.body), level)

    def list(self, part, at, size, level):
        """Returns the text of the payload of a list."""
        entry = part.entry
        stride = sum(child.slot for child in entry)
        if all(child.fixed for child in entry) and stride:
            if size % stride:
                raise Damage(f"{size} bytes of elements of {stride}")
            return self.elements(part, at, size // stride, stride, Tail(at + size, 0, 0), level)
        if size < 4:
            raise Damage("no count of elements")
        count, at, size = self.bytes.number(at, 4), at + 4, size - 4
        if len(entry) == 1 and entry[0].kind == RECORD and entry[0].flags & EVOLVABLE:
            if size < 4:
                raise Damage("no size of a fixed part")
            stride, at, size = self.bytes.number(at, 4) + 4, at + 4, size - 4
        if count * stride > size:
            raise Damage(f"{count} elements of {stride} bytes in {size}")
        return self.elements(part, at, count, stride, Tail(at + count * stride, 0, size - count * stride), level)

    def elements(self, part, at, count, stride, tail, level=0):
        entry = part.entry
        sized = len(entry) == 1 and entry[0].kind == RECORD and entry[0].flags & EVOLVABLE and part.kind != ARRAY

        def one(i):
            here = at + i * stride
            if sized:
                begin, size = tail.take(self.bytes.number(here, 4))
                self.left -= 1
                return self.members(entry[0], here + 4, Tail(begin, 0, size), level, stride - 4)
            places = [here, here + entry[0].slot]
            return self.keyed(part, lambda n: self.slots(entry[n], places[n], tail, level))

        return self.named((None, lambda i=i: one(i)) for i in range(count))

    def list_view(self, part, at, count, stride, tail, begin, size=None):
        """Returns the text of a view of a list, an array, or a text of wide characters."""
        if part.kind in (STRING, PATH):
            return self.text(at, count * (part.width or 1), part.width or 1)
        ends = last_end_of(part.entry)
        if size is None and count and ends is not None:
            # The fixed part of an evolvable record follows the end of the record.
            ends = 0 if stride != sum(child.slot for child in part.entry) else ends
            size = self.bytes.number(at + (count - 1) * stride + ends, 4)
        return self.elements(part, at, count, stride, Tail(tail, begin, size)).prefixed(f"view of {count} = ")

    def tagged_view(self, part, tag, at, size):
        if part.fixed:
            return self.tagged(part, tag, lambda child: self.slots(child, at, Tail(at)))
        return self.tagged(part, tag, lambda child: self.whole(child, at, size, 0))


class Compact(Values):
    """Messages of the compact profile. Reading begins at one value.

    A form is (annotations, units of a step, digits of a step, bytes of a unit vector).
    """

    PLAIN = (0, 0, 0, 0)

    def __init__(self, memory, at):
        super().__init__(memory)
        self.at, self.end = at, None
        self.steps = MOST_STEPS

    def take(self, size):
        if self.end is not None and size > self.end - self.at:
            raise Damage(f"{size} bytes where {self.end - self.at} are left")
        self.at += size
        return self.at - size

    def varint(self):
        value = 0
        for shift in range(0, 70, 7):
            byte = self.bytes.number(self.take(1), 1)
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value >> 64:
                    break
                return value
        raise Damage("a number of more than 64 bits")

    def value(self, part, how=PLAIN, level=0):
        self.left -= 1
        kind = part.kind
        if level > MOST_LEVELS:
            self.lost = True
            return "..."
        if kind in (STRING, PATH):
            size = self.varint() * (part.width or 1)
            return self.text(self.take(size), size, part.width or 1)
        if kind == DOCUMENT:
            size = self.varint()
            self.take(size)
            return f"<a value of any kind, {size} bytes>"
        if kind in LISTS:
            return self.elements(part, self.varint(), how, level + 1)
        if kind == RECORD:
            return self.record(part, level)
        if kind == TUPLE:
            pairs = ((None, lambda child=child: self.value(child, how, level)) for child in part.children)
            found = self.named(pairs)
            self.lost = self.lost or len(part.children) > MOST_ELEMENTS
            return found
        if kind == ARRAY:
            child = part.children[0]
            size = unit_size(how[3], part.extent) if how[0] & UNIT_VECTOR and child.kind == FLOATING else 0
            return self.unit_vector(part.extent, size, child.width) if size else self.elements(part, part.extent, how, level)
        if kind in TAGGED:
            tag = self.bytes.number(self.take(1), 1)
            return self.tagged(part, tag, lambda child: self.value(child, how, level + 1))
        if kind in (INTEGER, ENUMERATION) and how[0] & VARINT and part.width > 1:
            value = self.varint()
            return self.number(part, value >> 1 ^ -(value & 1) if part.flags & SIGNED else value)
        if kind == FLOATING:
            return self.float(part.width, how)
        return self.scalar(part, self.take(part.body))

    def elements(self, part, count, how, level=0):
        entry = part.entry

        def one():
            return self.keyed(part, lambda n: self.value(entry[n], how, level))

        found = self.named((None, one) for _ in range(count))
        if count > MOST_ELEMENTS and not self.lost:
            self.pass_over(part, how, count - MOST_ELEMENTS, one)
        return found

    def pass_over(self, part, how, count, one):
        """Skips elements of a long list. The end of the list is the position of the next value."""
        if len(part.entry) == 1 and part.entry[0].kind in (BOOLEAN, INTEGER, FLOATING, CHARACTER, BYTE, ENUMERATION) and not how[0]:
            self.take(count * part.entry[0].slot)
            return
        left = self.left
        while count and self.steps > 0 and not self.lost:
            self.left = MOST_VALUES
            one()
            self.steps -= MOST_VALUES - self.left
            count -= 1
        self.left = left
        if count:
            self.lost = True

    def record(self, part, level):
        outer, count = self.end, len(part.children)
        own = (part.flags >> 6 & 1) | (part.flags >> 5 & 4) | (part.flags & 1) << 3
        stored = (1 << count) - 1
        if part.flags & EVOLVABLE:
            size = self.varint()
            begin = self.take(size)
            self.at, self.end = begin, begin + size
        elif part.flags & ELIDES:
            size = (count + 7) // 8
            stored &= self.bytes.number(self.take(size), size)

        def member(i):
            child, annotations = part.children[i], part.annotations[i]
            if not stored >> i & 1 or part.flags & EVOLVABLE and self.at == self.end and not (child.fixed and child.slot == 0):
                return "default"
            if annotations[0] & FIXED:
                annotations = self.PLAIN
            elif not annotations[0]:
                annotations = (own, 0, 0, 0)
            return self.value(child, annotations, level)

        found = self.named((name, lambda i=i: member(i)) for i, name in enumerate(part.names))
        if part.flags & EVOLVABLE:
            if not self.lost:
                self.at = self.end
            self.end = outer
        return found

    def float(self, width, how):
        annotations, units, digits, _ = how
        if annotations & QUANTIZED:
            raw = self.varint()
            return float_text(decimal((raw >> 1 ^ -(raw & 1)) * units, digits, width))
        if annotations & TIGHT_FLOAT:
            lead = self.bytes.number(self.take(1), 1)
            size = tight_size(lead, width)
            return float_text(tight_float(lead, self.bytes.bytes(self.take(size), size), width))
        if annotations & SHORT_FLOAT:
            byte = self.bytes.number(self.take(1), 1)
            if byte != 0x80:
                exponent, fraction = byte >> 3 & 15, byte & 7
                value = 2.0 ** (exponent - 7) * (1 + fraction / 8) if exponent else 2.0**-6 * fraction / 8
                return repr(-value if byte & 0x80 else value)
        return float_text(self.bytes.bytes(self.take(width), width))

    def unit_vector(self, count, size, width):
        code = self.bytes.number(self.take(size), size)
        whole = unit_numbers(code, count, size)
        return "{" + ", ".join(float_text(value) for value in unit_values(whole, size, width)) + "}"

    def list_view(self, part, count, how):
        if part.kind in (STRING, PATH):
            return self.text(self.at, count * (part.width or 1), part.width or 1)
        return self.elements(part, count, how).prefixed(f"view of {count} = ")


def packed_float(value, width):
    try:
        return struct.pack("<f" if width == 4 else "<d", value)
    except OverflowError:
        raise Damage("a float that its type does not hold") from None


def decimal(number, digits, width):
    if abs(number) >= 1 << 53:
        raise Damage("a number of steps from 2^53 on")
    return packed_float(number / 10**digits, width)


def tight_size(lead, width):
    """Returns the number of bytes that follow the leading byte of a tight float."""
    if lead < 192:
        return 0
    if lead < 252:
        return (lead - 192) % 6 + 1
    return width if lead == 255 else lead - 250


def tight_float(lead, payload, width):
    if lead < 192:
        return packed_float(lead if lead < 160 else 159 - lead, width)
    if lead < 252:
        return decimal(int.from_bytes(payload, "little", signed=True), (lead - 192) // 6, width)
    if lead != 254:
        return bytes(width - len(payload)) + payload
    if width == 4:
        raise Damage("a float in a form of doubles")
    return struct.pack("<d", struct.unpack("<f", payload)[0])


def unit_size(size, count):
    """Returns the bytes of an array of `count` floats whose annotation says `size`.

    Returns 0 if the array is not a unit vector.
    """
    if count == 3:
        return size if 2 <= size <= 5 else 0 if size else 4
    if count == 4:
        return size if 3 <= size <= 8 else 0 if size else 6
    return 0


def unit_numbers(code, count, size):
    """Returns whole numbers with the ratios of the numbers of the unit vector `code`."""
    if code == (1 << 8 * size) - 1:
        return [0] * count
    bits = size * 4 if count == 3 else (size * 8 - 2) // 3
    most = (1 << bits - 1) - 1
    rest = code if count == 3 else code >> 2
    found = [(rest >> bits * place & (1 << bits) - 1) - most for place in range(count - 1)]
    if rest >> bits * (count - 1) or max(found) > most:
        raise Damage("no unit vector")
    if count == 4:
        return [*found[: code & 3], most, *found[code & 3 :]]
    u, v = found
    height = most - abs(u) - abs(v)
    x, y = (abs(u), abs(v)) if height >= 0 else (most - abs(v), most - abs(u))
    return [-x if u < 0 else x, -y if v < 0 else y, height]


def unit_values(whole, size, width):
    """Returns the bytes of the floats of the unit vector with these ratios."""
    bits = size * 4 if len(whole) == 3 else (size * 8 - 2) // 3
    scaled = [number << 20 - bits for number in whole]
    length = math.isqrt(sum(number * number for number in scaled) << 22)
    made = []
    for number in scaled:
        magnitude = ((abs(number) << 41) + length // 2) // length if length else 0
        made.append(packed_float((-magnitude if number < 0 else magnitude) / (1 << 30), width))
    return made


def view_text(brand, number, memory, described):
    """Returns the value of a view of the class `brand`, as text.

    `number("first_", "at")` returns the member `at` of the member `first_`; if it is a class, the
    pointer at its beginning. `described` is the address of the view's constant.
    """
    try:
        return described_text(brand, number, memory, *Descriptions(memory).view(described))
    except RecursionError:  # from nested types: the levels of values are counted
        raise Damage("a description without end") from None


def described_text(brand, number, memory, part, how):
    listed = part.kind in LISTS or part.kind in (ARRAY, STRING, PATH)
    if listed != brand.endswith("list_view") or (part.kind in TAGGED) != brand.endswith("tagged_view"):
        raise Damage("a description of another type")
    if brand.startswith("compact::"):
        first = "first_" if listed else "ref_"
        compact = Compact(memory, number(first, "in", "base") + number(first, "at"))
        return compact.list_view(part, number("size_"), how) if listed else compact.value(part, how)
    packed, kind = Packed(memory), brand.removeprefix("checked_")
    if brand == kind:
        if kind == "record_view":
            present = number("present_", "bytes") if part.flags & EVOLVABLE and part.kind == RECORD else None
            return packed.record(part, number("at_"), number("tail_"), number("begin_"), present)
        if kind == "list_view":
            starts = [number("first_", name) for name in ("stride", "tail", "begin")]
            return packed.list_view(part, number("first_", "at"), number("size_"), *starts)
        return packed.tagged_view(part, number("tag_"), number("from_"), number("size_"))
    range_ = "first_" if kind == "list_view" else "range_"
    message = number(range_, "message")
    at, tail = message + number(range_, "at"), message + number(range_, "tail")
    if kind == "record_view":
        return packed.record(part, at, tail, number(range_, "begin"), number("present_"), number(range_, "limit"))
    if kind == "list_view":
        return packed.list_view(part, at, number("size_"), number("stride_"), tail, number(range_, "begin"), number(range_, "limit"))
    return packed.tagged_view(part, number("tag_"), at, number("size_"))
