// SPDX-License-Identifier: Apache-2.0
// A member may have two entries, but not with the same kind of annotation.
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
    ingot::annotate(ingot::member<"age">(ingot::range(0, 150)), ingot::member<"age">(ingot::varint));
#else
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"age">(ingot::range(0, 150)), ingot::member<"age">(ingot::range(0, 9)));
#endif
static_assert(ingot::detail::require_storable<person>());
