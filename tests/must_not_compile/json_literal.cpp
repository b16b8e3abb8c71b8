// SPDX-License-Identifier: Apache-2.0
// The compiler reads a literal, so a mistake in it is a compile error.
// expect: json
// expect: this_literal_is_not_json
#include <ingot/json/literal.hpp>

using namespace ingot::literals;

#ifdef MUST_COMPILE
constexpr auto settings = R"({"low": 1, "high": [2, 3]})"_json;
#else
constexpr auto settings = R"({"low": 1, "high": [2, 3})"_json;
#endif
