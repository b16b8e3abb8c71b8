// SPDX-License-Identifier: Apache-2.0
// An integer is no float.
// expect: float_nothing
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
    ingot::annotate(ingot::member<"weight">(ingot::short_float));
#else
inline constexpr auto ingot::annotations<person> = ingot::annotate(ingot::member<"age">(ingot::short_float));
#endif
static_assert(ingot::detail::require_storable<person>());
