#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each header compiles alone, without a warning.

Every header is parsed once, not once for each that includes it.

  scripts/check_headers.py [FOLDER]     the self test, then include/; builds in FOLDER, by default
                                        build/headers

Each header becomes a module of clang's, which is compiled by itself and sees the headers that it
includes, and those that these include; so does each header of the standard library. If a header
uses a name from a header that it does not include, that is an error, as in a file that includes
nothing else. This takes a tenth of the time of 300 such files. (make matrix-full compiles those,
too.) The self test plants each kind of missing include. At the end g++ reads all headers in one
file, for its warnings: once with addresses of 64 bits, and once with 32 and INGOT_HEADER_ONLY.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NARROW = ["-m32", "-idirafter", "/usr/include/x86_64-linux-gnu"] # see cmake/toolchains/m32.cmake
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
# The library's own deprecated names and hexadecimal floats are allowed in C++23. Within modules
# clang 22 warns of them nevertheless.
QUIET = ["-Wno-deprecated-declarations", "-Wno-c++17-extensions"]
INCLUDE = re.compile(r"^\s*#\s*include <([^>]+)>", re.MULTILINE)


def standard_headers(names):
    """Returns the paths at which clang finds these headers of the standard library, if they exist.

    Headers of C and of the system are left out, unless the standard library wraps them.
    """
    text = "".join(f"#if __has_include(<{name}>)\n#include <{name}>\n#endif\n" for name in names)
    done = subprocess.run(["clang++-22", "-std=c++23", "-M", "-x", "c++", "-"], input=text, capture_output=True, text=True, check=True)
    found = {}
    for path in re.findall(r"\S*/c\+\+/\S+", done.stdout):
        name = re.sub(r"^.*/c\+\+/[^/]+/", "", path)
        if name in names:
            found[name] = path
    return found


def cycles(includes):
    """Returns groups of headers that include each other.

    A group is in the order in which it can be read: first the header that the others begin with.
    """
    def reach(start):
        seen, todo = set(), [start]
        while todo:
            for other in includes[todo.pop()]:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    reached = {header: reach(header) for header in includes}
    groups = {frozenset(other for other in reached[header] if header in reached[other]) for header in includes}
    # The include that closes a cycle is the last thing in its file.
    return [sorted(group, key=lambda header: -includes_position(header, group)) for group in groups if group]


positions = {}


def includes_position(header, group):
    return max((at for name, at in positions[header] if name in group), default=0)


def problems(include, folder):
    """Returns clang's messages about the headers below `include`; empty if there are none."""
    # Programs read the definitions in compiled/ only with INGOT_HEADER_ONLY, as g++ does below.
    headers = sorted(str(path.relative_to(include)) for path in include.rglob("*.hpp") if path.parent.name != "compiled")
    texts = {header: (include / header).read_text() for header in headers}
    for header in headers:
        positions[header] = [(found[1], found.start()) for found in INCLUDE.finditer(texts[header]) if "/compiled/" not in found[1]]
    includes = {header: [name for name, _ in positions[header] if name in texts] for header in headers}
    foreign = {name for header in headers for name, _ in positions[header] if name not in texts}

    modules = ["module standard [system] {"]
    modules += [f'  module "{name}" {{ header "{path}" export * }}' for name, path in sorted(standard_headers(foreign).items())]
    modules += ["}"]
    grouped = cycles(includes)
    for group in grouped + [[header] for header in headers if not any(header in group for group in grouped)]:
        listed = " ".join(f'header "{include / header}"' for header in group)
        modules.append(f'module "{group[0]}" {{ {listed} export * }}')
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "headers.modulemap").write_text("\n".join(modules) + "\n")
    (folder / "every_header.cpp").write_text("".join(f"#include <{header}>\n" for header in headers))

    command = ["clang++-22", "-std=c++23", "-fsyntax-only", *WARNINGS, *QUIET, f"-I{include}"]
    compiled = subprocess.run(
        [*command, "-fmodules", "-fno-implicit-module-maps", f"-fmodule-map-file={folder / 'headers.modulemap'}",
         f"-fmodules-cache-path={folder / 'modules'}", str(folder / "every_header.cpp")], capture_output=True, text=True)
    found = compiled.stdout + compiled.stderr if compiled.returncode else ""
    for group in grouped: # two headers in one module see each other
        found += "".join(alone(include, header) for header in group)
    return found


