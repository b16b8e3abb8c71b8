# SPDX-License-Identifier: Apache-2.0
"""Prints a value that the Python reader found.

The header of the same name in tests/readers describes the text form, and prints values that the
library found.
"""
import struct

from material import ingot

NOTHING = type(None)
ABSENT = type(ingot.ABSENT)


def text(value):
    try:
        raw = value.encode()
    except UnicodeEncodeError:
        raw = value.encode("utf-8", "surrogatepass")
    return b'"%d:%s' % (len(raw), raw)


def real(value):
    return b"fnan," if value != value else b"f" + struct.pack("<d", value).hex().encode()


def value_text(value):
    """Returns the text as bytes. Does not recurse, since values may have any depth."""
    out = []
    left = [value]
    while left:
        each = left.pop()
        kind = type(each)
        if kind is _Said:
            out.append(each.raw)
        elif kind is int:
            out.append(b"%d," % each)
        elif kind is str:
            out.append(text(each))
        elif isinstance(each, float):  # also one of 32 bits
            out.append(real(each))
        elif kind is bool:
            out.append(b"T" if each else b"F")
        elif kind is NOTHING:
            out.append(b"~")
        elif kind is ABSENT:
            out.append(b"-")
        elif kind is list or kind is tuple or kind is ingot.Ref:
            out.append(b"[")
            left.append(END)
            left.extend(reversed(each))
        elif kind is ingot.Record:
            named(ingot.Record.items(each), out, left)
        elif kind is dict:
            out.append(b"[")
            left.append(END)
            left.extend(reversed(list(each.items())))
        elif kind is ingot.Enumerator:
            name = b"" if each.name is None else b"=" + each.name.encode("utf-8", "surrogatepass")
            out.append(b"e%d%s," % (int(each), name))
        elif kind is ingot.Duration:
            out.append(b"d%d/%d:" % (each.numerator, each.denominator))
            left.append(each.count)
        elif kind is ingot.TimePoint:
            out.append(b"t")
            left.append(each.since_epoch)
        elif kind is ingot.Variant:
            out.append(b"V%d," % each.index)
            left.append(each.value)
        elif kind is ingot.Expected:
            out.append(b"X0," if each.has_value else b"X1,")
            left.append(each.value)
        elif isinstance(each, complex):
            out.append(b"c" + real(each.real) + real(each.imag))
        elif kind is bytes:
            out.append(b"b%d:%s" % (len(each), each))
        elif kind is ingot.Pool:
            out.append(b"[")
            left.append(END)
            left.extend(reversed(list(each.values())))
        elif hasattr(each, "tolist"):  # a view of numbers
            left.append(each.tolist())
        else:
            raise TypeError(f"no text for {kind}")
    return b"".join(out)


class _Said:
    """Text that follows the text of other values."""

    def __init__(self, raw):
        self.raw = raw


END = _Said(b"]")
LAST = _Said(b")")


def named(items, out, left):
    out.append(b"(")
    left.append(LAST)
    for name, value in reversed(list(items)):
        left.append(value)
        left.append(_Said(text(name) + b"="))
