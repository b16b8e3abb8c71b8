#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the help on terminals of several sizes.

  terminal.py TOOL

No line of the help is wider than the terminal, except examples, which people copy. A pager shows
the help if the terminal has fewer lines, and only then. A pager that ends early, or that does not
exist, is no failure.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import termios

failures = 0


def expect(condition, sentence):
    global failures
    if not condition:
        failures += 1
        print(sentence)


def shown(tool, words, rows, columns, **variables):
    """Returns what a terminal of this size shows, and the exit code."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    made = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "PAGER", "LESS")}
    process = subprocess.Popen([tool, *words], stdin=follower, stdout=follower, stderr=follower, env={**made, "TERM": "dumb", **variables},
                               start_new_session=True)
    os.close(follower)
    seen = b""
    while select.select([leader], [], [], 30)[0]:
        try:
            more = os.read(leader, 65536)
        except OSError:  # all writers have closed the terminal
            break
        if not more:
            break
        seen += more
    os.close(leader)
    return seen.decode().replace("\r\n", "\n"), process.wait(30)


def widest(text):
    """Returns the length of the longest line that is no example."""
    before, _, examples = text.partition("Examples:\n")
    return max(map(len, [*before.split("\n"), *(line for line in examples.split("\n") if not line.startswith("  "))]))


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    help_text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True, env=env).stdout
    verbs = re.findall(r"^  ([a-z]+) +[A-Z]", help_text.split("Verbs:")[1], re.M)
    expect(len(verbs) > 5, f"verbs of the help: {verbs}")
    for columns in (40, 60, 80, 100, 200):
        for words in (["--help"], [], *([verb, "--help"] for verb in verbs)):
            text, code = shown(tool, words, 24, columns, PAGER="cat")
            expect(code == (0 if words else 2) and text.count("\n") > 3, f"{words}: exit code {code}: {text!r}")
            expect(widest(text) <= min(columns, 100), f"{words}, {columns} columns: a line of {widest(text)}")
            if columns >= 80:
                expect(max(map(len, text.split("\n"))) <= columns, f"{words}, {columns} columns: a wide example")
    expect(widest(shown(tool, ["--help"], 24, 200, PAGER="cat", COLUMNS="60")[0]) <= 60, "COLUMNS does not count")
    piped = subprocess.run([tool, "convert", "--help"], capture_output=True, text=True, check=True, env={**env, "PAGER": "sed s/^/P:/"}).stdout
    expect("P:" not in piped and widest(piped) <= 80, "a pager without a terminal, or wide lines")
    # Without a verb all verbs fit a terminal of 24 lines.
    text, code = shown(tool, [], 24, 80)
    expect(code == 2 and text.count("\n") < 24 and all(f"\n  {verb} " in text for verb in verbs), f"a line without a verb: {code}, {text!r}")

    paging = {"PAGER": "sed s/^/P:/"}
    for words, rows, variables, is_paged in ((["convert", "--help"], 24, paging, True), (["help", "convert"], 24, paging, True),
                                             (["convert", "--help"], 200, paging, False), (["--no-pager", "help", "convert"], 24, paging, False),
                                             (["convert", "--no-pager", "--help"], 24, paging, False), (["convert", "--help"], 24, {"PAGER": ""}, False),
                                             (["--version"], 1, paging, False)):
        text, code = shown(tool, words, rows, 80, **variables)
        expect(code == 0 and ("P:" in text) == is_paged, f"{words}, {rows} rows, {variables}: exit code {code}: {text[:80]!r}")
    for pager in ("/nonexistent/pager", "true", "head -1"):
        text, code = shown(tool, ["convert", "--help"], 24, 80, PAGER=pager)
        expect(code == 0 and ("Usage:" in text) == (pager[0] == "/"), f"pager {pager}: exit code {code}: {text[-200:]!r}")
    print(f"{len(verbs)} verbs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
