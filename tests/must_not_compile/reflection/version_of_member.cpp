// SPDX-License-Identifier: Apache-2.0
// A member has no version.
// expect: misplaced_annotation
// expect: person
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct[[= ingot::version(2)]] person {
  int age = 0;
};
#else
struct person {
  [[= ingot::version(2)]] int age = 0;
};
#endif
static_assert(ingot::detail::require_storable<person>());
