# SPDX-License-Identifier: Apache-2.0
"""Printers for gdb; ingot_gdb.py loads them."""
import itertools
import re
import sys

import gdb
import gdb.printing
import ingot_errors as ie
import ingot_memory as im
import ingot_packed as ip

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


class Whole(Printer):
    """Base of printers whose text has everything. A subclass has `shown`, which returns a Shown.

    Where gdb asks for children after the text, they are not shown again. Through gdb/MI it asks for
    the children without the text. The debug adapter (gdb 14) wants both.
    """

    is_told = False

    def shown(self):
        return im.Shown()

    def told(self):
        self.is_told = "gdb.dap" not in sys.modules
        return self.shown()

    @property
    def children(self):
        """The method that gdb calls. gdb/MI does not show the text of a value that has it."""
        if self.is_told:
            raise AttributeError("children")
        try:
            parts = im.shown(self.shown()).parts
        except (im.Damage, gdb.error):
            parts = ()
        if not parts:
            raise AttributeError("children")
        return lambda: ((name, node(part)) for name, part in parts)


# The Shown of each value that was made by `node`. gdb has no type for the members of a view. So
# these values are vectors of a size that no program has: a mark, and the number of the Shown. They
# are no arrays, because gdb would allocate memory in the program to have the address of an array.
nodes = {}
numbers = itertools.count(1)  # none is used again
MARK = b"\x7f\0ingot\xff"
NODE_SIZE = 23
MOST_NODES = 1 << 18


def node(shown):
    if len(nodes) >= MOST_NODES:
        nodes.clear()
    number = next(numbers)
    nodes[number] = shown
    return gdb.Value(MARK + number.to_bytes(NODE_SIZE - 8, "little"), node_type())


def node_type():
    return gdb.lookup_type("char").vector(NODE_SIZE - 1)


def node_of(value):
    """Returns the Shown of a value that `node` made, or None."""
    kind = value.type
    if kind.code != gdb.TYPE_CODE_ARRAY or kind.sizeof != NODE_SIZE or kind != node_type():
        return None
    raw = bytes(int(value[i]) & 0xFF for i in range(NODE_SIZE))
    return nodes.get(int.from_bytes(raw[8:], "little"), im.Shown("<shown before the program went on>")) if raw[:8] == MARK else None


class Node(Whole):
    def __init__(self, found):
        self.found = found

    def shown(self):
        return self.found


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


class Document(Whole):
    """Base of the printers of documents and of what leads into them."""

    def place(self):
        """Returns a document and a spot in it (see ingot_memory), or a text if it has no value."""
        made = self.value["core_"]
        core = memory().pointer(address_of(made))
        return document_of(core, made.type.strip_typedefs().template_argument(0)), ()

    def shown(self):
        document, spot = self.where()
        return document if isinstance(document, str) else document.text(*spot)

    def where(self):
        known = None if self.value.address is None else places.get((int(self.value.address), self.type.name))
        return known or self.place()


# Values in documents that an expression led to: (document, spot) by address and type. In gdb such a
# value has the type of the document, and the address of the value's bytes.
places = {}


def document_of(core, core_type):
    if core == 0:
        return "document without memory"
    made = at_address(core, Type(core_type))
    arena = int(made["arena_"])
    used = int(made["arena_"].dereference()["tail_"]) if arena else int(made["limit_"])
    return im.Document(memory(), int(made["start_"]), used)


class Value(Document):
    def place(self):
        at = self.value["at_"]
        place = int(at["position"])
        core = self.value["core_"]
        if int(core) == 0 or place == 0xFFFFFFFF:
            return "absent", ()
        document = document_of(int(core), core.type.strip_typedefs().target())
        return document, (place, int(at["index"]), int(at["packed"])) if place else ()


class Peek(Document):
    def place(self):
        start = int(self.value["in_"]["start"])
        place = 0 if self.type.name.endswith("document_peek") else int(self.value["at_"]["position"])
        if start == 0 or place == 0xFFFFFFFF:
            return "absent", ()
        spot = (place, int(self.value["at_"]["index"]), int(self.value["at_"]["packed"])) if place else ()
        return im.Document(memory(), start, int(self.value["in_"]["size"])), spot


class LiveValue(Document):
    def place(self):
        return im.live_value(memory(), address_of(self.value), self.type.sizeof) or "null", ()


