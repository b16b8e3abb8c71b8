// SPDX-License-Identifier: Apache-2.0
// expect: a member has the name of the tag_key of its variant
#include <ingot/json/json.hpp>

#include <string>
#include <string_view>
#include <variant>

struct circle {
  int radius = 0;
};
struct square_1 {
  int side = 0;
#ifdef MUST_COMPILE
  std::string name;
#else
  std::string type; // texts of version 1 have the key
#endif
};
struct square {
  int side = 0;
  std::string kind;
};
using figure = std::variant<circle, square>;

template <>
inline constexpr auto ingot::annotations<square_1> = ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<square> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<square> {
  using type = square_1;
  static square upgrade(const square_1& old) { return {old.side, ""}; }
};
template <>
inline constexpr std::string_view ingot::json::tag_key<figure> = "type";

ingot::result<figure> read(std::string_view text) { return ingot::json::read<figure>(text); }
