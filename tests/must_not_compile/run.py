#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that code does not compile, and that the compiler prints ingot's sentence.

  run.py CASE.cpp -- COMPILER OPTION...                    code that must not compile
  run.py --twins CASE.cpp... -- COMPILER OPTION...         code without the mistake, which must
  run.py --joint-twins CASE.cpp... -- COMPILER OPTION...   those that specialise nothing of ingot
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

The twins are compiled together, each in its own namespace. Those that specialise templates of ingot
have to be outside of namespaces: their types and functions get a number after their names.
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


def numbered(text, number):
    """Returns the text of a case with other names for what it declares where a line begins."""
    types = re.findall(r"^(?:struct|class|enum(?: class)?|using|constexpr \w+) (\w+)(?!\w|::)", text, re.MULTILINE)
    for name in set(types):
        text = re.sub(rf"(?<![\w.:>\"]){name}(?![\w\"])", f"{name}_{number}", text)
    # Names of functions may be those of ingot's functions, and nothing in a case uses them again.
    function = r"^(?!#|//|static_assert|template|struct|class|enum|using|inline|constexpr)(\w[\w:<>& ]*[ &])(\w+)(?=\(| = )"
    return re.sub(function, rf"\1\2_{number}", text, flags=re.MULTILINE)


def complaint_of_twins(cases, command, joint_only=False):
    """Returns a sentence about the cases that do not compile with MUST_COMPILE, or None."""
    alone, together, outside = [], [], []
    for case in cases:
        text = case.read_text()
        if re.search(r"^namespace ingot", text, re.MULTILINE):
            alone.append(case)
        elif re.search(r"^template <>", text, re.MULTILINE):
            if not joint_only:
                outside.append(case)
        else:
            together.append(case)
    includes = sorted({line for case in together + outside
                       for line in re.findall(r"^#include <.+>", case.read_text(), re.MULTILINE)})
    with tempfile.TemporaryDirectory() as folder:
        joint = pathlib.Path(folder) / "twins.cpp"
        joint.write_text("\n".join(includes) + "\n" + "".join(
            f'namespace case_{i} {{\n#include "{case.resolve()}"\n}}\n#undef INGOT_CASE\n' for i, case in enumerate(together))
            + "".join(f'#line 1 "{case.resolve()}"\n{numbered(case.read_text(), i)}\n#undef INGOT_CASE\n' for i, case in enumerate(outside)))
        for case in [joint] if joint_only else [joint, *alone]:
            good, output = compile_case(case, command, "-DMUST_COMPILE")
            if not good:
                return f"with MUST_COMPILE it has to compile\n{output}"
    return None


def self_test(command):
    """Tests that each mistake in a case is detected, and that a correct case passes."""
    sound = '// expect: no threes\n#ifdef MUST_COMPILE\nconstexpr int n = 2;\n#else\nconstexpr int n = 3;\n#endif\n' \
            'static_assert(n != 3, "no threes");\n'
    outside = "struct three {};\ntemplate <class>\nconstexpr int count = 0;\ntemplate <>\nconstexpr int count<three> = n;\n"
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
        "specialises": (sound + outside, True),
        "specialises and never compiles": (sound.replace("n = 2", "n = 3") + outside, False),
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
