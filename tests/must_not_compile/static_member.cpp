// SPDX-License-Identifier: Apache-2.0
// Reading would change the static member for all objects.
// expect: not_a_member
// expect: door
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
#define INGOT_CASE
#else
#define INGOT_CASE static inline
#endif
class door {
  double angle_ = 0;
  INGOT_CASE int level_ = 0;

public:
  INGOT_REFLECT(door, (), angle_, level_)
};
static_assert(ingot::detail::require_storable<door>());
