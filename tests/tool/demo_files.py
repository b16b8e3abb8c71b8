#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command of the tool on every file that the demo writes, with arguments that fit.

  demo_files.py TOOL FOLDER
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TYPED = ["atlas.ingot", "atlas.compact.ingot", "world.ingot", "hero.ingot"]
FILES = [*TYPED, "routes.ingot", "currencies.log"]
# A scalar in each file that no other part of the demo's data depends on.
PLACES = {
    "atlas.ingot": ("countries[0].alpha_2", '"XX"'), "atlas.compact.ingot": ("countries[0].alpha_2", '"XX"'),
    "world.ingot": ("characters[3].level", "7"), "hero.ingot": ("skills[1].level", "7"), "routes.ingot": ("routes.DEU.cost", "12345"),
}
failures = 0


def expect(condition, sentence):
    global failures
    if not condition:
        failures += 1
        print(sentence)


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        for name in FILES:
            shutil.copy(pathlib.Path(sys.argv[2]) / name, scratch)
        os.chdir(scratch)
        look(tool)
    return 1 if failures else 0


def look(tool):
    def said(*words, code=0):
        done = subprocess.run([tool, *words], capture_output=True, text=True, timeout=300)
        expect(done.returncode == code, f"ingot {' '.join(words)}: exit code {done.returncode}, not {code}: {done.stderr}")
        expect(bool(done.stderr) == (code > 1), f"ingot {' '.join(words)}: on standard error: {done.stderr}")
        return done.stdout

    def told(*words, code=0):
        return json.loads(said(*words, "--json", code=code))

    expect(said("validate", *FILES).count(": valid, ") == len(FILES), "a file is not valid")
    for name in FILES:
        size = pathlib.Path(name).stat().st_size
        shown = said("inspect", name)
        expect(f"{size:,} bytes" in shown, f"inspect {name} doesn't say its size")
        expect(len(shown.splitlines()) < 2_000 < len(said("inspect", "--all", name).splitlines()) or size < 20_000, f"inspect {name} isn't cut sensibly")
        stats = told("stats", name)
        if name == "world.ingot":  # whose identifiers are random
            small = {field["field"]: (field["bytes"], field["compressed"]) for field in stats["fields"]}
            expect(all(after < before + 64 for before, after in small.values()), f"stats {name}: fields grow: {small}")
            uuid = small["characters[].items{}.uuid"]
            expect(uuid[1] > 0.95 * uuid[0], f"stats {name}: random numbers become small, {uuid}")
        else:
            expect("compressed" not in stats["fields"][0], f"stats {name} shows compression, but the file has none")
        said("annotate", name)
        if name in ("hero.ingot", "routes.ingot", "currencies.log"):
            end = 0
            for piece in told("annotate", name)["pieces"]:
                expect(piece["offset"] == end, f"annotate {name} leaves out what is before byte {piece['offset']}")
                end = piece["offset"] + piece["length"]
            expect(end == size, f"annotate {name} ends at {end} of {size} bytes")
            expect(sum(field["bytes"] for field in stats["fields"]) == size, f"stats {name}: shares don't add up to {size}")
        said("layout", name, "--html", name + ".html")
        page = pathlib.Path(name + ".html").read_text()
        expect("http://" not in page.replace("http://www.w3.org", "") and "https://" not in page, f"the page of {name} asks the network")
        for form in ("json", "msgpack", "cbor", "archive", "document", "ingot"):
            said("convert", "--to", form, name, f"{name}.{form}")
            if form == "json" and not name.endswith(".log"):  # a log is compared with a log
                said("diff", name, f"{name}.{form}")
        said("convert", "--to", "jsonl", name, f"{name}.jsonl")

    for name in TYPED:
        for form in ("packed", "compact", "live", "protobuf"):
            out = f"{name}.as.{form}"
            said("convert", "--to", form, name, out)
            if form == "protobuf":
                shutil.move(out, name + ".pb")
                said("convert", "--schema", name, name + ".pb", out + ".json")
                said("diff", name, out + ".json")
            else:
                said("validate", out)
                said("diff", name, out)
        for form in ("text", "cpp", "json-schema", "proto"):
            text = said("schema", "--as", form, name)
            if form == "json-schema":
                json.loads(text)
            if form == "proto" and shutil.which("protoc"):
                pathlib.Path("made.proto").write_text(text)
                asked = subprocess.run(["protoc", "--cpp_out=.", "made.proto"], capture_output=True, text=True)
                expect(asked.returncode == 0, f"protoc refuses the schema of {name}: {asked.stderr}")
    said("diff", "--schema", "atlas.ingot", "atlas.compact.ingot")
    said("diff", "--schema", "atlas.ingot", "currencies.log", code=1)
    said("diff", "atlas.ingot", "world.ingot", code=1)

    for name, (place, value) in PLACES.items():
        was = said("get", "--json", name, place)
        expect(was.strip() != value, f"{place} of {name} is {value} already")
        shutil.copy(name, "before.ingot")
        said("set", name, place, value)
        expect(said("get", "--json", name, place).strip() == value, f"set {name} {place} wasn't kept")
        said("validate", name)
        difference = said("diff", "before.ingot", name, code=1).splitlines()
        expect(difference == [f"- {place}: {was.strip()}", f"+ {place}: {value}"], f"set {name} changed {difference}")

    before = pathlib.Path("routes.ingot").stat().st_size
    shutil.copy("routes.ingot", "before.ingot")
    said("set", "routes.ingot", "routes", '{"DEU": {"cost": 1}}')
    said("compact", "routes.ingot")
    expect(pathlib.Path("routes.ingot").stat().st_size < before, "compact leaves the bytes that were freed")
    said("compact", "hero.ingot")
    said("layout", "before.ingot", "--compare", "routes.ingot", "--html", "both.html")

    third = said("convert", "--to", "jsonl", "currencies.log", "-").splitlines()[3]
    expect(json.loads(third)["alpha_3"] == said("get", "currencies.log", "[3].alpha_3").strip(), "get and convert show different records")
    records = told("recover", "currencies.log")
    expect(records["records"] == len(said("convert", "--to", "jsonl", "currencies.log", "-").splitlines()), "recover and convert count different records")
    with open("currencies.log", "r+b") as log:
        log.truncate(pathlib.Path("currencies.log").stat().st_size - 9)
    said("validate", "currencies.log", code=1)
    said("recover", "currencies.log", code=1)
    said("recover", "--cut", "currencies.log")
    said("validate", "currencies.log")
    expect(told("recover", "currencies.log")["records"] == records["records"] - 1, "recover --cut leaves all whole records")


if __name__ == "__main__":
    sys.exit(main())
