// SPDX-License-Identifier: Apache-2.0
// The number of bits of a unit vector must be a multiple of 8.
// expect: unit_vector
// expect: a_unit_vector_takes_16_24_32_40_48_56_or_64_bits
#include <ingot/reflect/annotations.hpp>

#ifdef MUST_COMPILE
constexpr unsigned bits = 32;
#else
constexpr unsigned bits = 30;
#endif
auto annotation = ingot::unit_vector(bits);
