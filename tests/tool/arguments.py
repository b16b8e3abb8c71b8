#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tool with random command lines.

  arguments.py TOOL MAKE_FILES

Words are commands, options from the help, files of every kind, names of missing files, and values
that rarely fit: empty, huge, negative, full of control characters, not UTF-8. For any command line,
the tool exits soon, with one of its exit codes. It prints the reason if it rejects the command
line, writes nothing to standard error that a terminal would obey, and changes a file only if the
command line requests it. INGOT_TEST_FULL=1 draws fifty times as many command lines.
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

# Characters that a terminal may obey: C0 except tab and line feed, DEL, C1, marks of direction.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
VALUES = [b"", b"-", b"--", b".", b"..", b"/", b"-1", b"0", b"1", b"3", b"4294967296", b"18446744073709551616", b"-9223372036854775809", b"1e999", b"0x10",
          b"nan", b"true", b"null", b"{}", b"[]", b"[[[[", b'{"a":', b'"\\ud800"', b"a.b[3].c", b"/a/0/b~1", b"/~2", b"[18446744073709551615]", b"a[-1]",
          b"\x1b[31m", b"\r\n", b"\xff\xfe", b"\xe2\x80\xae", b"x" * 3000, b"[" * 3000, b"a." * 1500, b"auto", b"json", b"ingot", b"msgpack", b"lz4",
          b"zstd", b"packed", b"always", b"never", b"=", b"--=", b"---", b"-\xff", b"@none", b"*", b"%s%n"]
# Commands that change files in place, or by -o and similar options.
CHANGERS = {b"set", b"convert", b"compact", b"recover", b"layout", b"schema"}


def words_of(tool):
    """Returns the commands, and the options of each."""
    helped = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    verbs = re.findall(r"^  ([a-z]+)  ", helped.split("Verbs:")[1], re.M)
    options = {}
    for verb in verbs:
        told = subprocess.run([tool, verb, "--help"], capture_output=True, text=True, check=True).stdout
        options[verb] = sorted(set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", told.split("Examples:")[0])))
    return options


def content(folder):
    return {name.name: name.read_bytes() for name in folder.iterdir() if name.is_file()}


def wrong_with(tool, words, folder):
    """Returns what the tool does wrong with the command line, or None."""
    try:
        done = subprocess.run([tool, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, cwd=folder)
    except subprocess.TimeoutExpired:
        return "does not end"
    if done.returncode not in (0, 1, 2, 3):
        return f"ends with {done.returncode}: {done.stderr[-2000:]!r}"
    try:
        found = OBEYED.search(done.stderr.decode())
    except UnicodeDecodeError:
        return f"complains in what is no UTF-8: {done.stderr[-300:]!r}"
    if found:
        return f"complains with {found.group()!r}: {done.stderr[-300:]!r}"
    # `validate` prints its result to standard output.
    if done.returncode in (2, 3) and not done.stderr and not done.stdout and not any(word.startswith(b"--quiet") for word in words):
        return f"ends with {done.returncode} and does not say why"
    if len(done.stderr) > 20000:
        return f"complains in {len(done.stderr)} bytes"
    return None


def main():
    tool, make_files = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    rounds = 15000 if os.environ.get("INGOT_TEST_FULL") else 300
    options = words_of(tool)
    assert len(options) > 10 and all(len(each) > 2 for each in options.values()), options
    failures = 0
    codes = {}
    with tempfile.TemporaryDirectory() as scratch:
        whole = pathlib.Path(scratch) / "whole"
        folder = pathlib.Path(scratch) / "folder"
        whole.mkdir()
        subprocess.run([make_files, whole], check=True)
        names = sorted(name.name.encode() for name in whole.iterdir())
        for seed in range(rounds):
            if seed % 20 == 0 or not folder.exists():
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(whole, folder)
                before = content(folder)
            chance = random.Random(seed)
            verb = chance.choice(sorted(options))
            words = [verb.encode()]
            for _ in range(chance.choice((0, 1, 2, 2, 3, 4, 7))):
                how = chance.randrange(10)
                if how < 4:
                    words.append(chance.choice(names))
                elif how < 7:
                    word = chance.choice(options[verb]).encode()
                    if chance.randrange(4) == 0:
                        word += b"=" + chance.choice(VALUES)
                    words.append(word)
                elif how == 7:
                    words.append(chance.choice(options[chance.choice(sorted(options))]).encode())
                else:
                    words.append(chance.choice(VALUES))
            if chance.randrange(12) == 0:
                chance.shuffle(words)
            words = [word for word in words if b"\0" not in word]
            wrong = wrong_with(tool, words, folder)
            if not wrong:
                now = content(folder)
                if now != before:
                    if not CHANGERS & set(words):
                        wrong = "changes files"
                    shutil.rmtree(folder)  # the next one gets a new folder
            if wrong:
                failures += 1
                print(f"{seed}: ingot {words} {wrong}")
    print(f"{rounds} command lines, {failures} of them taken wrongly")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
