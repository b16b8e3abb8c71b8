#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives gdb and lldb over tests/debug/values.cpp and compares what they show. Says which debuggers are not there.

  drive.py [--gdb PROGRAM] [--lldb PROGRAM] [--damage ROUNDS] VALUES     VALUES: the compiled program; ROUNDS: gdb shows it as often with damaged memory;
                                                                         exit status 0 if every debugger asked for shows all of it
"""
import pathlib
import re
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools/debug"
DOC = r'{"list": [1, 300], "half": 0.5, "id": 7, "deep": {"flag": true}, "name": "a name of a document"}'
# Expression; what gdb and lldb show of it, blanks and line ends apart.
WANTED = [
    ("c.brief", '= "short"', '= "short"'),
    ("c.text", '= "a text that does not fit in place"', '= "a text that does not fit in place"'),
    ("c.wide", '= "wide text, é, in a storage"', '= "wide text, é, in a storage"'),
    ("c.numbers", "ingot::vector of 3 = {1, 2, 3}", "ingot::vector of 3 { [0] = 1 [1] = 2 [2] = 3 }"),
    ("c.items", 'ingot::vector of 2 = {{id = 7, name = "rope"}, {id = 8, name = ""}}',
     'ingot::vector of 2 { [0] = (id = 7, name = "rope") [1] = (id = 8, name = "") }'),
    ("c.nothing", "ingot::vector of 0", "ingot::vector of 0"),
    ("c.ring", "ingot::queue of 6 = {4, 5, 6, 7, 8, 9}", "ingot::queue of 6 { [0] = 4 [1] = 5 [2] = 6 [3] = 7 [4] = 8 [5] = 9 }"),
    ("c.squares", "ingot::map of 500 = {[0] = 0, [1] = 1, [2] = 4,", "ingot::map of 500 { [0] = 0 [1] = 1 [2] = 4"),
    ("c.squares", "[499] = 249001}", "[499] = 249001 }"),
    ("c.named", 'ingot::map of 2 = {["axe"] = {id = 12, name = ""}, ["lamp"] = {id = 11, name = ""}}',
     'ingot::map of 2 { ["axe"] = (id = 12, name = "") ["lamp"] = (id = 11, name = "") }'),
    ("c.moods", 'calm] = "lake", [', '[calm] = "lake" [angry] = "storm"'),
    ("c.odd", "ingot::set of 4 = {-3, -1, 1, 3}", "ingot::set of 4 { [0] = -3 [1] = -1 [2] = 1 [3] = 3 }"),
    ("c.scores", 'ingot::hash_map of 1 = {["chess"] = 1.5}', 'ingot::hash_map of 1 { ["chess"] = 1.5 }'),
    ("c.seen", "ingot::hash_set of 40 = {", "ingot::hash_set of 40 {"),
    ("c.letters", "ingot::flat_map of 2 = {[97 'a'] = \"a\", [98 'b'] = \"b\"}", "ingot::flat_map of 2 { ['a'] = \"a\" ['b'] = \"b\" }"),
    ("c.words", 'ingot::flat_set of 2 = {"first", "second"}', 'ingot::flat_set of 2 { [0] = "first" [1] = "second" }'),
    ("c.motto", 'ingot::optional = {value = "onward"}', 'ingot::optional { value = "onward" }'),
    ("c.none", "= none", "= none"),
    ("c.note", '= {value = "in a variant, in a block"}', '{ value = "in a variant, in a block" }'),
    ("c.boxed", 'ingot::box = {value = {id = 42, name = ""}}', 'ingot::box { value = (id = 42, name = "") }'),
    ("c.empty", "= empty box", "= empty box"),
    ("c.pool", 'ingot::pool of 1 = {{id = 99, name = ""}}', 'ingot::pool of 1 { [1] = (id = 99, name = "") }'),
    ("c.link", "index 1, generation 1", "index 1, generation 1"),
    ("block", 'root = {brief = "short"', 'root = { brief = "short"'),
    ("c.any", '= {"price": 2.5, "tags": ["new", "blue"]}', '= {"price": 2.5, "tags": ["new", "blue"]}'),
    ("c.nothing_yet", "= null", "= null"),
    ("c.anything", 'ingot::vector of 2 = {7, "a text that is longer than a slot"}',
     'ingot::vector of 2 { [0] = 7 [1] = "a text that is longer than a slot" }'),
    ("any", '= {"price": 2.5, "tags": ["new", "blue"]}', '= {"price": 2.5, "tags": ["new", "blue"]}'),
    ("tag", '= "blue"', '= "blue"'),
    ("seen", 'root = {brief = "short"', 'root = { brief = "short"'),
    ("h.any", '= {"wide": true}', '= {"wide": true}'),
    ("h.text", '= "a text that does not fit in place, in a wide block"', '= "a text that does not fit in place, in a wide block"'),
    ("h.brief", '= "short"', '= "short"'),
    ("h.numbers", "ingot::vector of 2 = {4, 5}", "ingot::vector of 2 { [0] = 4 [1] = 5 }"),
    ("h.named", 'ingot::map of 2 = {["axe"] = 1', 'ingot::map of 2 { ["axe"]'),
    ("h.scores", 'ingot::hash_map of 1 = {[7] = "seven"}', 'ingot::hash_map of 1 { [7] = "seven" }'),
    ("h.many", "ingot::multiset of 3 = {1, 3, 3}", "ingot::multiset of 3 { [0] = 1 [1] = 3 [2] = 3 }"),
    ("h.flat", "ingot::flat_map of 2 = {[1] = 1.5, [2] = 2.5}", "ingot::flat_map of 2 { [1] = 1.5 [2] = 2.5 }"),
    ("h.ring", "ingot::queue of 2 = {0, 1}", "ingot::queue of 2 { [0] = 0 [1] = 1 }"),
    ("h.pool", "ingot::pool of 1 = {17}", "ingot::pool of 1 { [0] = 17 }"),
    ("h.boxed", "ingot::box = {value = 18}", "ingot::box { value = 18 }"),
    ("h.maybe", "ingot::optional = {value = 19}", "ingot::optional { value = 19 }"),
    ("h.note", '= {value = "in a wide variant"}', '{ value = "in a wide variant" }'),
    ("wide_block", 'root = {text = "a text', 'root = { text = "a text'),
    ("doc", DOC, DOC),
    ("name", '= "a name of a document"', '= "a name of a document"'),
    ("absent", "= absent", "= absent"),
    ("peek", DOC, DOC),
    ("fields", "message, fixed part at 0x", "message, fixed part at 0x"),
    ("texts", "view of 2 elements of std::", "view of 2 elements of std::"),
    # Garbage is called that.
    ("c.overwritten", "<damaged: ", "<damaged: "),
    ("c.torn", "= <damaged: characters need 4294967296 bytes, the storage has 40>",
     "= <damaged: characters need 4294967296 bytes, the storage has 40>"),
]


def shown_by(command, before, ask, program):
    """What is shown of each expression."""
    lines = before + ["break look_here" if ask == "print" else "breakpoint set -n look_here", "run", "up"]
    marker = "script print('<<<>>>')" if ask != "print" else "echo <<<>>>\\n"
    for expression, *_ in WANTED:
        lines += [marker, f"{ask} {expression}"]
    with tempfile.NamedTemporaryFile("w", suffix=".debug") as script:
        script.write("\n".join(lines + [marker, ""]))
        script.flush()
        run = subprocess.run(command + [script.name, program], capture_output=True, text=True, timeout=120,
                             stdin=subprocess.DEVNULL)
    parts = re.split(r"(?m)^<<<>>>$", run.stdout)[1:]
    if len(parts) <= len(WANTED):
        sys.exit(f"{command[0]} stopped early:\n{run.stdout}\n{run.stderr}")
    return [" ".join(part.split()) for part in parts]


def compare(name, shown, which):
    failures = 0
    for (expression, *wanted), seen in zip(WANTED, shown):
        if " ".join(wanted[which].split()) not in seen:
            failures += 1
            print(f"{name}: {expression}\n  wanted {wanted[which]}\n  got    {seen[:400]}")
    print(f"{name}: {len(WANTED) - failures} of {len(WANTED)}")
    return failures


# In gdb: damages the block and the document in many ways, shows them, and puts back what was there.
DAMAGE = """
import random, time
inferior = gdb.selected_inferior()
def harm(expression, start, size):
    made = random.Random(7)
    for turn in range(ROUNDS):
        changed = []
        for _ in range(made.randint(1, 6)):
            at = start + made.randrange(size // 4) * 4
            changed.append((at, bytes(inferior.read_memory(at, 4))))
            inferior.write_memory(at, made.choice([bytes(4), b"\\xff" * 4, made.randbytes(4), made.choice([1, 2, 8, 64]).to_bytes(4, "little"),
                                  bytes(inferior.read_memory(start + made.randrange(size // 4) * 4, 4))]))
        before = time.monotonic()
        gdb.parse_and_eval(expression).format_string(max_elements=300)
        if time.monotonic() - before > 5:
            print("SLOW", expression, turn)
        for at, old in reversed(changed):
            inferior.write_memory(at, old)
    print("SURVIVED", expression)
start = int(gdb.parse_and_eval("block.memory_.start_"))
harm("c", start + 64, int(gdb.parse_and_eval("seen._M_val.bytes_._M_extent._M_extent_value")) - 64)
core = gdb.parse_and_eval("peek.in_")
harm("peek", int(core["start"]), int(core["size"]))
"""


def survives_damage(program, values, rounds):
    with tempfile.TemporaryDirectory() as folder:
        harm, script = pathlib.Path(folder) / "harm.py", pathlib.Path(folder) / "script.gdb"
        harm.write_text(DAMAGE.replace("ROUNDS", str(rounds)))
        script.write_text(f"set confirm off\nsource {TOOLS / 'ingot_gdb.py'}\nbreak look_here\nrun\nup\nsource {harm}\n")
        run = subprocess.run([program, "-q", "-nx", "-batch", "-x", str(script), values], capture_output=True, text=True, timeout=900,
                             stdin=subprocess.DEVNULL)
    said = run.stdout + run.stderr
    if said.count("SURVIVED") == 2 and "SLOW" not in said and "Exception" not in said and "Traceback" not in said:
        print(f"gdb: shows {rounds} damaged blocks and as many documents")
        return 0
    print(f"gdb: damaged blocks:\n{said[-2000:]}")
    return 1


def main():
    arguments = sys.argv[1:]
    programs = {}
    while len(arguments) > 2 and arguments[0] in ("--gdb", "--lldb", "--damage"):
        programs[arguments[0]] = arguments[1]
        arguments = arguments[2:]
    if len(arguments) != 1 or not programs:
        sys.exit(__doc__)
    failures = 0
    if "--gdb" in programs:
        before = ["set confirm off", "set print elements 3000", "set width 0", f"source {TOOLS / 'ingot_gdb.py'}"]
        failures += compare("gdb", shown_by([programs["--gdb"], "-q", "-nx", "-batch", "-x"], before, "print", arguments[0]), 0)
        if "--damage" in programs:
            failures += survives_damage(programs["--gdb"], arguments[0], int(programs["--damage"]))
    if "--lldb" in programs:
        before = ["settings set target.max-children-count 1000", f"command script import {TOOLS / 'ingot_lldb.py'}"]
        failures += compare("lldb", shown_by([programs["--lldb"], "--no-lldbinit", "--batch", "-s"], before, "frame variable", arguments[0]), 1)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
