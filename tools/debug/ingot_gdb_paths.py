# SPDX-License-Identifier: Apache-2.0
"""Operators of ingot's classes for gdb's expressions, and the command `ingot print`.

gdb calls a method that is defined here ("xmethod") instead of the program's. So `print *hero` and
`print hero->equips[1].id` work in programs that never use these operators, in programs where the
compiler inlined them, and in core dumps.
"""
import itertools
import re

import gdb
import gdb.xmethod
import ingot_gdb_printers as ig
import ingot_memory as im
import ingot_paths as paths

HOLDERS = (ig.Live, ig.Optional, ig.Box, ig.Expected)
COUNTED = (ig.Sequence, ig.Pool, ig.Keyed)
SIZED = (*COUNTED, ig.String, ig.Document, ig.Buffer)
REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
# Owners of the standard library: `->` leads to what they own.
SMART = re.compile(r"^std::(__\w+::)?(unique_ptr|shared_ptr|optional)<")
# gdb prints a std::vector by the printer of the standard library. To follow a path, this limits
# the number of children that are looked at.
MOST_CHILDREN = 1 << 16


class Steps:
    """The steps of a path (see ingot_paths.made). Values are gdb.Value, im.Shown, int or bool."""

    def inside(self, value):
        """Returns what a pointer, reference, owner or optional leads to."""
        value = direct(value)
        if isinstance(value, gdb.Value):
            if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
                return pointee(value)
            printer = gdb.default_visualizer(value)
            if isinstance(printer, HOLDERS):
                found = dict(printer.children())
                if "damaged" in found:
                    raise im.Damage(found["damaged"])
                if not found:
                    raise paths.PathError(f"there is no value: {printer.to_string()}")
                return next(iter(found.values()))
            if printer is not None and not isinstance(printer, ig.Printer) and (found := list(itertools.islice(children(printer), 2))):
                found = found[0][1]
                return pointee(found) if found.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else found
        raise paths.PathError(f"a {self.name(value)} leads to no value")

    def member(self, value, name):
        for _ in range(8):
            value = direct(value)
            if isinstance(value, im.Shown):
                return paths.part_of(value, name, True)
            kind = value.type.strip_typedefs()
            if kind.code == gdb.TYPE_CODE_PTR:
                value = pointee(value)
                continue
            printer = ig.find_printer(value)
            if isinstance(printer, ig.PackedView):
                return paths.part_of(im.shown(printer.shown()), name, True)
            if isinstance(printer, HOLDERS):
                value = self.inside(value)
            elif isinstance(printer, ig.Variant):
                value = printer.chosen()[1]
            elif SMART.match(kind.name or ""):
                value = self.inside(value)
            elif kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
                break
            else:
                try:
                    return value[name]
                except gdb.error:
                    hint = paths.ELEMENTS if isinstance(printer, SIZED) else paths.among(field.name for field in kind.fields())
                    raise paths.PathError(f"{self.name(value)} has no member {name}{hint}") from None
        raise paths.PathError(f"a {self.name(value)} has no members")

    def element(self, value, key, at=False):
        value = direct(value)
        if isinstance(value, im.Shown):
            return paths.part_of(value, key, False)
        kind = value.type.strip_typedefs()
        if kind.code == gdb.TYPE_CODE_PTR:
            return self.element(pointee(value), key, at) if at else pointee(value + key.value if isinstance(key.value, int) else value)
        if kind.code == gdb.TYPE_CODE_ARRAY and isinstance(key.value, int):
            first, last = kind.range()
            if not first <= key.value <= last:
                raise paths.PathError(f"there is no element [{key.value}], the array has {last + 1}")
            return value[key.value]
        printer = ig.find_printer(value)
        if isinstance(printer, HOLDERS):
            return self.element(self.inside(value), key, at)
        if isinstance(printer, ig.Document):
            return self.of_document(value, printer, key, at)
        if isinstance(printer, ig.Whole):
            return paths.part_of(im.shown(printer.shown()), key, False)
        if isinstance(printer, ig.String):
            start, count = im.text_place(ig.memory(), ig.address_of(value), printer.type.sizeof, printer.arg(0).size)
            self.check(key, count)
            return ig.at_address(start + key.value * printer.arg(0).size, printer.arg(0))
        if isinstance(printer, ig.Vector):  # also of the elements that are too many to be shown
            count, found = printer.walk()
            self.check(key, count)
            first = ig.address_of(next(found)[1])
            return ig.at_address(first + key.value * printer.arg(0).size, printer.arg(0))
        if isinstance(printer, COUNTED):
            return self.of_children(children(printer), key, printer.walk()[0])
        printer = gdb.default_visualizer(value)
        if printer is None or not hasattr(printer, "children"):
            raise paths.PathError(f"a {self.name(value)} has no elements")
        return self.of_children(children(printer), key, keyed=getattr(printer, "display_hint", str)() == "map")

    def of_document(self, value, printer, key, at):
        document, spot = printer.where()
        if isinstance(document, str):
            raise paths.PathError(f"the document is {document}")
        spot = document.follow(spot, key.value, at)
        kind = value.type.strip_typedefs().unqualified()
        # With an address, gdb can apply the next operator of the expression.
        placed = ig.at_address(im.shown(document.text(*spot)).at, ig.Type(kind))
        ig.places[int(placed.address), kind.name] = document, spot
        return placed

    def of_children(self, found, key, count=None, keyed=False):
        """Finds a key or index among children as printers name them.

        If `keyed`, they are a key, its value, and so on: those of the standard library.
        """
        waiting, names = None, []
        for name, value in itertools.islice(found, 2 * MOST_CHILDREN):
            if name.endswith(".key") or waiting is None and keyed:
                waiting = value
                continue
            if waiting is not None:
                if key.is_text(text_of(waiting)):
                    return value
                if len(names) < 21:
                    names.append(f"[{text_of(waiting)}]")
                waiting = None
            elif name == f"[{key.value}]" or key.is_text(name[1:-1]):
                return value
        hint = paths.among(names) if names else "" if count is None else f", {count} are there"
        raise paths.PathError(f"there is no element [{key.word}]{hint}")

    @staticmethod
    def check(key, count):
        if not isinstance(key.value, int) or not 0 <= key.value < count:
            raise paths.PathError(f"there is no element [{key.word}], {count} are there")

    def size(self, value):
        value = direct(value)
        if isinstance(value, im.Shown):
            return len(value.parts)
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
            return self.size(pointee(value))
        printer = ig.find_printer(value)
        if isinstance(printer, HOLDERS):
            return self.size(self.inside(value))
        if isinstance(printer, ig.Document):
            document, spot = printer.where()
            return 0 if isinstance(document, str) else document.elements_of(spot)[2]
        if isinstance(printer, ig.PackedView):
            if printer.brand().endswith("list_view"):
                return printer.number("size_")
        elif isinstance(printer, ig.Buffer):
            return int(value["size_"])
        elif isinstance(printer, ig.String):
            return im.text_place(ig.memory(), ig.address_of(value), printer.type.sizeof, printer.arg(0).size)[1]
        elif isinstance(printer, COUNTED):
            return printer.walk()[0]
        elif (printer := gdb.default_visualizer(value)) is not None and hasattr(printer, "children"):
            found = sum(1 for _ in itertools.islice(children(printer), 2 * MOST_CHILDREN))
            return found // 2 if getattr(printer, "display_hint", str)() == "map" else found
        raise paths.PathError(f"a {self.name(value)} has no size")

    @staticmethod
    def name(value):
        return str(value.type) if isinstance(value, gdb.Value) else "value of a view" if isinstance(value, im.Shown) else "number"


