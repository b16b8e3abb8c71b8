// SPDX-License-Identifier: Apache-2.0
// The error for JSON names the type and the member.
// expect: unknown_class
// expect: person
// expect: value
#include <ingot/json/json.hpp>

#include <string>

#ifdef MUST_COMPILE
struct hidden {
  int inside = 0;
};
#else
class hidden {
  int inside = 0;

public:
  int get() const { return inside; }
};
#endif
struct person {
  hidden value;
};
auto write(const person& value) { return ingot::json::write(value); }
