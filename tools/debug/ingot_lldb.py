# SPDX-License-Identifier: Apache-2.0
"""Values of ingot's live blocks and documents in lldb.

`command script import ingot_lldb.py` in ~/.lldbinit (docs/debugging.md).
"""
import itertools
import os
import re
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(os.path.realpath(__file__))))
import ingot_errors as ie  # noqa: E402
import ingot_memory as im  # noqa: E402
import ingot_packed as ip  # noqa: E402
import ingot_paths as paths  # noqa: E402

SHOWN = 1024  # elements: lldb asks for the number of children before it shows any


class Type:
    def __init__(self, of):
        self.of = of.GetCanonicalType().GetUnqualifiedType()
        self.size = self.of.GetByteSize()
        self.align = max(self.of.GetByteAlign(), 1)

    @property
    def plain(self):
        of = self.of
        for _ in range(8):
            if of.GetTypeFlags() & (lldb.eTypeIsInteger | lldb.eTypeIsEnumeration) or of.GetBasicType() == lldb.eBasicTypeBool:
                return True
            name = of.GetName() or ""
            if "chrono::duration<" in name.split("<")[0] + "<":
                of = of.GetTemplateArgumentType(0).GetCanonicalType()
            elif "chrono::time_point<" in name.split("<")[0] + "<":
                of = of.GetTemplateArgumentType(1).GetCanonicalType()
            else:
                return False
        return False


def memory(value):
    process = value.GetProcess()

    def read(at, length):
        error = lldb.SBError()
        data = process.ReadMemory(at, length, error)
        if error.Fail():
            raise OSError
        return data

    target = value.GetTarget()
    return im.Memory(read, target.GetByteOrder() == lldb.eByteOrderLittle, target.GetAddressByteSize())


def address_of(value):
    at = value.GetLoadAddress()
    if at == lldb.LLDB_INVALID_ADDRESS:
        raise im.Damage("is in no memory")
    return at


class NullPointer(im.Damage):
    """A pointer that points at nothing, as it may."""


def raw(value):
    """Returns the object that is shown: the target of a reference or pointer, without children."""
    found = value.GetNonSyntheticValue()
    for _ in range(4):
        if not found.GetType().GetCanonicalType().IsReferenceType() and not found.GetType().IsPointerType():
            break
        if found.GetValueAsUnsigned() == 0:
            raise NullPointer("a null pointer")
        found = found.Dereference().GetNonSyntheticValue()
    # A twin variant derives from the variant, and adds the names of another type's alternatives.
    if brand(found) == "twin_variant":
        found = found.GetChildAtIndex(0).GetNonSyntheticValue()
    return found


# The Shown of each value that was made by `node`. lldb has no type for the members of a view. So
# these values have a type that no program has, and contain a mark and the number of the Shown.
nodes = {}
numbers = itertools.count(1)  # none is used again
MARK = 0x7F00746F676E6900
MOST_NODES = 1 << 18
NODE_TYPE = r"^(std::)?nullptr_t ?\[2\]$"


def node(value, name, shown):
    if len(nodes) >= MOST_NODES:
        nodes.clear()
    number = next(numbers)
    nodes[number] = shown
    target = value.GetTarget()
    data = lldb.SBData.CreateDataFromUInt64Array(target.GetByteOrder(), target.GetAddressByteSize(), [MARK, number])
    return value.CreateValueFromData(name, data, target.GetBasicType(lldb.eBasicTypeNullPtr).GetArrayType(2))


def node_of(value):
    """Returns the Shown of a value that `node` made, or None."""
    found = value.GetNonSyntheticValue()
    if not re.match(NODE_TYPE, found.GetType().GetName() or ""):
        return None
    data, error = found.GetData(), lldb.SBError()
    if data.GetByteSize() != 16 or data.GetUnsignedInt64(error, 0) != MARK:
        return None
    return nodes.get(data.GetUnsignedInt64(error, 8), im.Shown("<shown before: print it again>"))


def member(value, name):
    """Returns the data member `name` of a class, or of its first base that has such a member."""
    found = value.GetChildMemberWithName(name)
    if not found.IsValid():
        raise im.Damage(f"no member {name}: was it compiled with debug information?")
    return found


