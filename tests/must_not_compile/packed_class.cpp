// SPDX-License-Identifier: Apache-2.0
// References to members of a packed class are not possible. (This class has no bit-field.)
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
