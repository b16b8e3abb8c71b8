// SPDX-License-Identifier: Apache-2.0
// Only the base of an object of a derived class would be stored.
// expect: polymorphic_box
// expect: person
// expect: next
#include <ingot/reflect/storable.hpp>

#include <memory>

#ifdef MUST_COMPILE
struct shape final {
#else
struct shape {
#endif
  virtual ~shape() = default;
  int sides = 0;
  INGOT_REFLECT(shape, (), sides)
};

#ifdef MUST_COMPILE
struct person {
  int age;
  std::unique_ptr<shape> next;
};
#else
struct person {
  int age;
  std::unique_ptr<shape> next;
};
#endif
static_assert(ingot::detail::require_storable<person>());