def arg(value, n):
    found = value.GetType().GetCanonicalType().GetUnqualifiedType().GetTemplateArgumentType(n)
    if not found.IsValid():
        raise im.Damage(f"no argument {n}")
    return Type(found)


def brand(value):
    return value.GetType().GetCanonicalType().GetUnqualifiedType().GetName().split("<")[0].rsplit("::", 1)[-1]


SEQUENCES = {"basic_vector": im.vector, "basic_queue": im.queue}
KEYED = {
    "basic_map": (im.tree, True),
    "basic_multimap": (im.tree, True),
    "basic_set": (im.tree, False),
    "basic_multiset": (im.tree, False),
    "basic_hash_map": (im.table, True),
    "basic_hash_set": (im.table, False),
    "basic_flat_map": (im.flat, True),
    "basic_flat_set": (im.flat, False),
}


def children_of(value):
    """Returns (count, [(name or None, address, type)]) of a container.

    The name of a key is read only when it is shown.
    """
    what, reading, at = brand(value), memory(value), address_of(value)
    width = value.GetByteSize() // 2
    if what == "expected":
        held = expected_value(value)
        return (1, iter([("value", address_of(held), Type(held.GetType()))])) if held else (0, iter(()))
    if what in SEQUENCES:
        element = arg(value, 0)
        count, places = SEQUENCES[what](reading, at, width, element)
        return count, ((f"[{i}]", place, element) for i, place in enumerate(places))
    if what == "basic_pool":
        element = arg(value, 0)
        count, places = im.pool(reading, at, width, element)
        return count, ((f"[{i}]", place, element) for i, place in places)
    if what in KEYED:
        find, mapped = KEYED[what]
        key, held = arg(value, 0), arg(value, 1) if mapped else None
        count, entries = find(reading, at, width, key, held)
        if not mapped:
            return count, ((f"[{i}]", k, key) for i, (k, _) in enumerate(entries))
        return count, ((f"[{key_name(value, k, key, i)}]", v, held) for i, (k, v) in enumerate(entries))
    found = inside(value, what, reading, at)
    return (1, iter([found])) if found else (0, iter(()))


def inside(value, what, reading, at):
    if what == "basic_optional":
        element = arg(value, 0)
        mark = reading.unsigned(at + element.size, 1)
        if mark > 1:
            raise im.Damage(f"{mark} where 0 or 1 says whether there is a value")
        return ("value", at, element) if mark else None
    if what == "basic_box":
        place = im.box(reading, at, value.GetByteSize())
        return ("value", place, arg(value, 0)) if place else None
    if what == "basic_variant":
        tag = reading.unsigned(address_of(member(value, "tag_")), 1)
        return "value", address_of(member(value, "payload_")), arg(value, 1 + tag)
    start = block_of(value, what, reading)
    if start == 0:
        return None
    if reading.bytes(start, 4) != b"ingL":
        raise im.Damage(f"no block at {start:#x}")
    return "root", start + 64, arg(value, 0)


def found_member(value, names, level=0):
    """Returns the first member with one of these names, of a class, its bases and its classes."""
    for i in range(value.GetNumChildren()):
        child = value.GetChildAtIndex(i).GetNonSyntheticValue()
        if child.GetName() in names:
            return child
        if level < 4 and child.GetType().GetCanonicalType().IsAggregateType() and (inner := found_member(child, names, level + 1)):
            return inner
    return None


def expected_value(value):
    """Returns the value of a std::expected; None if there is an error, or if the value is void."""
    if not has_value(value) or value.GetType().GetCanonicalType().GetTemplateArgumentType(0).GetBasicType() == lldb.eBasicTypeVoid:
        return None
    return found_member(value, ("_M_val", "__val_"))


def has_value(value):
    there = found_member(value, ("_M_has_value", "__has_val_"))
    if not there:
        raise im.Damage("a std::expected of another library")
    return bool(there.GetValueAsUnsigned())


