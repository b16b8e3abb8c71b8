// SPDX-License-Identifier: Apache-2.0
// An address inside containers means nothing to another process, either.
// expect: raw_pointer
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#include <optional>
#include <vector>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::vector<std::optional<int>> next;
};
#else
struct person {
  int age;
  std::vector<std::optional<int*>> next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
