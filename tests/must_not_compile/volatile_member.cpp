// SPDX-License-Identifier: Apache-2.0
// Reading it as part of a block would ignore what volatile asks for.
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
