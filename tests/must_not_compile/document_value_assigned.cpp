// SPDX-License-Identifier: Apache-2.0
// A handle in a variable refers to another value when another handle is assigned to it. It takes no
// values, since nothing in the document would change.
// expect: deleted
// expect: ingot: change what the handle refers to by set
// lines by g++: 12
#include <ingot/document/document.hpp>

bool change(ingot::value_ref price, ingot::value_ref other) {
#ifdef MUST_COMPILE
  price = other;
  return price.set(3).has_value();
#else
  price = 3;
  return price == other;
#endif
}
