// SPDX-License-Identifier: Apache-2.0
// Floats of a record are annotated in the record: an annotation of the whole record would have no
// effect.
// expect: quantized_nothing
// expect: body
// expect: position
#include <ingot/reflect/storable.hpp>

struct place {
  float x;
  float y;
};
struct body {
  place position;
  float weights[2];
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<body> =
    ingot::annotate(ingot::member<"weights">(ingot::quantize(0.01)));
#else
template <>
inline constexpr auto ingot::annotations<body> =
    ingot::annotate(ingot::member<"position">(ingot::quantize(0.01)));
#endif
static_assert(ingot::detail::require_storable<body>());
