// SPDX-License-Identifier: Apache-2.0
// References to a bit-field are not possible.
// expect: bit_field
// expect: person
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct person {
  int age;
  unsigned flags;
};
#else
struct person {
  int age;
  unsigned flags : 3;
};
#endif
static_assert(ingot::detail::require_storable<person>());
