# SPDX-License-Identifier: Apache-2.0
"""Values in Python.

Integers, characters and bytes are ``int``, text is ``str``, sequences, sets and arrays are lists.
Arrays of numbers are ``memoryview`` or, where numpy is installed, ``numpy.ndarray``. Maps are
``dict``, or a list of pairs where keys may repeat or can't be hashed. Optionals are None or the
value; an optional of an optional, or of a value of any kind, is None or a list of one.
"""
from __future__ import annotations

import datetime
import fractions
import math
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

try:
    import numpy as _numpy
except ImportError:  # memoryview does what is needed
    _numpy = None


class _Absent:
    """A member that the bytes don't have.

    It had its default and was left out, or the writer's type was older and had no such member.
    """

    _only: _Absent | None = None

    def __new__(cls) -> _Absent:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


#: Stands for a member that was left out: the schema does not say what its default is.
ABSENT = _Absent()


class Enumerator(int):
    """The number of an enumerator; ``name`` is None for numbers that have none."""

    name: str | None

    def __new__(cls, value: int, name: str | None) -> Enumerator:
        instance = super().__new__(cls, value)
        instance.name = name
        return instance

    def __repr__(self) -> str:
        return f"{self.name}({int(self)})" if self.name is not None else f"({int(self)})"

    __str__ = __repr__

    def __reduce__(self) -> tuple:
        return Enumerator, (int(self), self.name)


class Duration(NamedTuple):
    """``count`` periods of ``numerator / denominator`` seconds."""

    count: int | float
    numerator: int
    denominator: int

    @property
    def seconds(self) -> float:
        return self.count * self.numerator / self.denominator

    def timedelta(self) -> datetime.timedelta:
        """The same time in Python's type, rounded down to its microseconds.

        Raises OverflowError beyond what the type holds, 999,999,999 days.
        """
        micros = fractions.Fraction(self.count) * self.numerator * 1_000_000 / self.denominator
        return datetime.timedelta(microseconds=math.floor(micros))


class TimePoint(NamedTuple):
    """A time, as the duration since the epoch of a clock that the bytes don't name."""

    since_epoch: Duration

    def datetime(self) -> datetime.datetime:
        """The date and time in UTC, if the clock is the system's: it counts from 1970.

        Rounded down to a microsecond. Raises OverflowError outside of the years 1 to 9999.
        """
        return datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + self.since_epoch.timedelta()


def shortest(value: float) -> float:
    """Returns the float of the fewest digits that read back as a float of 32 bits.

    The value must be one that 32 bits hold: 0.10000000149011612 becomes 0.1.
    """
    if value - value != 0 or value == 0:
        return value
    raw = struct.pack("<f", value)
    # Below the smallest normal float, a number of 6 digits may have a shorter form.
    for digits in range(6 if abs(value) >= 2.0**-126 else 1, 10):
        found = float(f"{value:.{digits}g}")
        if struct.pack("<f", found) == raw:
            return found
    return value  # not reached: 9 digits are enough


class Single(float):
    """A float of 32 bits: its text has the digits that a float of 32 bits needs."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(shortest(float(self)))


class SingleComplex(complex):
    """A complex number of two floats of 32 bits."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(complex(*parts_of(self)))


def floating(value: float, width: int) -> float:
    """Returns a float of this many bytes."""
    return Single(value) if width == 4 else value


def parts_of(value: complex) -> list[float]:
    """Returns the real and the imaginary part."""
    parts = [value.real, value.imag]
    return [shortest(each) for each in parts] if isinstance(value, SingleComplex) else parts


def numbers_of(view: Any) -> list[Any]:
    """Returns a view of numbers as a list, floats of 32 bits by their fewest digits."""
    is_single = view.format == "f" if isinstance(view, memoryview) else view.dtype.str[1:] == "f4"
    return [shortest(each) for each in view.tolist()] if is_single else view.tolist()


class Variant(NamedTuple):
    """The alternative that a variant holds; ``tag`` is its key in text and documents.

    If ``tag_key`` is not empty, JSON has the tag under this key, as a member of the value.
    """

    index: int
    value: Any
    tag: str
    tag_key: str = ""


class Expected(NamedTuple):
    """A value, or an error where has_value is False."""

    has_value: bool
    value: Any


