// SPDX-License-Identifier: Apache-2.0
// A transform is a position and a rotation, without other floats: their annotation does not say how
// much precision other floats may lose.
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
