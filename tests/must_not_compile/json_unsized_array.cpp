// SPDX-License-Identifier: Apache-2.0
// JSON rejects the types that packing rejects, with the same sentence.
// expect: unsized_array
// expect: person
// expect: value
#include <ingot/json/json.hpp>

#include <memory>
#include <string>

#ifdef MUST_COMPILE
struct person {
  std::unique_ptr<int> value;
};
#else
struct person {
  std::unique_ptr<int[]> value;
};
#endif
auto read(std::string_view text) { return ingot::json::read<person>(text); }
