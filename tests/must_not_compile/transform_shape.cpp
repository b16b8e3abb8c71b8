// SPDX-License-Identifier: Apache-2.0
// Where something is and how it is turned, and no more floats: of others nobody has said what may be lost.
// expect: transform_shape
// expect: bone
#include <ingot/reflect/storable.hpp>

struct bone {
  float position[3];
  float rotation[4];
#ifdef MUST_COMPILE
  int parent;
#else
  float weights[8];
#endif
};

template <>
inline constexpr auto ingot::annotations<bone> = ingot::annotate(ingot::type(ingot::transform(0.001)));
static_assert(ingot::detail::require_storable<bone>());
