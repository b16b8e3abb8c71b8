// SPDX-License-Identifier: Apache-2.0
// expect: the alternatives of a variant with a tag_key are structs
#include <ingot/schema/schema_id.hpp>

#include <cstdint>
#include <string_view>
#include <variant>

struct circle {
  int radius = 0;
};
#ifdef MUST_COMPILE
struct square {
  int side = 0;
};
#else
using square = int;
#endif
using figure = std::variant<circle, square>;

template <>
inline constexpr std::string_view ingot::json::tag_key<figure> = "type";

std::uint64_t id() { return ingot::schema_id<figure>; }
