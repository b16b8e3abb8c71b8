#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exchanges messages of protobuf between ingot's tool and other implementations.

The others are upb, used from Python, and prost.

  tests/interchange/messages.py --ingot build/tools/ingot/ingot
                                --files build/tests/tool/ingot_tool_files

The type is that of hero.ingot, which `--files` writes, as `ingot schema --as proto` prints it.
ingot converts each value from JSON for upb and for prost, and their output back to JSON. Installs
pinned packages into a temporary folder, which needs the package registries, and takes protoc from
the machine. So it is run by hand. Exit code 1 means that a value has changed.
"""
import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

PROTOBUF = "7.36.2"
PROST = "0.14.6"
CARGO = f"""[package]
name = "messages"
version = "0.1.0"
edition = "2021"

[dependencies]
prost = "={PROST}"

[build-dependencies]
prost-build = "={PROST}"
"""
BUILD = 'fn main() { prost_build::compile_protos(&["hero.proto"], &["."]).unwrap(); }\n'
# Each line in hexadecimal is decoded and encoded again.
MAIN = """use prost::Message;
mod hero { include!(concat!(env!("OUT_DIR"), "/_.rs")); }
fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let bytes: Vec<u8> = (0..line.len() / 2).map(|i| u8::from_str_radix(&line[2 * i..2 * i + 2], 16).unwrap()).collect();
        match hero::Root::decode(bytes.as_slice()) {
            Ok(root) => println!("{}", root.encode_to_vec().iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
            Err(why) => println!("!{why}"),
        }
    }
}
"""
# Reads lines of JSON: [value, hexadecimal]. Prints the value as upb writes it, and whether the
# bytes are the same message.
UPB = '''import json, sys
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal import api_implementation
assert api_implementation.Type() == "upb", api_implementation.Type()
files = descriptor_pb2.FileDescriptorSet.FromString(open("hero.binary", "rb").read())
pool = descriptor_pool.DescriptorPool()
for file in files.file:
    pool.Add(file)
Root = message_factory.GetMessageClass(pool.FindMessageTypeByName("Root"))

def fill(message, value):
    for name, item in value.items():
        field = message.DESCRIPTOR.fields_by_name[name]
        to = getattr(message, name)
        if field.name == "note":
            (alternative, inner), = item.items()
            setattr(to, "alternative" + alternative, inner)
        elif field.enum_type:
            setattr(message, name, field.enum_type.values_by_name["MOOD_" + item.upper()].number)
        elif field.message_type and field.message_type.GetOptions().map_entry:
            for key, inner in item.items():
                if isinstance(inner, dict):
                    fill(to[int(key)], inner)
                else:
                    to[key] = inner
        elif isinstance(item, list):
            for inner in item:
                if isinstance(inner, dict):
                    fill(to.add(), inner)
                else:
                    to.append(inner)
        elif field.message_type:
            to.SetInParent()
            fill(to, item)
        else:
            setattr(message, name, item)

for line in sys.stdin:
    value, *given = json.loads(line)
    root = Root()
    fill(root, value)
    said = []
    for data in given:
        try:
            read = Root.FromString(bytes.fromhex(data))
            read.DiscardUnknownFields()
            said.append("" if read == root else f"other: {read}")
        except Exception as error:
            said.append(f"not read: {error}")
    print(json.dumps([root.SerializeToString().hex(), *said]))
'''

PLAIN = {"id": 7, "name": "Ada", "mood": "calm", "position": [1.5, 0.0, -2.0], "equips": [], "items": {}, "scores": {},
         "note": {"0": 5}}
EQUIP = {"item": {"id": 8056, "count": 1}, "level": 10, "attributes": [0.5, 1.5]}


def values():
    """name: value"""
    def other(**members):
        return {**copy.deepcopy(PLAIN), **members}

    yield "plain", PLAIN
    for number in (0, 1, 127, 128, 2**32 - 1, 2**32, 2**53 + 1, 2**63, 2**64 - 1):
        yield f"u64 {number}", other(id=number)
    for number in (0, -1, 127, 128, -(2**31), 2**31 - 1):
        yield f"i32 {number}", other(scores={"a": number, "": -number if number > -(2**31) else 0})
    for number in (0, -1, -(2**15), 2**15 - 1):
        yield f"i16 {number}", other(mount=number)
    for number in (0.0, -0.0, 1.1, 5e-324, 1.7976931348623157e308):
        yield f"double {number}", other(speed=number)
    yield "floats", other(position=[-0.0, 3.4028234663852886e38, 1.401298464324817e-45])
    yield "no text", other(name="")
    yield "text", other(name="\u00e9\u20ac\U0001f600\0")
    yield "long text", other(name="0123456789" * 30)
    yield "enumerator", other(mood="angry")
    yield "records", other(equips=[EQUIP, {"item": {"id": 0, "count": 0}, "level": 0, "attributes": []}, EQUIP])
    yield "many numbers", other(equips=[{**EQUIP, "attributes": [i / 4 for i in range(300)]}])
    yield "records by number", other(items={"0": {"id": 0, "count": 0}, str(2**64 - 1): {"id": 1, "count": 2**32 - 1}})
    yield "variant, zero", other(note={"0": 0})
    yield "variant, text", other(note={"1": "takes care"})
    yield "variant, no text", other(note={"1": ""})


# Fields that the type doesn't have, before each value: a varint, 8 bytes, text, a group with a
# nested group, 4 bytes.
UNKNOWN = bytes.fromhex("a00601" "a1060000000000000000" "a206026162" "a306 0801 ab06 1001 ac06 a406" "a50600000000")


def run(command, folder, given=None, text=True):
    done = subprocess.run([str(part) for part in command], cwd=folder, input=given, capture_output=True, text=text)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ingot", required=True, type=pathlib.Path, help="the tool")
    parser.add_argument("--files", required=True, type=pathlib.Path, help="the program that writes the files of the tool's tests")
    options = parser.parse_args()
    tool = options.ingot.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        run([options.files.resolve(), folder], folder)
        (folder / "hero.proto").write_text(run([tool, "schema", "--as", "proto", "hero.ingot"], folder))
        run(["protoc", "--descriptor_set_out=hero.binary", "hero.proto"], folder)
        run([sys.executable, "-m", "venv", "venv"], folder)
        run(["venv/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"protobuf=={PROTOBUF}"], folder)
        (folder / "upb.py").write_text(UPB)
        (folder / "src").mkdir()
        (folder / "src" / "main.rs").write_text(MAIN)
        (folder / "build.rs").write_text(BUILD)
        (folder / "Cargo.toml").write_text(CARGO)
        run(["cargo", "build", "--quiet", "-j1", "--target-dir", "target"], folder)

        def convert(given, from_, to):
            done = subprocess.run([tool, "convert", "--schema", "hero.ingot", "--from", from_, "--to", to, "-", "-"], cwd=folder,
                                  input=given, capture_output=True)
            return done.stdout if done.returncode == 0 else f"!{done.stderr.decode().strip()}"

        everything = list(values())
        written = [convert(json.dumps(value).encode(), "json", "protobuf") for _, value in everything]
        for (name, _), data in zip(everything, written):
            if isinstance(data, str):
                sys.exit(f"{name}: ingot writes nothing: {data}")
        prost = run(["target/debug/messages"], folder, "".join(f"{data.hex()}\n" for data in written)).splitlines()
        lines = "".join(json.dumps([value, data.hex(), (UNKNOWN + data).hex(), again]) + "\n"
                        for (_, value), data, again in zip(everything, written, prost))
        upb = [json.loads(line) for line in run(["venv/bin/python", "upb.py"], folder, lines).splitlines()]
        same = count = 0
        for (name, value), again, (by_upb, *said) in zip(everything, prost, upb, strict=True):
            results = dict(zip(("ingot to upb", "ingot to upb, with unknown fields", "ingot to prost to upb"), said))
            for writer, data in (("upb", by_upb), ("prost", again)):
                if data.startswith("!"):
                    results[f"ingot to {writer}"] = data
                    continue
                for title, front in (("", b""), (", with unknown fields", UNKNOWN)):
                    got = convert(front + bytes.fromhex(data), "protobuf", "json")
                    # A member that is absent has no key in JSON.
                    results[f"{writer} to ingot{title}"] = got if isinstance(got, str) else "" if equal(json.loads(got), value) else got.decode()
            for title, got in results.items():
                count += 1
                same += not got
                if got:
                    print(f"{name}: {title}: {got}")
    print(f"upb of protobuf {PROTOBUF}, prost {PROST}: {len(everything)} values, {same} of {count} readings give the value")
    return 0 if same == count else 1


def equal(got, wanted):
    return json.dumps(got, sort_keys=True) == json.dumps(json.loads(json.dumps(wanted)), sort_keys=True)


if __name__ == "__main__":
    sys.exit(main())