def block_of(value, what, reading):
    if what == "basic_live_view":
        return reading.pointer(address_of(member(value, "bytes_")))
    return member(member(value, "memory_"), "start_").GetValueAsUnsigned()


def key_name(value, at, key, index):
    shown = value.CreateValueFromAddress("key", at, key.of)
    return shown.GetSummary() or shown.GetValue() or str(index)


class Children:
    """Children of containers and owners, which are objects, and of what has a Shown."""

    def __init__(self, value, _):
        self.shown_as, self.value, self.found = value, value, []

    def update(self):
        self.found = []
        try:
            self.value = raw(self.shown_as)
            whole = WHOLES.get(brand(self.value))
            if (found := node_of(self.value)) or whole and (found := im.shown(whole(self.value))):
                self.found = list(found.parts)
            elif not whole:
                self.found += itertools.islice(children_of(self.value)[1], SHOWN)
        except im.Damage:
            pass  # the summary has the message
        return False

    def num_children(self, most=SHOWN):
        return len(self.found)

    def has_children(self):
        return bool(self.found)

    def get_child_index(self, name):
        if name == "$$dereference$$":  # asked by `*hero` and `hero->name`
            return 0 if brand(self.value) in HOLDERS and self.found else -1
        return next((i for i, one in enumerate(self.found) if one[0] == name), -1)

    def get_child_at_index(self, index):
        if not 0 <= index < len(self.found):
            return None
        name, what, *kind = self.found[index]
        if not kind:
            return node(self.shown_as, name, what)
        return self.value.CreateValueFromAddress(name, what, kind[0].of)


class Node(Children):
    def get_type_name(self):
        return "value"


def guarded(summary):
    def told(value, _):
        try:
            return summary(raw(value))
        except NullPointer:
            return "null pointer"
        except im.Damage as why:
            return f"<damaged: {why}>"

    told.__name__, told.unguarded = summary.__name__, summary
    return told


@guarded
def string_summary(value):
    text, cut = im.text_of(memory(value), address_of(value), value.GetByteSize(), arg(value, 0).size)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"' + ("..." if cut else "")


@guarded
def count_summary(value):
    return f"ingot::{brand(value)[6:]} of {children_of(value)[0]}"


@guarded
def one_summary(value):
    what = brand(value)
    count, found = children_of(value)
    if what == "basic_variant":
        kind = next(found)[2]
        return f"({memory(value).unsigned(address_of(member(value, 'tag_')), 1)}) {kind.of.GetName()}"
    if what.startswith("basic_live"):
        return f"ingot::live at {block_of(value, what, memory(value)):#x}" if count else "ingot::live without a block"
    return f"ingot::{what[6:]}" if count else {"basic_box": "empty box"}.get(what, "none")


@guarded
def ref_summary(value):
    generation = member(value, "generation").GetValueAsUnsigned()
    return f"index {member(value, 'index').GetValueAsUnsigned()}, generation {generation}" if generation else "links to nothing"


def document_of(core):
    if core.GetLoadAddress() in (0, lldb.LLDB_INVALID_ADDRESS):
        return "document without memory"
    arena = member(core, "arena_")
    used = member(arena.Dereference(), "tail_") if arena.GetValueAsUnsigned() else member(core, "limit_")
    return im.Document(memory(core), member(core, "start_").GetValueAsUnsigned(), used.GetValueAsUnsigned())


def place_of(value):
    """Returns a document and a spot in it (see `Document.step`), or a text if it has no value."""
    what = brand(value)
    if what == "basic_live_value":
        return im.live_value(memory(value), address_of(value), value.GetByteSize()) or "null", ()
    if what == "document":
        owner = member(value, "core_").GetNonSyntheticValue()
        kind = owner.GetType().GetCanonicalType().GetTemplateArgumentType(0)
        at = memory(value).pointer(address_of(owner))
        return document_of(value.CreateValueFromAddress("core", at, kind)) if at else "document without memory", ()
    spot, at = (), value.GetChildMemberWithName("at_")
    if at.IsValid():
        spot = tuple(member(at, name).GetValueAsUnsigned() for name in ("position", "index", "packed"))
    if what in ("value", "value_ref", "member_ref"):
        core = member(value, "core_")
        start, document = core.GetValueAsUnsigned(), core.Dereference()
    else:
        bytes_of = member(value, "in_")
        start, document = member(bytes_of, "start").GetValueAsUnsigned(), None
    if start == 0 or spot[:1] == (0xFFFFFFFF,):
        return "absent", ()
    spot = spot if spot and spot[0] else ()
    return document_of(document) if document else im.Document(memory(value), start, member(bytes_of, "size").GetValueAsUnsigned()), spot


