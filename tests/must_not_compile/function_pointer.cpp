// SPDX-License-Identifier: Apache-2.0
// A pointer to a function can't be stored.
// expect: function
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
  int (*next)(int);
};
#endif
static_assert(ingot::detail::require_storable<person>());
