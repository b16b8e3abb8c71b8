// SPDX-License-Identifier: Apache-2.0
// An index is a template argument of `get` in checked views too.
// expect: deleted
// expect: ingot: write get<"name">()
// lines by g++: 12
#include <ingot/pack/checked_view.hpp>

struct record {
  int number;
};

int look(const ingot::checked_view<record>& one) {
#ifdef MUST_COMPILE
  return one.get<0>().value_or(0);
#else
  one.get(0);
  return 0;
#endif
}
