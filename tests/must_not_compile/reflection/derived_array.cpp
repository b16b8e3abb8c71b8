// SPDX-License-Identifier: Apache-2.0
// The name of its member depends on the standard library.
// expect: opaque_base
// expect: person
#include <ingot/reflect/storable.hpp>

#include <array>

#ifdef MUST_COMPILE
struct person {
  std::array<float, 3> parts;
};
#else
struct person : std::array<float, 3> {};
#endif
static_assert(ingot::detail::require_storable<person>());
