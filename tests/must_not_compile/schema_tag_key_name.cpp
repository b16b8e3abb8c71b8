// SPDX-License-Identifier: Apache-2.0
// expect: a tag_key has to be UTF-8 without control characters
#include <ingot/schema/schema_id.hpp>

#include <cstdint>
#include <string_view>
#include <variant>

struct circle {
  int radius = 0;
};
struct square {
  int side = 0;
};
using figure = std::variant<circle, square>;

template <>
#ifdef MUST_COMPILE
inline constexpr std::string_view ingot::json::tag_key<figure> = "type";
#else
inline constexpr std::string_view ingot::json::tag_key<figure> = "type\n";
#endif

std::uint64_t id() { return ingot::schema_id<figure>; }