@guarded
def document_summary(value):
    document, spot = place_of(value)
    return document if isinstance(document, str) else document.text(*spot)


def error_text(value):
    def characters(name):
        found = member(value, name)
        return memory(value).bytes(address_of(found), found.GetByteSize())

    return ie.sentence(lambda name: member(value, name).GetValueAsUnsigned(), characters)


@guarded
def error_summary(value):
    return error_text(value)


@guarded
def expected_summary(value):
    if has_value(value):
        return "value" if expected_value(value) else "no error"
    return f"error: {error_text(found_member(value, ('_M_unex', '__unex_')))}"


@guarded
def buffer_summary(value):
    return im.buffer_text(memory(value), member(value, "data_").GetValueAsUnsigned(), member(value, "size_").GetValueAsUnsigned())


def node_summary(value, _):
    return str(node_of(value) or "")


# For each state of a process: the addresses of the constants of each view's type, by its name.
described = {}


def description_of(value):
    """Returns the address of the constant that describes the bytes of a view's type.

    Returns None if there is no constant, or if it may be the constant of another type of this name.
    All these constants have one name; the type of each constant names the type of its view.
    """
    target = value.GetTarget()
    state = value.GetProcess().GetUniqueID(), target.GetNumModules()
    if state not in described:
        described.clear()
        places = described[state] = {}
        for constant in target.FindGlobalVariables("ingot_described", 1 << 20):
            kind = constant.GetType().GetCanonicalType().GetUnqualifiedType()
            at = constant.GetLoadAddress()
            if "::view_description<" in (kind.GetName() or "") and at != lldb.LLDB_INVALID_ADDRESS:
                places.setdefault(kind.GetTemplateArgumentType(0).GetCanonicalType().GetName(), set()).add(at)
    of = value.GetType().GetCanonicalType().GetUnqualifiedType()
    while of.IsValid():
        places = sorted(described[state].get(of.GetName(), ()))
        if places:
            # each source file or function may have its own type with this name
            symbols = [target.ResolveLoadAddress(at).GetSymbol() for at in places]
            one = len({symbol.GetMangledName() for symbol in symbols}) == 1 and all(symbol.IsExternal() for symbol in symbols)
            return places[0] if one or len(places) == 1 else None
        of = of.GetDirectBaseClassAtIndex(0).GetType().GetCanonicalType()
    return None


def view_brand(value):
    of = value.GetType().GetCanonicalType().GetUnqualifiedType()
    name = of.GetName().split("<")[0]
    if name.endswith("::compact::view"):  # view of a whole message
        name = of.GetDirectBaseClassAtIndex(0).GetType().GetCanonicalType().GetName().split("<")[0]
    return ("compact::" if "::compact::" in name else "") + name.rsplit("::", 1)[-1]


@guarded
def view_summary(value):
    """Returns a view's value, or its address if the program does not describe its bytes."""

    def number(*names):
        found = value
        for name in names:
            found = member(found, name).GetNonSyntheticValue()
        while found.GetType().GetCanonicalType().IsAggregateType() and found.GetNumChildren():
            found = found.GetChildAtIndex(0).GetNonSyntheticValue()
        if found.GetError().Fail():
            raise im.Damage(found.GetError().GetCString() or "is not there")
        return found.GetValueAsUnsigned()

    what = view_brand(value)
    if what == "single_value_view":
        seen = member(value, "seen_")
        return seen.GetSummary() or seen.GetValue() or ""
    constant = description_of(value)
    if constant is not None:
        return ip.view_text(what, number, memory(value), constant)
    of = arg(value, 0).of.GetName()
    if what.startswith(("compact::", "checked_")):
        return f"view of {of}"
    if what == "list_view":
        return f"view of {number('size_')} elements of {of} at {number('first_', 'at'):#x}"
    if what == "tagged_view":
        return f"view of {of}, alternative {number('tag_')}, {number('size_')} bytes at {number('from_'):#x}"
    return f"view of {of}, fixed part at {number('at_'):#x}, tail at {number('tail_'):#x}"


