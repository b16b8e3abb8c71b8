// SPDX-License-Identifier: Apache-2.0
// Readers of a closed enum without visible enumerators would reject every value.
// expect: unknown_enum
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

enum class identity : int {};
#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<identity> = ingot::annotate(ingot::type(ingot::open_enum));
#endif

#ifdef MUST_COMPILE
struct person {
  int age;
  identity next;
};
#else
struct person {
  int age;
  identity next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
