// SPDX-License-Identifier: Apache-2.0
// An inherited `reflect` function does not list the members that the derived class adds.
// expect: missing_member
// expect: account
#include <ingot/reflect/storable.hpp>

struct item {
  long id = 0;
  constexpr auto reflect(auto&& f) { return f(id); }
};
struct account : item {
  double balance = 0;

#ifdef MUST_COMPILE
  constexpr auto reflect(auto&& f) { return f(ingot::base<item>(*this), balance); }
#else

#endif
};
static_assert(ingot::detail::require_storable<account>());
