// SPDX-License-Identifier: Apache-2.0
// expect: the alternatives of a variant with a tag_key are structs
#include <ingot/json/json.hpp>

#include <string_view>
#include <variant>

struct circle {
  int radius = 0;
};
struct length {
  int value = 0;
};
#ifdef MUST_COMPILE
using figure = std::variant<circle, length>;
#else
using figure = std::variant<circle, int>;
#endif

template <>
inline constexpr std::string_view ingot::json::tag_key<figure> = "type";

ingot::result<figure> read(std::string_view text) { return ingot::json::read<figure>(text); }
