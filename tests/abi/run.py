#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every platform reads the values that other platforms wrote.

tests/abi/values.cpp is compiled once for each ABI, each build writes every representation, and each
build reads the files of every other one. tests/abi/zoo.cpp adds the types of the zoo (a sample of
them in the gate), and tests/abi/files.cpp files and logs.

  tests/abi/run.py                 the sample of the gate
  tests/abi/run.py --full          every ABI
  tests/abi/run.py x86-64 armhf    these only

Files whose name begins with `same.` must have the same bytes from every build. Builds for other
machines run with qemu-user.
"""
import argparse
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "tests" / "abi" / "values.cpp"
ZOO = ROOT / "tests" / "abi" / "zoo.cpp"
FILES = ROOT / "tests" / "abi" / "files.cpp"
# Two groups of types of the zoo, and tests/abi/files.cpp. The gate uses the first.
GROUPS = ["sample", "scalars", "files"]
COMMON = ["-std=c++23", "-O0", "-DINGOT_MAX_MEMBERS=128", "-DINGOT_HEADER_ONLY", f"-I{ROOT / 'include'}", f"-I{ROOT / 'tests'}", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
# The compiled part of JSON, if its parser is installed; other builds check its warnings.
JSON = ["-DINGOT_ABI_JSON=1", f"-I{ROOT / 'src' / 'json'}"]
M32 = ["-m32", "-idirafter", "/usr/include/x86_64-linux-gnu"] # see cmake/toolchains/m32.cmake

FILE_FLAGS = ["-w", "-D_FILE_OFFSET_BITS=64", "-DINGOT_COMPILED_PART", "-DINGOT_WITHOUT_COMPRESSION"]

# name: compiler, flags, whether it includes JSON, the command that runs the program
ABIS = {
    "x86-64": (["clang++-22"], [], False, []),
    "m32": (["clang++-22"], M32, False, []),
    "libcxx": (["clang++-22"], ["-stdlib=libc++", "-static-libstdc++", "-Wno-unused-command-line-argument"], False, []),
    "libcxx-short": (["clang++-22"], ["-stdlib=libc++", "-static-libstdc++", "-Wno-unused-command-line-argument", "-funsigned-char", "-fshort-enums"], False, []),
    "short": (["clang++-22"], ["-funsigned-char", "-fshort-enums"], False, []),
    "x86-64-g++": (["g++-12"], [], True, []),
    "m32-g++": (["g++-12"], M32, False, []),
    "unsigned-char": (["g++-12"], ["-funsigned-char"], True, []),
    "m32-short": (["g++-12"], M32 + ["-funsigned-char", "-fshort-enums"], False, []),
    "aarch64": (["aarch64-linux-gnu-g++-12"], ["-static"], False, ["qemu-aarch64"]),
    "armhf": (["arm-linux-gnueabihf-g++-12"], ["-static"], False, ["qemu-arm"]),
    "s390x": (["s390x-linux-gnu-g++-12"], ["-static"], False, ["qemu-s390x"]),
    "powerpc": (["powerpc-linux-gnu-g++-12"], ["-static"], False, ["qemu-ppc"]),
}
XXHASH = pathlib.Path("/usr/include/xxhash.h") # Debian: libxxhash-dev
# A common one, another word size, another library with other signs and sizes.
GATE = ["x86-64", "m32", "libcxx-short"]


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def build(name, folder, groups):
    """Compiles the program for an ABI. Returns the compiler's output if it failed."""
    compiler, flags, has_json, _ = ABIS[name]
    program = folder / name / "values"
    program.parent.mkdir(parents=True, exist_ok=True)
    command = [*compiler, *COMMON, *flags]
    objects = []
    if "files" in groups:
        text = folder / name / "file.cpp"
        text.write_text("".join(f'#include "{path}"\n' for path in sorted((ROOT / "src" / "file").glob("*.cpp"))))
        # Copied alone: its folder also contains headers of this machine, which are wrong for
        # another one.
        header = folder / name / "xxhash" / "xxhash.h"
        header.parent.mkdir()
        shutil.copy(XXHASH, header)
        for source, more in [(FILES, []), (text, [*FILE_FLAGS, f"-I{header.parent}"])]:
            objects.append(str(folder / name / f"{source.stem}_of_group.o"))
            made = run([*command, *more, "-c", str(source), "-o", objects[-1]])
            if made.returncode:
                return made.stdout
    for group in groups:
        if group == "files":
            continue
        objects.append(str(folder / name / f"zoo_{group}.o"))
        made = run([*command, *(JSON if has_json else []), f"-DINGOT_ABI_GROUP={group}", "-c", str(ZOO), "-o", objects[-1]])
        if made.returncode:
            return made.stdout
    if has_json:
        text = folder / name / "json.cpp"
        text.write_text("".join(f'#include "{path}"\n' for path in sorted((ROOT / "src" / "json").glob("*.cpp"))))
        objects.append(str(folder / name / "json.o"))
        made = run([*command, "-w", *JSON, "-c", str(text), "-o", objects[-1]])
        if made.returncode:
            return made.stdout
    made = run([*command, *(JSON if has_json else []), str(SOURCE), *objects, *(["-lsimdjson"] if has_json else []), "-o", str(program)])
    return made.stdout if made.returncode else ""


def call(name, folder, how, of):
    made = run([*ABIS[name][3], str(folder / name / "values"), how, str(folder / of)])
    return made.stdout if made.returncode == 1 else "" if made.returncode == 0 else f"  ended with {made.returncode}\n{made.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--into", type=pathlib.Path, default=ROOT / "build" / "abi", help="folder of programs and files")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--groups", help=f"groups: {','.join(GROUPS)}")
    parser.add_argument("abis", nargs="*", metavar="abi")
    options = parser.parse_args()
    names = options.abis or (list(ABIS) if options.full else GATE)
    groups = options.groups.split(",") if options.groups else GROUPS if options.full else GROUPS[:1]
    for name in names:
        if name not in ABIS:
            parser.error(f"no such ABI: {name}; there are {', '.join(ABIS)}")
        for program in (ABIS[name][0][0], *ABIS[name][3][:1]):
            if shutil.which(program) is None:
                sys.exit(f"{program} is missing: scripts/install-deps test matrix")

    start = time.monotonic()
    shutil.rmtree(options.into, ignore_errors=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, said in zip(names, pool.map(lambda name: build(name, options.into, groups), names)):
            if said:
                print(f"{name} does not compile\n{said}")
                failed += 1
    if failed:
        return 1

    pairs = 0
    for name in names:
        if said := call(name, options.into, "write", name):
            print(f"{name} can't write\n{said}", end="")
            failed += 1
    for writer in names:
        for reader in names:
            pairs += 1
            if said := call(reader, options.into, "read", writer):
                print(f"what {writer} wrote, read by {reader}:\n{said}", end="")
                failed += 1
    first = {}
    for name in names:
        for path in sorted((options.into / name).glob("same.*")):
            there, content = first.setdefault(path.name, (name, path.read_bytes()))
            if path.read_bytes() != content:
                print(f"{path.name}: {there} and {name} write other bytes")
                failed += 1
    print(f"{len(names)} ABIs, {pairs} pairs, {len(first)} forms of the same bytes, {failed} failures, {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
