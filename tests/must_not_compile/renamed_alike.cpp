// SPDX-License-Identifier: Apache-2.0
// A name of two members would identify neither of them.
// expect: repeated_name
// expect: person
// expect: nick
#include <ingot/reflect/storable.hpp>

struct person {
  int name;
  int nick;
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"nick">(ingot::rename("alias")));
#else
template <>
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"nick">(ingot::rename("name")));
#endif
static_assert(ingot::detail::require_storable<person>());
