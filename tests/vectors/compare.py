#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares code for sixteen bytes at a time with its portable twin, on the same random inputs.

  tests/vectors/compare.py VECTORS [PORTABLE]       10^6 inputs of each kind
  tests/vectors/compare.py VECTORS PORTABLE --millions 20 --seed 3
  tests/vectors/compare.py VECTORS PORTABLE --update

The results of the first form are compared with results.txt, also where no portable twin was built,
as for a processor that is emulated. --update writes this file, if both forms give the same.
"""
import argparse
import collections
import hashlib
import pathlib
import subprocess

RESULTS = pathlib.Path(__file__).with_name("results.txt")
HEAD = """# SPDX-License-Identifier: Apache-2.0
# Hashes of what tests/vectors/vectors.cpp prints for 10^6 inputs of each kind, equal in all forms
# and on every processor. Written by tests/vectors/compare.py --update.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emulator", help="runs the programs")
    parser.add_argument("--millions", default="1")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()

    said = []
    for program in options.programs:
        command = [*([options.emulator] if options.emulator else []), program, options.millions, options.seed]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{program} ended with {done.returncode}: {done.stdout[-500:]}{done.stderr}")
            return 1
        said.append(done.stdout.splitlines())
    kinds = collections.defaultdict(list)
    for line in said[0]:
        kinds[line.split()[0]].append(line)
    sizes = {len(lines) for lines in said}
    if len(kinds) < 10 or len(sizes) != 1 or len(set(said[0])) != len(said[0]):
        print(f"{sizes} lines: the programs are not built of one source")
        return 1
    differ = [" / ".join(lines) for lines in zip(*said) if len(set(lines)) != 1]
    print("\n".join(differ[:20]))

    if (options.millions, options.seed) == ("1", "1"):
        found = [f"{kind} {hashlib.sha256(chr(10).join(lines).encode()).hexdigest()[:16]}" for kind, lines in kinds.items()]
        if options.update and len(said) > 1 and not differ:
            RESULTS.write_text(HEAD + "\n".join(found) + "\n")
        known = [line for line in RESULTS.read_text().splitlines() if not line.startswith("#")]
        for line in sorted(set(found) ^ set(known)):
            print(f"{line}: only in {'results.txt' if line in known else 'these programs'}")
            differ.append(line)
    print(f"{len(said[0])} blocks of 100,000 inputs, {len(kinds)} kinds, {len(differ)} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    raise SystemExit(main())
