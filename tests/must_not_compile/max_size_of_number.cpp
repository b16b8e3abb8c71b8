// SPDX-License-Identifier: Apache-2.0
// A number has no size.
// expect: max_size_nothing
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
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::member<"name">(ingot::max_size(9)));
#else
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::member<"age">(ingot::max_size(9)));
#endif
static_assert(ingot::detail::require_storable<person>());
