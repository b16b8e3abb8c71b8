#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares manual pages and completions with the tool's help.

  manuals.py TOOL

Every command has a page that contains all of its help. The page renders without a warning, if groff
is installed. bash completes commands, options and choices. zsh and fish, if installed, only parse
their completions.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile

failures = 0


def expect(condition, sentence):
    global failures
    if not condition:
        failures += 1
        print(sentence)


def said(*command, **how):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **how)
    return done.returncode, done.stdout


def words_of(text):
    return set(re.findall(r"--[a-z][a-z-]*", text))


def complete(script, *line):
    """Returns the words that bash offers for the last word of a line."""
    quoted = " ".join(f"'{word}'" for word in line)
    return said("bash", "-c", f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(line) - 1}; _ingot; "
                "printf '%s\\n' \"${COMPREPLY[@]}\"")[1].split()


def typed(script, folder, keys, wanted, more=()):
    """Returns true if the keys, which include the tabulator, give a line with this text in bash."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], {**os.environ, "TERM": "dumb", "INPUTRC": "/dev/null", "PS1": "ready> ", **dict(more)})
    seen, asked = b"", 0
    try:
        for until, then in ((b"ready> ", f" source '{script}'; PS1='loaded> '\n"), (b"\nloaded> ", keys), (wanted.encode(), "")):
            while until not in seen[asked:].replace(b"\r", b"\n").replace(b"\a", b""):
                if not select.select([terminal], [], [], 30)[0]:
                    return False
                seen += os.read(terminal, 4096)
            asked = len(seen)
            os.write(terminal, then.encode())
        return True
    finally:
        os.close(terminal)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def complete_paths(tool, folder):
    """Checks the completion of paths in a file, by keys in bash and by calls."""
    (folder / "ingot").symlink_to(tool)
    (folder / "a file.json").write_text('{"equips": [{"item": 1, "items": 2, "level": 3}], "other": {"with blank": 1, "12": 2}, "speed": 1}')
    script = folder / "ingot.bash"
    for keys, wanted in (("ingot get a\\ file.json eq\t", "equips"), ("ingot get a\\ file.json equips[0].le\t", "equips[0].level "),
                         ("ingot get a\\ file.json sp\t", "speed "), ("ingot get 'a file.json' /equips/0/le\t", "/equips/0/level "),
                         ("ingot get a\\ file.json 'equips[].le\t", "'equips[].level' "), ("ingot set a\\ file.json .sp\t", ".speed "),
                         ("ingot inspect --from json a\\ file.json other[\t", 'other[\\"with\\ blank\\"]'),
                         ("ingot inspect --from=json a\\ file.json sp\t", "speed ")):
        expect(typed(script, folder, keys, wanted, {"PATH": f"{folder}:{os.environ['PATH']}"}), f"bash does not complete {keys!r} to {wanted!r}")
    paths = lambda *words: said(tool, "--complete-path", "zsh", folder / "a file.json", *words)
    for word, wanted in (("eq", ["equips", "equips[0]"]), ("equips[0]", ["equips[0]", "equips[0].item", "equips[0].items", "equips[0].level"]),
                         ("equips[0].item", ["equips[0].item", "equips[0].items"]), ("other.", ["other.12"]), ("equips[0].level.x", []),
                         ('other["w', ['other["with blank"]']), ("nothing.", []), ("a..b", []), ("[", []), (".", [".equips", ".other", ".speed"]),
                         ("/other/", ["/other/12", "/other/with blank"])):
        expect(paths(word) == (0, "".join(f"{each}\n" for each in wanted)), f"paths for {word!r}: {paths(word)}")
    (folder / "broken.json").write_text("{")
    expect(said(tool, "--complete-path", "bash", folder / "broken.json", "") == (0, ""), "a file that can't be read has paths")


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        expect(said(tool, "--write-manuals", folder)[0] == 0, "no manuals are written")
        help_text = said(tool, "--help")[1]
        verbs = re.findall(r"^  ([a-z]+) +[A-Z]", help_text.split("Verbs:")[1], re.M)
        expect(len(verbs) > 5, f"verbs of the help: {verbs}")
        pages = {page.name for page in (folder / "man1").iterdir()}
        expect(pages == {"ingot.1"} | {f"ingot-{verb}.1" for verb in verbs}, f"pages: {sorted(pages)}")
        scripts = {name: (folder / name).read_text() for name in ("ingot.bash", "_ingot", "ingot.fish")}
        for verb in verbs:
            page = (folder / "man1" / f"ingot-{verb}.1").read_text().replace("\\-", "-")
            options = words_of(said(tool, verb, "--help")[1].split("Examples:")[0])
            expect(options <= words_of(page), f"{verb}: the page lacks {options - words_of(page)}")
            expect(".SH EXAMPLES" in page and ".SH EXIT STATUS" in page, f"{verb}: no examples or exit codes in the page")
            offered = set(complete(folder / "ingot.bash", "ingot", verb, "--"))
            expect(options == offered, f"{verb}: bash offers {offered ^ options} too many or too few")
            for name, script in scripts.items():
                bare = {option[2:] for option in options}
                known = set(re.findall(r"[a-z][a-z-]*", script))
                expect(bare <= known, f"{name}: {verb} lacks {bare - known}")
        # The page on the tool names every option of a command, and no option that does not exist.
        known = set().union(*(words_of(said(tool, verb, "--help")[1].split("Examples:")[0]) for verb in verbs))
        manual = (pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "tool.md").read_text()
        described = words_of(manual)
        expect(known - described <= {"--help"}, f"docs/tool.md doesn't say what these are for: {sorted(known - described)}")
        expect(described - known <= {"--help", "--version", "--install", "--no-pager"}, f"docs/tool.md names options that there aren't: {sorted(described - known)}")
        for page in sorted(pages if shutil.which("groff") else ()):
            code, output = said("groff", "-man", "-Tutf8", "-ww", "-z", folder / "man1" / page)
            expect(code == 0 and not output, f"{page}: {output}")
        expect(said("bash", "-n", folder / "ingot.bash")[0] == 0, "bash does not parse its completions")
        for shell, name in (("zsh", "_ingot"), ("fish", "ingot.fish")):
            if shutil.which(shell):
                code, output = said(shell, "-n", folder / name)
                expect(code == 0, f"{shell} does not parse its completions: {output}")
        expect(complete(folder / "ingot.bash", "ingot", "conv") == ["convert"], "bash does not complete verbs")
        expect("msgpack" in complete(folder / "ingot.bash", "ingot", "convert", "--to", "m"), "bash does not complete choices")
        expect(complete(folder / "ingot.bash", "ingot", "convert", "--indent", "") == [], "bash makes up numbers")
        for before in ("--to", "="):
            line = ("convert", "--to", "=", "js") if before == "=" else ("convert", "--to", "js")
            expect(complete(folder / "ingot.bash", "ingot", *line) == ["json", "jsonl"], f"bash does not complete --to after {before}")
        expect("json" in complete(folder / "ingot.bash", "ingot", "convert", "--to", "="), "bash does not complete --to=")
        expect(complete(folder / "ingot.bash", "ingot", "convert", "--compress", "z") == ["zstd"], "bash does not complete codecs")
        complete_paths(tool, folder)
        (folder / "my file.ingot").touch()
        expect(typed(folder / "ingot.bash", folder, "ingot inspect my\t", "inspect my\\ file.ingot"), "bash takes a name with a blank for two")
    print(f"{len(verbs)} verbs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
