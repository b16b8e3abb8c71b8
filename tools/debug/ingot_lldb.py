# SPDX-License-Identifier: Apache-2.0
"""Values of ingot's live blocks and documents in lldb.

`command script import ingot_lldb.py` in ~/.lldbinit (docs/debugging.md).
"""
import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(os.path.realpath(__file__))))
import ingot_memory as im  # noqa: E402
import ingot_packed as ip  # noqa: E402

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


def raw(value):
    found = value.GetNonSyntheticValue()
    # A twin variant derives from the variant, and adds the names of another type's alternatives.
    if brand(found) == "twin_variant":
        found = found.GetChildAtIndex(0).GetNonSyntheticValue()
    return found


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


def block_of(value, what, reading):
    if what == "basic_live_view":
        return reading.pointer(address_of(member(value, "bytes_")))
    return member(member(value, "memory_"), "start_").GetValueAsUnsigned()


def key_name(value, at, key, index):
    shown = value.CreateValueFromAddress("key", at, key.of)
    return shown.GetSummary() or shown.GetValue() or str(index)


class Children:
    def __init__(self, value, _):
        self.value = raw(value)
        self.found = []

    def update(self):
        self.found = []
        try:
            for one in children_of(self.value)[1]:
                if len(self.found) == SHOWN:
                    break
                self.found.append(one)
        except im.Damage:
            pass  # the summary has the message; the elements before the error are shown
        return False

    def num_children(self, most=SHOWN):
        return len(self.found)

    def has_children(self):
        return bool(self.found)

    def get_child_index(self, name):
        return next((i for i, one in enumerate(self.found) if one[0] == name), -1)

    def get_child_at_index(self, index):
        if not 0 <= index < len(self.found):
            return None
        name, at, kind = self.found[index]
        return self.value.CreateValueFromAddress(name, at, kind.of)


def guarded(summary):
    def told(value, _):
        try:
            return summary(raw(value))
        except im.Damage as why:
            return f"<damaged: {why}>"

    told.__name__ = summary.__name__
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


def document_text(core, *place):
    if core.GetLoadAddress() in (0, lldb.LLDB_INVALID_ADDRESS):
        return "document without memory"
    arena = member(core, "arena_")
    used = member(arena.Dereference(), "tail_") if arena.GetValueAsUnsigned() else member(core, "limit_")
    start = member(core, "start_").GetValueAsUnsigned()
    return im.Document(memory(core), start, used.GetValueAsUnsigned()).text(*place)


@guarded
def document_summary(value):
    owner = member(value, "core_")
    kind = owner.GetNonSyntheticValue().GetType().GetCanonicalType().GetTemplateArgumentType(0)
    at = memory(value).pointer(address_of(owner.GetNonSyntheticValue()))
    return document_text(value.CreateValueFromAddress("core", at, kind)) if at else "document without memory"


@guarded
def value_summary(value):
    core, at = member(value, "core_"), member(value, "at_")
    place = member(at, "position").GetValueAsUnsigned()
    if core.GetValueAsUnsigned() == 0 or place == 0xFFFFFFFF:
        return "absent"
    return document_text(core.Dereference(), place, member(at, "index").GetValueAsUnsigned(), member(at, "packed").GetValueAsUnsigned())


@guarded
def peek_summary(value):
    bytes_of = member(value, "in_")
    start, size = member(bytes_of, "start").GetValueAsUnsigned(), member(bytes_of, "size").GetValueAsUnsigned()
    place = ()
    at = value.GetChildMemberWithName("at_")
    if at.IsValid():
        place = tuple(member(at, name).GetValueAsUnsigned() for name in ("position", "index", "packed"))
    if start == 0 or place[:1] == (0xFFFFFFFF,):
        return "absent"
    return im.Document(memory(value), start, size).text(*place)


@guarded
def live_value_summary(value):
    return im.live_value(memory(value), address_of(value), value.GetByteSize())


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
            found = raw(member(found, name))
        while found.GetType().GetCanonicalType().IsAggregateType() and found.GetNumChildren():
            found = raw(found.GetChildAtIndex(0))
        if found.GetError().Fail():
            raise im.Damage(found.GetError().GetCString() or "is not there")
        return found.GetValueAsUnsigned()

    what = view_brand(value)
    if what == "single_value_view":
        seen = member(value, "seen_")
        return seen.GetSummary() or seen.GetValue()
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


SUMMARIES = {
    "basic_string<": string_summary,
    "basic_(vector|queue|pool|(multi|hash_|flat_)?(map|set))<": count_summary,
    "(basic_(optional|box|variant|live|live_view)|detail::twin_variant)<": one_summary,
    "basic_ref<": ref_summary,
    "document$": document_summary,
    "(value|value_ref|member_ref)$": value_summary,
    "(document_peek|peek_value|value_view)$": peek_summary,
    "basic_live_value<": live_value_summary,
    "(compact::|checked_)?(record|list|tagged)_view<": view_summary,
    "compact::view<": view_summary,
}


def __lldb_init_module(debugger, _):
    def run(command):
        debugger.HandleCommand(command)

    for names, summary in SUMMARIES.items():
        children = " -e" if "basic_(" in names else ""
        run(f'type summary add -w ingot{children} -F {__name__}.{summary.__name__} -x "^ingot::(v1(_reflection)?::)?{names}"')
    for names in list(SUMMARIES)[1:3]:
        run(f'type synthetic add -w ingot -l {__name__}.Children -x "^ingot::(v1(_reflection)?::)?{names}"')
    run("type category enable ingot")
