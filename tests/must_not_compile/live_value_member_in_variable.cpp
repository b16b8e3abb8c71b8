// SPDX-License-Identifier: Apache-2.0
// A member in a variable can't be assigned to: another value may be at its position by then.
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
