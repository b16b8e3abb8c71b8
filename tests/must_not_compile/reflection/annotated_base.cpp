// SPDX-License-Identifier: Apache-2.0
// An annotation of a base is not one of its members.
// expect: annotated_base
// expect: person
#include <ingot/reflect/storable.hpp>

struct item {
  int id = 0;
};
#ifdef MUST_COMPILE
struct person : item {
  int age = 0;
};
#else
struct person : [[= ingot::skip]] item {
  int age = 0;
};
#endif
static_assert(ingot::detail::require_storable<person>());
