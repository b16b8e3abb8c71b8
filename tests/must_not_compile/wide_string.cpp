// SPDX-License-Identifier: Apache-2.0
// The characters of std::wstring have two bytes or four.
// expect: wide_character
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#include <string>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::u16string next;
};
#else
struct person {
  int age;
  std::wstring next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
