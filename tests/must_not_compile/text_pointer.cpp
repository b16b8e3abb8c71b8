// SPDX-License-Identifier: Apache-2.0
// A pointer to text is not the text.
// expect: raw_pointer
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#include <string>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::string next;
};
#else
struct person {
  int age;
  const char* next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
