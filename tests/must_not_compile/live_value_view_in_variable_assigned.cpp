// SPDX-License-Identifier: Apache-2.0
// A view in a variable refers to another value when another view is assigned to it, and takes no
// values.
// expect: deleted
// expect: ingot: a view only reads; change the value by
// lines by g++: 12
#include <ingot/document/live_value.hpp>

void change(ingot::live_value& extra) {
  ingot::value_view price = extra.root();
#ifdef MUST_COMPILE
  price = extra["price"];
#else
  price = 3;
#endif
}
