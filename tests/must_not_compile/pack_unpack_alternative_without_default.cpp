// SPDX-License-Identifier: Apache-2.0
// expect: what a variant, an optional or a unique_ptr holds needs a default constructor
#include <ingot/pack/unpack.hpp>

#include <variant>

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

using either = std::variant<bool, record>;
ingot::result<either> read(ingot::bytes_view bytes) { return ingot::unpack<either>(bytes); }
