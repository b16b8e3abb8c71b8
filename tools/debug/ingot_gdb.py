# SPDX-License-Identifier: Apache-2.0
"""Values of ingot's live blocks and documents in gdb: `source ingot_gdb.py` in ~/.gdbinit, or by auto-load (docs/debugging.md)."""
import os
import re
import sys

import gdb
import gdb.printing

sys.path.insert(0, os.path.dirname(os.path.abspath(os.path.realpath(__file__))))
import ingot_memory as im  # noqa: E402

PLAIN = {gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR}


class Type:
    def __init__(self, of):
        self.of = of.strip_typedefs()
        self.size, self.align = self.of.sizeof, max(self.of.alignof, 1)

    @property
    def plain(self):
        of = self.of
        for _ in range(8):
            if of.code in PLAIN:
                return True
            name = of.name or ""
            if name.startswith("std::chrono::duration<"):
                of = of.template_argument(0).strip_typedefs()
            elif name.startswith("std::chrono::time_point<"):
                of = of.template_argument(1).strip_typedefs()
            else:
                return False
        return False


def order_is_little():
    return "little" in gdb.execute("show endian", to_string=True)


def memory():
    inferior = gdb.selected_inferior()

    def read(at, length):
        try:
            return inferior.read_memory(at, length)
        except (gdb.error, OverflowError):
            raise OSError from None

    return im.Memory(read, order_is_little(), gdb.lookup_type("void").pointer().sizeof)


def at_address(address, kind):
    """The object there; not read before somebody asks for it."""
    return gdb.Value(address).cast(kind.of.pointer()).dereference()


def address_of(value):
    if value.address is None:
        raise im.Damage("is in no memory")
    return int(value.address)


class Printer:
    """A subclass says what it is in `name`, and in `walk` how many elements there are and what they are: pairs of names and values."""

    name = ""
    hint = None

    def __init__(self, value):
        self.value = value
        self.type = value.type.strip_typedefs()

    def arg(self, n):
        return Type(self.type.template_argument(n))

    def walk(self):
        return 0, iter(())

    def to_string(self):
        try:
            return self.told()
        except im.Damage as why:
            return f"<damaged: {why}>"
        except gdb.error as why:
            return f"<unreadable: {why}>"

    def told(self):
        return f"{self.name} of {self.walk()[0]}"

    def display_hint(self):
        return self.hint


class Holder(Printer):
    """Has elements to show."""

    def children(self):
        try:
            yield from self.walk()[1]
        except (im.Damage, gdb.error) as why:
            yield "damaged", f"{why}"


class String(Printer):
    def told(self):
        text, cut = im.text_of(memory(), address_of(self.value), self.type.sizeof, self.arg(0).size)
        return text + "..." if cut else text

    def display_hint(self):
        try:
            self.told()
        except (im.Damage, gdb.error):
            return None  # what is wrong is no text of the program's
        return "string"


