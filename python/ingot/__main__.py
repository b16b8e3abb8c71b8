# SPDX-License-Identifier: Apache-2.0
"""Shows what is in files: ``python -m ingot FILE...``.

Prints the kind of each file and its value as JSON. The exit code is 0 if all files are whole, 1 if
one is damaged or can't be shown, 3 if one can't be read.
"""
from __future__ import annotations

import argparse
import re
import sys

from . import FormatError, to_json
from .file import Log, Opened
from .file import open_any as open_file

#: Characters that a terminal may obey: controls, and marks of direction.
_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def _printable(text: str) -> str:
    return _OBEYED.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _json(value: object) -> str:
    """Returns a value as JSON on one line, whatever is in it."""
    return _printable(to_json(value, non_finite="strings", binary="base64", invalid_text="replace"))


def _indented(text: str) -> str:
    """Lays out JSON that is on one line, with two spaces a level."""
    out: list[str] = []
    depth = 0
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|[\[{][\]}]|[\[\]{},:]|[^\[\]{},:"]+', text):
        if token in ("[", "{"):
            depth += 1
            out.append(token + "\n" + "  " * depth)
        elif token in ("]", "}"):
            depth -= 1
            out.append("\n" + "  " * depth + token)
        elif token == ",":
            out.append(",\n" + "  " * depth)
        else:
            out.append(": " if token == ":" else token)
    return "".join(out)


def _show(name: str, found: Opened, as_json: bool) -> int:
    if not as_json:
        print(f"{_printable(name)}: {found.kind}")
    if isinstance(found, Log):
        if found.schema is None:
            print(f"{len(found.value)} records; the file does not describe their type")
            return 1
        for record in found.value:
            print(_json(record))
        if found.lost:
            print(f"{_printable(name)}: {found.lost} bytes after the last whole record", file=sys.stderr)
            return 1
        return 0
    value = found.value
    if found.schema is value and value is not None or found.kind == "patch":
        print(_printable(repr(value)))
    else:
        print(_json(value) if as_json else _indented(_json(value)))
    return 0


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m ingot", description="Shows what is in files of ingot's: the kind, and the value as JSON.")
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print only values, a line each")
    options = parser.parse_args(words)
    worst = 0
    for name in options.files:
        try:
            found = open_file(sys.stdin.buffer.read() if name == "-" else name)
            worst = max(worst, _show(name, found, options.json))
        except FormatError as error:
            print(f"{_printable(name)}: {_printable(str(error))}", file=sys.stderr)
            worst = max(worst, 1)
        except OSError as error:
            print(f"{_printable(name)}: {error.strerror}", file=sys.stderr)
            worst = max(worst, 3)
    return worst


if __name__ == "__main__":
    sys.exit(main())
