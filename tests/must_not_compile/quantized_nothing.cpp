// SPDX-License-Identifier: Apache-2.0
// The floats of a record are annotated in it: an annotation from outside would have no effect, and
// no error.
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
