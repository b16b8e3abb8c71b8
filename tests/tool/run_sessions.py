#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs commands of the tool as people do, and compares the output word for word.

  run_sessions.py TOOL MAKE_FILES FILE...            compares
  run_sessions.py --update TOOL MAKE_FILES FILE...   writes the present output to the files; look at
                                                     the difference

A FILE is a page (.md), whose blocks ```console are sessions, or a session itself. In a session a
line `$ command` is followed by the output of the command, standard error included, and by
`[exit N]` unless the exit code is 0. A line `# ` is a comment. The commands of one FILE run in a
separate folder with the files that MAKE_FILES writes.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.S)


def environment(tool, folder):
    made = {name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}
    links = folder / "bin"
    links.mkdir()
    (links / "ingot").symlink_to(tool)
    return made | {"PATH": f"{links}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm"}


def transcript(session, folder, env):
    """Returns the session with the present output."""
    out = []
    for line in session.splitlines():
        if line.startswith("# "):
            out.append(line)
        if not line.startswith("$ "):
            continue
        out.append(line)
        done = subprocess.run(["sh", "-c", line[2:]], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        text = done.stdout.decode("utf-8", "backslashreplace")
        out += text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []
        if done.returncode != 0:
            out.append(f"[exit {done.returncode}]")
    return "\n".join(out) + "\n"


def run_file(name, tool, make_files):
    """Returns the text of the file with the present output of its sessions."""
    with tempfile.TemporaryDirectory() as scratch:
        env = environment(tool, pathlib.Path(scratch))
        folder = pathlib.Path(scratch) / "files"
        folder.mkdir()
        subprocess.run([make_files, folder], check=True)
        text = name.read_text()
        if name.suffix == ".md":
            return BLOCK.sub(lambda block: transcript(block.group(), folder, env), text)
        return transcript(text, folder, env)


def main():
    words = sys.argv[1:]
    update = words[:1] == ["--update"]
    tool, make_files, *names = (pathlib.Path(word).resolve() for word in words[update:])
    failures = 0
    for name in names:
        before = name.read_text()
        after = run_file(name, tool, make_files)
        if "$ ingot" not in before:
            print(f"{name}: no session in it")
            failures += 1
        if before == after:
            continue
        if update:
            name.write_text(after)
            continue
        failures += 1
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), str(name), "what the tool says"))
    print(f"{len(names)} files with sessions, {failures} of them said something else")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
