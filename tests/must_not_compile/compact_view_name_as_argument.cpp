// SPDX-License-Identifier: Apache-2.0
// The name of a member is a template argument of `get` in compact messages too.
// expect: deleted
// expect: ingot: write get<"name">()
// lines by g++: 12
#include <ingot/pack/compact_view.hpp>

struct record {
  int number;
};

int look(const ingot::compact::view<record>& one) {
#ifdef MUST_COMPILE
  return one.get<"number">();
#else
  one.get("number");
  return 0;
#endif
}
