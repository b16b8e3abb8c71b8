#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exchanges values between ingot's tool and other programs' encoders of MessagePack and CBOR.

  tests/interchange/encoders.py --ingot build/tools/ingot/ingot             every ecosystem
  tests/interchange/encoders.py --ingot build/tools/ingot/ingot npm python  these only

Installs the pinned packages into a temporary folder, which needs the package registries. So it is
run by hand. Each encoder writes each value of VALUES, and `ingot convert --to json` reads it. Then
ingot writes the value, and the encoder reads it. Last, `ingot convert --wrap` rewrites the
encoder's own bytes, and the encoder reads them.

Prints a table and compares it with encoders.expected. Exit code 1 means that they differ; --accept
writes the new one. --keep FOLDER installs into FOLDER and leaves the packages there.

Each ecosystem has one program. `PROGRAM list` prints its libraries: name, version, format. `PROGRAM
write LIBRARY` prints a line NAME TAB HEX for each value, or NAME TAB - if the language has no such
value, or NAME TAB !MESSAGE. `PROGRAM read LIBRARY` gets lines NAME TAB HEX and prints NAME TAB
VALUE, in JSON with a key for each type: see `show`.
"""
import argparse
import collections
import difflib
import json
import math
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "encoders.expected"


def integer(value):
    return {"i": str(value)}


def real(value):
    return {"f": struct.pack(">d", value).hex()}


def text(value):
    return {"t": value}


def array(*values):
    return {"a": list(values)}


def object_of(**members):
    return {"m": [[text(key), value] for key, value in members.items()]}


def integers(*values):
    return array(*map(integer, values))


def reals(*values):
    return array(*map(real, values))


LONG = "0123456789" * 30
RECORD = object_of(id=integer(7), name=text("x"), ratio=real(0.5))
TIME = 1700000000

# value: the value that a library must read. source: JSON or hexadecimal CBOR from which ingot
# writes the value. shown: JSON that ingot must write for the library's bytes, with the listed
# options if any are needed.
Value = collections.namedtuple("Value", "value source shown options write_options", defaults=((), ()))
REDUCE = ("--reduce",)


def same(value, source):
    return Value(value, source, source)


VALUES = {
    "u8": same(integers(0, 1, 23, 24, 127, 128, 255), "[0,1,23,24,127,128,255]"),
    "u16": same(integers(256, 32767, 32768, 65535), "[256,32767,32768,65535]"),
    "u32": same(integers(65536, 2147483647, 2147483648, 4294967295), "[65536,2147483647,2147483648,4294967295]"),
    "2^32": same(integers(4294967296), "[4294967296]"),
    "2^53-1": same(integers(2**53 - 1), f"[{2**53 - 1}]"),
    "2^53+1": same(integers(2**53 + 1), f"[{2**53 + 1}]"),
    "2^63-1": same(integers(2**63 - 1), f"[{2**63 - 1}]"),
    "2^64-1": same(integers(2**64 - 1), f"[{2**64 - 1}]"),
    "negative": same(integers(-1, -24, -25, -32, -33, -128, -129, -256, -257, -32768, -32769, -2147483648),
                     "[-1,-24,-25,-32,-33,-128,-129,-256,-257,-32768,-32769,-2147483648]"),
    "-2^31-1": same(integers(-(2**31) - 1), f"[{-(2**31) - 1}]"),
    "-2^63": same(integers(-(2**63)), f"[{-(2**63)}]"),
    "2^64": Value(integers(2**64), bytes.fromhex("81c249010000000000000000"), "[18446744073709551616.0]", REDUCE),
    "-2^64": Value(integers(-(2**64)), bytes.fromhex("813bffffffffffffffff"), "[-18446744073709551616.0]", REDUCE),
    "halves": same(reals(0.5, -0.25, 1.5), "[0.5,-0.25,1.5]"),
    "singles": same(reals(0.100000001490116119384765625, 1.1754943508222875e-38),
                    "[0.10000000149011612,1.1754943508222875e-38]"),
    "doubles": same(reals(1.1, 5e-324, 1.7976931348623157e308), "[1.1,5e-324,1.7976931348623157e308]"),
    "whole": same(reals(1.0, 65504.0), "[1.0,65504.0]"),
    "-0.0": same(reals(-0.0), "[-0.0]"),
    "nan": Value(reals(math.nan, math.inf, -math.inf), bytes.fromhex("83f97e00f97c00f9fc00"), '["NaN","Infinity","-Infinity"]', REDUCE),
    "simple": same(array(True, False, None), "[true,false,null]"),
    "undefined": Value(array({"undefined": True}), bytes.fromhex("81f7"), "[null]", REDUCE),
    "text": same(array(text(""), text("a"), text("\u00e9\u20ac\U0001f600"), text("nul\0")), '["","a","\u00e9\u20ac\U0001f600","nul\\u0000"]'),
    "long text": same(array(text(LONG)), f'["{LONG}"]'),
    "bytes": Value(array({"b": "00ff10"}, {"b": ""}), bytes.fromhex("824300ff1040"), '["AP8Q",""]', REDUCE),
    "nested": same(array(array(), array(integers(1)), array(integer(1), integers(2, 3)), object_of()), "[[],[[1]],[1,[2,3]],{}]"),
    "long array": same(integers(*range(300)), json.dumps(list(range(300)))),
    "text keys": same(object_of(a=integer(1), b=object_of(c=array())), '{"a":1,"b":{"c":[]}}'),
    "many keys": same({"m": [[text(f"k{i}"), integer(i)] for i in range(20)]}, json.dumps({f"k{i}": i for i in range(20)})),
    "integer keys": Value({"m": [[integer(1), integer(2)], [integer(-3), integer(4)]]}, '{"1":2,"-3":4}', '{"1":2,"-3":4}',
                          ("--other-keys",), ("--integer-keys",)),
    "record": same(RECORD, '{"id":7,"name":"x","ratio":0.5}'),
    "records": same(array(RECORD, RECORD), '[{"id":7,"name":"x","ratio":0.5},{"id":7,"name":"x","ratio":0.5}]'),
    "empty list": same(object_of(list=array()), '{"list":[]}'),
    "time": Value(array({"time": f"{TIME}.000000000"}), '[{"$seconds":1700000000,"$nanoseconds":0}]', '["2023-11-14T22:13:20Z"]'),
    "time, ms": Value(array({"time": f"{TIME}.500000000"}), '[{"$seconds":1700000000,"$nanoseconds":500000000}]',
                      '["2023-11-14T22:13:20.500Z"]'),
    "time, ns": Value(array({"time": f"{TIME}.123456789"}), '[{"$seconds":1700000000,"$nanoseconds":123456789}]',
                      '["2023-11-14T22:13:20.123456789Z"]'),
    "date": Value(array({"date": "2023-11-14"}), bytes.fromhex("81d9 03ec 6a 323032332d31312d3134"), '["2023-11-14"]'),
    "set": Value(array({"s": [integer(1), integer(2)]}), bytes.fromhex("81d90102820102"), "[[1,2]]"),
    "decimal": Value(array({"d": "273.15"}), bytes.fromhex("81c48221196ab3"), "[273.15]"),
    "typed array": Value(array({"typed": [real(1.0), real(2.5)]}), bytes.fromhex("81d855480000803f00002040"), "[[1.0,2.5]]"),
    "shared": same(array(object_of(x=integer(1)), object_of(x=integer(1))), '[{"x":1},{"x":1}]'),
}
# Tried in this order, until one gives the value.
READ_OPTIONS = [(), ("--other-keys",), ("--whole-reals",), ("--other-keys", "--whole-reals"), REDUCE, ("--whole-reals", "--reduce"),
                ("--other-keys", "--reduce")]


# --- comparing

def show(value):
    """Returns a value that a library read, as text for people."""
    if not isinstance(value, dict):
        return json.dumps(value)
    (kind, of), = value.items()
    if kind in "ad":
        return "[" + ", ".join(map(show, of)) + "]" if kind == "a" else f"decimal {of}"
    if kind == "m":
        return "{" + ", ".join(f"{show(key)}: {show(item)}" for key, item in of) + "}"
    if kind == "s":
        return "set [" + ", ".join(map(show, of)) + "]"
    if kind == "typed":
        return "typed [" + ", ".join(map(show, of)) + "]"
    if kind == "f":
        return repr(struct.unpack(">d", bytes.fromhex(of))[0])
    if kind == "t":
        return json.dumps(of, ensure_ascii=True)
    if kind == "i":
        return of
    if kind == "undefined":
        return "undefined"
    if kind == "b":
        return f"h'{of}'"
    if kind == "tag":
        return f"{of[0]}({show(of[1])})"
    if kind == "newtype":
        return f"newtype {show(of)}"
    if kind == "ext":
        return f"ext {of[0]} h'{of[1]}'"
    return f"{kind} {of}"


def number(value):
    """Returns a number's value, whatever its type."""
    if not isinstance(value, dict):
        return None
    (kind, of), = value.items()
    return int(of) if kind == "i" else struct.unpack(">d", bytes.fromhex(of))[0] if kind == "f" else None


