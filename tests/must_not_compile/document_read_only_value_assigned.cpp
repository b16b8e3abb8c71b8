// SPDX-License-Identifier: Apache-2.0
// A read-only handle refers to another value when another handle is assigned to it, and takes no
// values.
// expect: deleted
// expect: ingot: a value only reads
// lines by g++: 12
#include <ingot/document/document.hpp>

bool change(ingot::value price, ingot::value_ref other) {
#ifdef MUST_COMPILE
  price = other;
#else
  price = 3;
#endif
  return price == other;
}
