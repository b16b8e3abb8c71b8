// SPDX-License-Identifier: Apache-2.0
// An address means nothing to the process that reads it.
// expect: raw_pointer
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct person {
  int age;
  int next;
};
#else
struct person {
  int age;
  int* next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
