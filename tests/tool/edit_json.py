#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests paths and edited text.

A path that the tool prints leads back to the same value, for any names. `ingot set` of JSON changes
only one value: the order of members and white space stay.

  edit_json.py TOOL [--rounds N] [--seed S]
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

PIECES = ["a", "name", "0", "7", ".", "[", "]", '"', "\\", "/", "~", "~0", " ", "\n", "\t", "\r", "\x00", "\x1b[31m", "\x7f", "\u009b", "\u202e", "\u200b",
          "\ufeff", "\u00e9", "\u4e2d", "\U0001f600", "\U000e0041", "]\"", "\\n", "\\u0041", "#", "'", "$x"]


def draw_name(dice):
    return "".join(dice.choice(PIECES) for _ in range(dice.choice([0, 1, 1, 2, 3, 5])))


def draw_value(dice, depth):
    kind = dice.randrange(8 if depth < 3 else 5)
    if kind >= 6 or (kind >= 5 and depth == 0):
        return {draw_name(dice): draw_value(dice, depth + 1) for _ in range(dice.randrange(5))}
    if kind == 5:
        return [draw_value(dice, depth + 1) for _ in range(dice.randrange(4))]
    return [None, dice.random() < 0.5, dice.randrange(-1000, 1 << 40), dice.randrange(64) / 8 + 0.125, draw_name(dice)][kind]


def draw_object(dice):
    return {draw_name(dice): draw_value(dice, 1) for _ in range(dice.randrange(1, 6))}


def draw_path(dice, value):
    """Returns the steps to an existing value, or to a member or element that may be missing."""
    steps = []
    while isinstance(value, (dict, list)):
        if dice.random() < (0.25 if steps else 0.05):  # the path without steps is the whole value
            break
        if isinstance(value, dict):
            is_new = not value or dice.random() < 0.2
            step = draw_name(dice) if is_new else dice.choice(list(value))
        else:
            step = dice.randrange(len(value) + 1)
        steps.append(step)
        is_there = step in value if isinstance(value, dict) else step < len(value)
        if not is_there:
            break
        value = value[step]
    return steps


def pointer(steps):
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def put(value, steps, new):
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(value, list):
        return value[:step] + [put(value[step] if step < len(value) else None, rest, new)] + value[step + 1:]
    return {**value, step: put(value.get(step), rest, new)}


def write(dice, value):
    indent = dice.choice([None, None, 1, 2, 4, "\t"])
    separators = dice.choice([None, (",", ":")]) if indent is None else None
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=dice.random() < 0.5)
    return dice.choice(["", " \n", "\t"]) + text + dice.choice(["", "\n"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    done = set_new = 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "it.json"

        def ingot(*arguments):
            run = subprocess.run([options.tool, *arguments], capture_output=True, stdin=subprocess.DEVNULL, check=False)
            if run.returncode != 0 or run.stderr:
                sys.exit(f"edit_json: seed {options.seed}, round {done}: {arguments}: exit {run.returncode}, {run.stderr!r} of {text!r}")
            return run.stdout.decode()

        for done in range(options.rounds):
            before = draw_object(dice)
            text = write(dice, before)
            file.write_text(text, newline="")
            steps = draw_path(dice, before)
            where = pointer(steps)
            if "\0" in where:  # no argument of a program has one
                continue
            new = dice.choice([1, "text", None, [], [1, [2]], {"k": 1}])
            said = json.loads(ingot("set", "--json", "--add", str(file), where, json.dumps(new)))
            set_new += "before" not in said
            after = put(before, steps, new)
            edited = file.read_bytes().decode()
            if json.loads(edited, object_pairs_hook=list) != json.loads(json.dumps(after), object_pairs_hook=list):
                sys.exit(f"edit_json: seed {options.seed}, round {done}: {where!r} of {text!r} became {edited!r}")
            # The path that the tool printed contains no character that a terminal obeys.
            path = said["path"]
            if not path.isprintable() and any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in path):
                sys.exit(f"edit_json: seed {options.seed}, round {done}: the path {path!r} is not printable")
            if json.loads(ingot("get", "--json", str(file), path)) != new:
                sys.exit(f"edit_json: seed {options.seed}, round {done}: {path!r} does not lead to {where!r}")
            again = json.loads(ingot("set", "--json", str(file), path, json.dumps(new)))
            if again.get("before", "absent") != again["after"] or again["path"] != path or file.read_bytes().decode() != edited:
                sys.exit(f"edit_json: seed {options.seed}, round {done}: set at {path!r} once more says {again}")
            # All other bytes are unchanged.
            old = said.get("before", [])
            if not isinstance(old, (list, dict)):
                begin = next((i for i, (a, b) in enumerate(zip(text, edited)) if a != b), min(len(text), len(edited)))
                end = next((i for i, (a, b) in enumerate(zip(text[begin:][::-1], edited[begin:][::-1])) if a != b), len(text) - begin)
                if len(text) - begin - end > len(json.dumps(old)):
                    sys.exit(f"edit_json: seed {options.seed}, round {done}: more than {old!r} of {text!r} changed: {edited!r}")
    if set_new < options.rounds // 20:
        sys.exit(f"edit_json: only {set_new} of {options.rounds} values were new")
    print(f"edit_json: {options.rounds} values set, {set_new} of them new")


if __name__ == "__main__":
    main()
