// SPDX-License-Identifier: Apache-2.0
// expect: a string_view can't be read into, as nothing would own its characters
#include <ingot/json/json.hpp>

#ifdef MUST_COMPILE
struct record {
  std::string name;
};
#else
struct record {
  std::string_view name;
};
#endif

ingot::result<record> read(std::string_view text) { return ingot::json::read<record>(text); }
