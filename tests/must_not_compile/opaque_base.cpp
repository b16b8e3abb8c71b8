// SPDX-License-Identifier: Apache-2.0
// The members of a container that is a base can't take the position of the base.
// expect: opaque_base
// expect: tags
#include <ingot/reflect/storable.hpp>

#include <vector>

#ifdef MUST_COMPILE
struct numbers {
  std::vector<int> list;
};
#else
using numbers = std::vector<int>;
#endif
struct tags : numbers {
  int version = 0;
  constexpr auto reflect(auto&& f) { return f(ingot::base<numbers>(*this), version); }
};
static_assert(ingot::detail::require_storable<tags>());
