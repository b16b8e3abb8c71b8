# SPDX-License-Identifier: Apache-2.0
"""Compares the value that the Python reader found with the one that `ingot get --json` prints.

JSON has fewer types: in JSON bytes are Base64, bits are text, and infinities are words. So both
values are walked together, and the form in JSON decides how the Python value is compared.
"""
import base64
import re

from material import ingot
from ingot.values import Single, numbers_of, parts_of

#: Text that becomes one U+FFFD or several: writers differ in the number of ill-formed units that
#: one U+FFFD replaces.
ILL_FORMED = re.compile("[\ud800-\udfff\ufffd]+")
ENDLESS = {float("inf"): "Infinity", float("-inf"): "-Infinity"}


def differing(shown, value):
    """Returns the first difference and its path, or None.

    Walks without recursion: values may have any depth.
    """
    left = [((), shown, value)]
    while left:
        path, shown, value = left.pop()
        found = step(path, shown, value, left)
        if found is not None:
            return f"{'.'.join(map(str, path)) or '.'}: the tool has {found[0]!r}, Python {found[1]!r}"
    return None


def text_of(value):
    """Returns the form that a text has in JSON."""
    if isinstance(value, bytes):  # 32-bit characters that no str can hold
        units = [int.from_bytes(value[at : at + 4], "little") for at in range(0, len(value), 4)]
        value = "".join("\ufffd" if unit > 0x10FFFF else chr(unit) for unit in units)
    return ILL_FORMED.sub("\ufffd", value)


def bytes_in(text):
    """Returns the bytes of Base64, or None if the text is no Base64."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def elements(path, shown, values, left):
    if not isinstance(shown, list) or len(shown) != len(values):
        return shown, values
    left.extend(((*path, number), one, other) for number, (one, other) in enumerate(zip(shown, values)))
    return None


def members(path, shown, names_and_values, left):
    """Compares a record. JSON may lack members without a value."""
    if not isinstance(shown, dict):
        return shown, names_and_values
    shown = {ILL_FORMED.sub("\ufffd", key): each for key, each in shown.items()}
    seen = set()
    for name, value in names_and_values:
        name = text_of(name)
        if name in seen:
            continue  # an object has each key once, the first
        seen.add(name)
        if name in shown:
            left.append(((*path, name), shown[name], value))
        elif value is not None and value is not ingot.ABSENT:
            return f"no {name}", value
    return None if set(shown) <= seen else (shown, names_and_values)


def key_of(key):
    """Returns a key as text, as keys of objects are: also an integer or enumerator."""
    if isinstance(key, ingot.Enumerator):
        return str(int(key)) if key.name is None else key.name
    return str(key) if isinstance(key, int) else text_of(key)


def entries(path, shown, pairs, left):
    """A map is an object if its keys are text, integers or enumerators, else a list of pairs."""
    if isinstance(shown, list):
        return elements(path, shown, [list(pair) for pair in pairs], left)
    keys = [key_of(key) for key, _ in pairs if isinstance(key, (str, bytes, int))]
    if len(keys) != len(pairs):
        return shown, pairs
    if len(set(keys)) != len(keys):
        return None  # keys that differ in what is ill-formed in them: JSON can't hold both
    if isinstance(shown, dict) and {ILL_FORMED.sub("\ufffd", key) for key in shown} != set(keys):
        return shown, pairs
    return members(path, shown, list(zip(keys, [value for _, value in pairs])), left)


def with_version(shown, record):
    """Returns names and values, with the version if JSON shows it; documents don't have it."""
    is_shown = record._version is not None and isinstance(shown, dict) and "$version" in shown
    return [*([("$version", record._version)] if is_shown else []), *zip(ingot.Record.keys(record), record)]


def step(path, shown, value, left):
    if hasattr(value, "tolist"):
        value = numbers_of(value)
    if isinstance(value, ingot.Record):
        return members(path, shown, with_version(shown, value), left)
    if isinstance(value, ingot.Ref):
        return members(path, shown, list(value._asdict().items()), left)
    if isinstance(value, ingot.Enumerator):
        return None if shown == (int(value) if value.name is None else value.name) else (shown, value)
    if isinstance(value, ingot.TimePoint):
        value = value.since_epoch
    if isinstance(value, ingot.Duration):
        value = value.count
    if isinstance(value, (ingot.Variant, ingot.Expected)):
        key = value.tag if isinstance(value, ingot.Variant) else "value" if value.has_value else "error"
        if isinstance(shown, dict) and getattr(value, "tag_key", "") and isinstance(shown.get(value.tag_key), str):
            return members(path, shown, [(value.tag_key, value.tag), *with_version(shown, value.value)], left)
        return members(path, shown, [(key, value.value)], left) if isinstance(shown, dict) and set(shown) == {key} else (shown, value)
    if isinstance(value, ingot.Pool):
        return elements(path, shown, list(value.values()), left)
    if isinstance(value, dict):
        return entries(path, shown, list(value.items()), left)
    if isinstance(value, complex):
        return elements(path, shown, parts_of(value), left)
    if isinstance(shown, str) and isinstance(value, list):  # bits, or bytes one by one
        if all(isinstance(each, bool) for each in value) and set(shown) <= {"0", "1"}:
            text = "".join("01"[each] for each in reversed(value))
            return None if shown == text else (shown, value)
        text = bytes(each & 255 for each in value).rstrip(b"\0")  # an array of characters
        return None if ILL_FORMED.sub("\ufffd", shown) == text_of(str(text, "utf-8", "surrogateescape")) else (shown, value)
    # Python has a list of entries and no dict if two text keys differ only in bytes that are not
    # UTF-8.
    if isinstance(shown, dict) and isinstance(value, list):
        return entries(path, shown, value, left)
    if isinstance(value, (list, tuple)):
        return elements(path, shown, value, left)
    if isinstance(value, bytes) and isinstance(shown, str):
        if bytes_in(shown) == value:
            return None
        return None if ILL_FORMED.sub("\ufffd", shown) == text_of(value) else (shown, value)
    if isinstance(value, str):
        return None if isinstance(shown, str) and ILL_FORMED.sub("\ufffd", shown) == text_of(value) else (shown, value)
    if isinstance(value, float) and isinstance(shown, str):
        return None if shown == ENDLESS.get(value, "NaN") and (value in ENDLESS or value != value) else (shown, value)
    # Many readers of JSON keep only 53 bits.
    if isinstance(value, int) and isinstance(shown, str) and abs(value) > 1 << 53:
        value = str(value)
    if isinstance(value, Single):
        value = float(repr(value))  # a float of 32 bits has its fewest digits
    # Floats are compared as text, too: -0.0 is not 0.0.
    same = type(shown) is type(value) and shown == value and (not isinstance(value, float) or str(shown) == str(value))
    return None if same else (shown, value)
