// SPDX-License-Identifier: Apache-2.0
#pragma once
// Defines where the containers of libstdc++ 12 can't be used in constant expressions. With its
// checks on they are not literal types. clang rejects that strings, vectors and variants write to
// storage whose lifetime has not begun. Tests that need them check the same at run time instead.
#include <string>

#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 13 && (defined(__clang__) || defined(_GLIBCXX_DEBUG))
#define INGOT_CONSTANT_CONTAINERS const
#define INGOT_EXPECT_CONSTANT(...) EXPECT_TRUE((__VA_ARGS__))
#else
#define INGOT_CONSTANT_CONTAINERS constexpr
#define INGOT_EXPECT_CONSTANT(...) static_assert(__VA_ARGS__)
#endif
