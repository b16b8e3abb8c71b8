#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every public header, compiled as C++20, stops with one error that demands C++23.

So does one header of each layer as C++17. clang continues without an error, so one header of two
layers is tested with it.

  older_standard.py INCLUDE_FOLDER -- COMPILER OPTION...
"""
import pathlib
import subprocess
import sys


def complaint(header, standard, include, command):
    """Returns what is wrong with the errors for `header`, or None."""
    done = subprocess.run([*command, f"-std={standard}", f"-I{include}", "-x", "c++", "-"], input=f"#include <{header}>\n", capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    if done.returncode == 0 or len(errors) != 1 or "ingot needs C++23: compile with -std=c++23 or later" not in errors[0]:
        return f"{header} as {standard}: not the one sentence:\n{done.stderr[:2000]}"
    return None


def main():
    include = pathlib.Path(sys.argv[1])
    command = sys.argv[sys.argv.index("--") + 1:]
    headers = sorted(str(path.relative_to(include)) for path in include.glob("ingot/**/*.hpp") if "detail" not in path.parts)
    assert len(headers) > 100, headers
    layers = {header.split("/")[1]: header for header in headers}
    if "clang" in command[0]:
        headers, layers = [layers["reflect"]], {"core": layers["core"]}
    cases = [(header, "c++20") for header in headers] + [(header, "c++17") for header in layers.values()]
    failures = [why for case in cases if (why := complaint(*case, include, command))]
    print("\n".join(failures) or f"{len(cases)} cases, one sentence each")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
