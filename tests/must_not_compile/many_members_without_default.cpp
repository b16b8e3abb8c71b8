// SPDX-License-Identifier: Apache-2.0
// A member that `{}` can't initialise follows the last member that can be bound. Then all members
// are counted by conversions.
// expect: too_many_members
// expect: INGOT_MAX_MEMBERS=128
// expect: person
#include <ingot/reflect/storable.hpp>

struct meters {
  explicit constexpr meters(int n) : count(n) {}
  constexpr meters(const meters&) = default;
  constexpr auto reflect(auto&& f) { return f(count); }
  int count;
};
struct person {
  int m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15;
  int m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30;
  meters height;
#ifdef MUST_COMPILE
};
#else
  int one_more;
};
#if INGOT_BINDING_PACKS
#error "too_many_members: this compiler has no limit for person, and doesn't need INGOT_MAX_MEMBERS=128"
#endif
#endif
static_assert(ingot::detail::require_storable<person>());
