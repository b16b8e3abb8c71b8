#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks tests/selection.txt, which says where test files are compiled, and its checks.

tests/selection.cmake reads the table at each configuration, and rejects a wrong one. This script
also checks that the legs of the table are those of the gate of scripts/matrix. It plants each kind
of mistake in a copy of the table.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/selection.txt"
# Legs without test files of their own.
OTHER_LEGS = {"fuzz", "headers", "abi", "layouts"}

# The beginning of a row, the text that replaces the row, and a part of the error message.
MISTAKES = [
    ("pack/* ", "pack/no_such_test | test | A reason.\npack/* ", "no test file is called pack/no_such_test"),
    ("pack/unpack_test  ", "pack/{unpack,no_such}_test  ", "no test file is called pack/no_such_test"),
    ("optimised | live/{all_containers,", "optimised | live/{no_such,", "no test file is called live/no_such_test"),
    ("live/arena_test ", "live/arena_test | test | \n#", "with none of them empty"),
    ("live/arena_test ", "live/arena_test | | A reason.\n#", "with none of them empty"),
    ("live/arena_test ", "live/arena_test | single | A reason.\n#", "live/arena_test: it runs nowhere in the gate"),
    ("live/arena_test ", "live/arena_test | tsan | A reason.\n#", "tsan is not a leg whose files have rows"),
    ("live/arena_test ", "live/arena_test | asn | A reason.\n#", "asn is not a leg whose files have rows"),
    ("live/arena_test ", "live/arena_test | full test | A reason.\n#", "full is not a leg whose files have rows"),
    ("core/* ", "core/sink_test | test | A reason.\ncore/* ", "core/sink_test: rows below it decide"),
    ("reflect/* ", "# ", "reflect/names_test: no row says where it is compiled"),
]


def check(table):
    """Returns sentences about mistakes in a table; none if it is correct."""
    done = subprocess.run(["cmake", f"-DTABLE={table}", "-P", ROOT / "tests/selection.cmake"], capture_output=True, text=True)
    return "" if done.returncode == 0 else " ".join(done.stderr.split())


def main():
    text = TABLE.read_text()
    failures = []
    sentences = check(TABLE)
    if sentences:
        failures.append(sentences)
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    named = {path for row in rows if not re.match("(full|only|optimised) ", row) for path in row.split("|")[1].split()}
    gate = re.search(r"^GATE = \[(.*?)\]", (ROOT / "scripts/matrix").read_text(), re.M | re.S)[1]
    legs = set(re.findall(r'"([^"]+)"', gate)) - OTHER_LEGS
    if named - {"test", "single", "full"} != legs:
        failures.append(f"tests/selection.txt has the legs {sorted(named)}, and the gate of scripts/matrix {sorted(legs)}")
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "selection.txt"
        for old, new, sentence in MISTAKES:
            if "\n" + old not in text:
                failures.append(f"there is no row {old.strip()} to make a mistake in")
                continue
            copy.write_text(text.replace("\n" + old, "\n" + new, 1))
            said = check(copy)
            if sentence not in said:
                failures.append(f"{new.splitlines()[0]!r} should be refused ({sentence}): {said or 'nothing was said'}")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