class Sequence(Holder):
    hint = "array"
    find = None

    def walk(self):
        element = self.arg(0)
        count, places = type(self).find(memory(), address_of(self.value), self.type.sizeof // 2, element)
        return count, ((f"[{i}]", at_address(place, element)) for i, place in enumerate(places))


class Vector(Sequence):
    name = "ingot::vector"
    find = im.vector


class Queue(Sequence):
    name = "ingot::queue"
    find = im.queue


class Pool(Holder):
    name, hint = "ingot::pool", "array"

    def walk(self):
        element = self.arg(0)
        count, places = im.pool(memory(), address_of(self.value), self.type.sizeof // 2, element)
        return count, ((f"[{i}]", at_address(place, element)) for i, place in places)


class Keyed(Holder):
    find = None
    mapped = True

    @property
    def hint(self):
        return "map" if self.mapped else "array"

    def walk(self):
        key = self.arg(0)
        value = self.arg(1) if self.mapped else None
        count, entries = type(self).find(memory(), address_of(self.value), self.type.sizeof // 2, key, value)
        return count, self.pairs(entries, key, value)

    def pairs(self, entries, key, value):
        for i, (k, v) in enumerate(entries):
            if value is None:
                yield f"[{i}]", at_address(k, key)
            else:
                yield f"[{i}].key", at_address(k, key)
                yield f"[{i}].value", at_address(v, value)


def keyed(label, finder, has_values):
    return type(label.split("::")[1], (Keyed,), {"name": label, "find": finder, "mapped": has_values})


class Optional(Holder):
    def present(self):
        inner = self.arg(0)
        at = address_of(self.value)
        mark = memory().unsigned(at + inner.size, 1)
        if mark > 1:
            raise im.Damage(f"{mark} where 0 or 1 says whether there is a value")
        return at_address(at, inner) if mark else None

    def told(self):
        return "ingot::optional" if self.present() is not None else "none"

    def children(self):
        try:
            value = self.present()
        except im.Damage:
            return
        if value is not None:
            yield "value", value


class Box(Holder):
    def inside(self):
        at = im.box(memory(), address_of(self.value), self.type.sizeof)
        return None if at is None else at_address(at, self.arg(0))

    def told(self):
        return "empty box" if self.inside() is None else "ingot::box"

    def children(self):
        try:
            value = self.inside()
        except im.Damage:
            return
        if value is not None:
            yield "value", value


def arguments_of(name):
    """The template arguments in a name: gdb has no call for those in packs."""
    found, depth, begin = [], 0, name.index("<") + 1
    for i in range(begin, len(name)):
        if name[i] in "<(":
            depth += 1
        elif depth and name[i] in ">)":
            depth -= 1
        elif not depth and name[i] in ",>":
            found.append(name[begin:i].strip())
            begin = i + 1
    return found


class Variant(Holder):
    def chosen(self):
        index = int(self.value["tag_"][0])
        alternative = gdb.lookup_type(arguments_of(self.type.name)[1 + index])
        return index, at_address(int(self.value["payload_"].address), Type(alternative)), alternative

    def told(self):
        try:
            index, _, alternative = self.chosen()
        except (IndexError, ValueError):
            raise im.Damage("an alternative that there is not") from None
        return f"({index}) {alternative}"

    def children(self):
        try:
            yield "value", self.chosen()[1]
        except (IndexError, ValueError, gdb.error):
            return


class Ref(Printer):
    def told(self):
        generation = int(self.value["generation"])
        return f"index {int(self.value['index'])}, generation {generation}" if generation else "links to nothing"


class Live(Holder):
    def start(self):
        return int(self.value["memory_"]["start_"])

    def root(self):
        try:
            return Type(gdb.lookup_type(f"{self.type.name}::value_type"))
        except gdb.error:
            return self.arg(0)

    def told(self):
        start = self.start()
        return f"ingot::live at {start:#x}" if start else "ingot::live without a block"

    def children(self):
        try:
            start = self.start()
            if start:
                if memory().bytes(start, 4) != b"ingL":
                    raise im.Damage(f"no block at {start:#x}")
                yield "root", at_address(start + 64, self.root())
        except (im.Damage, gdb.error) as why:
            yield "damaged", f"{why}"


class LiveView(Live):
    def start(self):
        return memory().pointer(address_of(self.value["bytes_"]))


class Document(Printer):
    def told(self):
        core = memory().pointer(address_of(self.value["core_"]))
        return document_text(core, self.value["core_"].type.strip_typedefs().template_argument(0))


def document_text(core, core_type, *place):
    if core == 0:
        return "document without memory"
    made = at_address(core, Type(core_type))
    arena = int(made["arena_"])
    used = int(made["arena_"].dereference()["tail_"]) if arena else int(made["limit_"])
    return im.Document(memory(), int(made["start_"]), used).text(*place)


class Value(Printer):
    def told(self):
        at = self.value["at_"]
        place = int(at["place"])
        core = self.value["core_"]
        if int(core) == 0 or place == 0xFFFFFFFF:
            return "absent"
        return document_text(int(core), core.type.strip_typedefs().target(), place, int(at["index"]), int(at["packed"]))


class Peek(Printer):
    def told(self):
        start = int(self.value["in_"]["start"])
        place = int(self.value["at_"]["place"]) if self.type.name.endswith("peek_value") else 0
        if start == 0 or place == 0xFFFFFFFF:
            return "absent"
        rest = (int(self.value["at_"]["index"]), int(self.value["at_"]["packed"])) if place else ()
        return im.Document(memory(), start, int(self.value["in_"]["size"])).text(place, *rest)


class LiveValue(Printer):
    def told(self):
        return im.live_value(memory(), address_of(self.value), self.type.sizeof)


class PackedView(Printer):
    """Where a view looks: its bytes say nothing without the schema, which annotations may change."""

    def told(self):
        of = self.type.template_argument(0)
        fields = {f.name for f in self.type.fields()}
        if "size_" in fields and "first_" in fields:
            return f"view of {int(self.value['size_'])} elements of {of} at {int(self.value['first_']['at']):#x}"
        if "tag_" in fields:
            return f"view of {of}, alternative {int(self.value['tag_'])}, {int(self.value['size_'])} bytes at {int(self.value['from_']):#x}"
        return f"view of {of}, fixed part at {int(self.value['at_']):#x}, tail at {int(self.value['tail_']):#x}"


PRINTERS = {
    "basic_string": String,
    "basic_vector": Vector,
    "basic_queue": Queue,
    "basic_pool": Pool,
    "basic_ref": Ref,
    "basic_map": keyed("ingot::map", im.tree, True),
    "basic_multimap": keyed("ingot::multimap", im.tree, True),
    "basic_set": keyed("ingot::set", im.tree, False),
    "basic_multiset": keyed("ingot::multiset", im.tree, False),
    "basic_hash_map": keyed("ingot::hash_map", im.table, True),
    "basic_hash_set": keyed("ingot::hash_set", im.table, False),
    "basic_flat_map": keyed("ingot::flat_map", im.flat, True),
    "basic_flat_set": keyed("ingot::flat_set", im.flat, False),
    "basic_optional": Optional,
    "basic_box": Box,
    "basic_variant": Variant,
    "basic_live_value": LiveValue,
    "basic_live": Live,
    "basic_live_view": LiveView,
    "document": Document,
    "value": Value,
    "value_ref": Value,
    "member_ref": Value,
    "document_peek": Peek,
    "peek_value": Peek,
    "value_view": Peek,
    "record_view": PackedView,
    "list_view": PackedView,
    "tagged_view": PackedView,
}
NAME = re.compile(r"^ingot::(?:v1::)?(\w+)(?:<.*>)?$", re.DOTALL)


def find_printer(value):
    kind = value.type.strip_typedefs().unqualified()
    if kind.code != gdb.TYPE_CODE_STRUCT or not kind.name:
        return None
    found = NAME.match(kind.name)
    printer = found and PRINTERS.get(found.group(1))
    return printer(value) if printer else None


find_printer.name, find_printer.enabled = "ingot", True
gdb.printing.register_pretty_printer(None, find_printer, replace=True)
