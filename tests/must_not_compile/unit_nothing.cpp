// SPDX-License-Identifier: Apache-2.0
// Two floats are neither a direction nor a rotation: the annotation would have no effect.
// expect: unit_nothing
// expect: body
// expect: slope
#include <ingot/reflect/storable.hpp>

struct body {
  float slope[2];
  float facing[3];
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<body> = ingot::annotate(ingot::member<"facing">(ingot::unit_vector));
#else
template <>
inline constexpr auto ingot::annotations<body> = ingot::annotate(ingot::member<"slope">(ingot::unit_vector));
#endif
static_assert(ingot::detail::require_storable<body>());
