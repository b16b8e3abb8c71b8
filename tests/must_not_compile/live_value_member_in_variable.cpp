// SPDX-License-Identifier: Apache-2.0
// A member in a variable is not assigned to: the value at its position may be another one by then.
// expect: deleted
// expect: ingot: assign in one expression
// lines by g++: 12
#include <ingot/document/live_value.hpp>

void change(ingot::live_value& extra) {
#ifdef MUST_COMPILE
  extra["price"] = 3;
#else
  auto price = extra["price"];
  price = 3;
#endif
}
