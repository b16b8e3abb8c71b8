#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks gdb and lldb the questions of a table about tests/debug/hero.cpp, and compares the answers.

  sessions.py [--gdb DEBUGGER] [--lldb DEBUGGER] [--mi DEBUGGER] [--dap DEBUGGER] [--page PAGE]
              [--optimised 1] TABLE PROGRAM

--mi is gdb as development environments drive it, by gdb/MI; --dap is lldb-dap, by its protocol.
With --page the sessions of a page of the documentation are compared, too. PROGRAM is compiled from
hero.cpp. Exit status 0 if all answers are as expected. A table has lines of these forms:

  at FUNCTION           where the program is stopped: main or in_function
  show EXPRESSION       gdb: print, lldb: frame variable
  path PATH             both: ingot print
  print EXPRESSION      only gdb: an expression of C++
  same VECTOR VECTOR    only gdb: compares what it shows of each element with a string
  children PATH         the children that an environment shows; PATH are names with / between them
    both|gdb|lldb|mi|dap ANSWER    0x... stands for any address

With --optimised 1 a debugger may answer some questions by saying that the value is in no memory.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools/debug"
STOPS = ("main", "in_function")
ASKS = {"gdb": {"show": "print", "print": "print", "path": "ingot print", "same": "same"}, "lldb": {"show": "frame variable", "path": "ingot print"}}
KINDS = ("show", "path", "print", "same", "children")


def table_of(path):
    """Returns [(stop, kind, expression, {debugger: answer})]."""
    rows, stop = [], None
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        word, rest = line.split(None, 1)
        if not line.startswith(" "):
            if word == "at":
                stop = rest
            elif word in KINDS and stop in STOPS:
                rows.append((stop, word, rest.strip(), {}))
            else:
                sys.exit(f"{path}:{number}: {line}")
            continue
        for one in ("gdb", "lldb", "mi", "dap") if word == "both" else (word,):
            rows[-1][3][one] = rest.strip()
    return rows


# In gdb and in lldb: answers each command of a list of [stop, command].
GDB = """
import gdb, json
commands = json.load(open("COMMANDS"))
gdb.execute("break look_here", to_string=True)
stop = None
def same(first, second):
    shown, written = (dict(gdb.default_visualizer(gdb.parse_and_eval(one)).children()) for one in (first, second))
    for name, value in shown.items():
        if value.format_string() != written[name].format_string(max_elements=0, repeat_threshold=0).strip('"').replace('\\\\"', '"'):
            return f"{name}: {value.format_string()}, {written[name].format_string()}"
    return f"{len(shown)} are the same"
for where, command in commands:
    if where != stop:
        gdb.execute("run" if stop is None else "continue", to_string=True)
        gdb.execute("up 2", to_string=True)
        stop = where
    try:
        answer = same(*command.split()[1:]) if command.startswith("same ") else gdb.execute(command, to_string=True)
    except gdb.error as why:
        answer = f"{why}"
    print("<<<>>>" + json.dumps(answer))
"""
LLDB = """
import json, lldb
commands = json.load(open("COMMANDS"))
def one(number):
    result = lldb.SBCommandReturnObject()
    lldb.debugger.GetCommandInterpreter().HandleCommand(commands[number][1], result)
    print("<<<>>>" + json.dumps((result.GetOutput() or "") + (result.GetError() or "")))
"""


def answers(debugger, name, program, commands):
    """Returns what a debugger answers to [(stop, command)]."""
    with tempfile.TemporaryDirectory() as folder:
        script, listed = pathlib.Path(folder) / "ask.py", pathlib.Path(folder) / "commands.json"
        listed.write_text(json.dumps(commands))
        script.write_text((GDB if name == "gdb" else LLDB).replace("COMMANDS", str(listed)))
        if name == "gdb":
            command = [debugger, "-q", "-nx", "-batch", "-ex", "set width 0", "-ex", "set confirm off",
                       "-ex", f"source {TOOLS}/ingot_gdb.py", "-ex", f"source {script}", program]
        else:
            steps, stop = pathlib.Path(folder) / "steps", None
            lines = [f"command script import {TOOLS}/ingot_lldb.py", f"command script import {script}", "breakpoint set -n look_here"]
            for number, (where, _) in enumerate(commands):
                lines += [] if where == stop else ["run" if stop is None else "continue", "up 2"]
                lines.append(f"script ask.one({number})")
                stop = where
            steps.write_text("\n".join([*lines, ""]))
            command = [debugger, "--no-lldbinit", "--batch", "-s", str(steps), program]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    found = [json.loads(line.split("<<<>>>", 1)[1]) for line in run.stdout.splitlines() if "<<<>>>" in line]
    if len(found) != len(commands):
        sys.exit(f"{name} stopped early:\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")
    return found