class Steps:
    """The steps of a path (see ingot_paths.made).

    Values are SBValue, im.Shown, int, or a pair of a document and a spot in it.
    """

    def inside(self, value):
        """Returns what a pointer, owner or optional leads to."""
        if isinstance(value, lldb.SBValue):
            value = referenced(value)
            if value.GetType().GetCanonicalType().IsPointerType():
                return pointee(value)
            if brand(value) in HOLDERS:
                return self.held(value)
            if SMART.match(name_of(value)):
                if "optional<" in name_of(value)[:24] and value.GetNumChildren():
                    return value.GetChildAtIndex(0)
                return pointee(first_pointer(value.GetNonSyntheticValue()) or value)
        raise paths.PathError(f"a {self.name(value)} leads to no value")

    def held(self, value):
        value = raw(value)
        found = next(children_of(value)[1], None)
        if found is None:
            summary = expected_summary if brand(value) == "expected" else one_summary
            raise paths.PathError(f"there is no value: {summary.unguarded(value)}")
        return value.CreateValueFromAddress(*found[:2], found[2].of)

    def member(self, value, name):
        for _ in range(8):
            if isinstance(value, im.Shown):
                return paths.part_of(value, name, True)
            if not isinstance(value, lldb.SBValue):
                break
            value = referenced(value)
            what = brand(value)
            if value.GetType().GetCanonicalType().IsPointerType():
                value = pointee(value)
            elif is_view(value):
                return paths.part_of(im.shown(view_summary.unguarded(raw(value))), name, True)
            elif what in HOLDERS or what in ("basic_variant", "twin_variant"):
                value = self.held(value)
            elif SMART.match(name_of(value)):
                value = self.inside(value)
            else:
                found = value.GetNonSyntheticValue().GetChildMemberWithName(name)
                if found.IsValid():
                    return found
                there = value.GetNonSyntheticValue()
                is_sized = is_ours(value) and (what in DOCUMENTS or what in SEQUENCES or what in KEYED or what in ("basic_string", "basic_pool", "buffer"))
                raise paths.PathError(f"{self.name(value)} has no member {name}" + (
                    paths.ELEMENTS if is_sized else paths.among(there.GetChildAtIndex(i).GetName() for i in range(there.GetNumChildren()))))
        raise paths.PathError(f"a {self.name(value)} has no members")

    def element(self, value, key, at=False):
        if isinstance(value, im.Shown):
            return paths.part_of(value, key, False)
        if isinstance(value, tuple):
            return self.of_document(*value, key, at)
        value = referenced(value)
        if value.GetType().GetCanonicalType().IsPointerType():
            if at:
                return self.element(pointee(value), key, at)
            kind = Type(value.GetType().GetCanonicalType().GetPointeeType())
            self.check(key, 1 << 32)
            return value.CreateValueFromAddress(f"[{key.value}]", pointee(value).GetLoadAddress() + key.value * kind.size, kind.of)
        what, ours = brand(value), is_ours(value)
        if ours and what in HOLDERS:
            return self.element(self.held(value), key, at)
        if ours and what in DOCUMENTS:
            return self.of_document(*place_of(raw(value)), key, at)
        if ours and what in WHOLES:
            return paths.part_of(im.shown(WHOLES[what](raw(value))), key, False)
        if ours and what == "basic_string":
            char = arg(value, 0)
            start, count = im.text_place(memory(value), address_of(value), value.GetByteSize(), char.size)
            self.check(key, count)
            return value.CreateValueFromAddress(f"[{key.value}]", start + key.value * char.size, char.of)
        if ours and what == "basic_vector":  # also of the elements that are too many to be shown
            value = raw(value)
            count, found = children_of(value)
            self.check(key, count)
            _, first, element = next(found)
            return value.CreateValueFromAddress(f"[{key.value}]", first + key.value * element.size, element.of)
        if ours:
            value = raw(value)
            count, found = children_of(value)
            names = []
            for name, place, element in found:
                if key.is_text(name[1:-1]):
                    return value.CreateValueFromAddress(name, place, element.of)
                names += [name] if len(names) < 21 else []
            raise paths.PathError(f"there is no element [{key.word}]{paths.among(names)}")
        return self.of_children(value, key)

    def of_document(self, document, spot, key, at):
        if isinstance(document, str):
            raise paths.PathError(f"the document is {document}")
        return document, document.follow(spot, key.value, at)

    def of_children(self, value, key):
        """Finds a key or index among children as lldb's own printers show them."""
        count = min(value.GetNumChildren(), 1 << 16)
        for i in range(count):
            one = value.GetChildAtIndex(i)
            first, second = (one.GetChildMemberWithName(name) for name in ("first", "second"))
            if first.IsValid() and second.IsValid() and "map<" in (value.GetType().GetCanonicalType().GetName() or ""):
                if key.is_text(first.GetSummary() or first.GetValue() or ""):
                    return second
            elif one.GetName() == f"[{key.value}]":
                return one
        raise paths.PathError(f"there is no element [{key.word}], {count} are there")

    @staticmethod
    def check(key, count):
        if not isinstance(key.value, int) or not 0 <= key.value < count:
            raise paths.PathError(f"there is no element [{key.word}], {count} are there")

    def size(self, value):
        if isinstance(value, im.Shown):
            return len(value.parts)
        if isinstance(value, tuple):
            return 0 if isinstance(value[0], str) else value[0].elements_of(value[1])[2]
        if not isinstance(value, lldb.SBValue):
            raise paths.PathError("a number has no size")
        value = referenced(value)
        if value.GetType().GetCanonicalType().IsPointerType():
            return self.size(pointee(value))
        what = brand(value)
        if not is_ours(value):
            if not value.GetType().GetCanonicalType().IsAggregateType():
                raise paths.PathError(f"a {self.name(value)} has no size")
            return value.GetNumChildren()
        if what in HOLDERS:
            return self.size(self.held(value))
        if what in DOCUMENTS:
            return self.size(place_of(raw(value)))
        if is_view(value) and view_brand(value).endswith("list_view") or what == "buffer":
            return raw(value).GetChildMemberWithName("size_").GetValueAsUnsigned()
        if what == "basic_string":
            return im.text_place(memory(value), address_of(value), value.GetByteSize(), arg(value, 0).size)[1]
        if what in SEQUENCES or what in KEYED or what == "basic_pool":
            return children_of(raw(value))[0]
        raise paths.PathError(f"a {self.name(value)} has no size")

    @staticmethod
    def name(value):
        if isinstance(value, lldb.SBValue):
            return value.GetTypeName()
        return "value of a view" if isinstance(value, im.Shown) else "value of a document" if isinstance(value, tuple) else "number"