def alone(include, header):
    compiled = subprocess.run(["clang++-22", "-std=c++23", "-fsyntax-only", *WARNINGS, f"-I{include}", "-x", "c++", "-"],
                              input=f"#include <{header}>\n", capture_output=True, text=True)
    return compiled.stdout + compiled.stderr if compiled.returncode else ""


def one_at_a_time(include):
    return "".join(alone(include, path.relative_to(include)) for path in sorted(include.rglob("*.hpp")))


SOUND = {
    "box.hpp": "#pragma once\n#include <vector>\nstruct box { std::vector<int> content; };\n",
    "name.hpp": "#pragma once\n#include <string>\nstruct name { std::string text; };\n",
    "boxes.hpp": "#pragma once\n#include <box.hpp>\n#include <name.hpp>\n#include <optional>\n"
                 "struct boxes { box one; name two; std::string text; std::optional<int> three; };\n",
    "head.hpp": "#pragma once\n#include <box.hpp>\nstruct head { box content; };\n#include <tail.hpp>\n",
    "tail.hpp": "#pragma once\n#include <head.hpp>\nstruct tail { head before; };\n",
}
# A header, the text that is removed or inserted, and the word that clang's message must contain.
PLANTED = [
    ("boxes.hpp", "#include <optional>\n", "", "optional"),
    ("boxes.hpp", "#include <name.hpp>\n", "", "name"),
    ("box.hpp", "#include <vector>", "#include <string>", "vector"),
    ("name.hpp", "struct name {", "struct name { box other;", "box"),
    ("name.hpp", "struct name {", "template <class T> auto sum(const T& t) { return std::accumulate(t.begin(), t.end(), 0); }\nstruct name {", "accumulate"),
    ("box.hpp", "struct box {", "inline short cut(int wide) { return wide; }\nstruct box {", "-Wimplicit-int-conversion"),
    ("tail.hpp", "#include <head.hpp>", "", "head"),
    ("head.hpp", "#include <box.hpp>", "", "box"),
]


def self_test():
    wrong = []
    for header, old, new, said in [("box.hpp", "", "", "")] + PLANTED:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "include").mkdir()
            for other, text in SOUND.items():
                changed = text.replace(old, new) if other == header else text
                assert not old or other != header or changed != text
                (folder / "include" / other).write_text(changed)
            found = problems(folder / "include", folder / "built")
            if (said not in found or not found) if said else found:
                wrong.append(f"self test: {header} with `{new}` for `{old}` is judged wrongly\n{found}")
    return "\n".join(wrong)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", nargs="?", default=ROOT / "build" / "headers", type=pathlib.Path)
    folder = options.parse_args().folder.resolve()
    shutil.rmtree(folder / "modules", ignore_errors=True)
    wrong = self_test()
    if not wrong:
        wrong = problems(ROOT / "include", folder)
        if wrong: # modules are young: what they complain of is asked the slow way
            print(f"as modules:\n{wrong}\nand one at a time:", flush=True)
            wrong = one_at_a_time(ROOT / "include")
    for form in [], [*NARROW, "-DINGOT_HEADER_ONLY"]:
        if not wrong:
            compiled = subprocess.run(["g++", "-std=c++23", "-fsyntax-only", *form, *WARNINGS, f"-I{ROOT / 'include'}",
                                       str(folder / "every_header.cpp")], capture_output=True, text=True)
            wrong = compiled.stdout + compiled.stderr if compiled.returncode else ""
    print(wrong or f"{len(list((ROOT / 'include').rglob('*.hpp')))} headers compile alone, without a warning")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
