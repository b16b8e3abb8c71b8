// SPDX-License-Identifier: Apache-2.0
// std::unique_ptr<T[]> does not store its length.
// expect: unsized_array
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#include <memory>
#include <vector>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::vector<int> next;
};
#else
struct person {
  int age;
  std::unique_ptr<int[]> next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
