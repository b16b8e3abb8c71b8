// SPDX-License-Identifier: Apache-2.0
// The annotation applies to a type. On a member it would have no effect.
// expect: transform_shape
// expect: skeleton
// expect: root
#include <ingot/reflect/storable.hpp>

struct bone {
  float position[3];
  float rotation[4];
};
struct skeleton {
  bone root;
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<bone> = ingot::annotate(ingot::type(ingot::transform(0.001)));
#else
template <>
inline constexpr auto ingot::annotations<skeleton> =
    ingot::annotate(ingot::member<"root">(ingot::transform(0.001)));
#endif
static_assert(ingot::detail::require_storable<skeleton>());