def children(printer):
    for name, value in printer.children():
        if name == "damaged":
            raise im.Damage(str(value))
        yield str(name), value


def pointee(pointer):
    if int(pointer) == 0:
        raise paths.PathError("a null pointer leads to no value")
    return pointer.dereference()


def direct(value):
    """Returns what a reference refers to; the Shown of a value that is in no memory."""
    while isinstance(value, gdb.Value):
        code = value.type.strip_typedefs().code
        if code not in REFERENCES:
            return ig.node_of(value) or value
        value = value.referenced_value()
    return value


def text_of(value):
    value = direct(value)
    return value.format_string(max_elements=200) if isinstance(value, gdb.Value) else str(value)


def key_of(value):
    """Returns the Key that an argument of an operator means."""
    value = direct(value)
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY or kind.code == gdb.TYPE_CODE_PTR:
        text = value.string(errors="replace")
        return paths.Key(text, f'"{text}"')
    if kind.code == gdb.TYPE_CODE_FLT:
        return paths.Key(float(value), str(value))
    if kind.code == gdb.TYPE_CODE_STRUCT:
        printer = gdb.default_visualizer(value)
        text = printer.to_string() if printer else str(value)
        text = text if isinstance(text, str) else text.value().string()
        return paths.Key(text, f'"{text}"')
    if kind.code == gdb.TYPE_CODE_ENUM:
        return paths.Key(str(value), str(value))
    return paths.Key(int(value), str(int(value)))


