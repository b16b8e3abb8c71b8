// SPDX-License-Identifier: Apache-2.0
// A floating-point number that is no float or double.
// expect: extended_float
// expect: person
// expect: value
#include <ingot/reflect/storable.hpp>

#include <cstdint>

#ifdef MUST_COMPILE
struct person {
  int age;
  double value;
};
#else
struct person {
  int age;
  __float128 value;
};
#endif
static_assert(ingot::detail::require_storable<person>());
