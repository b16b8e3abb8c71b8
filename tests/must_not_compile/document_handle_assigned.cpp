// SPDX-License-Identifier: Apache-2.0
// A handle that a call returns can't be assigned to: nothing in the document would change.
// expect: deleted
// expect: ingot: a handle that a call gives
#include <ingot/document/document.hpp>

void copy_inside(ingot::document& order) {
#ifdef MUST_COMPILE
  order["first"] = order["rows"][0];
#else
  order["rows"][0] = order["first"];
#endif
}
