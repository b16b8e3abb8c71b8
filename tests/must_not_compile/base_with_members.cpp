// SPDX-License-Identifier: Apache-2.0
// C++23 can't list the members of an aggregate's base: they would be lost.
// expect: base_with_members
// expect: person
#include <ingot/reflect/storable.hpp>

struct item {
  long id = 0;
};
struct person : item {
  int age = 0;

#ifdef MUST_COMPILE
  INGOT_REFLECT(person, (item), age)
#else

#endif
};
static_assert(ingot::detail::require_storable<person>());
