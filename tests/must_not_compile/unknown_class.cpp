// SPDX-License-Identifier: Apache-2.0
// A class that hides its members has to describe them.
// expect: unknown_class
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#include <functional>
#include <string>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::string next;
};
#else
struct person {
  int age;
  std::function<void()> next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
