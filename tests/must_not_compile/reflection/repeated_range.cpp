// SPDX-License-Identifier: Apache-2.0
// Only the first of two ranges would count.
// expect: repeated_annotation
// expect: person
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct person {
  [[= ingot::range(0, 9)]] int age = 0;
};
#else
struct person {
  [[ = ingot::range(0, 9), = ingot::range(5, 9) ]] int age = 0;
};
#endif
static_assert(ingot::detail::require_storable<person>());
