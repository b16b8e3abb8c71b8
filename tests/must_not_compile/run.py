#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that code does not compile, and that the compiler prints ingot's sentence.

  run.py CASE.cpp -- COMPILER OPTION...                    code that must not compile
  run.py --twins CASE.cpp... -- COMPILER OPTION...         code without the mistake, which must
  run.py --joint-twins CASE.cpp... -- COMPILER OPTION...   the twins that are compiled at once
  run.py --self-test -- COMPILER OPTION...

A case is a file with two forms of code, which differ only in the mistake:

  // expect: a raw pointer cannot be stored
  // expect: record_with_pointer
  // lines by g++: 40
  // errors: 1
  // absent: bit-field
  #ifdef MUST_COMPILE
  struct record { int value; };
  #else
  struct record { int* value; };
  #endif

With MUST_COMPILE the file must compile. Without it, compilation must fail. The first error must
contain the first `expect`, because most people read only that error. The output must contain the
others (names of type and member). `lines by g++` is the maximum number of lines of g++'s output,
`errors` the maximum number of errors of any compiler. The output must not contain an `absent`.

The twins are compiled together, each in its own namespace, except for those that specialise
templates of ingot.
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
    """Returns the reason why the case fails, or None."""
    expected = re.findall(r"^// expect: (.+?)\s*$", case.read_text(), re.MULTILINE)
    if not expected:
        return "it has no `// expect:` line"
    good, output = compile_case(case, command)
    if good:
        return "it compiles, and must not"
    first_error = next((line for line in output.splitlines() if "error:" in line), "")
    if expected[0] not in first_error:
        return f"the first error has to say: {expected[0]}\n{output}"
    for sentence in expected[1:]:
        if sentence not in output:
            return f"the compiler has to say: {sentence}\n{output}"
    for sentence in re.findall(r"^// absent: (.+?)\s*$", case.read_text(), re.MULTILINE):
        if sentence in output:
            return f"the compiler must not say: {sentence}\n{output}"
    most = re.search(r"^// lines by g\+\+: (\d+)$", case.read_text(), re.MULTILINE)
    said = len(output.splitlines())
    if most and said > int(most.group(1)) and "clang" not in pathlib.Path(command[0]).name:
        return f"the compiler says {said} lines, and {most.group(1)} should do:\n{output}"
    errors = re.findall(r"^\S+:\d+:\d+: (?:fatal )?error: .*", output, re.MULTILINE)
    allowed = re.search(r"^// errors: (\d+)$", case.read_text(), re.MULTILINE)
    if allowed and len(errors) > int(allowed.group(1)):
        return f"the compiler reports {len(errors)} errors, and may report {allowed.group(1)}:\n" + "\n".join(errors)
    return None


def complaint_of_twins(cases, command, joint_only=False):
    """Returns a sentence about the cases that do not compile with MUST_COMPILE, or None."""
    alone, together = [], []
    for case in cases:
        (alone if re.search(r"^template <>|^namespace ingot|^#define", case.read_text(), re.MULTILINE) else together).append(case)
    includes = sorted({line for case in together for line in re.findall(r"^#include <.+>", case.read_text(), re.MULTILINE)})
    with tempfile.TemporaryDirectory() as folder:
        joint = pathlib.Path(folder) / "twins.cpp"
        joint.write_text("\n".join(includes) + "\n" + "".join(
            f'namespace case_{i} {{\n#include "{case.resolve()}"\n}}\n' for i, case in enumerate(together)))
        for case in [joint] if joint_only else [joint, *alone]:
            good, output = compile_case(case, command, "-DMUST_COMPILE")
            if not good:
                return f"with MUST_COMPILE it has to compile\n{output}"
    return None


def self_test(command):
    """Tests that each mistake in a case is detected, and that a correct case passes."""
    sound = '// expect: no threes\n#ifdef MUST_COMPILE\nconstexpr int n = 2;\n#else\nconstexpr int n = 3;\n#endif\n' \
            'static_assert(n != 3, "no threes");\n'
    cases = {
        "sound": (sound, True),
        "expects nothing": (sound.replace("// expect: no threes\n", ""), False),
        "never compiles": (sound.replace("n = 2", "n = 3"), False),
        "always compiles": (sound.replace("n = 3", "n = 4"), False),
        "other sentence": (sound.replace("expect: no threes", "expect: no fours"), False),
        "second sentence missing": (sound.replace("no threes\n#", "no threes\n// expect: no fours\n#"), False),
        "says what is absent": (sound.replace("no threes\n#", "no threes\n// absent: threes\n#"), False),
        "does not say what is absent": (sound.replace("no threes\n#", "no threes\n// absent: no fours\n#"), True),
        "one error": (sound.replace("no threes\n#", "no threes\n// errors: 1\n#"), True),
        "more errors": (sound.replace("no threes\n#", "no threes\n// errors: 1\n#") + "static_assert(n != 3);\n", False),
        "not the first error": (sound.replace("static_assert", "static_assert(n != 3);\nstatic_assert"), False),
    }
    if "clang" not in pathlib.Path(command[0]).name:
        cases["few lines"] = (sound.replace("no threes\n#", "no threes\n// lines by g++: 9\n#"), True)
        cases["too many lines"] = (sound.replace("no threes\n#", "no threes\n// lines by g++: 1\n#"), False)
    failures = 0
    for name, (text, holds) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            case = pathlib.Path(folder) / "case.cpp"
            case.write_text(text)
            if (complaint(case, command) is None and complaint_of_twins([case], command) is None) != holds:
                failures += 1
                print(f"self test: the case `{name}` is judged wrongly")
    return failures


def main():
    separator = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    subject, *cases = sys.argv[1:separator] or [""]
    command = sys.argv[separator + 1:]
    assert subject and command, __doc__
    if subject == "--self-test":
        return 1 if self_test(command) else 0
    if subject in ("--twins", "--joint-twins"):
        problem = complaint_of_twins([pathlib.Path(case) for case in cases], command, subject == "--joint-twins")
    else:
        problem = complaint(pathlib.Path(subject), command)
    if problem:
        print(f"{subject}: {problem}")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