def bytes_of(value):
    """Returns the bytes of a value, which may be in registers."""
    if value.address is not None:
        return memory().bytes(int(value.address), value.type.sizeof)
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        first, last = kind.range()
        return b"".join(bytes_of(value[i]) for i in range(first, last + 1))
    if kind.code == gdb.TYPE_CODE_STRUCT:
        return b"".join(bytes_of(value[field]) for field in kind.fields() if hasattr(field, "bitpos"))
    return (int(value) & (1 << 8 * kind.sizeof) - 1).to_bytes(kind.sizeof, memory().order)


class Error(Printer):
    def told(self):
        return ie.sentence(lambda name: int(self.value[name]), lambda name: bytes_of(self.value[name]))


def found_member(value, names, level=0):
    """Returns the first member with one of these names, of a class, its bases and its classes."""
    kind = value.type.strip_typedefs()
    if level > 4 or kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return None
    fields = [field for field in kind.fields() if hasattr(field, "bitpos")]
    for field in fields:
        if field.name in names:
            return value[field]
    return next((inner for field in fields if (inner := found_member(value[field], names, level + 1)) is not None), None)


class Expected(Holder):
    """A result of the library: a value or an error. Other types of std::expected have none."""

    def inside(self):
        """Returns the value, or None if there is an error or the value is void."""
        if not self.has_value() or self.type.template_argument(0).code == gdb.TYPE_CODE_VOID:
            return None
        return found_member(self.value, ("_M_val", "__val_"))

    def has_value(self):
        there = found_member(self.value, ("_M_has_value", "__has_val_"))
        if there is None:
            raise im.Damage("a std::expected of another library")
        return bool(int(there))

    def told(self):
        if self.has_value():
            return "no error" if self.inside() is None else None
        sentence = Error(found_member(self.value, ("_M_unex", "__unex_"))).told()
        return f"error: {sentence}"

    def children(self):
        try:
            value = self.inside()
        except (im.Damage, gdb.error):
            return
        if value is not None:
            yield "value", value


class Buffer(Whole):
    def shown(self):
        return im.buffer_text(memory(), int(self.value["data_"]), int(self.value["size_"]))


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


class PackedView(Whole):
    """A view's value, or its address if the program does not describe its bytes."""

    def shown(self):
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
    "error": Error,
    "buffer": Buffer,
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


# A result of the library, in libstdc++ and libc++.
EXPECTED = re.compile(r"^std::(?:__\w+::)?expected<.*\bingot::(?:v1(?:_reflection)?::)?error ?>$", re.DOTALL)


def printer_of(name):
    """Returns the printer for a class of the library, or None."""
    found = NAME.match(name)
    return PRINTERS.get((found.group(1) or "") + found.group(2)) if found else Expected if EXPECTED.match(name) else None


class Pointer(Printer):
    """A pointer to an object of the library: its address, and the object."""

    def __init__(self, value, inner):
        super().__init__(value)
        self.inner, self.hint = inner, None if isinstance(inner, String) else inner.display_hint()

    def told(self):
        text = self.inner.to_string()
        if isinstance(self.inner, String) and self.inner.display_hint():
            text = self.value.dereference().format_string()
        return f"{int(self.value):#x}" + (f" {text}" if text else "")

    @property
    def children(self):
        return self.inner.children


def find_printer(value):
    kind = value.type.strip_typedefs().unqualified()
    if kind.code == gdb.TYPE_CODE_PTR:
        name = kind.target().strip_typedefs().unqualified().name
        if not name or not printer_of(name) or kind.target().strip_typedefs().code != gdb.TYPE_CODE_STRUCT or int(value) == 0:
            return None
        inner = find_printer(value.dereference())
        return inner and Pointer(value, inner)
    if kind.code == gdb.TYPE_CODE_ARRAY:
        found = node_of(value)
        return None if found is None else Node(found)
    if kind.code != gdb.TYPE_CODE_STRUCT or not kind.name:
        return None
    if TWIN_VARIANT.match(kind.name):
        value = value.cast(kind.fields()[0].type)
        kind = value.type.strip_typedefs().unqualified()
    printer = printer_of(kind.name)
    return printer(value) if printer else None


def forget(_):
    """Memory that changes makes the addresses of values in documents wrong."""
    places.clear()
    nodes.clear()


find_printer.name, find_printer.enabled = "ingot", True
gdb.printing.register_pretty_printer(None, find_printer, replace=True)
gdb.events.cont.connect(forget)