def differs(wanted, got, one_number):
    """Returns the first difference between two values, or an empty text.

    `one_number`: the language has one type of numbers.
    """
    if number(wanted) is not None and number(got) is not None:
        a, b = number(wanted), number(got)
        if isinstance(a, float) and math.isnan(a):
            return "" if isinstance(b, float) and math.isnan(b) else show(got)
        signs = [math.copysign(1, x) if isinstance(x, float) else 1 for x in (a, b)]
        if a != b or (a == 0 and signs[0] != signs[1]):
            return show(got)
        return "" if one_number or type(a) is type(b) else f"{'double' if isinstance(b, float) else 'integer'} {show(got)}"
    if isinstance(wanted, dict) and isinstance(got, dict) and wanted.keys() == got.keys():
        (kind, a), = wanted.items()
        (_, b), = got.items()
        if kind in ("a", "s", "typed"):
            if kind == "s":
                a, b = sorted(a, key=json.dumps), sorted(b, key=json.dumps)
            return next(filter(None, (differs(x, y, one_number) for x, y in zip(a, b))), "") if len(a) == len(b) else show(got)
        if kind == "m":
            a, b = ({json.dumps(key): item for key, item in members} for members in (a, b))
            if one_number and a.keys() != b.keys():
                a, b = ({str(number(json.loads(key)) if number(json.loads(key)) is not None else key): item for key, item in m.items()}
                        for m in (a, b))
            return next(filter(None, (differs(a[key], b[key], one_number) for key in a)), "") if a.keys() == b.keys() else show(got)
        return "" if a == b else show(got)
    return "" if wanted == got else show(got)


