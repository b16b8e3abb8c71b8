// SPDX-License-Identifier: Apache-2.0
// Only the first of two ranges would count.
// expect: repeated_annotation
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
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"age">(ingot::range(0, 150)));
#else
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"age">(ingot::range(0, 150), ingot::range(10, 20)));
#endif
static_assert(ingot::detail::require_storable<person>());
