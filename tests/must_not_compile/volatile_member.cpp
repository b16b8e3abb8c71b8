// SPDX-License-Identifier: Apache-2.0
// Members are copied together, which would ignore `volatile`.
// expect: volatile
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
  volatile int next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
