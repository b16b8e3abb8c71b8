#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs gdb and lldb on tests/debug/values.cpp or views.cpp and compares their output.

Reports missing debuggers.

  drive.py [--gdb PROGRAM] [--lldb PROGRAM] [--damage ROUNDS] [--core 1] [--views WHICH] PROGRAM

PROGRAM is compiled from values.cpp or, with --views, from views.cpp and views_twin.cpp. WHICH is
the expected output of views: "described"; "asked" for an optimised program that describes its views
on request; "placed" for one that does not describe them. ROUNDS is the number of times that gdb
shows damaged memory. With --core gdb shows a core dump, too. Exit status 0 if every requested
debugger prints the expected output.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools/debug"
DOC = r'{"list": [1, 300], "half": 0.5, "id": 7, "deep": {"flag": true}, "name": "a name of a document"}'
# Expression; the output of gdb and of lldb, except for blanks and line ends.
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
    ("c.outcome", '= {value = "in a twin of an expected"}', '{ value = "in a twin of an expected" }'),
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
    ("fields", '= {id = 5, name = "five", numbers = {1, 2}, texts = {"one", "two"}}', '= {id = 5, name = "five", numbers = {1, 2}, texts = {"one", "two"}}'),
    ("texts", '= view of 2 = {"one", "two"}', '= view of 2 = {"one", "two"}'),
    # Invalid values are reported as damaged.
    ("c.overwritten", "<damaged: ", "<damaged: "),
    ("c.torn", "= <damaged: characters need 4294967296 bytes, the storage has 40>",
     "= <damaged: characters need 4294967296 bytes, the storage has 40>"),
]


EVERYTHING = r'''{number = 7, name = "Ada \"of\" the élan", first = {level = 3, name = "first"}, tags = {{level = 1, name = "one"}, {level = 2, name = ""}},
    numbers = {0.1, -2.5}, lists = {["empty"] = {}, ["two"] = {8, 9}}, odd = {-3, 5}, maybe = 40, motto = "onward", nothing = none,
    choice = (2 tag) {level = 9, name = "chosen"}, plain_choice = (1) 2.5, went = error "no way", feels = cross, paint = 9, pause = 1500 ms,
    since = 60 s since its epoch, bits = 0b0000000101, wave = 1.5 - 2.0i, pair_of_names = {"left", "right"}, grid = {{0, 1}, {-1, 0}},
    small = {true, 120 'x', 0x1f}, wide = "wïde",
    chain = {value = 1, next = {value = 2, next = none, kids = {}}, kids = {{value = 3, next = none, kids = {}}}}, late = {id = 11, title = "late", pages = {1, 2}},
    papers = {{id = 12, title = "a", pages = {}}, {id = 13, title = "b", pages = {4}}}, any = <a value of any kind, 23 bytes>}'''
