#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of the public interface (CONTRIBUTING.md) in the public headers.

  hidden   no type of a namespace detail in the signature of a public function, or as the type
           of a public data member: a user could not name it. Constraints and default arguments
           may use detail
  limits   a limit has one name and one type: `max_bytes` and its std::size_t, and those of LIMITS.
           `limit` and `most` say nothing about what is limited
  order    destination first, source next, options last: an output parameter (`to`, `out`, `sink`)
           is before all others, and options are followed by a `file_system&` at most
  output   a function that returns bytes returns a `buffer`
  try      the forms of one try_ function all return a result, or none does
  options  a function has one option at most: an aggregate of options, or a parameter with a
           default. Two parameters with defaults are refused, and so is a `progress_ref` after
           another option

Prints FILE:LINE: sentence for each breach; exits with 1 if there is one. --self-test plants
breaches of each rule. This is no C++ parser: it knows the C++ of the headers, as check_words does.
"""
import pathlib
import re
import sys

import check_words
from check_words import after_brackets

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLOSING = {"(": ")", "[": "]", "{": "}"}
NAME = re.compile(r"[A-Za-z_]\w*$")


def after_constraint(tokens, at):
    """Returns the index after a requires clause whose condition begins at `at`."""
    while True:
        if tokens[at] == "!":
            at += 1
        if tokens[at] == "(":
            at = after_brackets(tokens, at, "(", ")")
        elif tokens[at] == "requires":
            at += 1
            for opening in "({":
                if tokens[at] == opening:
                    at = after_brackets(tokens, at, opening, CLOSING[opening])
            at += tokens[at] == "}"  # check_words leaves out requirements, except their last brace
        else:  # a concept or a constant
            while tokens[at] == "::" or NAME.match(tokens[at]):
                is_name = tokens[at] != "::"
                at += 1
                if tokens[at] == "<":
                    at = after_brackets(tokens, at, "<", ">")
                if is_name and tokens[at] != "::":
                    break
        if tokens[at : at + 2] not in (["&", "&"], ["|", "|"]):
            return at
        at += 2


def without_head(tokens):
    """Returns a declaration without template head, constraints before its name, and attributes."""
    at = 0
    while at < len(tokens):
        if tokens[at] == "template":
            at = after_brackets(tokens, at + 1, "<", ">")
        elif tokens[at] == "requires":
            at = after_constraint(tokens, at + 1)
        elif tokens[at : at + 2] == ["[", "["]:
            at = after_brackets(tokens, at, "[", "]")
        elif tokens[at] in ("explicit", "alignas") and tokens[at + 1] == "(":
            at = after_brackets(tokens, at + 1, "(", ")")
        elif tokens[at] in ("explicit", "friend"):
            at += 1
        else:
            break
    return tokens[at:]


class parameter_tokens(list):
    """Tokens of a parameter without its default argument; `has_default` says whether it has one."""

    has_default = False


def parameters_of(tokens):
    """Returns the parameters of a list without its brackets, as `parameter_tokens`."""
    parameters, current, depth, angles, is_default = [], parameter_tokens(), 0, 0, False
    for token in tokens:
        depth += (token in CLOSING) - (token in CLOSING.values())
        if depth == 0:
            angles += (token == "<") - (token == ">")
            if angles == 0 and token == ",":
                parameters.append(current)
                current, is_default = parameter_tokens(), False
                continue
            is_default = is_default or angles == 0 and token == "="
            current.has_default = is_default
        if not is_default:
            current.append(token)
    return parameters + [current] if current else parameters


def parse(tokens):
    """Returns (name, tokens of the type that is returned, parameters), or None for other things.

    A data member has no parameters. Constants have initialisers and no signature.
    """
    rest = without_head(tokens)
    if not rest or rest[0] in ("using", "concept", "class", "struct", "union", "enum", "static_assert", "extern", "namespace"):
        return None
    at, angles = 0, 0
    while at < len(rest):
        token = rest[at]
        if token == "operator":
            at += 1
            while rest[at] != "(" or rest[at : at + 3] == ["(", ")", "("]:
                at += 1 if rest[at] != "(" else 2
            break
        angles += (token == "<") - (token == ">")
        if token == "(" and angles == 0:
            if rest[at - 1] not in ("alignas", "noexcept", "decltype"):
                break
            at = after_brackets(rest, at, "(", ")")
            continue
        if token in ("=", "{", "}") and angles == 0:
            break
        at += 1
    before = rest[:at]
    if at == len(rest) or rest[at] != "(":
        is_constant = any(word in before for word in ("constexpr", "static", "constinit"))
        return None if is_constant or not before else (before[-1], before[:-1], None)
    if before[-2:-1] == ["::"]:
        return None  # the definition of a member, outside of its class
    closed = after_brackets(rest, at, "(", ")")
    returned, trailing = before[:-1], rest[closed:]
    if "->" in trailing:
        returned = returned + trailing[trailing.index("->") :]
        if "requires" in returned:
            returned = returned[: returned.index("requires")]
    return before[-1], returned, parameters_of(rest[at + 1 : closed - 1])


def check_hidden(name, returned, parameters):
    if "detail" in returned:
        yield f"the type of {name} is in a namespace detail: give it a public name"
    for parameter in parameters or []:
        if "detail" in parameter:
            yield f"a parameter of {name} has a type in a namespace detail: give it a public name"


LIMITS = {
    "max_bytes": "std::size_t",  # input or output
    "max_size": "max_block_size",  # block or document that grows
    "max_memory": "std::uint64_t",
    "max_depth": "std::uint32_t",
    "max_collisions": "std::uint32_t",
}
UNNAMED_LIMITS = {"limit", "most", "max_length", "max_text", "size_limit", "byte_limit"}


def type_and_name(parameter):
    """Returns the text of a parameter's type, and its name."""
    return "".join(parameter[:-1]).removeprefix("const"), parameter[-1]


