// SPDX-License-Identifier: Apache-2.0
// expect: what a variant, an optional or a unique_ptr holds needs a default constructor
#include <ingot/pack/unpack.hpp>

#include <memory>

struct meters {
#ifdef MUST_COMPILE
  meters() = default;
#endif
  explicit meters(int n) : count(n) {}
  int count = 0;
  constexpr auto reflect(auto&& f) { return f(count); }
};
struct path {
  std::unique_ptr<meters> length;
};

ingot::result<path> read(ingot::bytes_view bytes) { return ingot::unpack<path>(bytes); }
