#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes include/ingot/reflect/detail/arity_table.hpp: code that C++23 needs per number of members.

Usage: scripts/generate_arity_table.py [--check]
--check exits with 1 when the file in the tree is not what this script writes.
"""
import pathlib
import sys

# Values of INGOT_MAX_MEMBERS. Parts of the table that are larger than requested are skipped,
# because parsing takes most of the time.
LIMITS = [32, 64, 128]
BLOCK = 16
# Number of initialisers that are counted in addition to the bound members: for bases, and to detect
# that there are too many members.
BEYOND = 8
TARGET = pathlib.Path(__file__).resolve().parent.parent / "include/ingot/reflect/detail/arity_table.hpp"

HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate_arity_table.py: do not edit.
//
// C++23 needs one structured binding for each number of members. `bindings<N>` visits N members of
// an object, returns their types, and prints their addresses, from which `declared_names` reads
// their names. `braces<N>` tests whether a type accepts N initialisers `{}` (followed by those of
// `Next`): this counts the members. `{}` initialises exactly one member of any type: brace elision
// can't split an array, and no conversion is involved. Compilers with packs in structured bindings
// never read this file. Others read the part that INGOT_MAX_MEMBERS selects.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/reflect/detail/bound_types.hpp>
#include <ingot/reflect/detail/names.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

// clang-format off
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template" // addresses only: see name_source
#endif
namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <std::size_t N>
struct bindings;
template <std::size_t N>
struct braces {
  template <class T, class... Next>
  static constexpr bool fit = false;
};

#define INGOT_BIND(n, names, types, addresses) \\
  template <> struct bindings<n> { \\
    template <class T, class F> [[gnu::always_inline]] static constexpr decltype(auto) visit(T& object, F&& f) { auto& [INGOT_LIST names] = object; return f(INGOT_LIST names); } \\
    template <class T> static auto types_of(T& object) { auto& [INGOT_LIST names] = object; return bound_types_if<requires { refer_to(INGOT_LIST names); }, INGOT_LIST types>{}; } \\
    template <class T> static consteval std::string_view spell() { auto& [INGOT_LIST names] = const_cast<T&>(name_source<T>.value); return signature_of_values<INGOT_LIST addresses>(); } \\
  };
#define INGOT_BRACE(n, ...) \\
  template <> struct braces<n> { \\
    template <class T, class... Next> static constexpr bool fit = requires { T{__VA_ARGS__, Next{}...}; }; \\
  };
#define INGOT_LIST(...) __VA_ARGS__

template <> struct bindings<0> {
  template <class T, class F> static constexpr decltype(auto) visit(T&, F&& f) { return f(); }
  template <class T> static auto types_of(T&) { return bound_types_if<true>{}; }
  template <class T> static consteval std::string_view spell() { return signature_of_values<>(); }
};
template <> struct braces<0> {
  template <class T, class... Next> static constexpr bool fit = requires { T{Next{}...}; };
};
"""


def items(prefix, n, make):
    blocks = n // BLOCK
    names = [f"INGOT_{prefix}{b}" for b in range(blocks)]
    names += [make(i) for i in range(blocks * BLOCK, n)]
    return ", ".join(names)


def render():
    kinds = {
        "N": lambda i: f"m{i}",
        "T": lambda i: f"decltype(m{i})",
        "A": lambda i: f"__builtin_addressof(m{i})",
        "E": lambda i: "{}",
    }
    lines = [HEAD]
    macros = ["INGOT_BIND", "INGOT_BRACE", "INGOT_LIST"]
    for b in range(LIMITS[-1] // BLOCK):
        for prefix, make in kinds.items():
            row = ", ".join(make(i) for i in range(b * BLOCK, (b + 1) * BLOCK))
            lines.append(f"#define INGOT_{prefix}{b} {row}\n")
            macros.append(f"INGOT_{prefix}{b}")
    bound, counted = 0, 0
    for limit in LIMITS:
        if limit != LIMITS[0]:
            lines.append(f"#if INGOT_MAX_MEMBERS > {bound}\n")
        for n in range(bound + 1, limit + 1):
            lists = ", ".join(f"({items(prefix, n, kinds[prefix])})" for prefix in "NTA")
            lines.append(f"INGOT_BIND({n}, {lists})\n")
        for n in range(counted + 1, limit + BEYOND + 1):
            lines.append(f"INGOT_BRACE({n}, {items('E', n, kinds['E'])})\n")
        if limit != LIMITS[0]:
            lines.append("#endif\n")
        bound, counted = limit, limit + BEYOND
    lines.append("\n")
    lines += [f"#undef {m}\n" for m in macros]
    lines.append("\n}}} // namespace ingot::INGOT_V1::detail\n#if defined(__clang__)\n#pragma clang diagnostic pop\n#endif\n// clang-format on\n")
    return "".join(lines)


def main():
    text = render()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text() != text:
            sys.exit("arity_table.hpp is not what scripts/generate_arity_table.py writes: run the script")
        return
    TARGET.write_text(text)


if __name__ == "__main__":
    main()
