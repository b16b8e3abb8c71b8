// SPDX-License-Identifier: Apache-2.0
// A const member can't be read into.
// expect: const_member
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
  const int next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
