// SPDX-License-Identifier: Apache-2.0
// A limit on a misspelt member would never be checked.
// expect: unknown_annotation
// expect: person
// expect: agee
#include <ingot/reflect/storable.hpp>

struct person {
  int age;
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"age">(ingot::range(0, 150)));
#else
template <>
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"agee">(ingot::range(0, 150)));
#endif
static_assert(ingot::detail::require_storable<person>());
