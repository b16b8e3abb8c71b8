// SPDX-License-Identifier: Apache-2.0
// A step with more than 9 digits, created without `quantize`.
// expect: quantize_step
// expect: place
#include <ingot/reflect/storable.hpp>

struct place {
  float x;
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<place> =
    ingot::annotate(ingot::member<"x">(ingot::quantize_t{25, 9}));
#else
template <>
inline constexpr auto ingot::annotations<place> =
    ingot::annotate(ingot::member<"x">(ingot::quantize_t{25, 12}));
#endif
static_assert(ingot::detail::require_storable<place>());
