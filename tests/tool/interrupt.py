#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interrupts the tool while it changes a file.

  interrupt.py TOOL

At any time of the interruption, the file is afterwards the whole old file or the whole new one, and
no other file is in its folder.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    rounds = 400 if os.environ.get("INGOT_TEST_FULL") else 25
    chance = random.Random(1)
    failures = interrupted = changed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "big.json").write_text(json.dumps({"n": 0, "rest": list(range(20000))}))
        subprocess.run([tool, "convert", "big.json", "big.ingot"], cwd=folder, check=True)
        start = time.monotonic()
        subprocess.run([tool, "set", "big.ingot", "n", "0"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        longest = 1.2 * (time.monotonic() - start)
        number = 0
        for _ in range(rounds):
            running = subprocess.Popen([tool, "set", "big.ingot", "n", str(number + 1)], cwd=folder, stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, longest))
            running.send_signal(chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)))
            interrupted += running.wait(timeout=20) < 0
            proof = subprocess.run([tool, "validate", "--quiet", "big.ingot"], cwd=folder)
            seen = subprocess.run([tool, "get", "big.ingot", "n"], cwd=folder, capture_output=True, text=True).stdout.strip()
            if proof.returncode != 0 or seen not in (str(number), str(number + 1)):
                failures += 1
                print(f"the file is damaged: {seen!r} after {number}")
                break
            changed += seen != str(number)
            number = int(seen)
            if left := sorted(set(os.listdir(folder)) - {"big.json", "big.ingot"}):
                failures += 1
                print(f"left in the folder: {left}")
                break
    print(f"{rounds} times interrupted, {interrupted} ended by that, {changed} changed the file all the same, {failures} failures")
    if interrupted == 0:
        print("no signal came in time: this has shown nothing")
    return 1 if failures or interrupted == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
