#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the pages of docs/ show is what is compiled and run: each ```cpp block of docs/NAME.md, where there is a tests/pages/NAME.cpp, is a run of lines of
that file, word for word but for the indentation, or this fails."""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent


def shows(block, lines):
    """Whether `block`, dedented, is a run of `lines`, whatever they are indented by as a whole."""
    wanted = block.splitlines()
    for at in range(len(lines) - len(wanted) + 1):
        if lines[at].strip() == wanted[0].strip():
            run = textwrap.dedent("\n".join(lines[at : at + len(wanted)])).splitlines()
            if [line.rstrip() for line in run] == [line.rstrip() for line in wanted]:
                return True
    return False


def main():
    failures, seen = 0, 0
    for source in sorted((ROOT / "tests/pages").glob("*.cpp")):
        page = ROOT / "docs" / f"{source.stem}.md"
        lines = source.read_text().splitlines()
        for block in re.findall(r"(?ms)^```cpp\n(.*?)^```$", page.read_text()):
            seen += 1
            if not shows(textwrap.dedent(block), lines):
                failures += 1
                print(f"{page.relative_to(ROOT)}: not in {source.relative_to(ROOT)}:\n{textwrap.indent(block, '    ')}")
    if seen < 10:
        sys.exit(f"check_pages: only {seen} pieces of code in the pages: where are the others?")
    print(f"check_pages: {seen - failures} of {seen} pieces of code are compiled and run")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