def equal_json(wanted, got):
    """Returns true if two values of JSON are equal, including their types and the sign of zero."""
    if type(wanted) is not type(got):
        return False
    if isinstance(wanted, list):
        return len(wanted) == len(got) and all(map(equal_json, wanted, got))
    if isinstance(wanted, dict):
        return wanted.keys() == got.keys() and all(equal_json(item, got[key]) for key, item in wanted.items())
    return repr(wanted) == repr(got)


def plain_time(value):
    """Returns ISO 8601 text in one of its forms of a time.

    Libraries also write zeros at the end, or an offset instead of Z.
    """
    if isinstance(value, list):
        return [plain_time(item) for item in value]
    if not isinstance(value, str):
        return value
    return re.sub(r"(T[0-9:]+)(\.[0-9]*?)?0*(Z|\+00:00)$", lambda found: found[1] + (found[2] or "").rstrip(".") + "Z", value)


def brief(message, most=200):
    message = " ".join(message.split())
    return message if len(message) <= most else message[: most - 3] + "..."


# --- ingot

class Ingot:
    def __init__(self, program):
        self.program = str(pathlib.Path(program).resolve())

    def convert(self, given, from_, to, *options):
        """Returns (bytes, "") or (None, the reason)."""
        done = subprocess.run([self.program, "convert", "--from", from_, "--to", to, "--indent", "0", *options, "-", "-"] if to == "json" else
                              [self.program, "convert", "--from", from_, "--to", to, *options, "-", "-"], input=given, capture_output=True)
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode:
            return None, said.removeprefix("ingot: ").removeprefix("-: ").split("; correct the value")[0].split("; this call")[0]
        return done.stdout, ""

    def read(self, value, format_, given):
        """Returns the options with which the tool reads a library's bytes as the value.

        Returns "" if it needs none, and its error or what it reads if no option helps.
        """
        first = None
        for options in READ_OPTIONS:
            shown, why = self.convert(given, format_, "json", *options)
            if shown is None:
                first = first or f"refused: {why}"
                continue
            got = json.loads(shown)
            wanted = json.loads(value.shown)
            if "time" in json.dumps(value.value):
                wanted, got = plain_time(wanted), plain_time(got)
            if equal_json(wanted, got):
                return " ".join(options)
            if first is None or (first.startswith("refused") and not options):
                first = f"other: {shown.decode().strip()}"
        return first

    def write(self, value, format_, *options):
        source, from_ = (value.source, "cbor") if isinstance(value.source, bytes) else (value.source.encode(), "json")
        return self.convert(source, from_, format_, "--wrap", *value.write_options, *options)


