// SPDX-License-Identifier: Apache-2.0
// The bits are enough for a direction, but not for a rotation, which has four floats.
// expect: unit_nothing
// expect: body
// expect: rotation
#include <ingot/reflect/storable.hpp>

#include <array>
#include <vector>

struct body {
  std::vector<std::array<double, 4>> rotation;
};

#ifdef MUST_COMPILE
constexpr unsigned bits = 24;
#else
constexpr unsigned bits = 16;
#endif
template <>
inline constexpr auto ingot::annotations<body> =
    ingot::annotate(ingot::member<"rotation">(ingot::unit_vector(bits)));
static_assert(ingot::detail::require_storable<body>());
