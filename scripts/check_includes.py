#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules for sources that no compiler checks.

  layers     a header of include/ingot/ includes its own layer and those below it, never one above
  freedom    a public header includes ingot and the standard library, nothing else
  length     a public header has at most 500 lines: a longer header has a second concept
  licence    a source file begins with its SPDX line (a script may have its #! line before it)
  finished   no comment marks unfinished work
  local      no file contains a path of one machine
  nodiscard  a function of a public header that returns a result is declared [[nodiscard]]
  namespace  a file that opens the namespace INGOT_V1 has included ingot/core/detail/config.hpp
             before, which defines that macro: without it, everything would be in a namespace with
             the macro's name, and no compiler would warn
  indexed    a namespace opens as `namespace a { inline namespace b {`: Universal Ctags finds no
             name in `namespace a::inline b {`
  umbrella   ingot/ingot.hpp includes every public header of the layers that have no compiled
             library
  compiled   a file of compiled/ is included by src/, and by a header if INGOT_HEADER_ONLY is
             defined
  complete   with INGOT_HEADER_ONLY, a file of compiled/ is read after all headers that it needs,
             whichever header a program includes first
  floats     code of the library and the tool tests floats by their bits, as
             core/detail/float_tests.hpp does, never by std::isnan, its relatives or a comparison of
             a number with itself: with -ffast-math, the compiler assumes that there is no NaN
  weight     the headers for packing, blocks, documents and text don't include headers of the
             standard library that cost more than the little that is used of them:
             core/detail/light_standard.hpp, owned.hpp and similar headers have that

Prints FILE:LINE: sentence for each breach; exits with 1 if there is one. --self-test shows that
each rule can fail.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LAYERS = ["core", "reflect", "schema", "live", "pack", "document", "dynamic", "protobuf", "json", "file"]
COMPILED = {"json", "file"}  # layers with a library
UMBRELLA = "include/ingot/ingot.hpp"
LONGEST = 500
LICENCE = "SPDX-License-Identifier: Apache-2.0"
SOURCES = {".hpp", ".cpp", ".py", ".cmake", ".sh"}
# File descriptors, forks, and valgrind for builds that ask for it.
SYSTEM = {"fcntl.h", "unistd.h", "pthread.h", "valgrind/memcheck.h"}
LIGHT = ["document/document", "pack/pack", "pack/unpack", "pack/view", "live/live", "live/string", "live/vector", "live/map", "live/set", "json/json"]
HEAVY = {"algorithm", "atomic", "cmath", "filesystem", "functional", "iostream", "iterator", "locale", "memory", "mutex", "numeric", "ranges", "regex",
         "shared_mutex", "sstream", "thread"}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
# The words are in pieces, so that this file does not break the rule itself.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE = re.compile(r"(?<![\w.$}])/(home|root|Users)/\w")
# A declaration of a function that returns result<...>. The pattern excludes definitions outside of
# their class, whose names contain ::.
ANSWERS = re.compile(r"\s*(?:(?:template\s*<.*>|requires\(.*\)|static|constexpr|consteval|inline|virtual|explicit|extern|INGOT_\w+)\s+)*"
                     r"(?:ingot::)?(?:result<|std::expected<)[^;={]*?>\s+[a-z_]\w*\(")
NAMED = "ingot/core/detail/config.hpp"
OPENED = re.compile(r"\s*(?:inline )?namespace .*\b(INGOT_V1|inline (?:namespace )?v1)\b.*\{")
HIDDEN = re.compile(r"\s*namespace [\w:]*::inline \w")
CONDITION = re.compile(r"\s*#\s*(if|el|endif)")
FLOAT_TEST = re.compile(r"\b(?:__builtin_)?(?:isnan|isfinite|isinf|isnormal|signbit|fpclassify|copysign|isunordered)\s*\(")
# x != x, and x - x == 0. An expression in a requires clause is not evaluated.
SELF_TEST = re.compile(r"(?<![\w.>:)\]])((?:\w+(?:\.|->))*\w+) (?:==|!=) \1\b(?![\w.(\[:]|->)|(?<![\w.>:)\]])(\w+) - \2 (?:==|!=) 0\b")
SIGNED_ZERO = re.compile(r"\? -?(Float|N|F|T)\{0\} :")
FLOAT_TESTS = "include/ingot/core/detail/float_tests.hpp"
MERGED = re.compile(r"^(<{7}|>{7}|\|{7}) ")


def is_definitions(name):
    """Returns true if the library compiles the file, and headers include it if header-only."""
    return "/compiled/" in name


def tracked(root):
    """Returns the files of the tree: those that git has or would add.

    Without git (a source package), these are all but build/.
    """
    listing = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                             capture_output=True, text=True)
    if listing.returncode == 0:
        names = listing.stdout.splitlines()
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    return sorted(name for name in set(names) if not name.startswith("build") and (root / name).is_file())