# --- ecosystems

def run(command, folder, given=None):
    done = subprocess.run([str(part) for part in command], cwd=folder, input=given, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def install_npm(folder):
    run(["npm", "init", "-y"], folder)
    run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts",
         "msgpackr@2.1.4", "cbor-x@1.6.9", "@msgpack/msgpack@3.1.3", "cbor2@2.3.0"], folder)
    shutil.copy(HERE / "encoders.mjs", folder)
    return ["node", folder / "encoders.mjs"]


def install_python(folder):
    run([sys.executable, "-m", "venv", folder / "venv"], folder)
    python = folder / "venv" / "bin" / "python"
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "msgpack==1.2.4", "ormsgpack==1.13.1", "cbor2==6.3.0"], folder)
    return [python, HERE / "encoders_python.py"]


def install_go(folder):
    for name in ("encoders.go", "go.mod", "go.sum"):
        shutil.copy(HERE / name, folder)
    run(["go", "build", "-o", "encoders", "."], folder)
    return [folder / "encoders"]


def install_rust(folder):
    for name in ("encoders.rs", "Cargo.toml"):
        shutil.copy(HERE / name, folder)
    run(["cargo", "build", "--quiet", "-j1", "--target-dir", folder / "target"], folder)
    return [folder / "target" / "debug" / "encoders"]


def install_java(folder):
    shutil.copy(HERE / "pom.xml", folder)
    run(["mvn", "--quiet", "--batch-mode", "dependency:copy-dependencies", f"-DoutputDirectory={folder / 'lib'}"], folder)
    run(["javac", "-encoding", "UTF-8", "-cp", folder / "lib" / "*", "-d", folder / "out", HERE / "Encoders.java"], folder)
    version = re.search(r"jackson-dataformat-msgpack</artifactId>\s*<version>([^<]+)", (HERE / "pom.xml").read_text())[1]
    return ["java", f"-Dmsgpack.version={version}", "-cp", f"{folder / 'out'}:{folder / 'lib' / '*'}", "Encoders"]


ECOSYSTEMS = {"npm": install_npm, "python": install_python, "go": install_go, "rust": install_rust, "java": install_java}
ONE_NUMBER = {"npm"}


def read_back(program, library, folder, to_read, one_number):
    """Returns what a library reads from bytes of ingot's; "" if it is the value."""
    given = "".join(f"{key}\t{made.hex()}\n" for key, made in to_read)
    gave = {}
    for (key, _), line in zip(to_read, run([*program, "read", library], folder, given).splitlines(), strict=True):
        name, got = line.split("\t", 1)
        assert key == name, line
        if got.startswith("!"):
            gave[key] = brief(f"not read: {got[1:]}")
        else:
            difference = differs(VALUES[key].value, json.loads(got), one_number)
            gave[key] = brief(f"other: {difference}") if difference else ""
    return gave


