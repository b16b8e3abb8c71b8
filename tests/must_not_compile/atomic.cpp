// SPDX-License-Identifier: Apache-2.0
// An atomic may change while it is stored.
// expect: atomic
// expect: person
// expect: value
#include <ingot/reflect/storable.hpp>

#include <atomic>

#ifdef MUST_COMPILE
struct person {
  int age;
  int value;
};
#else
struct person {
  int age;
  std::atomic<int> value;
};
#endif
static_assert(ingot::detail::require_storable<person>());
