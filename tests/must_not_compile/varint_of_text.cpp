// SPDX-License-Identifier: Apache-2.0
// A text has no numbers.
// expect: varint_nothing
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
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::member<"age">(ingot::varint));
#else
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::member<"name">(ingot::varint));
#endif
static_assert(ingot::detail::require_storable<person>());
