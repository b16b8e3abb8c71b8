// SPDX-License-Identifier: Apache-2.0
// Capabilities of the compiler. These macros are internal: users must not use them.
#pragma once

#include <version>

// With an older standard, compilers would print thousands of errors, because they continue after an
// #error. But they stop if an included file is missing. So the error message is the name of a file
// that does not exist.
#if defined(_MSVC_LANG)
#define INGOT_LANGUAGE _MSVC_LANG
#else
#define INGOT_LANGUAGE __cplusplus
#endif
#if INGOT_LANGUAGE <= 202002L
#include "ingot needs C++23: compile with -std=c++23 or later"
#elif !defined(__cpp_lib_expected)
#include "ingot needs std::expected of C++23: g++ 12.2, clang 19, or later"
#endif

// Microsoft's older preprocessor expands the arguments of INGOT_REFLECT in another way.
#if defined(_MSVC_TRADITIONAL) && _MSVC_TRADITIONAL
#error "ingot needs the standard preprocessor: compile with /Zc:preprocessor"
#endif

#include <bit>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INGOT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define INGOT_SANITIZED 1
#endif
#endif
#if !defined(INGOT_SANITIZED)
#define INGOT_SANITIZED 0
#endif

// Inlining is part of the design of the codecs: a chain of small templates writes the members of a
// record, and each template that is not inlined costs a call and a spill for each member. Without
// optimisation, or if a sanitizer instruments every access, forced inlining would only make the
// code larger. Builds for which compile time matters more than run time, such as tests, define
// INGOT_FORCES_INLINING as 0. The compiler then decides, and compiles faster.
#if !defined(INGOT_FORCES_INLINING)
#if defined(__OPTIMIZE__) && !INGOT_SANITIZED
#define INGOT_FORCES_INLINING 1
#else
#define INGOT_FORCES_INLINING 0
#endif
#endif
#if (defined(__GNUC__) || defined(__clang__)) && INGOT_FORCES_INLINING
#define INGOT_INLINE inline __attribute__((always_inline))
#define INGOT_INLINE_LAMBDA __attribute__((always_inline))
#define INGOT_FLATTEN [[gnu::noinline, gnu::flatten]]
#else
#define INGOT_INLINE inline
#define INGOT_INLINE_LAMBDA
#define INGOT_FLATTEN
#endif
#if defined(__GNUC__) || defined(__clang__)
#define INGOT_COLD [[gnu::noinline, gnu::cold]]
#define INGOT_NOINLINE [[gnu::noinline]]
#else
#define INGOT_COLD
#define INGOT_NOINLINE
#endif
// Marks a function whose body must not influence the code of its callers. If the compiler knew
// which memory the function leaves unchanged, it would keep values of this memory in registers.
// That costs time even on a path that does not call the function.
#if defined(__GNUC__) && !defined(__clang__)
#define INGOT_OPAQUE [[gnu::noipa]]
#else
#define INGOT_OPAQUE INGOT_NOINLINE
#endif

// Microsoft's compiler ignores [[no_unique_address]], and has an attribute of its own for it.
#if defined(_MSC_VER)
#define INGOT_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define INGOT_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

// The signature of the current function, with its template arguments. Microsoft's compiler has no
// __PRETTY_FUNCTION__.
#if defined(_MSC_VER)
#define INGOT_SIGNATURE __FUNCSIG__
#else
#define INGOT_SIGNATURE __PRETTY_FUNCTION__
#endif

// Code that does not depend on a program's types is compiled once, into the library of the CMake
// target ingot::ingot. Declarations of such code are INGOT_COMPILED. The definitions are in the
// folder `compiled/` beside the header. A build that defines INGOT_HEADER_ONLY, as the CMake target
// ingot::header_only does, needs no library: each header then includes its definitions.
#if defined(INGOT_HEADER_ONLY)
#define INGOT_COMPILED inline
#else
#define INGOT_COMPILED
#endif

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define INGOT_EXCEPTIONS 1
#else
#define INGOT_EXCEPTIONS 0
#endif

// C++26 reflection (`^^`), if the compiler has it, replaces structured bindings for aggregates, and
// the scan for enumerators. Classes that list their members still use their own list.
#if defined(__cpp_impl_reflection) && __cpp_impl_reflection >= 202506L
#define INGOT_REFLECTION 1
#else
#define INGOT_REFLECTION 0
#endif

// The inline namespace of the library. A program may have files that are compiled with -freflection
// and files that are not. Reflection knows more of an enum than the scan for enumerators does, such
// as enumerators outside of the scanned range. If functions had the same names in both sorts of
// files, the linker would keep only one of two different functions. So the names differ. The
// libraries are compiled twice, so that they contain their functions under both names. To choose
// the names, a build may define INGOT_NAMES_OF_REFLECTION as 1 or 0 (cmake/names.cmake).
#if !defined(INGOT_NAMES_OF_REFLECTION)
#define INGOT_NAMES_OF_REFLECTION INGOT_REFLECTION
#endif
#if INGOT_NAMES_OF_REFLECTION
#define INGOT_V1 v1_reflection
#else
#define INGOT_V1 v1
#endif

// The table of arities (reflect/detail/arity_table.hpp) binds the members of an aggregate, with an
// entry for each number of members. Compilers with packs in structured bindings (P1061) don't need
// the table.
#if defined(__cpp_structured_bindings) && __cpp_structured_bindings >= 202411L
#define INGOT_BINDING_PACKS 1
#else
#define INGOT_BINDING_PACKS 0
#endif

// Maximum number of members of an aggregate if the table of arities is needed: 32, or the number
// that a build defines, up to 128. The compile time of each file grows with the length of the
// table, whatever types the file uses. A class that lists its members (`reflect`, INGOT_REFLECT)
// does not need the table.
#if !defined(INGOT_MAX_MEMBERS)
#define INGOT_MAX_MEMBERS 32
#elif INGOT_MAX_MEMBERS < 1 || INGOT_MAX_MEMBERS > 128
#error "INGOT_MAX_MEMBERS is the most members of an aggregate: 1 to 128"
#endif

// 1 if the program contains constants from which a debugger knows the format of the bytes in views
// (docs/debugging.md). A build may define INGOT_DESCRIBE_VIEWS as 1 or 0.
#if defined(INGOT_DESCRIBE_VIEWS)
#define INGOT_DESCRIBES_VIEWS INGOT_DESCRIBE_VIEWS
#elif defined(__OPTIMIZE__)
#define INGOT_DESCRIBES_VIEWS 0
#else
#define INGOT_DESCRIBES_VIEWS 1
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr bool little_endian = std::endian::native == std::endian::little;

static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big,
              "ingot does not know the byte order of this machine");

}}} // namespace ingot::INGOT_V1::detail
