// SPDX-License-Identifier: Apache-2.0
// A reference is stored as an address.
// expect: reference
// expect: person
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct person {
  int age;
  int next;
};
#else
struct person {
  int age;
  int& next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
