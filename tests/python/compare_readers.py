#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reader in Python and the tool on the same damaged bytes: what one takes and the other refuses is printed and kept, and so is what both take for
different values.

  tests/python/compare_readers.py TOOL [--files N] [--values N] [--seconds N] [--seed N] [--keep FOLDER]

Of each of `ingot validate` is asked; `ingot get` of one in --values of those that both take, all of them unless told.

The tests have a few thousand; by hand it is asked for as long as there is time: another seed is other damage. Checksums are made to fit, or nothing
behind them would be looked at.
"""
import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

from agreement import differing
from material import chance, damaged, described_file, ingot, seeds

BATCH = 600  # files for one process of the tool, whose start costs as much as some thirty of them
# Patches, messages without a file and descriptions without a value are the library's alone; of a log that was cut both say what is whole, in their own ways.
ELSEWHERE = ("document_patch", "file_message", "file_log", "schema_", "layout_")


def files(dice):
    """Damaged files without end, each with the name of what it was."""
    whole = [each for each in seeds() if not each[0].startswith(ELSEWHERE)]
    while True:
        name, kind, payload, description = dice.choice(whole)
        victim = damaged(payload, dice)
        yield name, described_file(kind, victim, description) if kind else victim


def read_by_python(data):
    """Whether it is taken, and the value; of a log a list of its records."""
    try:
        found = ingot.open(data)
        return True, list(found.value) if "log" in found.kind else found.value
    except ingot.FormatError:
        return False, None


def values_differ(tool, path, value):
    """How the tool's value is another one, or None."""
    said = subprocess.run([tool, "get", "--json", path, "."], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        deep = "too deep" in said.stderr  # JSON takes what documents take; Python has no limit
        return None if deep else f"the tool ends with {said.returncode}: {said.stderr}"
    try:
        return differing(json.loads(said.stdout), value)
    except RecursionError:
        return None  # the module json has one


def taken_by_tool(tool, paths):
    """Whether each is valid."""
    said = subprocess.run([tool, "validate", "--color", "never", *paths], capture_output=True, text=True, errors="replace", check=False)
    if said.returncode not in (0, 1):
        raise SystemExit(f"{tool} ended with {said.returncode}: {said.stderr}")
    verdicts = dict(line.split(": ", 1) for line in (said.stdout + said.stderr).splitlines() if line.split(": ")[0] in paths)
    return [verdicts[path].startswith("valid") for path in paths]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tool")
    options.add_argument("--files", type=int, default=1 << 62)
    options.add_argument("--values", type=int, default=1)
    options.add_argument("--seconds", type=int, default=1 << 31)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("readers_differ"))
    options = options.parse_args()
    made = files(chance("compare", options.seed))
    end = time.monotonic() + options.seconds
    tried, taken, compared, differ = 0, 0, 0, collections.Counter()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None) as scratch:
        while time.monotonic() < end and tried < options.files:
            batch = [next(made) for _ in range(BATCH)]
            paths = []
            for i, (_, data) in enumerate(batch):
                paths.append(f"{scratch}/{i}.ingot")
                pathlib.Path(paths[-1]).write_bytes(data)
            for path, (name, data), by_tool in zip(paths, batch, taken_by_tool(options.tool, paths)):
                by_python, value = read_by_python(data)
                tried += 1
                wrong = None
                if by_python != by_tool:
                    wrong = f"taken by {'Python' if by_python else 'the tool'} alone"
                elif by_python:
                    taken += 1
                    if taken % options.values == 0 and not isinstance(value, (ingot.Schema, ingot.Layout)):
                        compared += 1
                        wrong = values_differ(options.tool, path, value)
                if wrong:
                    differ[name] += 1
                    if differ[name] <= 5:
                        options.keep.mkdir(exist_ok=True)
                        kept = options.keep / f"{name}_{options.seed}_{tried}"
                        shutil.copy(path, kept)
                        print(f"{kept}: {wrong}", flush=True)
    print(f"{tried} files, {taken} taken by both, values of {compared} compared, {sum(differ.values())} differ: {dict(differ)}")
    return 1 if differ or not taken else 0


if __name__ == "__main__":
    raise SystemExit(main())
