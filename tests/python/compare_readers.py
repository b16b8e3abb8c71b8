#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the Python reader with the tool on the same damaged bytes.

Prints and stores files that one accepts and the other rejects, and files for which they find
different values.

  tests/python/compare_readers.py TOOL [--files N] [--values N] [--seconds N] [--seed N]
                                  [--keep FOLDER]

`ingot validate` reads each file; `ingot get` reads one in --values of those that both accept, by
default all of them.

The tests use a few thousand files. A run by hand may take any time. Another seed gives other
damage. Checksums are corrected, since otherwise no reader would read the damaged bytes.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from agreement import differing
from material import chance, damaged, described_file, fitting, ingot, log_file, seeds

BATCH = 600  # files for one process of the tool, whose start costs as much as some thirty of them
# Patches, messages without a file and descriptions without a value: only the library reads them.
ELSEWHERE = ("document_patch", "file_message", "schema_", "layout_")


def files(dice):
    """Yields damaged files without end, each with the name of the undamaged file."""
    whole = [each for each in seeds() if not each[0].startswith(ELSEWHERE)]
    while True:
        name, kind, payload, description = dice.choice(whole)
        victim = damaged(payload, dice)
        if kind and dice.randrange(6) == 0:  # the payload gets the description of another type
            other = fitting(damaged(description, dice))
            yield name, described_file(kind, dice.choice((payload, victim)), other if len(other) >= 24 else description)
            continue
        if kind in (1, 2) and dice.randrange(6) == 0:  # as records of a log, which may be torn
            records = [dice.choice((payload, payload, victim)) for _ in range(dice.randrange(4))]
            log = log_file(kind + 4, records, description)
            yield name, dice.choice((log, log, log[: dice.randrange(len(log))], damaged(log, dice)))
            continue
        yield name, described_file(kind, victim, description) if kind else victim


def read_by_python(data):
    """Returns ((count of records, or "1" if it is no log; true if all bytes are accepted); value).

    The value of a log is a list of records.
    """
    try:
        found = ingot.open(data)
        if "log" not in found.kind:
            return ("1", True), found.value
        if found.schema is None:  # both say how many there are, and nothing of them
            return (str(len(found.value)), False), None
        return (str(len(found.value)), found.lost == 0), list(found.value)
    except ingot.FormatError:
        return ("", False), None


def values_differ(tool, path, value):
    """Returns the difference of the tool's value, or None."""
    said = subprocess.run([tool, "get", "--json", path, "."], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        deep = "too deep" in said.stderr  # JSON takes what documents take; Python has no limit
        return None if deep else f"the tool ends with {said.returncode}: {said.stderr}"
    try:
        return differing(json.loads(said.stdout), value)
    except RecursionError:
        return None  # the module json has one


def taken_by_tool(tool, paths):
    """Returns the tool's answers for the files, without values."""
    said = subprocess.run([tool, "validate", "--color", "never", *paths], capture_output=True, text=True, errors="replace", check=False)
    if said.returncode not in (0, 1):
        raise SystemExit(f"{tool} ended with {said.returncode}: {said.stderr}")
    verdicts = dict(line.split(": ", 1) for line in (said.stdout + said.stderr).splitlines() if line.split(": ")[0] in paths)
    return [verdict_in(verdicts[path]) for path in paths]


def verdict_in(said):
    """Returns the verdict in "invalid, a log of packed records, 2 records: truncated at byte 9"."""
    valid = said.startswith("valid")
    records = re.search(r"records, ([\d,]+) records?(:|$)", said)
    return records.group(1).replace(",", "") if records else "1" if valid else "", valid


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tool")
    options.add_argument("--files", type=int, default=1 << 62)
    options.add_argument("--values", type=int, default=1)
    options.add_argument("--seconds", type=int, default=1 << 31)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("readers_differ"))
    options = options.parse_args()
    inputs = files(chance("compare", options.seed))
    end = time.monotonic() + options.seconds
    tried, taken, compared, differ = 0, 0, 0, collections.Counter()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None) as scratch:
        while time.monotonic() < end and tried < options.files:
            batch = [next(inputs) for _ in range(BATCH)]
            paths = []
            for i, (_, data) in enumerate(batch):
                paths.append(f"{scratch}/{i}.ingot")
                pathlib.Path(paths[-1]).write_bytes(data)
            for path, (name, data), by_tool in zip(paths, batch, taken_by_tool(options.tool, paths)):
                by_python, value = read_by_python(data)
                tried += 1
                wrong = None
                if by_python != by_tool:
                    wrong = f"Python says {by_python}, the tool {by_tool}: how many records, and whether all is taken"
                elif by_python[1]:
                    taken += 1
                    if taken % options.values == 0 and not isinstance(value, (ingot.Schema, ingot.Layout)):
                        compared += 1
                        wrong = values_differ(options.tool, path, value)
                if wrong:
                    differ[name] += 1
                    if differ[name] <= 5:
                        options.keep.mkdir(exist_ok=True)
                        saved = options.keep / f"{name}_{options.seed}_{tried}"
                        shutil.copy(path, saved)
                        print(f"{saved}: {wrong}", flush=True)
    print(f"{tried} files, {taken} taken by both, values of {compared} compared, {sum(differ.values())} differ: {dict(differ)}")
    return 1 if differ or not taken else 0


if __name__ == "__main__":
    raise SystemExit(main())
