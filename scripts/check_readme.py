#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails unless the README shows examples/first.cpp word for word.

That file is compiled and run as a test.
"""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
marker = "// [readme]\n"
shown = (root / "examples/first.cpp").read_text().split(marker)
if len(shown) != 3:
    sys.exit("examples/first.cpp: the part for the README stands between two lines `// [readme]`")
if "```cpp\n" + shown[1] + "```\n" not in (root / "README.md").read_text():
    sys.exit("README.md does not show the marked part of examples/first.cpp: copy it there between ```cpp and ```")
