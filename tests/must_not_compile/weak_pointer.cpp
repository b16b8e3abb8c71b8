// SPDX-License-Identifier: Apache-2.0
// An observer would become an owner of another object.
// expect: shared_pointer
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#include <memory>

#ifdef MUST_COMPILE
struct person {
  int age;
  std::unique_ptr<int> next;
};
#else
struct person {
  int age;
  std::weak_ptr<int> next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
