// SPDX-License-Identifier: Apache-2.0
#pragma once
// What clang cannot evaluate: strings, vectors and variants of libstdc++ before 13 write to storage whose lifetime they have
// not begun, which g++ lets pass. Tests that need them then check the same at run time.
#include <string>

#if defined(__clang__) && defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 13
#define INGOT_CONSTANT_CONTAINERS const
#define INGOT_EXPECT_CONSTANT(...) EXPECT_TRUE((__VA_ARGS__))
#else
#define INGOT_CONSTANT_CONTAINERS constexpr
#define INGOT_EXPECT_CONSTANT(...) static_assert(__VA_ARGS__)
#endif
