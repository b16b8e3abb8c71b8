// SPDX-License-Identifier: Apache-2.0
// A class with private members must describe them.
// expect: unknown_class
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#include <string>

class hidden {
  int inside_ = 0;

public:
  int inside() const { return inside_; }
};
#ifdef MUST_COMPILE
struct person {
  int age;
  std::string next;
};
#else
struct person {
  int age;
  hidden next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