# Owners of the standard library: `->` leads to what they own.
SMART = re.compile(r"^std::(__\w+::)?(unique_ptr|shared_ptr|optional)<")


def name_of(value):
    return value.GetType().GetCanonicalType().GetUnqualifiedType().GetName() or ""


def first_pointer(value, level=0):
    """Returns the first pointer in a class, its bases and its classes, or None."""
    for i in range(value.GetNumChildren() if level < 10 else 0):
        child = value.GetChildAtIndex(i).GetNonSyntheticValue()
        kind = child.GetType().GetCanonicalType()
        if kind.IsPointerType():
            return child
        if kind.IsAggregateType() and (inner := first_pointer(child, level + 1)):
            return inner
    return None


def referenced(value):
    return value.Dereference() if value.GetType().GetCanonicalType().IsReferenceType() else value


def pointee(pointer):
    if pointer.GetError().Fail():
        raise paths.PathError(f"{pointer.GetName()} is not available: {pointer.GetError().GetCString()}")
    if not pointer.GetType().GetCanonicalType().IsPointerType() or pointer.GetValueAsUnsigned() == 0:
        raise paths.PathError("a null pointer leads to no value")
    return pointer.Dereference()


def is_ours(value):
    name = name_of(value)
    return name.startswith("ingot::") or brand(value) == "expected" and "ingot::" in name


