#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tools/debug/ingot_error_texts.py, from which debuggers show errors: a table of the texts
of include/ingot/core/error.hpp.

Usage: scripts/generate_error_texts.py [--check]
--check exits with 1 when the file in the tree is not what this script writes.

The functions that choose and join the texts (`message`, `advice` and `names_tags`) are written a
second time, in tools/debug/ingot_errors.py. The file has a checksum of these functions, so --check
fails after a change of them: then change ingot_errors.py, too, and run this script.
"""
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE, TARGET = ROOT / "include/ingot/core/error.hpp", ROOT / "tools/debug/ingot_error_texts.py"


def between(text, begin, end):
    start = text.index(begin)
    return text[start : text.index(end, start)]


def texts_of(header):
    """Returns (name, advice) of each code, in the order of their numbers."""
    table = between(header, "errc_texts{{", "}};")
    rows = re.findall(r'\{("(?:[^"\\]|\\.)*"),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\}', table)
    texts = [tuple("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', cell)).replace('\\"', '"') for cell in row) for row in rows]
    codes = re.findall(r"^  (\w+),", between(header, "enum class errc", "};"), re.MULTILINE)
    if len(texts) != len(codes):
        sys.exit(f"{SOURCE}: {len(codes)} codes and {len(texts)} texts were found")
    return list(zip(codes, *zip(*texts)))


def checksum(header):
    functions = (between(header, f" {name}() const", "\n  }") for name in ("message", "advice", "names_tags"))
    return hashlib.sha256("".join(re.sub(r"\s+|//.*", "", one) for one in functions).encode()).hexdigest()[:16]


def main():
    header = SOURCE.read_text()
    lines = ["# SPDX-License-Identifier: Apache-2.0", "# Written by scripts/generate_error_texts.py: do not edit.",
             '"""The name in the program, the name and the advice of each error code."""', f'FUNCTIONS = "{checksum(header)}"', "TEXTS = ("]
    lines += [f"    ({code!r}, {name!r}, {advice!r})," for code, name, advice in texts_of(header)]
    made = "\n".join([*lines, ")", ""])
    if sys.argv[1:] == ["--check"]:
        if not TARGET.is_file() or TARGET.read_text() != made:
            sys.exit(f"{TARGET.relative_to(ROOT)} is not what scripts/generate_error_texts.py writes: read its docstring")
    else:
        TARGET.write_text(made)


if __name__ == "__main__":
    main()