TAGS = 'view of 2 = {{level = 1, name = "one"}, {level = 2, name = ""}}'
CHOICE, PLAIN, GRID = '(2 tag) {level = 9, name = "chosen"}', "(1) 2.5", "view of 2 = {{0, 1}, {-1, 0}}"
PAPERS, PAPER = 'view of 2 = {{id = 12, title = "a", pages = {}}, {id = 13, title = "b", pages = {4}}}', '{id = 13, title = "b", pages = {4}}'
# Expression; the whole output of both debuggers.
VIEWS = [
    ("view", EVERYTHING),
    ("tags", TAGS),
    ("one_tag", '{level = 2, name = ""}'),
    ("lists", 'view of 2 = {["empty"] = {}, ["two"] = {8, 9}}'),
    ("choice", CHOICE),
    ("plain_choice", PLAIN),
    ("motto", '"onward"'),
    ("went", 'error "no way"'),
    ("names", 'view of 2 = {"left", "right"}'),
    ("grid", GRID),
    ("wide", '"wïde"'),
    ("chain", "{value = 1, next = {value = 2, next = none, kids = {}}, kids = {{value = 3, next = none, kids = {}}}}"),
    ("papers", PAPERS),
    ("paper", PAPER),
    ("checked", EVERYTHING),
    ("checked_tags", TAGS),
    ("checked_tag", '{level = 1, name = "one"}'),
    ("checked_choice", CHOICE),
    ("checked_plain", PLAIN),
    ("checked_papers", PAPERS),
    ("checked_paper", PAPER),
    ("checked_grid", GRID),
    ("compact", EVERYTHING),
    ("compact_tags", TAGS),
    ("compact_tag", '{level = 2, name = ""}'),
    ("compact_choice", CHOICE),
    ("compact_papers", PAPERS),
    ("compact_wide", '"wïde"'),
    ("spelled", "{count = 300, change = -70000, in_full = 5, half = 1.5, tight = 0.1, rounded = 2.75, up = {0.0, 1.0, 0.0}, turn = {0.0, 0.0, 0.0, 1.0}, "
                "moods = {cross, calm}, some = {none, -300}}"),
    ("spelled_moods", "view of 2 = {cross, calm}"),
    ("elided", "{id = 2, name = default, list = {5}, size = default}"),
    ("word", '"a word"'),
    ("old", '{id = 21, title = "old", pages = default}'),
    ("known", '{id = 22, title = "new"}'),
    ("old_compact", '{id = 23, title = "old", pages = default}'),
    ("many", "view of 5000 = {" + "6, " * 100 + "...}"),
    ("much", "{{" + '"word", ' * 100 + "...}, 17}"),
    ("long_text", '{"' + "z" * 200 + '"..., true}'),
    ("alone", '{only = "of this file alone", one = 1}'),
    # If the name of a type is ambiguous, the printers don't guess; clang++ omits the function from
    # the name.
    ("ambiguous", "view of (anonymous namespace)::twin, fixed part at"),
    ("local_view", ('{x = 5, y = "of main"}', "view of local, fixed part at")),
    ("torn", "{8, <damaged: an end of 4278190084, where 0 to 8 can be>, ...}"),
    ("odd_bool", '{8, "torn", <damaged: 3 is no bool>, 1, <damaged: 7 is no enumerator>, "last"}'),
    ("odd_tag", '{8, "torn", true, <damaged: a tag of 9, there are 2 alternatives>, ...}'),
]
# Those that every compiler keeps in memory.
ASKED = [one for one in VIEWS if one[0] in {"view", "tags", "chain", "papers", "checked", "compact", "spelled", "many", "alone"}]
PLACED = [
    ("view", "view of shown::everything, fixed part at"),
    ("tags", "view of 2 elements of std::vector<shown::tag"),
    ("choice", "view of std::variant<"),
    ("checked", "view of shown::everything"),
    ("compact", "view of shown::everything"),
]


def shown_by(command, before, ask, program, wanted):
    """Returns the output for each expression. After the commands `before`, all are in scope."""
    lines = list(before)
    marker = "script print('<<<>>>')" if ask != "print" else "echo <<<>>>\\n"
    for expression, *_ in wanted:
        lines += [marker, f"{ask} {expression}"]
    with tempfile.NamedTemporaryFile("w", suffix=".debug") as script:
        script.write("\n".join(lines + [marker, ""]))
        script.flush()
        run = subprocess.run(command + [script.name, *program], capture_output=True, text=True, timeout=120,
                             stdin=subprocess.DEVNULL)
    parts = re.split(r"(?m)^<<<>>>$", run.stdout)[1:]
    if len(parts) <= len(wanted):
        sys.exit(f"{command[0]} stopped early:\n{run.stdout}\n{run.stderr}")
    # lldb echoes commands: the next command follows each answer
    return [" ".join(part.split()).removesuffix(f" (lldb) {marker}") for part in parts]


def is_seen(wanted, seen):
    """Compares the whole text of a view, except addresses, which differ between runs."""
    if isinstance(wanted, tuple):
        return any(is_seen(one, seen) for one in wanted)
    wanted = " ".join(wanted.split())
    if wanted.startswith("view of ") and "=" not in wanted:
        return f"= {wanted}" in seen and "level" not in seen
    return seen.endswith(f" = {wanted}")


def compare(name, shown, which, table):
    failures = 0
    for (expression, *wanted), seen in zip(table, shown):
        if table is WANTED:
            well, wish = " ".join(wanted[which].split()) in seen, wanted[which]
        else:
            well, wish = is_seen(wanted[0], seen), wanted[0]
        if not well:
            failures += 1
            print(f"{name}: {expression}\n  wanted {wish}\n  got    {seen[:600]}")
    print(f"{name}: {len(table) - failures} of {len(table)}")
    return failures


