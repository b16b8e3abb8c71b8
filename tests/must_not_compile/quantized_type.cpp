// SPDX-License-Identifier: Apache-2.0
// The loss of precision is annotated at each member. Every representation checks this, not only
// the compact one.
// expect: quantized_type
// expect: place
#include <ingot/reflect/storable.hpp>

struct place {
  float x;
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::type(ingot::tight_float));
#else
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::type(ingot::quantize(0.01)));
#endif
static_assert(ingot::detail::require_storable<place>());