def exchange(ecosystem, folder, ingot):
    """Returns lines of results: library, value, direction, outcome."""
    program = ECOSYSTEMS[ecosystem](folder)
    one_number = ecosystem in ONE_NUMBER
    results = []
    for line in run([*program, "list"], folder).splitlines():
        library, version, format_ = line.split("\t")
        name = f"{library} {version}"
        wrote = dict(line.split("\t", 1) for line in run([*program, "write", library], folder).splitlines())
        if list(wrote) != list(VALUES):
            sys.exit(f"{name} wrote other values: {set(wrote) ^ set(VALUES) or 'in another order'}")
        to_read = []
        through = []
        for key, value in VALUES.items():
            given = wrote[key]
            if given == "-":
                results.append((name, key, "read", "no such value"))
            elif given.startswith("!"):
                results.append((name, key, "read", f"not written: {brief(given[1:])}"))
            else:
                given = bytes.fromhex(given)
                results.append((name, key, "read", brief(ingot.read(value, format_, given))))
                options = ["--other-keys", "--integer-keys"] if key == "integer keys" else []
                made, why = ingot.convert(given, format_, format_, "--wrap", *options)
                if made is None:
                    results.append((name, key, "through", brief(f"refused: {why}")))
                elif made == given:
                    results.append((name, key, "through", ""))
                else:
                    through.append((key, given, made))
            made, why = ingot.write(value, format_)
            if made is None:
                results.append((name, key, "written", brief(f"refused: {why}")))
            else:
                to_read.append((key, made))
        for key, got in read_back(program, library, folder, to_read, one_number).items():
            if got:  # a narrower number than the library reads?
                wide, _ = ingot.write(VALUES[key], format_, "--wide-reals")
                if not read_back(program, library, folder, [(key, wide)], one_number)[key]:
                    got = "--wide-reals"
            results.append((name, key, "written", got))
        # The library must read its own bytes, after ingot has rewritten them, as the same value.
        given = "".join(f"{key}\t{own.hex()}\n{key}\t{made.hex()}\n" for key, own, made in through)
        lines = run([*program, "read", library], folder, given).splitlines()
        for (key, _, _), own, made in zip(through, lines[::2], lines[1::2], strict=True):
            own, made = own.split("\t", 1)[1], made.split("\t", 1)[1]
            if "!" in (own[0], made[0]):
                got = "" if own[0] == made[0] else made.replace("!", "not read: ", 1)
            else:
                difference = differs(json.loads(own), json.loads(made), one_number)
                got = f"other: {difference}" if difference else ""
            results.append((name, key, "through", brief(got)))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ingot", required=True, help="the tool")
    parser.add_argument("--accept", action="store_true", help="write encoders.expected")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the packages, which stay there")
    parser.add_argument("ecosystems", nargs="*", metavar="ecosystem")
    options = parser.parse_args()
    for name in options.ecosystems:
        if name not in ECOSYSTEMS:
            parser.error(f"no such ecosystem: {name}; there are {', '.join(ECOSYSTEMS)}")
    names = [name for name in ECOSYSTEMS if name in options.ecosystems or not options.ecosystems]
    ingot = Ingot(options.ingot)
    results = []
    with tempfile.TemporaryDirectory() as temporary:
        for name in names:
            folder = (options.keep or pathlib.Path(temporary)).resolve() / name
            folder.mkdir(parents=True, exist_ok=True)
            results += [(name, *result) for result in exchange(name, folder, ingot)]

    lines = []
    for ecosystem, library in dict.fromkeys(result[:2] for result in results):
        mine = [result[2:] for result in results if result[:2] == (ecosystem, library)]
        lines.append(f"{ecosystem}: {library}")
        for direction, title in (("read", "ingot reads"), ("written", "reads ingot's"), ("through", "reads its own, rewritten by ingot --wrap")):
            theirs = [(key, got) for key, at, got in mine if at == direction]
            lines.append(f"  {title}: {sum(not got for _, got in theirs)} of {sum(got != 'no such value' for _, got in theirs)}")
            groups = collections.defaultdict(list)
            for key, got in theirs:
                if got:
                    groups[got].append(key)
            lines += [f"    {'; '.join(keys)}: {got}" for got, keys in groups.items()]
    print("\n".join(lines), flush=True)
    old = EXPECTED.read_text().splitlines() if EXPECTED.exists() else []
    if options.accept:
        kept = [line for line, of in with_ecosystem(old) if of not in names]
        EXPECTED.write_text("\n".join(sorted_by_ecosystem(kept + lines)) + "\n")
        return 0
    wanted = [line for line, of in with_ecosystem(old) if of in names]
    for line in difflib.unified_diff(wanted, lines, EXPECTED.name, "seen", lineterm="", n=4):
        print(line, file=sys.stderr)
    return 0 if wanted == lines else 1


def with_ecosystem(lines):
    of = None
    for line in lines:
        of = of if line.startswith(" ") else line.split(":")[0]
        yield line, of


def sorted_by_ecosystem(lines):
    order = list(ECOSYSTEMS)
    return [line for line, of in sorted(with_ecosystem(lines), key=lambda pair: order.index(pair[1]))]


if __name__ == "__main__":
    sys.exit(main())
