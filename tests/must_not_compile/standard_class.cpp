// SPDX-License-Identifier: Apache-2.0
// ingot can't list the members of a class of the standard library.
// expect: standard_class
// expect: person
// expect: value
#include <ingot/reflect/storable.hpp>

#include <any>
#include <string>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::string value;
};
#else
struct person {
  int age;
  std::any value;
};
#endif
static_assert(ingot::detail::require_storable<person>());
