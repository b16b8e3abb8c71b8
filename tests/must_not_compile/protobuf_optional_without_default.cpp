// SPDX-License-Identifier: Apache-2.0
// expect: give the class a default constructor, or specialise ingot::adapt
#include <ingot/protobuf/read.hpp>

#include <optional>

struct meters {
#ifdef MUST_COMPILE
  meters() = default;
#endif
  explicit meters(int n) : count(n) {}
  int count = 0;
  constexpr auto reflect(auto&& f) { return f(count); }
};
struct path {
  std::optional<meters> length;
};

ingot::result<path> read(ingot::bytes_view bytes) { return ingot::protobuf::read<path>(bytes); }
