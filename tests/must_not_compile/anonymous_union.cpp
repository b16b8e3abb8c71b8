// SPDX-License-Identifier: Apache-2.0
// A member without a name would have no name in schemas and text.
// expect: anonymous
// expect: person
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct person {
  int age;
  struct {
    int a;
  } named;
};
#else
struct person {
  int age;
  union {
    int a;
    float b;
  };
};
#endif
static_assert(ingot::detail::require_storable<person>());
