// SPDX-License-Identifier: Apache-2.0
// A class derived from a container was stored as its base, without its own members.
// expect: derived_class
// expect: person
// expect: value
#include <ingot/reflect/storable.hpp>

#include <string>
#include <vector>

#ifdef MUST_COMPILE
struct tags : std::vector<std::string> {
  using vector::vector;
};
#else
struct tags : std::vector<std::string> {
  int version = 0;
};
#endif
struct person {
  int age;
  tags value;
};
static_assert(ingot::detail::require_storable<person>());
