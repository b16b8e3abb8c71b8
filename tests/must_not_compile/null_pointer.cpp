// SPDX-License-Identifier: Apache-2.0
// A std::nullptr_t has no value to store.
// expect: null_pointer
// expect: person
// expect: value
#include <ingot/reflect/storable.hpp>

#include <cstddef>
#include <variant>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::monostate value;
};
#else
struct person {
  int age;
  std::nullptr_t value;
};
#endif
static_assert(ingot::detail::require_storable<person>());
