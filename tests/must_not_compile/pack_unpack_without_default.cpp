// SPDX-License-Identifier: Apache-2.0
// expect: unpack makes a default-constructed object first
// expect: record
#include <ingot/pack/unpack.hpp>

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

ingot::result<record> read(ingot::bytes_view bytes) { return ingot::unpack<record>(bytes); }
