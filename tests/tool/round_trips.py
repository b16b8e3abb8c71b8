#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts a value of every stored type to every form that `ingot convert` supports, and back.

  round_trips.py TOOL

`diff` finds no difference between a file and its converted form. Converted back with the schema of
the file, the value has the file's bytes. So no information is lost, such as the alternative of a
variant.
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

from material import described_file, ingot, seeds  # noqa: E402

KINDS = {1: "packed", 2: "compact", 3: "live"}
#: Errors of the tool for values that JSON can't represent.
NO_FORM = ("out of range", "invalid UTF-8", "type mismatch", "wrong type")


class Trip:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.failures, self.made = tool, folder, 0, 0

    def said(self, *words):
        done = subprocess.run([self.tool, *words], cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr

    def expect(self, condition, sentence):
        if not condition:
            self.failures += 1
            print(sentence)

    def take(self, name, kind):
        original = (self.folder / "it.ingot").read_bytes()
        for form in ("document", "archive", "msgpack", "cbor", "json"):
            made = f"it.{form}"
            code, output = self.said("convert", "--to", form, "it.ingot", made)
            if form == "json" and code == 3 and any(each in output for each in NO_FORM):
                continue
            self.expect(code == 0, f"{name} to {form}: {output}")
            if code:
                continue
            code, output = self.said("diff", "it.ingot", made)
            self.expect(code == 0, f"{name} is another in {form}: {output[:500]}")
            if form in ("document", "json"):
                code, output = self.said("convert", "--from", form, "--to", KINDS[kind], "--schema", "it.ingot", made, "back.ingot")
                # A member with its default is omitted, and the schema does not contain the default.
                left_out = kind == 2 and "missing" in output
                self.expect(code == 0 or left_out, f"{name} from {form}: {output}")
                if code == 0:
                    same = (self.folder / "back.ingot").read_bytes() == original
                    if not same and kind == 3:  # a block may have had another order or capacity
                        same = self.said("diff", "it.ingot", "back.ingot")[0] == 0
                    self.expect(same, f"{name} came back from {form} as something else: {self.said('diff', 'it.ingot', 'back.ingot')[1][:500]}")
            self.made += 1
        if kind == 2:
            # The schema does not contain the defaults of omitted members; protobuf's defaults are
            # zero.
            return
        code, output = self.said("convert", "--to", "protobuf", "it.ingot", "it.pb")
        if code and "that a document can hold" in output:
            return  # links into pools
        self.expect(code == 0, f"{name} to protobuf: {output}")
        code, output = self.said("convert", "--schema", "it.ingot", "--to", "packed", "it.pb", "back.ingot")
        self.expect(code == 0, f"{name} from protobuf: {output}")
        code, output = self.said("diff", "it.ingot", "back.ingot")
        self.expect(code == 0, f"{name} is another in protobuf: {output[:500]}")
        self.made += 1


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        trip = Trip(tool, pathlib.Path(scratch))
        for name, kind, payload, description in seeds():
            if not kind:
                continue
            whole = described_file(kind, payload, description)
            try:
                ingot.open(whole).value  # noqa: B018
            except ingot.FormatError:
                continue  # a seed that is meant to be refused
            (trip.folder / "it.ingot").write_bytes(whole)
            trip.take(name, kind)
        print(f"{trip.made} trips, {trip.failures} failures")
        return 1 if trip.failures or not trip.made else 0


if __name__ == "__main__":
    sys.exit(main())
