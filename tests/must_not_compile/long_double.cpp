// SPDX-License-Identifier: Apache-2.0
// The size and format of long double depend on the platform.
// expect: long_double
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct person {
  int age;
  double next;
};
#else
struct person {
  int age;
  long double next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
