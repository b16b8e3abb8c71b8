# SPDX-License-Identifier: Apache-2.0
"""JSON of values, in the forms that docs/json.md gives for each type."""
from __future__ import annotations

import base64
import json
from typing import Any

from .values import ABSENT, Duration, Enumerator, Expected, Pool, Record, Ref, TimePoint, Variant, json_members, numbers_of, parts_of


class _Text(str):
    """JSON that is complete already, on the stack of what is to be written."""


def _key(key: Any) -> str | None:
    """Returns the text of a key of a map, or None if objects can't have it."""
    if isinstance(key, Enumerator):
        return str(int(key)) if key.name is None else key.name
    if isinstance(key, bool) or not isinstance(key, (int, str)):
        return None
    return str(key)


class _Writer:
    def __init__(self, non_finite: str, binary: str, invalid_text: str) -> None:
        self.non_finite = non_finite
        self.binary = binary
        self.invalid_text = invalid_text

    def string(self, value: str) -> str:
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            if self.invalid_text != "replace":
                raise ValueError("text that is not UTF-8: see invalid_text") from None
            value = "".join("\ufffd" if "\ud800" <= each <= "\udfff" else each for each in value)
        return json.dumps(value, ensure_ascii=False)

    def number(self, value: float) -> str:
        if value - value == 0:
            return repr(value)
        if self.non_finite == "null":
            return "null"
        if self.non_finite != "strings":
            raise ValueError(f"JSON has no {value}: see non_finite")
        return '"NaN"' if value != value else '"Infinity"' if value > 0 else '"-Infinity"'

    def data(self, value: bytes) -> str:
        if self.binary != "base64":
            raise ValueError("JSON has no bytes: see binary")
        return '"' + base64.b64encode(value).decode() + '"'

    def array(self, values: Any) -> list[Any]:
        parts: list[Any] = [_Text("[")]
        for number, value in enumerate(values):
            parts += [_Text(","), value] if number else [value]
        return [*parts, _Text("]")]

    def object(self, members: Any) -> list[Any]:
        parts: list[Any] = [_Text("{")]
        for number, (name, value) in enumerate(members):
            parts += [_Text(("," if number else "") + self.string(name) + ":"), value]
        return [*parts, _Text("}")]

    def mapping(self, value: dict) -> list[Any]:
        names = [_key(key) for key in value]
        if None in names or len(set(names)) != len(names):
            return self.array([[key, each] for key, each in value.items()])
        return self.object(zip(names, value.values()))

    def step(self, value: Any) -> str | list[Any]:
        """Returns the JSON of a value, or the parts that it consists of."""
        if hasattr(value, "tolist"):  # a view of numbers
            value = numbers_of(value)
        if value is None or value is ABSENT:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, Enumerator):
            return str(int(value)) if value.name is None else self.string(value.name)
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            return self.number(value)
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, (bytes, bytearray)):
            return self.data(bytes(value))
        if isinstance(value, Record):
            return self.object(json_members(value))
        if isinstance(value, TimePoint):
            return [value.since_epoch]
        if isinstance(value, Duration):
            return [value.count]
        if isinstance(value, Variant):
            if value.tag_key:
                return self.object([(value.tag_key, value.tag), *json_members(value.value)])
            return self.object([(value.tag, value.value)])
        if isinstance(value, Expected):
            return self.object([("value" if value.has_value else "error", value.value)])
        if isinstance(value, Ref):
            return self.object(value._asdict().items())
        if isinstance(value, Pool):
            return self.array(value.values())
        if isinstance(value, dict):
            return self.mapping(value)
        if isinstance(value, complex):
            return self.array(parts_of(value))
        if isinstance(value, (list, tuple)):
            return self.array(value)
        raise TypeError(f"no value of ingot's: {type(value).__name__}")


def to_json(value: Any, *, non_finite: str = "error", binary: str = "error", invalid_text: str = "error") -> str:
    """Returns a value as JSON on one line.

    Members that are ABSENT are left out. What JSON can't represent is a ValueError, unless an
    option allows it: ``non_finite="null"`` or ``"strings"``, ``binary="base64"``,
    ``invalid_text="replace"`` (by U+FFFD). Depth takes no depth of Python's stack.
    """
    writer = _Writer(non_finite, binary, invalid_text)
    done: list[str] = []
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, _Text):
            done.append(each)
            continue
        written = writer.step(each)
        if isinstance(written, str):
            done.append(written)
        else:
            left.extend(reversed(written))
    return "".join(done)
