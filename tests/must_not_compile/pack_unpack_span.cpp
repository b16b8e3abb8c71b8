// SPDX-License-Identifier: Apache-2.0
// expect: a string_view, a span or an optional reference can't own what
#include <ingot/pack/unpack.hpp>

#include <optional>
#include <span>
#include <vector>

#ifdef MUST_COMPILE
using numbers = std::vector<int>;
#else
using numbers = std::span<const int>;
#endif

struct record {
  std::optional<numbers> list;
};
ingot::result<record> read(ingot::bytes_view bytes) { return ingot::unpack<record>(bytes); }