class Method(gdb.xmethod.XMethodWorker):
    """One method of one class. `arguments` are its types."""

    def __init__(self, name, *arguments):
        self.name, self.arguments = name, arguments

    def get_arg_types(self):
        return list(self.arguments) or None

    def get_result_type(self, *given):
        return self(*given).type

    def __call__(self, this, *given):
        value = direct(this)
        if isinstance(value, gdb.Value) and value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
            value = direct(value.dereference())
        steps = Steps()
        try:
            if self.name in ("operator*", "operator->"):
                found = steps.inside(value)
                return as_value(found).address if self.name == "operator->" else as_value(found)
            if self.name == "size":
                return gdb.Value(steps.size(value))
            if self.name == "empty":
                return gdb.Value(steps.size(value) == 0)
            return as_value(steps.element(value, key_of(given[0]), self.name == "at"))
        except (im.Damage, paths.PathError) as why:
            raise gdb.GdbError(f"{why}") from None


def as_value(found):
    return ig.node(found) if isinstance(found, im.Shown) else found


def argument_types(printer, kind, name):
    """Returns the type of the argument of [] or at() of a class, in each of its forms."""
    text, number = gdb.lookup_type("char").const().pointer(), gdb.lookup_type("unsigned long")
    if issubclass(printer, ig.Document):
        return [text, number] if name != "at" else [text]
    if issubclass(printer, ig.Keyed):
        if not printer.mapped:
            return []
        key = kind.template_argument(0).strip_typedefs()
        return [text] if key.code == gdb.TYPE_CODE_STRUCT else [key]
    if issubclass(printer, (ig.Sequence, ig.String)) or issubclass(printer, ig.PackedView) and "list_view" in kind.name or printer is ig.Buffer:
        return [number]
    return []


class Matcher(gdb.xmethod.XMethodMatcher):
    def __init__(self):
        super().__init__("ingot")
        self.methods = [gdb.xmethod.XMethod(name) for name in ("operator*", "operator->", "operator[]", "at", "size", "empty")]

    def match(self, kind, name):
        if not any(one.name == name and one.enabled for one in self.methods):
            return None
        kind = kind.strip_typedefs().unqualified()
        printer = ig.printer_of(kind.name or "")
        if printer is None:
            return None
        if name in ("operator*", "operator->"):
            return Method(name) if issubclass(printer, HOLDERS) else None
        if name in ("size", "empty"):
            return Method(name) if issubclass(printer, SIZED) or issubclass(printer, ig.PackedView) and "list_view" in kind.name else None
        return [Method(name, argument) for argument in argument_types(printer, kind, name)] or None


gdb.xmethod.register_xmethod_matcher(None, Matcher(), True)


class Ingot(gdb.Command):
    """Commands for values of the library ingot."""

    def __init__(self):
        super().__init__("ingot", gdb.COMMAND_DATA, prefix=True)


class Print(gdb.Command):
    """Prints the value at a path, such as hero->equips[1].id.

ingot print PATH

A path begins with a variable. It works where an expression of C++ does not: for members of views
(view.tags[0].name), for entries of maps by their key, and at any level of optimisation."""

    def __init__(self):
        super().__init__("ingot print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        try:
            root, steps = paths.Parser(argument).steps()
            found = paths.made(steps, gdb.parse_and_eval(root), Steps())
            if isinstance(found, gdb.Value) and ig.node_of(found) is None:
                gdb.set_convenience_variable("_", found)
            print(shown(found))
        except (im.Damage, paths.PathError, gdb.error) as why:
            raise gdb.GdbError(f"{why}") from None


def shown(found):
    if isinstance(found, bool):
        return "true" if found else "false"
    return text_of(found) if isinstance(found, gdb.Value) else str(found)


Ingot()
Print()
