// SPDX-License-Identifier: Apache-2.0
// In a schema both arrays are three floats: a reader by the schema would take the second for a
// direction, but it is not written as one.
// expect: unit_adapted
// expect: body
// expect: facing
#include <ingot/reflect/storable.hpp>

#include <array>
#include <tuple>

struct metres {
  float of = 0;
};
template <>
struct ingot::adapt<metres> {
  static float to(const metres& m) { return m.of; }
  static metres from(float of) { return {of}; }
};
#ifdef MUST_COMPILE
struct body {
  std::tuple<std::array<float, 3>, std::array<metres, 2>> facing;
};
#else
struct body {
  std::tuple<std::array<float, 3>, std::array<metres, 3>> facing;
};
#endif

template <>
inline constexpr auto ingot::annotations<body> = ingot::annotate(ingot::member<"facing">(ingot::unit_vector));
static_assert(ingot::detail::require_storable<body>());