def is_view(value):
    return is_ours(value) and brand(value) in VIEWS


def print_path(debugger, command, context, result, _):
    """Prints the value at a path, such as hero->equips[1].id: ingot print PATH

    A path begins with a variable. It works where an expression of C++ does not: for members of
    views (view.tags[0].name), for entries of maps by their key, and where the program has not
    compiled the operators that an expression needs.
    """
    try:
        root, steps = paths.Parser(command).steps()
        value = context.GetFrame().FindVariable(root)
        if not value.IsValid():
            value = context.GetTarget().FindFirstGlobalVariable(root)
        if not value.IsValid():
            value = context.GetFrame().GetValueForVariablePath(f"this->{root}")
        if not value.IsValid():
            raise paths.PathError(f"there is no variable {root} here")
        result.AppendMessage(path_text(command.strip(), paths.made(steps, value, Steps())))
    except (im.Damage, paths.PathError) as why:
        result.SetError(f"{why}")


def path_text(path, found):
    if isinstance(found, lldb.SBValue):
        named = found.Clone(path)
        return str(named if named.IsValid() else found)
    if isinstance(found, tuple):
        document, spot = found
        found = document if isinstance(document, str) else document.text(*spot)
    return f"{path} = {str(found).lower() if isinstance(found, bool) else found}"


# For each class: its summary; true if lldb shows children after it; true if there are children.
SUMMARIES = {
    "basic_string<": (string_summary, False, False),
    "basic_(vector|queue|pool|(multi|hash_|flat_)?(map|set))<": (count_summary, True, True),
    "(basic_(optional|box|variant|live|live_view)|detail::twin_variant)<": (one_summary, True, True),
    "basic_ref<": (ref_summary, False, False),
    "(document|value|value_ref|member_ref|document_peek|peek_value|value_view)$": (document_summary, False, True),
    "basic_live_value<": (document_summary, False, True),
    "(compact::|checked_)?(record|list|tagged)_view<": (view_summary, False, True),
    "compact::view<": (view_summary, False, True),
    "error$": (error_summary, False, True),
    "buffer$": (buffer_summary, False, True),
}
DOCUMENTS = {"basic_live_value", "document", "value", "value_ref", "member_ref", "document_peek", "peek_value", "value_view"}
VIEWS = {f"{checked}{kind}_view" for checked in ("", "checked_") for kind in ("record", "list", "tagged")} | {"view"}
HOLDERS = {"basic_optional", "basic_box", "basic_live", "basic_live_view", "expected"}
WHOLES = {
    **{name: document_summary.unguarded for name in DOCUMENTS},
    **{name: view_summary.unguarded for name in VIEWS},
    "buffer": buffer_summary.unguarded,
    # without children, because its members say nothing
    "error": lambda _: "",
}


def __lldb_init_module(debugger, _):
    def show(names, summary, expand, children, provider="Children"):
        debugger.HandleCommand(f'type summary add -w ingot{" -e" if expand else ""} -F {__name__}.{summary} -x "{names}"')
        if children:
            debugger.HandleCommand(f'type synthetic add -w ingot -l {__name__}.{provider} -x "{names}"')

    for names, (summary, expand, children) in SUMMARIES.items():
        show(f"^ingot::(v1(_reflection)?::)?{names}", summary.__name__, expand, children)
    show(r"^std::(__\w+::)?expected<.*ingot::(v1(_reflection)?::)?error ?>$", "expected_summary", True, True)
    show(NODE_TYPE, "node_summary", False, True, "Node")
    for command in ("type category enable ingot", "command container add -o -h 'Values of the library ingot.' ingot",
                    f"command script add -o -f {__name__}.print_path ingot print"):
        debugger.HandleCommand(command)