def check_limits(name, returned, parameters):
    for kind, limit in [("".join(returned), name)] if parameters is None else map(type_and_name, parameters):
        if limit in UNNAMED_LIMITS:
            yield f"{limit} says nothing about what is limited: max_bytes, or another name of LIMITS in check_interface.py"
        elif limit in LIMITS and kind.rstrip("&") != LIMITS[limit] and kind not in ("constexpr" + LIMITS[limit], ""):
            yield f"{limit} is a {LIMITS[limit]} everywhere"


OUTPUTS = {"to", "out", "sink"}
# Paths and names have the order of std::filesystem: source first, destination second.
NO_OUTPUT = re.compile(r"path|string_view|document_key|\bchar\b|^std::u?int|^int$|byte_step")


def check_order(name, returned, parameters):
    options = None
    for index, parameter in enumerate(parameters or []):
        kind, argument = type_and_name(parameter)
        # System calls have a file descriptor as first parameter.
        is_first = all(type_and_name(before)[0] in ("int", "char*") for before in parameters[:index])
        if argument in OUTPUTS and not is_first and not kind.startswith("const") and not parameter[0] == "const" and not NO_OUTPUT.search(kind):
            yield f"{name}: the destination {argument} comes first"
        is_options = kind.endswith(("options&", "options", "limits&"))
        if options and not is_options and kind not in ("file_system&", "progress_ref"):
            yield f"{name}: the options {options} come last"
        if is_options:
            options = argument


def check_output(name, returned, parameters):
    if parameters is not None and "std::vector<std::byte>" in "".join(returned):
        yield f"{name} returns bytes in a buffer, as all functions do"


def check_tries(tries):
    """Compares the functions of one class whose names begin with try_: {name: [(line, type)]}."""
    for name, found in tries.items():
        if len({kind.startswith("result<") for _, kind in found}) == 2:
            yield found[-1][0], f"{name} returns a result in all its forms or in none"


def check_options(name, returned, parameters):
    """An option is a parameter with a default, an aggregate of options, or a progress_ref."""
    if "consteval" in returned:
        return  # annotations are written like values
    options = []
    for parameter in parameters or []:
        kind, argument = type_and_name(parameter)
        if kind == "file_system&":
            continue
        is_aggregate = kind.endswith(("options&", "options", "limits&"))
        if parameter.has_default or is_aggregate or kind == "progress_ref":
            options.append(argument)
    if len(options) > 1:
        yield f"{name}: the options {', '.join(options)} are members of one aggregate"


RULES = [check_hidden, check_limits, check_order, check_options, check_output]


def check_text(text):
    """Returns (line, sentence) for each breach in a public header."""
    breaches, tries = [], {}

    def visit(line, statement, scopes):
        if len(scopes) == 1 or not all(scope.public for scope in scopes):
            return
        declared = parse(statement)
        if declared:
            rules = [rule for rule in RULES if rule != check_limits or not scopes[-1].name.endswith("_stats")]
            breaches.extend((line, sentence) for rule in rules for sentence in rule(*declared))
            name, returned, parameters = declared
            if name.startswith("try_") and parameters is not None:
                of = tries.setdefault(tuple(scope.name for scope in scopes), {})
                kind = "".join(word for word in returned if not word.isupper())  # without macros
                of.setdefault(name, []).append((line, kind))

    check_words.check_declarations(check_words.offences(), text, visit)
    for of in tries.values():
        breaches.extend(check_tries(of))
    return breaches


