#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tool as a process on damaged files.

  damage_files.py TOOL MAKE_FILES

For any content of a file, the tool exits soon, with one of its exit codes, and writes nothing that
a terminal would obey. Files with checksums are damaged in two ways: so that the checksums detect
the damage, and with corrected checksums. INGOT_TEST_FULL=1 tries forty times as many.
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

COMMANDS = [["inspect", "--all"], ["inspect", "--json"], ["validate"], ["get", "--json"], ["annotate", "--all"], ["annotate", "--json"], ["stats"], ["layout", "--html", "-"]]
# The same with --unchecked, and a conversion of what is left. The result must be valid.
UNCHECKED = [["inspect", "--all"], ["get", "--json"], ["annotate", "--all"], ["stats", "--json"], ["layout", "--html", "-"], ["convert", "--to", "cbor"]]
# Characters that a terminal may obey: C0 except line feed, DEL, C1, marks of direction.
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def damaged(data, chance):
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        how = chance.randrange(5)
        at = chance.randrange(len(data)) if data else 0
        if how == 0 and data:
            data[at] ^= 1 << chance.randrange(8)
        elif how == 1 and data:
            data[at] = chance.choice((0, 1, 0x1B, 0x7F, 0x80, 0xFF))
        elif how == 2:
            del data[at:]
        elif how == 3:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.choice((1, 4, 8))))
        elif data:
            data[at : at + 8] = data[chance.randrange(len(data)) :][:8]
    return bytes(data)


def saves_no_valid_file(tool, name, folder):
    """Converts what is left of a damaged file. Returns what is wrong with the new file, or None."""
    out = folder / "left.inga"
    out.unlink(missing_ok=True)
    subprocess.run([tool, "convert", "--unchecked", name, out], stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
    if out.exists() and subprocess.run([tool, "validate", "--quiet", out], timeout=20).returncode != 0:
        return "convert --unchecked writes an invalid file"
    return None


def look(tool, command, name, words, is_text=True):
    """Returns what the tool does wrong with the file, or None."""
    try:
        done = subprocess.run([tool, *command, name, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        return "does not end"
    if done.returncode not in (0, 1, 3):
        return f"ends with {done.returncode}: {done.stderr[-2000:]!r}"
    for text in (done.stdout, done.stderr) if is_text else (done.stderr,):
        try:
            found = OBEYED.search(text.decode())
        except UnicodeDecodeError:
            return "writes what is no UTF-8"
        if found:
            return f"writes {found.group()!r}"
    return None


def main():
    tool, make_files = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    rounds = 400 if os.environ.get("INGOT_TEST_FULL") else 10
    failures = tried = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        subprocess.run([make_files, folder], check=True)
        names = sorted(folder.iterdir())
        for name in names:
            whole = name.read_bytes()
            for seed in range(rounds):
                chance = random.Random(f"{name.name} {seed}")
                victim = folder / f"damaged{name.suffix}"
                if whole.startswith(b"ingF") and seed % 4 != 0 and name.suffix not in (".log", ".edit"):
                    # (What is edited has no checksum of its payload.) The program that made the
                    # file puts checksums that are right over what is not.
                    part = folder / "part"
                    subprocess.run([make_files, "--take", str(seed % 2), name, part], check=True)
                    part.write_bytes(damaged(part.read_bytes(), chance))
                    subprocess.run([make_files, "--put", str(seed % 2), name, part, victim], check=True)
                else:
                    victim.write_bytes(damaged(whole, chance))
                command = COMMANDS[seed % len(COMMANDS)]
                tried += 2
                least = UNCHECKED[seed % len(UNCHECKED)]
                verb, *options = least
                more = {"get": ["."], "convert": ["-"]}.get(verb, [])
                if wrong := look(tool, [verb, "--unchecked", *options], victim, more, is_text=verb != "convert"):
                    failures += 1
                    print(f"{name.name}, damage {seed}: ingot {verb} --unchecked {wrong}")
                if wrong := saves_no_valid_file(tool, victim, folder) if seed % 3 == 0 else None:
                    failures += 1
                    print(f"{name.name}, damage {seed}: {wrong}")
                if wrong := look(tool, command, victim, ["."] if command[0] == "get" else []):
                    failures += 1
                    print(f"{name.name}, damage {seed}: ingot {' '.join(command)} {wrong}")
    print(f"{tried} damaged files, {failures} of them taken wrongly")
    return 1 if failures or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
