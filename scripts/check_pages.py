#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the code on pages with code that is compiled and run.

Fails unless each piece of C++ in the README and on a page of docs/ is a run of lines of the page's
source, word for word but for the indentation, and each piece of CMake is one of a project below
tests/install/.

The source of docs/NAME.md is tests/pages/NAME.cpp, unless SOURCES has another. If a piece begins
with lines of #include, these lines are in the source, too, at any position. A page with C++ shows
the lines that a reader has to add to a project first: an #include of ingot's, find_package or
FetchContent, and target_link_libraries with every library that the shown headers need. In CMake, a
comment at a line's end and the address of an archive may differ from the project's.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = {
    "README.md": ["examples/first.cpp", "tests/pages/start.cpp"],
    "docs/index.md": ["tests/pages/live.cpp", "examples/first.cpp"],
    "docs/evolution.md": ["tests/pack/evolution_page_test.cpp"],
    "docs/compile.md": ["tests/file/compile_test.cpp", "tests/install/find_package/game.cpp"],
    "docs/document-reference.md": ["tests/pages/document.cpp"],
    "docs/file.md": ["tests/file/page_test.cpp"],
    "docs/file-reference.md": ["tests/file/page_test.cpp"],
    "docs/loading.md": ["tests/file/page_test.cpp"],
}


def shows(block, lines):
    """Returns true if `block`, dedented, is a run of `lines`, whatever their common indentation."""
    wanted = block.splitlines()
    for at in range(len(lines) - len(wanted) + 1):
        if lines[at].strip() == wanted[0].strip():
            run = textwrap.dedent("\n".join(lines[at : at + len(wanted)])).splitlines()
            if [line.rstrip() for line in run] == [line.rstrip() for line in wanted]:
                return True
    return False


def shows_cpp(block, lines):
    """As `shows`, but for the includes at the beginning."""
    there = {line.strip() for line in lines}
    rest = textwrap.dedent(block).splitlines()
    while rest and (rest[0].startswith("#include") or not rest[0].strip()):
        include = re.sub(r"\s+//.*", "", rest.pop(0)).strip()
        if include and include not in there:
            return False
    return not rest or shows("\n".join(rest), lines)


def shows_cmake(block, text):
    """Returns true if each command of the block is in the project. Targets may have other names."""
    plain = re.sub(r"\s*#.*", "", re.sub(r"URL [^\s)]+", "URL ${INGOT_ARCHIVE} DOWNLOAD_EXTRACT_TIMESTAMP TRUE", block))
    return all(re.search(r"^\s*" + re.escape(line.strip()).replace(r"\(app\ ", r"\(\w+\ ") + "$", text, re.MULTILINE)
               for line in plain.splitlines() if line.strip())


def without_setup(page):
    """Returns the parts of a project's setup that a page with C++ needs and does not show."""
    if not (shown := "".join(blocks(page, "cpp"))):
        return []
    cmake = "".join(blocks(page, "cmake"))
    layers = set(re.findall(r"^#include <ingot/(\w+)[/.]", shown, re.MULTILINE))
    linked = set(re.findall(r"ingot::(\w+)", " ".join(re.findall(r"target_link_libraries\(.*?\)", cmake))))
    absent = [] if layers else ["an #include of ingot's"]
    absent += [] if re.search(r"^(find_package|FetchContent_Declare)\(ingot ", cmake, re.MULTILINE) else ["find_package(ingot REQUIRED)"]
    absent += [] if linked else ["target_link_libraries"]
    return absent + [f"target_link_libraries with ingot::{layer}" for layer in ("json", "file") if layer in layers and layer not in linked]


