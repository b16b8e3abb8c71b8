// SPDX-License-Identifier: Apache-2.0
// A literal is read by the compiler, so that the program can't find a mistake in it.
// expect: json
// expect: this_literal_is_not_json
#include <ingot/json/literal.hpp>

using namespace ingot::literals;

#ifdef MUST_COMPILE
constexpr auto settings = R"({"low": 1, "high": [2, 3]})"_json;
#else
constexpr auto settings = R"({"low": 1, "high": [2, 3})"_json;
#endif
