#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles ingot for systems that are not here, and compares the layouts of blocks.

clang compiles for Windows as Microsoft's compiler lays types out, and for macOS, with the headers
of libc++ and the declarations of tests/layouts/c_library in place of the system's. Nothing is
linked or run.

  tests/layouts/run.py              one target of each kind of layout (REPRESENTATIVES)
  tests/layouts/run.py --full       all targets
  tests/layouts/run.py msvc apple   these targets only

It checks that
* every public header compiles for Windows, after the macros of <windows.h>, and for macOS, and so
  do the sources that need no other library;
* sizes, alignments, positions of members, schema_id and layout_id of tests/layouts/types.hpp are
  those of x86-64 (tests/layouts/table.hpp) on 64-bit systems and 32-bit ARM;
* 32-bit x86, which aligns 64-bit numbers to 4 bytes, differs only where a type has such numbers;
* same_layout_everywhere accepts the types, and on and with 32-bit x86 those without such numbers;
* on macOS, file_system::sync makes the drive write, and reads and writes ask for at most INT_MAX
  bytes.
"""
import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "tests" / "layouts"
CLANG = "clang++-22"
LIBCXX = pathlib.Path("/usr/lib/llvm-22/include/c++/v1")
XXHASH = pathlib.Path("/usr/include/xxhash.h") # Debian: libxxhash-dev
# A system without headers: libc++, and the declarations of this folder.
BARE = ["-nostdlibinc", "-nostdinc++", "-isystem", str(HERE / "libcxx"), "-isystem", str(LIBCXX), "-isystem", str(HERE / "c_library")]
# As clang-cl compiles. _LIBCPP_NO_VCRUNTIME: std::exception is libc++'s own.
MSVC = ["-fms-compatibility", "-fms-extensions", "-fms-compatibility-version=19.40", "-D_LIBCPP_NO_VCRUNTIME", *BARE]
TARGETS = {
    "x86-64": ["--target=x86_64-linux-gnu"],
    "msvc": ["--target=x86_64-pc-windows-msvc", *MSVC],
    "msvc-arm64": ["--target=aarch64-pc-windows-msvc", *MSVC],
    "apple": ["--target=arm64-apple-macos14", *BARE],
    "aarch64": ["--target=aarch64-linux-gnu", *BARE],
    "armhf": ["--target=arm-linux-gnueabihf", *BARE],
    "wasm32": ["--target=wasm32-wasip1", *BARE],
    "powerpc": ["--target=powerpc-linux-gnu", *BARE],
    "i386": ["--target=i386-linux-gnu", *BARE],
}
# One target of each kind: this machine, Windows, 64-bit and 32-bit systems whose ABI gives each
# number its natural alignment. The other targets have the rules of one of these, or a leg that runs
# tests: msvc-arm64 has those of msvc, aarch64 those of apple, armhf those of wasm32. powerpc and
# m32 are legs.
REPRESENTATIVES = ["x86-64", "msvc", "apple", "wasm32"]
# The targets for which every header is compiled.
WHOLE = ["msvc", "apple"]
# Numbers have another byte order, or 64-bit numbers another alignment, than in the table.
OTHER_ORDER = {"powerpc"}
OTHER_ALIGNMENT = {"i386"}
COMMON = ["-std=c++23", "-ferror-limit=20", f"-I{ROOT / 'include'}", f"-I{ROOT / 'tests'}", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
IDS = ["-Wno-undefined-var-template"] # addresses in objects that no file defines


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def public_headers():
    for path in sorted((ROOT / "include").rglob("*.hpp")):
        if not {"detail", "compiled"} & set(path.parts):
            yield path.relative_to(ROOT / "include").as_posix()


def layout_names():
    return re.findall(r"^  X\((\w+), ", (HERE / "types.hpp").read_text(), re.MULTILINE)


def compile_headers(target, folder):
    text = folder / f"{target}_headers.cpp"
    # Programs for Windows include <windows.h> first, with its macros.
    before = [f'#include "{HERE / "windows_macros.h"}"\n'] if target == "msvc" else []
    text.write_text("".join(before + [f"#include <{name}>\n" for name in public_headers()]))
    made = run([CLANG, *TARGETS[target], *COMMON, "-DINGOT_HEADER_ONLY", "-fsyntax-only", str(text)])
    return made.stdout if made.returncode else ""


def sources(target):
    """Yields the sources that compile for the target: path, options."""
    yield [ROOT / "src" / "core" / "core.cpp"], []
    yield [ROOT / "src" / "document" / "document.cpp"], []
    if target != "apple":
        return
    part = ["-DINGOT_COMPILED_PART"]
    # token_index.cpp includes simdjson, which needs streams.
    yield sorted(path for path in (ROOT / "src" / "json").glob("*.cpp") if path.stem not in {"token_index", "digits_ifma"}), part
    yield sorted(path for path in (ROOT / "src" / "file").glob("*.cpp") if path.stem != "checksum_avx2"), [*part, "-DINGOT_WITHOUT_COMPRESSION"]


def compile_sources(target, folder):
    said = ""
    (folder / "xxhash").mkdir(exist_ok=True)
    shutil.copy(XXHASH, folder / "xxhash") # alone: its folder has the headers of this machine
    for paths, more in sources(target):
        text = folder / f"{target}_{paths[0].parent.name}.cpp"
        text.write_text("".join(f'#include "{path}"\n' for path in paths))
        made = run([CLANG, *TARGETS[target], *COMMON, *more, "-isystem", str(folder / "xxhash"), f"-I{paths[0].parent}", "-fsyntax-only", str(text)])
        said += made.stdout if made.returncode else ""
    return said


def layout_ids(target):
    """Returns ids by name, what same_layout_everywhere finds, and the output of a failure."""
    has_assertions = [] if target in OTHER_ORDER | OTHER_ALIGNMENT else ["-DLAYOUT_ASSERTIONS"]
    made = run([CLANG, *TARGETS[target], *COMMON, *IDS, *has_assertions, "-DINGOT_HEADER_ONLY", "-S", "-emit-llvm", "-o", "-", str(HERE / "assertions.cpp")])
    if made.returncode:
        return {}, {}, made.stdout

    def constants(name):
        values = re.search(rf"^@{name} = .*constant \[\d+ x i64\] \[(.*?)\]", made.stdout, re.MULTILINE)
        found = [int(value.split()[1]) % 2**64 for value in values.group(1).split(", ")]
        return dict(zip(layout_names(), found, strict=True))

    return constants("layout_ids"), constants("layouts_are_same"), ""


def calls_of_macos():
    """Returns what is wrong with the system calls of src/file/system_posix.cpp on macOS."""
    source = ROOT / "src" / "file" / "system_posix.cpp"
    made = run([CLANG, *TARGETS["apple"], *COMMON, "-O1", "-S", "-emit-llvm", "-o", "-", str(source)])
    if made.returncode:
        return made.stdout
    said = ""
    full_sync = re.search(r"#define F_FULLFSYNC (\d+)", (HERE / "c_library" / "posix.h").read_text()).group(1)
    for function, expected in [("sync", rf"@\S*fcntl\S*\(i32 [^,]*, i32 [^,]*\b{full_sync}\b"),
                               ("read", r"umin\.i64\(i64 [^,]*, i64 2147479552\)"), ("write", r"umin\.i64\(i64 [^,]*, i64 2147479552\)")]:
        body = re.search(rf"^define [^\n]*posix_files\d+{function}E[^\n]*\n.*?^}}", made.stdout, re.MULTILINE | re.DOTALL)
        if not body or not re.search(expected, body.group()):
            said += f"{function}: expected {expected}\n"
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("targets", nargs="*", metavar="target")
    options = parser.parse_args()
    names = options.targets or (list(TARGETS) if options.full else REPRESENTATIVES)
    for name in names:
        if name not in TARGETS:
            parser.error(f"no such target: {name}; there are {', '.join(TARGETS)}")
    if shutil.which(CLANG) is None or not LIBCXX.is_dir():
        sys.exit(f"{CLANG} or libc++ is missing: scripts/install-deps test matrix")

    start = time.monotonic()
    failed = 0

    def report(what, said):
        nonlocal failed
        if said:
            print(f"{what}\n{said}")
            failed += 1

    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(temporary)
        whole = [name for name in names if name in WHOLE]
        headers = {name: pool.submit(compile_headers, name, folder) for name in whole}
        parts = {name: pool.submit(compile_sources, name, folder) for name in whole}
        ids = {name: pool.submit(layout_ids, name) for name in names}
        for name in whole:
            report(f"{name}: headers don't compile", headers[name].result())
            report(f"{name}: sources don't compile", parts[name].result())
        found = {}
        accepted = {}
        for name in names:
            found[name], accepted[name], said = ids[name].result()
            report(f"{name}: layouts differ from tests/layouts/table.hpp, or can't be compiled", said)
    if "apple" in names:
        report("apple: system calls", calls_of_macos())

    # Names of types that have 64-bit numbers: those, and no others, differ on 32-bit x86.
    wide = set(re.findall(r"^// wide: (\w+)", (HERE / "types.hpp").read_text(), re.MULTILINE))
    reference = dict(re.findall(r"^LAYOUT_ROW\((\w+), \d+, \d+, 0x\w+, (0x\w+)", (HERE / "table.hpp").read_text(), re.MULTILINE))
    for name in OTHER_ORDER | OTHER_ALIGNMENT:
        for type_name, value in found.get(name, {}).items():
            is_same = value == int(reference[type_name], 16)
            if is_same == (name in OTHER_ALIGNMENT and type_name in wide):
                report(f"{name}: the layout of {type_name} is {'that' if is_same else 'not that'} of x86-64", " ")
    for name in names:
        for type_name, value in accepted[name].items():
            # bit 0: without 32-bit x86, bit 1: with it
            expected = 3 if type_name not in wide else 0 if name in OTHER_ALIGNMENT else 1
            if value != expected:
                report(f"{name}: same_layout_everywhere finds {value} for {type_name}, expected {expected}", " ")
    print(f"{len(names)} targets, {len(layout_names())} types, {failed} failures, {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