PLANTED = [  # a declaration in a class or namespace, and the number of breaches
    ("detail::a f();", 1),
    ("[[nodiscard]] result<detail::a> f(int b) noexcept;", 1),
    ("auto f(int b) -> std::vector<detail::a> {\n  return {};\n}", 1),
    ("void f(const detail::a& x, detail::b y = {});", 2),
    ("template <class T>\n  requires(!detail::b<T>)\nvoid f(T x, detail::a y) {}", 1),
    ("template <class T>\nresult<typename detail::form<T>::handle> f(int x) {\n  return g();\n}", 1),
    ("struct x {\n  detail::a y{};\n};", 1),
    ("struct x {\n  x(const detail::a& y) : y_(y) {}\n  bool operator()(detail::a y) const;\n};", 2),
    ("struct x {\n  static x from(const detail::a& y) noexcept { return {}; }\n};", 1),
    ("struct x {\n  std::uint64_t max_bytes = 5;\n  max_block_size max_size{};\n  std::size_t max_depth = 3; ///< of y\n  std::uint64_t max_memory = 1;\n};", 2),
    ("void f(int a, std::size_t limit = 5);\nvoid g(std::size_t max_size, std::uint32_t most);", 3),
    ("result<void> f(bytes_view from, std::span<std::byte> to, const options& how = {});\nvoid g(const text& text, sink& out);", 2),
    ("result<std::vector<std::byte>> f(const value& from);\nstd::vector<std::byte> g();", 2),
    ("struct x {\n  bool try_f();\n  result<void> try_f(progress_ref progress);\n};", 1),
    ("void f(bytes_view bytes, const read_options& how, max_block_size max_size);", 1),
    ("static result<x> open(bytes_view bytes, max_block_size max_size = {}, progress_ref progress = {});", 1),
    ("void f(bytes_view bytes, trailing rest, progress_ref progress, const read_limits& limits = {});", 1),
    ("void f(const g& x, const options& how, progress_ref progress);", 1),
    # Declarations that are allowed.
    ("struct x {\n  [[nodiscard]] INGOT_COMPILED result<int> try_f(int a);\n  [[nodiscard]] result<void> try_f();\n  bool try_g();\n};\nstruct y {\n  bool try_f();\n  T* try_h();\n  iterator try_h(int);\n};", 0),
    ("void f(const std::vector<std::byte>& from);", 0),
    ("template <detail::a T>\n  requires detail::b<T> && (!detail::c<T>)\nvoid f(T x) {}", 0),
    ("template <class T>\n  requires requires(T t) { detail::g(t); }\nint f(T x = detail::g()) noexcept(detail::c<T>) {\n  return detail::h();\n}", 0),
    ("class x : public detail::y {\npublic:\n  x(int a) : detail::y(a) {}\n  using z = detail::z;\n\nprivate:\n  void f(detail::a);\n  detail::a b_;\n};", 0),
    ("inline constexpr detail::call<int> f{};\nconcept c = detail::b<int>;\nint x = detail::y;", 0),
    ("template <class S>\nresult<void> f(S& sink, const T& from, const o& how = {}, file_system& s = detail::s());\nvoid g(const path& from, const path& to);\nvoid h(bytes_view b, const x_options& how = {}, file_system& s = g());", 0),
    ("void f(bytes_view b, max_block_size size, progress_ref p = {});\nconsteval y f(double a = 1, unsigned b = 2);\nvoid f(bytes_view b, const x_options& how = {}, file_system& s = g());", 0),
    ("struct x {\n  static constexpr size_type max_size() noexcept { return 1; }\n  std::size_t max_size() const;\n  static constexpr std::size_t max_bytes = 1;\n};", 0),
    ("struct x {\n  void f() const\n    requires detail::b<int>;\n};\nnamespace detail {\na f(b);\n}\nvoid x::f(detail::a y) {}", 0),
]


def self_test():
    failures = 0
    for declaration, count in PLANTED:
        found = check_text(f"#pragma once\nnamespace ingot {{ inline namespace INGOT_V1 {{\n{declaration}\n}}}}\n")
        if len(found) != count:
            failures += 1
            print(f"check_interface: expected {count} breaches, found {found} in\n{declaration}")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    headers = [path for path in sorted((ROOT / "include").rglob("*.hpp")) if not {"detail", "compiled"} & set(path.relative_to(ROOT).parts)]
    breaches = [f"{path.relative_to(ROOT)}:{line}: {sentence}" for path in headers for line, sentence in check_text(path.read_text())]
    print("\n".join(breaches) if breaches else f"check_interface: the rules hold in {len(headers)} public headers")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
