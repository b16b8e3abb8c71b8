#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares all readers on millions of messages.

The library's readers (view, decoder, reader without the type, files as the tool opens them) run in
one process, tests/readers, and the Python reader in this one. All must accept or reject the same
bytes, and find the same value, to the bit.

  tests/python/compare_messages.py READERS [--messages N] [--seconds N] [--seed N]
                                   [--files SHARE] [--keep FOLDER]

READERS is build/tests/readers/ingot_readers. Messages are random values of the zoo's types: packed,
compact, live, documents and archives. A third of them are valid, the others are damaged. One
message in SHARE (by default 40) is a whole file instead, made of damaged goldens, logs and
descriptions, with correct checksums. A seed gives the same messages each time. PyPy is several
times as fast as CPython. Differences are printed and their messages stored; the last line has the
totals.
"""
import argparse
import collections
import pathlib
import subprocess
import time

from compare_readers import files, read_by_python
from material import chance, ingot
from value_text import value_text

PACKED, COMPACT, LIVE, DOCUMENT, ARCHIVE = 1, 2, 3, 4, 5
FORMS = {PACKED: "packed", COMPACT: "compact", LIVE: "live", DOCUMENT: "document", ARCHIVE: "archive"}
OFTEN = {PACKED: 1, COMPACT: 2, LIVE: 3, DOCUMENT: 8, ARCHIVE: 8}
BATCH = 200  # messages of a kind and a question
WHOLE = 85  # messages in 256


class Answer:
    """The output of the process, read from the front."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self, size=4):
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "little")

    def bytes(self):
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at]


