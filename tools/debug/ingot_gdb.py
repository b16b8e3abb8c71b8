# SPDX-License-Identifier: Apache-2.0
"""Values of ingot's live blocks and documents in gdb.

`source ingot_gdb.py` in ~/.gdbinit, or by auto-load (docs/debugging.md).
"""
import os
import re
import sys

import gdb
import gdb.printing

sys.path.insert(0, os.path.dirname(os.path.abspath(os.path.realpath(__file__))))
import ingot_memory as im  # noqa: E402
import ingot_packed as ip  # noqa: E402

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
    """Returns the object at an address. gdb reads the object when it shows it."""
    return gdb.Value(address).cast(kind.of.pointer()).dereference()


def address_of(value):
    if value.address is None:
        raise im.Damage("is in no memory")
    return int(value.address)


class Printer:
    """Base of printers. A subclass has the name of its container in `name`.

    `walk` returns the count of elements, and the elements: pairs of names and values.
    """

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
    """Base of printers that show elements."""

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
            return None  # an error message is not a text of the program
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
    """Returns the template arguments in a name: gdb has no call for arguments in packs."""
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
        place = int(at["position"])
        core = self.value["core_"]
        if int(core) == 0 or place == 0xFFFFFFFF:
            return "absent"
        return document_text(int(core), core.type.strip_typedefs().target(), place, int(at["index"]), int(at["packed"]))


class Peek(Printer):
    def told(self):
        start = int(self.value["in_"]["start"])
        place = 0 if self.type.name.endswith("document_peek") else int(self.value["at_"]["position"])
        if start == 0 or place == 0xFFFFFFFF:
            return "absent"
        rest = (int(self.value["at_"]["index"]), int(self.value["at_"]["packed"])) if place else ()
        return im.Document(memory(), start, int(self.value["in_"]["size"])).text(place, *rest)


class LiveValue(Printer):
    def told(self):
        return im.live_value(memory(), address_of(self.value), self.type.sizeof)


# Name of the constant. Names of the linker end with the length of this name and the name itself.
DESCRIBED = "ingot_described"
LINKED = re.compile(rf"^ *\[ *\d+\] \S (0x[0-9a-f]+) (\S*{len(DESCRIBED)}{DESCRIBED}E)\b", re.MULTILINE)


class Unnamed:
    """Constants of views of types that are local to a source file or function.

    Another file or function may have a type of the same name.
    """

    def __init__(self, state):
        self.state = state
        self.places = {}  # by name of a view's type
        # lookup_static_symbols returns one symbol for each source file
        for one in gdb.lookup_static_symbols(DESCRIBED):
            for symbol in one.symtab.static_block():
                if symbol.is_variable and symbol.name.endswith(DESCRIBED):
                    remember(self.places, symbol.value())
        # symbols of debug information may hide each other, but symbols of the linker don't
        self.linked = {int(at, 16): name for at, name in LINKED.findall(gdb.execute("maint print msymbols", to_string=True))}

    def alone(self, at):
        return list(self.linked.values()).count(self.linked.get(at)) == 1


unnamed = None


def remember(places, constant):
    """Adds a constant to `places` if its own type names the type of a view."""
    kind = constant.type.strip_typedefs().unqualified()
    if "::view_description<" in (kind.name or "") and not constant.is_optimized_out and constant.address is not None:
        places.setdefault(kind.template_argument(0).strip_typedefs().name, set()).add(int(constant.address))


def viewed_type(of):
    """Returns the class that has the constant: the class of the view, or its base."""
    for field in of.fields():
        if field.name == DESCRIBED:
            return of
        if field.is_base_class and (found := viewed_type(field.type.strip_typedefs())):
            return found
    return None


def description_of(value):
    """Returns the address of the constant that describes the bytes of a view.

    Returns None if there is no constant, or if it may be the constant of another type of this name.
    """
    global unnamed
    of = viewed_type(value.type.strip_typedefs())
    if of is None:
        return None
    found = {of.name: set()}
    try:
        remember(found, value[DESCRIBED])
    except gdb.error:
        pass
    if "(" in without_encoding(of.name):
        state = gdb.current_progspace().filename, gdb.selected_inferior().pid, len(gdb.objfiles())
        if unnamed is None or unnamed.state != state:
            unnamed = Unnamed(state)
        found[of.name] |= unnamed.places.get(of.name, set())
        if not all(map(unnamed.alone, found[of.name])):
            return None
    elif found[of.name]:
        # clang++ does not name the function of a type that is local to it, but the linker does.
        (at,) = found[of.name]
        if "(" in without_encoding(gdb.execute(f"info symbol {at:#x}", to_string=True).split(" in section")[0]):
            return None
    return found[of.name].pop() if len(found[of.name]) == 1 else None


def without_encoding(name):
    return re.sub(r"\(ingot::v1(_reflection)?::detail::encoding\)", "", name)


class PackedView(Printer):
    """A view's value, or its address if the program does not describe its bytes."""

    def told(self):
        if any(f.name == "seen_" for base in self.type.fields() if base.is_base_class for f in base.type.strip_typedefs().fields()):
            return self.value["seen_"].format_string()
        described = description_of(self.value)
        return self.place() if described is None else ip.view_text(self.brand(), self.number, memory(), described)

    def brand(self):
        compact, name = NAME.match(self.type.name).groups()
        if name == "view":  # view of a whole message
            name = NAME.match(next(f for f in self.type.fields() if f.is_base_class).type.strip_typedefs().name).group(2)
        return (compact or "") + name

    def number(self, *names):
        value = self.value
        for name in names:
            value = value[name]
        while value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT:
            value = value[next(field for field in value.type.strip_typedefs().fields() if hasattr(field, "bitpos"))]
        return int(value)

    def place(self):
        of, brand = self.type.template_argument(0), self.brand()
        if brand.startswith("compact::") or brand.startswith("checked_"):
            return f"view of {of}"
        if brand == "list_view":
            return f"view of {self.number('size_')} elements of {of} at {self.number('first_', 'at'):#x}"
        if brand == "tagged_view":
            return f"view of {of}, alternative {self.number('tag_')}, {self.number('size_')} bytes at {self.number('from_'):#x}"
        return f"view of {of}, fixed part at {self.number('at_'):#x}, tail at {self.number('tail_'):#x}"


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
    "checked_record_view": PackedView,
    "checked_list_view": PackedView,
    "checked_tagged_view": PackedView,
    "compact::record_view": PackedView,
    "compact::list_view": PackedView,
    "compact::tagged_view": PackedView,
    "compact::view": PackedView,
}
NAME = re.compile(r"^ingot::(?:v1(?:_reflection)?::)?(compact::)?(\w+)(?:<.*>)?$", re.DOTALL)

# A variant that derives from another variant and adds the names of another type's alternatives.
TWIN_VARIANT = re.compile(r"^ingot::(?:v1(?:_reflection)?::)?detail::twin_variant<")


def find_printer(value):
    kind = value.type.strip_typedefs().unqualified()
    if kind.code != gdb.TYPE_CODE_STRUCT or not kind.name:
        return None
    if TWIN_VARIANT.match(kind.name):
        value = value.cast(kind.fields()[0].type)
        kind = value.type.strip_typedefs().unqualified()
    found = NAME.match(kind.name)
    printer = found and PRINTERS.get((found.group(1) or "") + found.group(2))
    return printer(value) if printer else None


find_printer.name, find_printer.enabled = "ingot", True
gdb.printing.register_pretty_printer(None, find_printer, replace=True)
