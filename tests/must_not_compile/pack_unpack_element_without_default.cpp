// SPDX-License-Identifier: Apache-2.0
// expect: an element of a list, a set or a map needs a default constructor
#include <ingot/pack/unpack.hpp>

#include <vector>

#ifdef MUST_COMPILE
struct record {
  int number = 0;
  constexpr auto reflect(auto&& f) { return f(number); }
};
#else
struct record {
  explicit record(int n) : number(n) {}
  int number;
  constexpr auto reflect(auto&& f) { return f(number); }
};
#endif

ingot::result<std::vector<record>> read(ingot::bytes_view bytes) {
  return ingot::unpack<std::vector<record>>(bytes);
}
