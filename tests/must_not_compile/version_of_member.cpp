// SPDX-License-Identifier: Apache-2.0
// A member has no version.
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
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::type(ingot::version(2)));
#else
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::member<"age">(ingot::version(2)));
#endif
static_assert(ingot::detail::require_storable<person>());
