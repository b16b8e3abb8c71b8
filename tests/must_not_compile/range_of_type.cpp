// SPDX-License-Identifier: Apache-2.0
// A type has no range.
// expect: misplaced_annotation
// expect: person
#include <ingot/reflect/storable.hpp>

#include <string>

struct person {
  std::string name;
  int age;
  double weight;
};
template <>
#ifdef MUST_COMPILE
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::member<"age">(ingot::range(0, 9)));
#else
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::type(ingot::range(0, 9)));
#endif
static_assert(ingot::detail::require_storable<person>());