class Library:
    """The process with the library's readers."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, question):
        self.process.stdin.write(len(question).to_bytes(4, "little") + question)
        self.process.stdin.flush()
        size = self.process.stdout.read(4)
        if len(size) < 4:
            raise SystemExit(f"the library's readers ended with {self.process.wait()}: {question[:80].hex()}")
        return Answer(self.process.stdout.read(int.from_bytes(size, "little")))


class Kind:
    """A kind of message, and its reader in Python."""

    def __init__(self, number, answer):
        self.number = number
        self.form = answer.number(1)
        self.may_be_older = bool(answer.number(1))
        self.name = answer.bytes().decode()
        description = answer.bytes()
        self.of = None
        if self.form in (PACKED, COMPACT):
            self.of = ingot.Schema.from_bytes(description)
        elif self.form == LIVE:
            self.of = ingot.Layout.from_bytes(description)

    def value(self, data, exact=True):
        if self.form == PACKED:
            return ingot.unpack(data, self.of, exact)
        if self.form == COMPACT:
            return ingot.unpack_compact(data, self.of, exact)
        if self.form == LIVE:
            return ingot.Block(data, self.of).value
        return (ingot.Document if self.form == DOCUMENT else ingot.Archive)(data).value

    def takes_older(self, data):
        try:
            self.value(data, False)
        except ingot.FormatError:
            return False
        return True

    def wrong(self, data, flags, by_library, contradiction):
        """Returns the difference between readers, or None."""
        if contradiction:
            return "in the library: " + contradiction.decode("utf-8", "replace")
        try:
            value = self.value(data)
        except ingot.FormatError as error:
            if flags & 1:
                return f"the library takes it, Python says: {error}"
            if flags & 2 and self.may_be_older and not self.takes_older(data):
                return f"the library takes it as one of another version, Python does not: {error}"
            return None
        if not flags & 1:
            return f"Python takes it, the library says: {by_library.decode('utf-8', 'replace')}"
        by_python = value_text(value)
        return None if by_python == by_library else "another value: " + parted(by_library, by_python)


def parted(a, b):
    """Returns the first difference of two texts, with its position."""
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    begin = max(0, at - 30)
    return f"the library has {a[begin : at + 50]!r}, Python {b[begin : at + 50]!r}, at {at}"


class Run:
    def __init__(self, options):
        self.library = Library(options.readers)
        self.keep = options.keep
        self.seed = options.seed
        answer = self.library.ask(b"K")
        self.kinds = []
        while answer.at < len(answer.data):
            self.kinds.append(Kind(len(self.kinds), answer))
        self.tried = collections.Counter()
        self.taken = collections.Counter()
        self.differ = collections.Counter()

    def note(self, group, name, data, wrong):
        self.differ[group] += 1
        if self.differ[group] <= 20:
            self.keep.mkdir(parents=True, exist_ok=True)
            saved = self.keep / f"{name.replace(' ', '_').replace('/', '_')}_{self.seed}_{sum(self.differ.values())}"
            saved.write_bytes(data)
            print(f"{saved}: {wrong}", flush=True)

    def messages(self, kind, seed, count):
        group = FORMS[kind.form]
        answer = self.library.ask(
            b"M" + kind.number.to_bytes(2, "little") + seed.to_bytes(8, "little") + count.to_bytes(4, "little") + bytes([WHOLE])
        )
        for _ in range(count):
            whole = answer.number(1)
            data = answer.bytes()
            flags = answer.number(1)
            by_library = answer.bytes()
            contradiction = answer.bytes()
            self.tried[group] += 1
            self.taken[group] += flags & 1
            wrong = kind.wrong(data, flags, by_library, contradiction)
            if wrong is None and whole and not flags & 2 and kind.form != LIVE:
                wrong = "what was written is refused"
            if wrong:
                self.note(group, kind.name, data, wrong)

    def file(self, name, data):
        answer = self.library.ask(b"F" + data)
        flags, records, by_library = answer.number(1), answer.number(8), answer.bytes()
        by_python, value = read_by_python(data)
        by_tool = (str(records) if flags & 4 else "1" if flags & 2 else "", bool(flags & 2))
        self.tried["file"] += 1
        wrong = None
        if by_python != by_tool:
            wrong = f"Python says {by_python}, the library {by_tool}: how many records, and whether all is taken"
        elif by_python[1]:
            self.taken["file"] += 1
            mine = value_text(value)
            if mine != by_library:
                wrong = "another value: " + parted(by_library, mine)
        if wrong:
            self.note("file", name, data, wrong)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("readers")
    options.add_argument("--messages", type=int, default=1 << 62)
    options.add_argument("--seconds", type=float, default=1 << 31)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--batch", type=int, default=BATCH)
    options.add_argument("--files", type=int, default=40)
    options.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("readers_differ"))
    options.add_argument("--only", default="", help="kinds whose names have this in them")
    options = options.parse_args()
    begin = time.monotonic()
    run = Run(options)
    dice = chance("messages", options.seed)
    inputs = files(chance("files", options.seed))
    # There are many kinds of packed messages, and few kinds of others, which each cover more.
    chosen = [kind for kind in run.kinds if options.only in kind.name for _ in range(OFTEN[kind.form])]
    while time.monotonic() < begin + options.seconds and sum(run.tried.values()) < options.messages:
        for kind in dice.sample(chosen, len(chosen)):  # each as often as it is there
            if time.monotonic() >= begin + options.seconds or sum(run.tried.values()) >= options.messages:
                break
            run.messages(kind, dice.getrandbits(64), options.batch)
            for _ in range(options.batch // options.files if options.files else 0):
                run.file(*next(inputs))
    tried, differ = sum(run.tried.values()), sum(run.differ.values())
    shares = ", ".join(f"{name} {run.tried[name]} ({run.taken[name]} taken)" for name in sorted(run.tried))
    print(f"seed {options.seed}: {tried} messages, {sum(run.taken.values())} taken by all, {differ} differ; {shares}; {time.monotonic() - begin:.0f} s")
    return 1 if differ or not all(run.taken[name] for name in run.tried) else 0


if __name__ == "__main__":
    raise SystemExit(main())
