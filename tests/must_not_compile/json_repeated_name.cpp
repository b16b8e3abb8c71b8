// SPDX-License-Identifier: Apache-2.0
// A member may hide that of a base, but in text both would be one key.
// expect: two members of a type (or of its bases) have one name
// expect: box
#include <ingot/json/json.hpp>

struct shape {
  int id = 0;
};
struct box : shape {
#ifdef MUST_COMPILE
  int number = 0;
  INGOT_REFLECT(box, (shape), number)
#else
  int id = 0;
  INGOT_REFLECT(box, (shape), id)
#endif
};

std::size_t print(std::string& out, const box& value) {
  return ingot::json::write_to(out, value).value_or(0);
}
