// SPDX-License-Identifier: Apache-2.0
// C++23 binds INGOT_MAX_MEMBERS members, by default 32. Where the compiler has packs in structured
// bindings there is no limit to test.
// expect: too_many_members
// expect: INGOT_MAX_MEMBERS=128
// expect: person
#include <ingot/reflect/storable.hpp>

struct person {
  int m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15;
  int m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31;

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