class Ref(NamedTuple):
    """A link to an object of a pool; generation 0 links to nothing."""

    index: int
    generation: int


def shown(value: Any) -> str:
    """Returns the text of a value for people: as repr(), but views of numbers as lists.

    repr() of a memoryview is an address.
    """
    if isinstance(value, memoryview):
        return repr(numbers_of(value)) if len(value) <= 100 else f"[{', '.join(map(repr, numbers_of(value[:100])))}, ... {len(value)} numbers]"
    kind = type(value)
    if kind is list:
        return f"[{', '.join(map(shown, value))}]"
    if kind is tuple:
        return f"({', '.join(map(shown, value))}{',' if len(value) == 1 else ''})"
    if kind is dict or kind is Pool:
        return "{" + ", ".join(f"{shown(key)}: {shown(each)}" for key, each in value.items()) + "}"
    if kind is Variant or kind is Expected:
        fields = ((name, each) for name, each in zip(value._fields, value) if name != "tag_key" or each)
        return f"{kind.__name__}({', '.join(f'{name}={shown(each)}' for name, each in fields)})"
    return repr(value)


class _Method:
    """A method of Record that gives way to a member of the same name."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._name = function.__name__
        self.__doc__ = function.__doc__

    def __get__(self, record: Record | None, of: type) -> Any:
        if record is None:
            return self._function
        if self._name in record._names:
            return record[self._name]
        return self._function.__get__(record, of)


class Record:
    """A record: ``record["name"]``, ``record.name``, or by position ``record[0]``.

    Iterates over values as tuples do. A member has its name also if a method has the same name:
    ``Record.items(record)`` is the method in any case. ``version`` is the type's, if JSON has it as
    ``$version``.
    """

    __slots__ = ("_names", "_values", "_type", "_version")

    def __init__(self, names: list[str], values: list[Any], type_name: str = "", version: int | None = None) -> None:
        self._names = names
        self._values = values
        self._type = type_name
        self._version = version

    def __getitem__(self, which: str | int) -> Any:
        if isinstance(which, str):
            try:
                return self._values[self._names.index(which)]
            except ValueError:
                raise KeyError(which) from None
        return self._values[which]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    @_Method
    def keys(self) -> tuple[str, ...]:
        """Names of the members, in their order."""
        return tuple(self._names)

    @_Method
    def items(self) -> Iterator[tuple[str, Any]]:
        """Names and values."""
        return zip(self._names, self._values)

    @_Method
    def to_dict(self) -> dict[str, Any]:
        """Returns the record as a dict of plain values; see ``ingot.to_dict``."""
        return to_dict(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Record):
            return self._names == other._names and self._values == other._values
        if isinstance(other, dict):
            return dict(zip(self._names, self._values)) == other
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self._type or 'record'}({', '.join(f'{name}={shown(value)}' for name, value in zip(self._names, self._values))})"


class Pool(dict):
    """The objects of a pool by (index, generation): what a Ref finds."""


def json_members(record: Record | Ref) -> list[tuple[str, Any]]:
    """Returns the members of a record in JSON, with the version if no other member has it."""
    if isinstance(record, Ref):
        return list(record._asdict().items())
    version = [] if record._version is None else [("$version", record._version)]
    return version + [(name, each) for name, each in Record.items(record) if each is not ABSENT]


def _plain_key(key: Any) -> Any:
    """Returns a key of a map as a key of a dict of plain values, or None if it can't be one."""
    if isinstance(key, Enumerator):
        return int(key) if key.name is None else key.name
    return key if isinstance(key, (int, str)) and not isinstance(key, bool) else None


def _children(value: Any) -> tuple[list[Any] | None, list[Any]]:
    """Returns the names (None for a list) and the parts of a value that has parts."""
    if isinstance(value, Record):
        members = json_members(value)
        return [name for name, _ in members], [each for _, each in members]
    if isinstance(value, Variant):
        if value.tag_key:
            members = [(value.tag_key, value.tag), *json_members(value.value)]
            return [name for name, _ in members], [each for _, each in members]
        return [value.tag], [value.value]
    if isinstance(value, Expected):
        return ["value" if value.has_value else "error"], [value.value]
    if isinstance(value, Ref):
        return list(value._fields), list(value)
    if isinstance(value, Pool):
        return None, list(value.values())
    if isinstance(value, dict):
        names = [_plain_key(key) for key in value]
        if None not in names and len(set(map(str, names))) == len(names):
            return names, list(value.values())
        return None, [list(pair) for pair in value.items()]
    return None, list(value)


