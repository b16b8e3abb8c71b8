// SPDX-License-Identifier: Apache-2.0
// expect: only records, arrays, tuples and classes of ingot::adapt are read without a default
#include <ingot/json/json.hpp>

#include <variant>

struct meters {
  explicit meters(int n) : count(n) {}
  int count;
  constexpr auto reflect(auto&& f) { return f(count); }
};
#ifdef MUST_COMPILE
using length = std::variant<int, meters>;
#else
using length = std::variant<meters, int>;
#endif

ingot::result<length> read(std::string_view text) { return ingot::json::read<length>(text); }
