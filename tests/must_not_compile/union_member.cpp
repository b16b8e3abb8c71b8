// SPDX-License-Identifier: Apache-2.0
// A union does not store which of its members is active.
// expect: union_type
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct number {
  int a;
  float b;
};
#else
union number {
  int a;
  float b;
};
#endif

#ifdef MUST_COMPILE
struct person {
  int age;
  number next;
};
#else
struct person {
  int age;
  number next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