def to_dict(value: Any) -> Any:
    """Returns a value as dicts, lists and scalars of Python, such as the module json writes.

    Records are dicts without the members that are ABSENT, enumerators their names, variants a dict
    with the tag, times their counts, views of numbers lists, pools lists, and floats of 32 bits the
    float of their digits: the forms of ``ingot.to_json``. Bytes in it stay bytes.
    ``json.dumps(value, default=ingot.to_dict)`` writes records inside lists and dicts. Depth takes
    no depth of Python's stack.
    """
    if isinstance(value, (bytes, bytearray)):
        raise TypeError("bytes are no dict, and have no form in JSON: see ingot.to_json(binary=...)")
    whole: list[Any] = [None]
    left: list[tuple[Any, Any, Any]] = [(value, whole, 0)]
    while left:
        each, into, at = left.pop()
        while isinstance(each, (TimePoint, Duration)):
            each = each.since_epoch if isinstance(each, TimePoint) else each.count
        if hasattr(each, "tolist"):  # a view of numbers
            into[at] = numbers_of(each)
        elif isinstance(each, Single):
            into[at] = shortest(float(each))
        elif isinstance(each, Enumerator):
            into[at] = int(each) if each.name is None else each.name
        elif isinstance(each, complex):
            into[at] = parts_of(each)
        elif each is ABSENT:
            into[at] = None
        elif isinstance(each, (Record, list, tuple, dict)):
            names, parts = _children(each)
            made: Any = [None] * len(parts) if names is None else dict.fromkeys(names)
            into[at] = made
            left.extend((part, made, name) for name, part in zip(range(len(parts)) if names is None else names, parts))
        else:
            into[at] = each
    return whole[0]


_NUMPY = {"b": "i1", "B": "u1", "h": "i2", "H": "u2", "i": "i4", "I": "u4", "q": "i8", "Q": "u8", "f": "f4", "d": "f8"}


def scalars(data: memoryview, code: str, big_endian: bool = False) -> Any:
    """Returns a view of numbers of one kind; code is that of the module struct.

    Nothing is copied unless the machine has the other byte order.
    """
    if _numpy is not None:
        return _numpy.frombuffer(data, dtype=(">" if big_endian else "<") + _NUMPY[code])
    if (sys.byteorder == "big") != big_endian and struct.calcsize(code) > 1:
        count = len(data) // struct.calcsize("=" + code)
        return memoryview(struct.pack(f"={count}{code}", *struct.unpack(f"{'>' if big_endian else '<'}{count}{code}", data))).cast(code)
    return data.cast(code)


def text(data: bytes | memoryview, width: int, big_endian: bool = False) -> str | bytes:
    """Returns text of code units of this width.

    Ill-formed parts become surrogates, as Python's ``surrogateescape`` (one byte) and
    ``surrogatepass`` have it; text of 32-bit characters that no str can hold stays bytes.
    """
    if width == 1:
        return str(data, "utf-8", "surrogateescape")
    try:
        return str(data, f"utf-{8 * width}-{'be' if big_endian else 'le'}", "surrogatepass")
    except UnicodeDecodeError:
        return bytes(data)


def units(value: str | bytes, width: int) -> bytes:
    """The bytes, little-endian, that ``text`` made a value of."""
    if isinstance(value, bytes):
        return value
    return value.encode("utf-8", "surrogateescape") if width == 1 else value.encode(f"utf-{8 * width}-le", "surrogatepass")


def mapping(keys: list[Any], values: list[Any], repeated: bool) -> dict[Any, Any] | list[tuple[Any, Any]]:
    """A dict where that loses nothing, else pairs."""
    if not repeated and all(isinstance(key, (int, float, str, bytes, complex)) for key in keys):
        instance = dict(zip(keys, values))
        if len(instance) == len(keys):
            return instance
    return list(zip(keys, values))
