// SPDX-License-Identifier: Apache-2.0
// expect: an element of a list, a set or a map needs a default constructor
#include <ingot/pack/compact.hpp>

#include <set>

struct meters {
#ifdef MUST_COMPILE
  meters() = default;
#endif
  explicit meters(int n) : count(n) {}
  int count = 0;
  auto operator<=>(const meters&) const = default;
  constexpr auto reflect(auto&& f) { return f(count); }
};

ingot::result<std::set<meters>> read(ingot::bytes_view bytes) {
  return ingot::compact::unpack<std::set<meters>>(bytes);
}
