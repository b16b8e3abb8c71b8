// SPDX-License-Identifier: Apache-2.0
// wchar_t has two bytes or four.
// expect: wide_character
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct person {
  int age;
  char32_t next;
};
#else
struct person {
  int age;
  wchar_t next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
