// SPDX-License-Identifier: Apache-2.0
// Two members have the name. In an earlier version, `get` returned the first.
// expect: two members have this name
#include <ingot/pack/view.hpp>

#ifdef MUST_COMPILE
#define INGOT_CASE number
#else
#define INGOT_CASE id
#endif
struct shape {
  int id = 0;
};
struct box : shape {
  int INGOT_CASE = 0;
  INGOT_REFLECT(box, (shape), INGOT_CASE)
};
int look(const ingot::view<box>& seen) { return seen.get<"id">(); }
