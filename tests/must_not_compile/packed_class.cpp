// SPDX-License-Identifier: Apache-2.0
// To members of a packed class nothing can refer. (It has no bit-field.)
// expect: packed_member
// expect: person
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct person {
#else
struct [[gnu::packed]] person {
#endif
  char initial;
  int age;
};
static_assert(ingot::detail::require_storable<person>());
