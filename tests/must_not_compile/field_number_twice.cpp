// SPDX-License-Identifier: Apache-2.0
// Two members of a stored type have one number for protobuf: no reader accepts such a schema.
// expect: ingot::protobuf: two members have one field number
#include <ingot/schema/description.hpp>

#include <cstdint>

struct point {
  std::uint32_t x;
  std::uint32_t y;
};
template <>
inline constexpr auto ingot::annotations<point> =
#ifdef MUST_COMPILE
    ingot::annotate(ingot::member<"x">(ingot::field_number(3)));
#else
    ingot::annotate(ingot::member<"x">(ingot::field_number(2)));
#endif
const auto bytes = ingot::schema_bytes<point>();
