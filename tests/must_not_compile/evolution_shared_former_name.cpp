// SPDX-License-Identifier: Apache-2.0
// expect: two members give one name in renamed_from
#include <ingot/schema/compatible.hpp>

#include <cstdint>

struct size {
  std::int32_t width = 0;
  std::int32_t height = 0;
};

template <>
#ifdef MUST_COMPILE
inline constexpr auto ingot::annotations<size> = ingot::annotate(
    ingot::member<"width">(ingot::renamed_from("x")), ingot::member<"height">(ingot::renamed_from("y")));
#else
inline constexpr auto ingot::annotations<size> = ingot::annotate(
    ingot::member<"width">(ingot::renamed_from("x")), ingot::member<"height">(ingot::renamed_from("x")));
#endif

bool reads(const ingot::schema& before) { return static_cast<bool>(ingot::compatible<size>(before)); }
