#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks one case of what must not compile, and that the compiler says our sentence about it.

  run.py CASE.cpp -- COMPILER OPTION...       run.py --self-test -- COMPILER OPTION...

A case is a pair in one file, so that the two differ in nothing but the mistake:

  // expect: a raw pointer cannot be stored
  // expect: record_with_pointer
  #ifdef MUST_COMPILE
  struct record { int value; };
  #else
  struct record { int* value; };
  #endif

With -DMUST_COMPILE it has to compile. Without, it has to fail; the first `expect` has to be in the first error, for
that is all most people read, and the others (names of type and member) anywhere in the output.
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def compile_case(case, command, *options):
    done = subprocess.run([*command, *options, str(case)], capture_output=True, text=True)
    return done.returncode == 0, done.stderr + done.stdout


def complaint(case, command):
    """Why the case does not hold, or None."""
    expected = re.findall(r"^// expect: (.+?)\s*$", case.read_text(), re.MULTILINE)
    if not expected:
        return "it has no `// expect:` line"
    good, output = compile_case(case, command, "-DMUST_COMPILE")
    if not good:
        return f"with MUST_COMPILE it has to compile\n{output}"
    good, output = compile_case(case, command)
    if good:
        return "it compiles, and must not"
    first_error = next((line for line in output.splitlines() if "error:" in line), "")
    if expected[0] not in first_error:
        return f"the first error has to say: {expected[0]}\n{output}"
    for sentence in expected[1:]:
        if sentence not in output:
            return f"the compiler has to say: {sentence}\n{output}"
    return None


def self_test(command):
    """Each way to break a case has to be noticed, and a sound one has to pass."""
    sound = '// expect: no threes\n#ifdef MUST_COMPILE\nconstexpr int n = 2;\n#else\nconstexpr int n = 3;\n#endif\n' \
            'static_assert(n != 3, "no threes");\n'
    cases = {
        "sound": (sound, True),
        "expects nothing": (sound.replace("// expect: no threes\n", ""), False),
        "never compiles": (sound.replace("n = 2", "n = 3"), False),
        "always compiles": (sound.replace("n = 3", "n = 4"), False),
        "other sentence": (sound.replace("expect: no threes", "expect: no fours"), False),
        "second sentence missing": (sound.replace("no threes\n#", "no threes\n// expect: no fours\n#"), False),
        "not the first error": (sound.replace("static_assert", "static_assert(n != 3);\nstatic_assert"), False),
    }
    failures = 0
    for name, (text, holds) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            case = pathlib.Path(folder) / "case.cpp"
            case.write_text(text)
            if (complaint(case, command) is None) != holds:
                failures += 1
                print(f"self test: the case `{name}` is judged wrongly")
    return failures


def main():
    subject, separator, *command = sys.argv[1:]
    assert separator == "--" and command, __doc__
    if subject == "--self-test":
        return 1 if self_test(command) else 0
    problem = complaint(pathlib.Path(subject), command)
    if problem:
        print(f"{pathlib.Path(subject).name}: {problem}")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