def blocks(page, language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", page)


def unchecked_peers(page):
    """Returns sentences for rows without a check, and for files that are not there."""
    tables = [re.findall(r"(?m)^\| (?!-)(?:\*\*)?([^|*]+?)(?:\*\*)? \|", part) for part in page.split("## How to check the table")]
    if len(tables) != 2 or not tables[0]:
        return ["has no table of peers, or does not say how to check it"]
    below = page.split("## How to check the table")[1].split("\n## ")[0]
    wrong = [f"does not say how to check {peer}" for peer in tables[0] if peer not in tables[1]]
    wrong += [f"has {path}, which is not there" for path in re.findall(r"`(bench/[\w/]+\.\w+)`", below) if not (ROOT / path).exists()]
    return wrong + [f"has the workload {name}, which is not there" for name in re.findall(r"`bench/run (\w+)", below) if not (ROOT / "bench" / name).is_dir()]


def self_test():
    source = ["#include <a.hpp>", "", "void f() {", "  int a = 1; // one", "  g(a);", "}"]
    assert shows_cpp("int a = 1; // one\ng(a);\n", source) and shows_cpp("#include <a.hpp> // for a\n\ng(a);\n", source)
    assert not shows_cpp("int a = 2; // one\ng(a);\n", source) and not shows_cpp("#include <b.hpp>\n\ng(a);\n", source)
    assert not shows_cpp("int a = 1; // one\n", ["int a = 1;"]) and not shows_cpp("g(a);\nint a = 1; // one\n", source)
    project = "FetchContent_Declare(ingot URL ${INGOT_ARCHIVE} DOWNLOAD_EXTRACT_TIMESTAMP TRUE)\ntarget_link_libraries(consumer PRIVATE ingot::ingot)\n"
    assert shows_cmake("FetchContent_Declare(ingot URL https://x) # or\ntarget_link_libraries(app PRIVATE ingot::ingot)\n", project)
    assert not shows_cmake("FetchContent_Declare(ingot URL https://x)\ntarget_link_libraries(app PRIVATE ingot)\n", project)
    page = "```cmake\nfind_package(ingot REQUIRED)\ntarget_link_libraries(app PRIVATE ingot::json)\n```\n```cpp\n#include <ingot/json/json.hpp>\n```\n"
    assert not without_setup(page) and not without_setup("no code") and len(without_setup("```cpp\ng(a);\n```\n")) == 3
    peers = "| | a |\n|---|---|\n| **x** | b |\n\n## How to check the table\n\n| x | `bench/run text`: `bench/text/main.cpp` |\n"
    assert unchecked_peers(peers) == [] and unchecked_peers(peers.replace("**x**", "y")) == ["does not say how to check y"]
    assert len(unchecked_peers(peers.replace("text", "none"))) == 2 and len(unchecked_peers("")) == 1
    assert without_setup(page.replace("::json", "::ingot")) == ["target_link_libraries with ingot::json"]
    assert without_setup(page.replace("#include", "// include")) == ["an #include of ingot's"]
    assert without_setup(page.replace("find_package", "find_packages")) == ["find_package(ingot REQUIRED)"]


def main():
    self_test()
    failures, seen = 0, 0
    projects = "\n".join(path.read_text() for path in sorted((ROOT / "tests/install").rglob("*.cmake")) + sorted((ROOT / "tests/install").rglob("CMakeLists.txt")))
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        name = str(page.relative_to(ROOT))
        text = page.read_text()
        sources = [ROOT / source for source in SOURCES.get(name, [f"tests/pages/{page.stem}.cpp"])]
        lines = [source.read_text().splitlines() for source in sources if source.exists()]
        for block in blocks(text, "cpp"):
            seen += 1
            if not any(shows_cpp(block, source) for source in lines):
                failures += 1
                print(f"{name}: not in {' or '.join(str(source.relative_to(ROOT)) for source in sources)}:\n{textwrap.indent(block, '    ')}")
        for absent in without_setup(text):
            failures += 1
            print(f"{name}: shows C++, but not {absent}")
        for sentence in unchecked_peers(text) if name == "docs/peers.md" else []:
            failures += 1
            print(f"{name}: {sentence}")
        for block in blocks(text, "cmake"):
            seen += 1
            if not shows_cmake(block, projects):
                failures += 1
                print(f"{name}: not in a project of tests/install:\n{textwrap.indent(block, '    ')}")
    if seen < 60:
        sys.exit(f"check_pages: only {seen} pieces of code in the pages: where are the others?")
    print(f"check_pages: {seen} pieces of code, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
