#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the example bytes of docs/format.md with tests/golden.

Each block ```hex NAME is that golden's bytes.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
page = (root / "docs/format.md").read_text()
examples = re.findall(r"```hex (\w+)\n(.*?)```", page, re.S)
if len(examples) < 3:
    sys.exit("docs/format.md: no examples found; are the blocks still marked ```hex NAME?")
for name, shown in examples:
    golden = root / "tests/golden" / f"{name}.hex"
    lines = [line for line in golden.read_text().splitlines() if not line.startswith("#")]
    if shown.split() != " ".join(lines).split():
        sys.exit(f"docs/format.md: the bytes of {name} are not those of {golden.relative_to(root)}")
print(f"{len(examples)} examples of docs/format.md are the golden bytes")
