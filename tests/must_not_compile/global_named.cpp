// SPDX-License-Identifier: Apache-2.0
// A `reflect` function lists a global variable.
// expect: not_a_member
// expect: door
#include <ingot/reflect/storable.hpp>

#ifdef MUST_COMPILE
struct door {
  double angle = 0;
  int level = 0;
#else
inline int level = 0;
struct door {
  double angle = 0;
#endif
  constexpr auto reflect(auto&& f) { return f(angle, level); }
};
static_assert(ingot::detail::require_storable<door>());