def is_source(name, text):
    path = pathlib.PurePath(name)
    return path.suffix in SOURCES or path.name in ("CMakeLists.txt", "Makefile") or text.startswith("#!")


def check_include(layer, quote, target):
    """Returns the sentence for a breach by one #include line of a public header, or None.

    `layer` is None in ingot/*.hpp.
    """
    if quote == '"' and target.startswith("ingot needs "):
        return None  # a sentence for those whose compiler is too old
    if quote == '"':
        return f'"{target}": public headers are included as <ingot/...>'
    if not target.startswith("ingot/"):
        if re.fullmatch(r"[a-z_0-9]+", target) or target in SYSTEM or target.startswith("sys/"):
            return None
        return f"<{target}> is neither ingot nor the standard library"
    parts = target.split("/")
    if layer is None or len(parts) < 3:
        return None if layer is None else f"<{target}> gathers layers and may be included by users only"
    if parts[1] not in LAYERS:
        return f"<{target}> is in no known layer"
    if LAYERS.index(parts[1]) > LAYERS.index(layer):
        return f"<{target}> is above layer {layer}: includes point down only"
    return None


def check_header(name, lines):
    parts = pathlib.PurePath(name).parts  # include / ingot / layer / ...
    layer = parts[2] if len(parts) > 3 else None
    if layer is not None and layer not in LAYERS:
        yield 1, f"{layer} is no known layer"
        return
    if len(lines) > LONGEST:
        yield LONGEST + 1, f"{len(lines)} lines, more than {LONGEST}: which second concept lives here?"
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        sentence = found and check_include(layer, *found.groups())
        if sentence:
            yield number, sentence
        before = lines[number - 2].rstrip() if number > 1 else ""
        if not is_definitions(name) and ANSWERS.match(line) and not line.lstrip().startswith(("return", "//")) and not before.endswith("[[nodiscard]]"):
            yield number, "returns a result, and is not [[nodiscard]]"


def check_file(name, text):
    lines = text.splitlines()
    if is_source(name, text) and not any(LICENCE in line for line in lines[:2]):
        yield 1, f"does not begin with {LICENCE}"
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            yield number, "marked as unfinished: finish it, or open an issue"
        if MACHINE.search(line):
            yield number, "a path of one machine"
        if MERGED.match(line):
            yield number, "a merge left both sides: keep one"
        if HIDDEN.match(line) and name.endswith((".hpp", ".cpp")):
            yield number, "indexers find no name in it: write namespace a { inline namespace b {"
    if name.startswith(("include/", "src/", "tools/")) and name.endswith((".hpp", ".cpp")) and name != FLOAT_TESTS:
        yield from check_floats(lines)
    if name.startswith("include/") and name.endswith(".hpp"):
        yield from check_header(name, lines)


def check_floats(lines):
    for number, line in enumerate(lines, 1):
        code = line.split("//")[0]
        if FLOAT_TEST.search(code) or SIGNED_ZERO.search(code) or (SELF_TEST.search(code) and "requires" not in code):
            yield number, f"-ffast-math gives it another meaning: test the bits of the number, by {FLOAT_TESTS}"


