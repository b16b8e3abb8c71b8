// SPDX-License-Identifier: Apache-2.0
// A step must be a decimal number. A third is not.
// expect: quantize
// expect: a_step_of_quantize_is_a_decimal_number_from_0_000000001_to_4294967295
#include <ingot/reflect/annotations.hpp>

#ifdef MUST_COMPILE
constexpr double step = 0.25;
#else
constexpr double step = 1.0 / 3;
#endif
constexpr auto annotation = ingot::quantize(step);
