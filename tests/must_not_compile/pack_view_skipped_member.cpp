// SPDX-License-Identifier: Apache-2.0
// expect: a member annotated ingot::skip is never stored
#include <ingot/pack/view.hpp>

struct record {
  int stored;
  int cached;
};
template <>
inline constexpr auto ingot::annotations<record> = ingot::annotate(ingot::member<"cached">(ingot::skip));

#ifdef MUST_COMPILE
int look(const ingot::view<record>& seen) { return seen.get<"stored">(); }
#else
int look(const ingot::view<record>& seen) { return seen.get<"cached">(); }
#endif
