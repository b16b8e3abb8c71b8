// SPDX-License-Identifier: Apache-2.0
// expect: range_nothing
#include <ingot/pack/unpack.hpp>

#include <string>

#ifdef MUST_COMPILE
struct record {
  int value;
};
#else
struct record {
  struct opaque {
    int inside;
  };
  opaque value;
};
#endif

template <>
inline constexpr auto ingot::annotations<record> =
    ingot::annotate(ingot::member<"value">(ingot::range(0, 9)));
ingot::result<record> read(ingot::bytes_view bytes) { return ingot::unpack<record>(bytes); }
