// SPDX-License-Identifier: Apache-2.0
// The members of a virtual base would be stored once for each path to it. (One compiler allows no
// constexpr function in such a class, and says so first.)
// expect: virtual
// expect: truck
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
#define INGOT_CASE
#else
#define INGOT_CASE virtual
#endif
struct vehicle {
  int wheels = 4;
};
struct truck : INGOT_CASE vehicle {
  int load = 0;
  INGOT_REFLECT(truck, (vehicle), load)
};
static_assert(ingot::detail::require_storable<truck>());
