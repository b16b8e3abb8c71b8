// SPDX-License-Identifier: Apache-2.0
// A member in a variable can't be assigned to: another value may be at its position by then.
// expect: deleted
// expect: ingot: take a value_ref
// lines by g++: 12
#include <ingot/document/document.hpp>

bool change(ingot::document& order) {
#ifdef MUST_COMPILE
  ingot::value_ref price = order["price"];
  return price.set(3).has_value();
#else
  auto price = order["price"];
  price = 3;
  return true;
#endif
}
