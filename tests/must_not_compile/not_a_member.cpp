// SPDX-License-Identifier: Apache-2.0
// A `reflect` function may list only parts of the object.
// expect: not_a_member
// expect: person
#include <ingot/reflect/storable.hpp>

struct person {

#ifdef MUST_COMPILE
  constexpr auto reflect(auto&& f) { return f(age); }
  int age;
#else
  constexpr auto reflect(auto&& f) { return f(age); }
  int& age;
#endif
};
static_assert(ingot::detail::require_storable<person>());
