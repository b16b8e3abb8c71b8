// SPDX-License-Identifier: Apache-2.0
// The loss of precision is annotated at each member.
// expect: quantized_type
// expect: body
#include <ingot/reflect/storable.hpp>

struct body {
  float facing[3];
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<body> = ingot::annotate(ingot::member<"facing">(ingot::unit_vector));
#else
template <>
inline constexpr auto ingot::annotations<body> = ingot::annotate(ingot::type(ingot::unit_vector));
#endif
static_assert(ingot::detail::require_storable<body>());
