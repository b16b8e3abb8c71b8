// SPDX-License-Identifier: Apache-2.0
// expect: a member has the name of the tag_key of its variant
#include <ingot/json/json.hpp>

#include <string>
#include <string_view>
#include <variant>

struct circle {
  int radius = 0;
};
struct square {
  int side = 0;
#ifdef MUST_COMPILE
  std::string kind;
#else
  std::string type;
#endif
};
using figure = std::variant<circle, square>;

template <>
inline constexpr std::string_view ingot::json::tag_key<figure> = "type";

ingot::result<std::string> write(const figure& value) { return ingot::json::write(value); }