def steps(name, text):
    """Yields the steps of a file in the order of its lines.

    A step is (line, "include", the file), (line, "open", None) or a condition of the preprocessor.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if found := INCLUDE.match(line):
            quote, target = found.groups()
            yield number, "include", f"include/{target}" if quote == "<" else str(pathlib.PurePath(name).parent / target)
        elif found := OPENED.match(line):
            yield number, "open" if found.group(1) == "INGOT_V1" else "v1", None
        elif found := CONDITION.match(line):
            yield number, found.group(1), None


def check_names(texts):
    """Returns the breaches of files that, compiled alone, open the namespace before its macro."""
    done = {name: list(steps(name, text)) for name, text in texts.items()}
    breaches = set()
    for first in done:
        # Files in the order in which they came, and for each open condition the number of files
        # before it.
        there, conditions = [], []

        def read(name):
            if name in there or name not in done:
                return
            there.append(name)
            for number, step, file in done[name]:
                if step == "include":
                    read(file)
                elif step == "if":
                    conditions.append(len(there))
                elif step in ("el", "endif"):  # the includes in the condition may be absent
                    del there[conditions[-1]:]
                    if step == "endif":
                        conditions.pop()
                elif step == "v1":
                    breaches.add((name, number, "write INGOT_V1: the inline namespace has two names"))
                elif f"include/{NAMED}" not in there:
                    breaches.add((name, number, f"opens INGOT_V1 without <{NAMED}>, which says what that is"))

        read(first)
    return [f"{name}:{number}: {sentence}" for name, number, sentence in sorted(breaches)]


def check_umbrella(texts):
    """Returns the header-only public headers that ingot/ingot.hpp does not include."""
    if UMBRELLA not in texts:
        return []
    there = {f"include/{found.group(2)}" for found in map(INCLUDE.match, texts[UMBRELLA].splitlines()) if found}
    wanted = {name for name in texts if name.startswith("include/ingot/") and name.count("/") == 3 and name.split("/")[2] not in COMPILED}
    return [f"{UMBRELLA}:1: lacks <{name.removeprefix('include/')}>" for name in sorted(wanted - there)]


def check_weight(texts):
    """Returns the breaches of light headers that include a heavy one, on any platform."""
    there, breaches = [], []

    def read(name):
        if name in there or name not in texts:
            return
        there.append(name)
        depth, header_only = 0, False
        for number, line in enumerate(texts[name].splitlines(), 1):
            if found := CONDITION.match(line):
                depth += {"if": 1, "endif": -1}.get(found.group(1), 0)
                header_only = "defined(INGOT_HEADER_ONLY)" in line
            elif found := INCLUDE.match(line):
                if not header_only:
                    read(f"include/{found.group(2)}")
                if found.group(2) in HEAVY and depth == 0:
                    breaches.append(f"{name}:{number}: <{found.group(2)}> is heavy, and light headers include this one")

    for header in LIGHT:
        read(f"include/ingot/{header}.hpp")
    # <filesystem> costs as much as <map>, <string> and <vector> together; `path_ref` needs no path.
    for name, text in texts.items():
        if name.startswith("include/") and name not in there and "#include <filesystem>" in text:
            breaches.append(f"{name}:1: <filesystem> is heavy: take a path_ref")
    return breaches


def check_compiled(texts):
    for name in texts:
        if not is_definitions(name):
            continue
        line = f"#include <{name.removeprefix('include/')}>\n"
        if not any(other.startswith("src/") and line in text for other, text in texts.items()):
            yield f"{name}:1: no file of src/ includes it, so it is in no library"
        if not any("#if defined(INGOT_HEADER_ONLY)\n" + line in text for text in texts.values()):
            yield f"{name}:1: no header includes it after #if defined(INGOT_HEADER_ONLY)"


def is_last(lines, number):
    """Returns true if only includes and conditions follow the line: then a header is complete."""
    return all(not line.strip() or line.lstrip().startswith(("#", "//")) for line in lines[number:])


def check_complete(texts):
    """Returns the breaches of files of compiled/ that are read before a header that they need."""
    lines = {name: text.splitlines() for name, text in texts.items() if name.startswith("include/")}
    includes = {name: [(number, f"include/{found.group(2)}") for number, line in enumerate(each, 1) if (found := INCLUDE.match(line))]
                for name, each in lines.items()}
    breaches = set()
    for first in (name for name in lines if not is_definitions(name)):
        done = set()  # the headers that were read, or are being read
        unfinished = []  # the headers that are being read, and have more than includes left

        def read(name, compiled):
            if name in unfinished and compiled not in (None, name):
                breaches.add(f"{compiled}:1: is read before {name} is complete, if {first} is included first")
            if name in done or name not in lines:
                return
            done.add(name)
            for number, target in includes[name]:
                more_follows = not is_last(lines[name], number)
                if more_follows:
                    unfinished.append(name)
                read(target, target if is_definitions(target) else compiled)
                if more_follows:
                    unfinished.pop()

        read(first, None)
    # One header is enough for each pair.
    return sorted({breach.split(", if")[0]: breach for breach in sorted(breaches, reverse=True)}.values())


def check_tree(root):
    breaches, texts = [], {}
    for name in tracked(root):
        try:
            text = (root / name).read_text()
        except UnicodeDecodeError:
            continue  # goldens and seed corpora
        breaches += [f"{name}:{line}: {sentence}" for line, sentence in check_file(name, text)]
        if name.startswith(("include/", "src/")) and name.endswith((".hpp", ".cpp")):
            texts[name] = text
    return breaches + check_names(texts) + check_umbrella(texts) + check_weight(texts) + list(check_compiled(texts)) + check_complete(texts)


def self_test():
    """Plants one breach of each rule in a tree without others and expects exactly that report."""
    first = f"// {LICENCE}\n"
    planted = {
        "layers": ("include/ingot/core/a.hpp", first + "#include <ingot/pack/pack.hpp>\n"),
        "freedom": ("include/ingot/json/a.hpp", first + "#include <simdjson.h>\n"),
        "quotes": ("include/ingot/json/a.hpp", first + '#include "b.hpp"\n'),
        "gathering": ("include/ingot/json/a.hpp", first + "#include <ingot/ingot.hpp>\n"),
        "length": ("include/ingot/pack/a.hpp", first + "\n" * LONGEST),
        "licence": ("src/json/a.cpp", "int a;\n"),
        "finished": ("docs/a.md", "TO" "DO\n"),
        "local": ("docs/a.md", "see /" "home/me\n"),
        "nodiscard": ("include/ingot/pack/a.hpp", first + "template <class T>\nINGOT_INLINE constexpr result<std::size_t> pack_to(T& to) {\n"),
        "unnamed": ("include/ingot/pack/a.hpp", first + "namespace ingot { inline namespace INGOT_V1 { namespace detail {\n}}}\n#include <ingot/core/detail/config.hpp>\n"),
        "condition": ("include/ingot/pack/a.hpp", first + "#if A\n#include <ingot/pack/named.hpp>\n#else\n#endif\nnamespace ingot { inline namespace INGOT_V1 {\n}}\n"),
        "source": ("src/json/a.cpp", first + '#include "c.hpp"\nnamespace ingot { inline namespace INGOT_V1 {\n}}\n'),
        "v1": ("include/ingot/pack/a.hpp", first + "#include <ingot/pack/named.hpp>\nnamespace ingot { inline namespace v1 { namespace detail {\n}}}\n"),
        "indexed": ("tests/core/a.cpp", first + "namespace ingot::inline INGOT_V1::json {\n}\n"),
        "umbrella": (UMBRELLA, first + "#include <ingot/pack/ok.hpp>\n"),
        "weight": ("include/ingot/pack/pack.hpp", first + "#if !A\n#include <memory>\n#endif\n#include <memory>\n"),
        "paths": ("include/ingot/file/a.hpp", first + "#include <filesystem>\n"),
        "compiled": ("src/pack/pack.cpp", first),
        "header-only": ("include/ingot/pack/detail/tail.hpp", first),
        "complete": ("include/ingot/pack/detail/early.hpp", first + "#include <ingot/pack/detail/tail.hpp>\nint needed;\n"),
        "floats": ("src/json/a.cpp", first + "bool a = std::isnan(1.0); // std::isnan(b)\n"),
        "sign": ("include/ingot/pack/a.hpp", first + "bool a = std::signbit (n);\n"),
        "self": ("tools/ingot/a.cpp", first + "bool a = it.number != it.number;\n"),
        "difference": ("include/ingot/pack/a.hpp", first + "bool a = value - value == 0;\n"),
        "zero": ("include/ingot/pack/a.hpp", first + "T a = value == 0 ? T{0} : value;\n"),
        "merged": ("docs/a.md", "<" * 7 + " ours\n"),
    }
    clean = {"include/ingot/pack/ok.hpp": first + "#include <ingot/core/bytes.hpp>\n#include <vector>\n#include <unistd.h>\n"
             "bool is_nan(float n); // isnan(n)\nbool a = b.kind == kind && a.is_nan(c);\n"
             "[[nodiscard]] result<int> f();\n[[nodiscard]]\nresult<int> g();\n  return result<int> (f());\nresult<int> a::h() {\n",
             "include/ingot/core/detail/config.hpp": first + "#define INGOT_V1 v1\nnamespace ingot { inline namespace INGOT_V1 { namespace detail {\n}}}\n",
             "include/ingot/pack/named.hpp": first + "#if A\n#include <ingot/core/detail/config.hpp>\nnamespace ingot { inline namespace INGOT_V1 {\n}}\n#endif\n"
             "#include <ingot/core/detail/config.hpp>\nnamespace ingot { inline namespace INGOT_V1 {\n}}\n",
             "include/ingot/pack/compiled/tail.hpp": first + "#include <ingot/pack/detail/early.hpp>\n#include <ingot/pack/detail/tail.hpp>\n",
             "include/ingot/pack/detail/early.hpp": first + "int needed;\n",
             "include/ingot/pack/detail/tail.hpp": first + "#if defined(INGOT_HEADER_ONLY)\n#include <ingot/pack/compiled/tail.hpp>\n#endif\n",
             "src/pack/pack.cpp": first + "#include <ingot/pack/compiled/tail.hpp>\n",
             "src/json/b.hpp": first + "#include <ingot/pack/named.hpp>\nnamespace ingot { inline namespace INGOT_V1 {\n}}\n",
             "src/json/b.cpp": first + '#include "b.hpp"\nnamespace ingot { inline namespace INGOT_V1 { namespace detail {\n}}}\n'}
    failures = 0
    for rule, (name, text) in planted.items():
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in {**clean, name: text}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            breaches = check_tree(root)
        # A definition that nothing includes is reported where it is.
        where = "include/ingot/pack/compiled/tail.hpp" if rule in ("compiled", "header-only", "complete") else name
        if len(breaches) != 1 or not breaches[0].startswith(where):
            failures += 1
            print(f"rule {rule}: wanted one breach in {where}, got {breaches}")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    breaches = check_tree(pathlib.Path(__file__).resolve().parent.parent)
    print("\n".join(breaches) if breaches else "check_includes: every rule holds")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
