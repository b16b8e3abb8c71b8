#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares code for sixteen bytes at a time with its portable twin, on the same random inputs.

  tests/vectors/compare.py VECTORS PORTABLE [MILLIONS] [SEED]
"""
import collections
import subprocess
import sys


def main():
    programs, options = sys.argv[1:3], sys.argv[3:]
    said = []
    for program in programs:
        done = subprocess.run([program, *options], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{program} ended with {done.returncode}: {done.stdout[-500:]}{done.stderr}")
            return 1
        said.append(done.stdout.splitlines())
    blocks = collections.Counter(line.split()[0] for line in said[0])
    if len(blocks) < 10 or len(said[0]) != len(said[1]) or len(set(said[0])) != len(said[0]):
        print(f"{len(said[0])} lines, and {len(said[1])}: the programs are not built of one source")
        return 1
    differ = [f"{one} / {other}" for one, other in zip(*said) if one != other]
    print("\n".join(differ[:20]))
    print(f"{len(said[0])} blocks of 100,000 inputs, {len(blocks)} kinds, {len(differ)} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    raise SystemExit(main())
