// SPDX-License-Identifier: Apache-2.0
// An integer of 128 bits is no standard type.
// expect: wide_integer
// expect: person
// expect: value
#include <ingot/reflect/storable.hpp>

#include <cstdint>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::int64_t value;
};
#else
struct person {
  int age;
  __int128 value;
};
#endif
static_assert(ingot::detail::require_storable<person>());