def plain(name, answer):
    """Returns the value in an answer, on one line."""
    answer = " ".join(answer.split())
    return re.sub(r"^\$\d+ = ", "", answer) if name in ("gdb", "mi") else re.sub(r"^(\(.*?\) )?\S.*? = ", "", answer, count=1) if not answer.startswith("error: ") else answer[7:]


def agrees(wanted, seen):
    wanted = re.escape(" ".join(wanted.split())).replace(r"0x\.\.\.", "0x[0-9a-f]+").replace(r"vector\.\.\.", "vector(<.*>)?").replace(r"map\.\.\.", "map(<.*>)?")
    return re.fullmatch(wanted, seen) is not None


class Mi:
    """gdb by gdb/MI, as the C++ extension of VS Code uses it."""

    def __init__(self, debugger, program):
        self.process = subprocess.Popen([debugger, "-q", "-nx", "-i=mi", program], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.stop, self.made = None, 0
        for command in ("-enable-pretty-printing", f'-interpreter-exec console "source {TOOLS}/ingot_gdb.py"', "-break-insert look_here"):
            self.ask(command)

    def read(self, beginning):
        for line in self.process.stdout:
            if line.startswith(beginning):
                return line
        raise EOFError("gdb ended")

    def ask(self, command, beginning="^"):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.read(beginning)

    def go_to(self, stop):
        if stop != self.stop:
            self.ask("-exec-run" if self.stop is None else "-exec-continue", "*stopped")
            self.ask("-stack-select-frame 2")
            self.stop = stop

    def children(self, path):
        first, *rest = path.split("/")
        self.made += 1
        name = f"v{self.made}"
        self.ask(f'-var-create {name} * "{first}"')
        for step in [*rest, None]:
            found = self.ask(f'-var-list-children --all-values "{name}" 0 100')
            texts = {}
            for child in re.findall(r'child=\{((?:"(?:[^"\\]|\\.)*"|[^}])*)\}', found):
                fields = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', child))
                texts[unquoted(fields["exp"])] = fields["name"], unquoted(fields.get("value", ""))
            if step is not None:
                name = texts[step][0].replace('\\\\"', '\\"')
        return ", ".join(f"{name} = {value}" for name, (_, value) in texts.items())

    def end(self):
        self.process.stdin.write("-gdb-exit\n")
        self.process.stdin.close()
        self.process.wait(20)


def unquoted(text):
    """Returns the text of a C string of gdb/MI, which writes bytes beyond ASCII in octal."""
    return text.replace('\\"', '"').replace("\\\\", "\\")


class Dap:
    """lldb by its debug adapter, as VS Code uses it."""

    def __init__(self, debugger, program):
        self.process = subprocess.Popen([debugger], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number, self.stop = 0, None
        self.ask("initialize", adapterID="lldb-dap", pathFormat="path", linesStartAt1=True, columnsStartAt1=True)
        self.send("launch", program=os.path.abspath(program), initCommands=[f"command script import {TOOLS}/ingot_lldb.py"], stopOnEntry=False)
        self.wait(lambda one: one.get("event") == "initialized")
        self.ask("setFunctionBreakpoints", breakpoints=[{"name": "look_here"}])
        self.ask("configurationDone")

    def send(self, command, **arguments):
        self.number += 1
        text = json.dumps({"seq": self.number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()
        return self.number

    def wait(self, wanted):
        while True:
            size = 0
            while (line := self.process.stdout.readline().strip()) or not size:
                if not line and self.process.poll() is not None:
                    raise EOFError("lldb-dap ended")
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(size))
            if wanted(message):
                return message

    def ask(self, command, **arguments):
        number = self.send(command, **arguments)
        answer = self.wait(lambda one: one.get("type") == "response" and one.get("request_seq") == number)
        return answer.get("body", {}) if answer.get("success") else {"error": answer}

    def go_to(self, stop):
        if stop == self.stop:
            return
        if self.stop is not None:
            self.send("continue", threadId=self.thread)
        self.thread = self.wait(lambda one: one.get("event") == "stopped")["body"]["threadId"]
        self.stop = stop
        self.frame = self.ask("stackTrace", threadId=self.thread)["stackFrames"][2]["id"]

    def variables(self, reference):
        return {one["name"]: one for one in self.ask("variables", variablesReference=reference)["variables"]}

    def children(self, path):
        first, *rest = path.split("/")
        scopes = self.ask("scopes", frameId=self.frame)["scopes"]
        reference = self.variables(scopes[0]["variablesReference"])[first]["variablesReference"]
        for step in rest:
            reference = self.variables(reference)[step]["variablesReference"]
        return ", ".join(f"{name} = {one['value']}" for name, one in self.variables(reference).items() if name != "[raw]") if reference else ""

    def end(self):
        self.send("disconnect", terminateDebuggee=True)
        self.process.stdin.close()
        self.process.wait(20)


def page_rows(page):
    """Returns the commands and answers in a page: lines that begin with (gdb) or (lldb)."""
    rows = []
    for line in pathlib.Path(page).read_text().splitlines():
        found = re.match(r"    \((gdb|lldb)\) (.*)", line)
        if found:
            rows.append([found[1], found[2], ""])
        elif rows and line.startswith("    ") and rows[-1][2] is not None:
            rows[-1][2] += line + "\n"
        elif rows and rows[-1][2]:
            rows.append([None, "", None])
    return [row for row in rows if row[0]]


# Answers for a variable that the compiler removed or keeps in registers.
GONE = re.compile(r"^$|optimized out|could not evaluate|not available|is in no memory|not an? lvalue|isn't an lvalue|not located in memory|Error while executing Python code")


def report(name, rows, optimised=False):
    """Prints the differences in [(question, wanted, seen)], and returns their number."""
    wrong = [row for row in rows if not agrees(row[1], row[2])]
    gone = [row for row in wrong if optimised and GONE.search(row[2])]
    if gone and len(gone) * 4 <= len(rows):
        print(f"{name}: {len(gone)} of {len(rows)} are in no memory")
        wrong = [row for row in wrong if row not in gone]
    for question, wanted, seen in wrong:
        print(f"{name}: {question}\n  wanted {' '.join(wanted.split())}\n  got    {seen[:700]}")
    print(f"{name}: {len(rows) - len(wrong)} of {len(rows)}")
    return len(wrong)


def main():
    given, arguments = {}, sys.argv[1:]
    while len(arguments) > 2 and arguments[0] in ("--gdb", "--lldb", "--mi", "--dap", "--page", "--optimised"):
        given[arguments[0][2:]] = arguments[1]
        arguments = arguments[2:]
    if len(arguments) != 2:
        sys.exit(__doc__)
    table, program = table_of(arguments[0]), arguments[1]
    failures = 0
    for name in ("gdb", "lldb"):
        if name not in given:
            continue
        asked = [(stop, kind, what, wanted[name]) for stop, kind, what, wanted in table if kind in ASKS[name] and name in wanted]
        seen = answers(given[name], name, program, [(stop, f"{ASKS[name][kind]} {what}") for stop, kind, what, _ in asked])
        failures += report(name, [(f"{kind} {what}", wanted, plain(name, one)) for (_, kind, what, wanted), one in zip(asked, seen)], "optimised" in given)
        if "page" in given:
            rows = [row for row in page_rows(given["page"]) if row[0] == name]
            seen = answers(given[name], name, program, [("main", command) for _, command, _ in rows])
            failures += report(f"{given['page']}, {name}", [(command, re.sub(r"^\$\d+ = ", "", " ".join(wanted.split())), re.sub(r"^\$\d+ = ", "", " ".join(one.split())))
                                                            for (_, command, wanted), one in zip(rows, seen)])
    for name, driver in (("mi", Mi), ("dap", Dap)):
        if name in given:
            debugger, rows = driver(given[name], program), []
            for stop, kind, what, wanted in table:
                if kind == "children" and name in wanted:
                    debugger.go_to(stop)
                    try:
                        rows.append((what, wanted[name], " ".join(debugger.children(what).split())))
                    except KeyError as why:
                        rows.append((what, wanted[name], f"{why} is not available"))
            debugger.end()
            failures += report(name, rows, "optimised" in given)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