# In gdb: damages the block and the document in many ways, shows them, and restores the bytes.
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

HARMS
"""
# For each program: the damaged values, and their addresses.
HARMS = {
    False: """
start = int(gdb.parse_and_eval("block.memory_.start_"))
harm("c", start + 64, int(gdb.parse_and_eval("seen._M_val.bytes_._M_extent._M_extent_value")) - 64)
core = gdb.parse_and_eval("peek.in_")
harm("peek", int(core["start"]), int(core["size"]))
""",
    True: """
message = gdb.parse_and_eval("checked.range_.message")
start, size = int(message["_M_ptr"]), int(message["_M_extent"]["_M_extent_value"])
for one in ("view", "checked", "tags", "papers", "chain", "checked_choice"):
    harm(one, start, size)
start, size = int(gdb.parse_and_eval("compact.ref_.in.base")), int(gdb.parse_and_eval("small_size"))
for one in ("compact", "compact_tags", "compact_papers"):
    harm(one, start, size)
""",
}


def survives_damage(program, values, rounds, views):
    harms = HARMS[views]
    with tempfile.TemporaryDirectory() as folder:
        harm, script = pathlib.Path(folder) / "harm.py", pathlib.Path(folder) / "script.gdb"
        harm.write_text(DAMAGE.replace("HARMS", harms).replace("ROUNDS", str(rounds)))
        script.write_text(f"set confirm off\nsource {TOOLS / 'ingot_gdb.py'}\nbreak look_here\nrun\nup\nsource {harm}\n")
        run = subprocess.run([program, "-q", "-nx", "-batch", "-x", str(script), values], capture_output=True, text=True, timeout=900,
                             stdin=subprocess.DEVNULL)
    said = run.stdout + run.stderr
    wanted = 9 if views else 2
    if said.count("SURVIVED") == wanted and "SLOW" not in said and "Exception" not in said and "Traceback" not in said and "Error" not in said:
        print(f"gdb: shows {rounds} times {'9 views of damaged messages' if views else 'a damaged block and a damaged document'}")
        return 0
    print(f"gdb: damaged memory:\n{said[-2000:]}")
    return 1


def from_core(program, values, setup, table):
    """Compares the output of gdb for a core dump, without the process."""
    with tempfile.TemporaryDirectory() as folder:
        core = f"{folder}/core"
        subprocess.run([program, "-q", "-nx", "-batch", "-ex", "break look_here", "-ex", "run", "-ex", f"generate-core-file {core}", values],
                       capture_output=True, timeout=120, stdin=subprocess.DEVNULL, check=True)
        return compare("gdb, core dump", shown_by([program, "-q", "-nx", "-batch", "-x"], [*setup, "up"], "print", [values, core], table), 0, table)


def main():
    arguments = sys.argv[1:]
    given = {}
    while len(arguments) > 2 and arguments[0] in ("--gdb", "--lldb", "--damage", "--core", "--views"):
        given[arguments[0]] = arguments[1]
        arguments = arguments[2:]
    which = given.get("--views")
    table = {None: WANTED, "described": VIEWS, "asked": ASKED, "placed": PLACED}.get(which)
    if len(arguments) != 1 or not {"--gdb", "--lldb"} & given.keys() or table is None:
        sys.exit(__doc__)
    failures = 0
    if gdb := given.get("--gdb"):
        setup = ["set confirm off", "set print elements 3000", "set width 0", f"source {TOOLS / 'ingot_gdb.py'}"]
        command = [gdb, "-q", "-nx", "-batch", "-x"]
        failures += compare("gdb", shown_by(command, [*setup, "break look_here", "run", "up"], "print", arguments, table), 0, table)
        if "--core" in given:
            failures += from_core(gdb, arguments[0], setup, table)
        if "--damage" in given:
            failures += survives_damage(gdb, arguments[0], int(given["--damage"]), which is not None)
    if lldb := given.get("--lldb"):
        before = ["settings set target.max-children-count 1000", f"command script import {TOOLS / 'ingot_lldb.py'}",
                  "breakpoint set -n look_here", "run", "up"]
        shown = shown_by([lldb, "--no-lldbinit", "--batch", "-s"], before, "frame variable", arguments, table)
        failures += compare("lldb", shown, 1, table)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
