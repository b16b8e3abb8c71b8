// SPDX-License-Identifier: Apache-2.0
// A `reflect` function that omits a member would lose it without an error.
// expect: missing_member
// expect: account
#include <ingot/reflect/storable.hpp>

#include <string>

class account {
  long id_ = 0;
  std::string owner_;

public:
#ifdef MUST_COMPILE
  constexpr auto reflect(auto&& f) { return f(id_, owner_); }
#else
  constexpr auto reflect(auto&& f) { return f(id_); }
#endif
};
static_assert(ingot::detail::require_storable<account>());
