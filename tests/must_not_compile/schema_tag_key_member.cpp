// SPDX-License-Identifier: Apache-2.0
// expect: a member has the name of the tag_key of its variant
#include <ingot/schema/schema_id.hpp>

#include <cstdint>
#include <string_view>
#include <variant>

struct circle {
  int radius = 0;
};
struct square {
#ifdef MUST_COMPILE
  int kind = 0;
#else
  int type = 0;
#endif
};
using figure = std::variant<circle, square>;

template <>
inline constexpr std::string_view ingot::json::tag_key<figure> = "type";

std::uint64_t id() { return ingot::schema_id<figure>; }
