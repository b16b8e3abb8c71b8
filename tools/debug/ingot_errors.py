# SPDX-License-Identifier: Apache-2.0
"""The sentence of an ingot::error, as `message()` of include/ingot/core/error.hpp writes it.

The printers for gdb and lldb share this module, because they call nothing in the program. The texts
are from ingot_error_texts.py.
"""
from ingot_error_texts import TEXTS
from ingot_memory import Damage

SIZES = {"path_": 120, "expected_": 80, "found_": 64}


def sentence(number, characters):
    """Returns the sentence of an error.

    `number("offset_")` returns the number in the member `offset_`, and `characters("path_")`
    the bytes of the member `path_`.
    """
    code, line, column, begin = (number(name) for name in ("code_", "line_", "column_", "path_begin_"))
    texts = {name: characters(name) for name in SIZES}
    if code >= len(TEXTS) or begin > SIZES["path_"]:
        raise Damage("no error")
    path = decoded(texts["path_"][begin : SIZES["path_"]])
    # An inline_text is its characters, and then their number.
    expected, found = (decoded(texts[name][: texts[name][SIZES[name]]]) for name in ("expected_", "found_"))
    code, text, usual = TEXTS[code]
    text += f" at line {line}, column {column}" if line else f" at byte {number('offset_')}"
    text += f" ({path})" if path else ""
    text += f": expected {expected}" if expected else ""
    text += (", " if expected else ": ") + f"found {found}" if found else ""
    todo = advice(code, usual, line, expected, found)
    return text + (f"; {todo}" if todo else "")


def decoded(data):
    return data.decode("utf-8", "backslashreplace")


def advice(code, usual, line, expected, found):
    """The function `advice` of the header, statement by statement."""
    names_tags = line or expected.startswith(("the tag ", "one key of ", "an object with ")) or expected == "value or error"
    if code == "bad_variant" and names_tags:
        return "use one of these tags, and only one"
    if code == "missing_member":
        if found or expected == "a value that exists":
            return "check the path"
        if expected.endswith(", the tag of the variant") or expected == 'the key "$version"':
            return "add it"
        if line and expected.startswith("the key "):
            return "add it, annotate the member with default_value, or read with missing_keys::use_defaults"
    if expected in ("an existing member", "an index of the container", "an object or an array on the path"):
        return "check the path"
    if code == "io" and expected in ("a file that can be read", "a folder to save to"):
        return "check the path (a relative path begins in the working directory) and the permissions"
    if line:
        if code == "truncated":
            return "the text was cut short"
        if code == "trailing_bytes":
            return "pass only the text of the value"
        if code == "bad_length":
            return "correct the text"
    if code == "bad_length" and expected.startswith("as many elements as the "):
        return "correct the value"
    if code == "bad_enum" and expected.startswith("a kind of "):
        return "the bytes are damaged, or a later version of the library wrote them"
    is_of_flags = expected.startswith("a combination of ") or expected == "the name of a flag"
    if code == "bad_enum" and is_of_flags:
        return "correct the value, or annotate the enum ingot::open_enum if every number is a value"
    if code == "unknown_enumerator":
        if is_of_flags and not found.startswith("the key "):
            return "write a name, an array of names, or the number of a combination"
        if is_of_flags or found[:1] not in list("-0123456789"):
            return "use one of the enum's names"
    return usual
