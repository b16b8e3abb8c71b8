#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that `ingot annotate` lists every byte of a file once, with its value.

  cover_bytes.py TOOL MAKE_FILES GOLDENS

Tests each file that MAKE_FILES writes, and each file in the folder GOLDENS that is a file of
ingot's or a document: as JSON, as text, and in ranges. Compressed files are also tested after
decompression.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r"^([0-9a-f]{8,})  (([0-9a-f]{2}) \* ([0-9,]+) |(?:[0-9a-f]{2} )+)")
# Files without such a listing: for them the tool must print one sentence.
OTHERS = {"order.cbor", "order.json", "order.msgpack", "order.inga", "shared.inga", "endless.ingot", "left_hero.edit", "left_order.edit", "left_brief.edit"}


def run(tool, *words):
    return subprocess.run([tool, "annotate", *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


def joined(pieces, size):
    """Returns the bytes of the pieces, which must be adjacent, from 0 to the size."""
    out = b""
    for piece in pieces:
        assert piece["offset"] == len(out), f"a gap or an overlap at {piece}"
        assert piece["length"] > 0 and len(piece["bytes"]) == 2 * piece["length"], piece
        assert piece["use"] in ("header", "value", "key", "place", "count", "tag", "storage", "index", "padding", "spare", "hole")
        out += bytes.fromhex(piece["bytes"])
    assert len(out) == size, f"{len(out)} bytes of {size}"
    return out


def listed(text):
    """Returns the bytes of sections of text; each section begins at offset 0."""
    sections = []
    for line in text.splitlines():
        found = LINE.match(line)
        if not found:
            continue
        at = int(found[1], 16)
        if at == 0:
            sections.append(b"")
        assert at == len(sections[-1]), f"a gap or an overlap at {line}"
        if found[3]:
            sections[-1] += bytes.fromhex(found[3]) * int(found[4].replace(",", ""))
        else:
            sections[-1] += bytes.fromhex(found[2])
    return sections


def check(tool, name):
    whole = name.read_bytes()
    done = run(tool, "--json", name)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert joined(found["pieces"], len(whole)) == whole, "other bytes than the file's"
    payload = None
    if "payload" in found:
        payload = joined(found["payload"], sum(piece["length"] for piece in found["payload"]))
        assert len(payload) == int.from_bytes(whole[24:32], "little")
    sections = listed(run(tool, "--all", name).stdout.decode())
    assert sections == ([whole] if payload is None else [whole, payload]), "other bytes in the text"
    middle = len(whole) // 2
    for piece in json.loads(run(tool, "--json", "--range", f"{middle}..{middle + 9}", name).stdout)["pieces"]:
        assert piece in found["pieces"] and piece["offset"] < middle + 9 and piece["offset"] + piece["length"] > middle
    return len(found["pieces"])


def main():
    tool, make_files, goldens = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    files = pieces = failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        subprocess.run([make_files, folder], check=True)
        for golden in sorted([*goldens.glob("file_*.hex"), *goldens.glob("document_*.hex")]):
            text = "".join(line for line in golden.read_text().splitlines(True) if not line.startswith("#"))
            data = bytes.fromhex(text)
            if golden.stem == "file_edited":  # which leaves out zeros
                data = data[:64] + bytes(65536 - 64) + data[64:]
            if golden.stem == "file_parts":  # the same
                data = data[:64] + bytes(20000) + data[64:]
            if data[:4] in (b"ingF", b"ingD"):
                (folder / golden.stem).write_bytes(data)
        for name in sorted(folder.iterdir()):
            if name.name in OTHERS:
                done = run(tool, name)
                if done.returncode != 3 or not done.stderr:
                    failures += 1
                    print(f"{name.name}: {done}")
                continue
            try:
                files += 1
                pieces += check(tool, name)
            except (AssertionError, ValueError) as why:
                failures += 1
                print(f"{name.name}: {why}")
    print(f"{files} files, {pieces} pieces, {failures} failures")
    return 1 if failures or files < 18 else 0


if __name__ == "__main__":
    sys.exit(main())
