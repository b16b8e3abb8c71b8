// SPDX-License-Identifier: Apache-2.0
// A view of an element of a value of any kind can't be assigned to: nothing would change.
// expect: deleted
// expect: ingot: a view only reads
#include <ingot/document/live_value.hpp>

void copy_inside(ingot::live_value& extra) {
#ifdef MUST_COMPILE
  extra["a"] = extra["b"];
#else
  extra["a"][0] = extra["b"];
#endif
}
