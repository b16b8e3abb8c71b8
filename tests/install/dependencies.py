#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make install` installs the packages that the libraries and the tool are built with.

It installs no others: no contender and no input of the demo. `make test` installs no second
compiler and no tool of lint, unless INGOT_LINT asks for them.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = {"g++", "cmake", "ninja-build", "libsimdjson-dev", "libxxhash-dev", "liblz4-dev", "libzstd-dev", "libcli11-dev"}


def main():
    rule = re.search(r"^install: *(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE).group(1)
    if rule != "deps-install":
        sys.exit(f"make install depends on `{rule}`, and not on deps-install alone")
    listed = subprocess.run([ROOT / "scripts/install-deps", "--list"], capture_output=True, text=True, check=True).stdout
    group = {line.split()[1] for line in listed.splitlines() if line.startswith("install ")}
    tools = [line.split()[1] for line in listed.splitlines() if line.startswith("test ") and "clang" in line.split()[1]]
    if tools:
        sys.exit(f"the group test has {tools}: they are for lint")
    for asked, wanted in ((), False), (("INGOT_LINT=0",), False), (("INGOT_LINT=1",), True):
        planned = subprocess.run(["make", "--dry-run", "test", *asked], cwd=ROOT, capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin"}).stdout
        if ("install-deps lint" in planned) != wanted:
            sys.exit(f"make test {' '.join(asked)}: installs lint's tools: {not wanted}")
    if group != NEEDED:
        sys.exit(f"the group install: not needed: {sorted(group - NEEDED)}, missing: {sorted(NEEDED - group)}")


if __name__ == "__main__":
    main()
