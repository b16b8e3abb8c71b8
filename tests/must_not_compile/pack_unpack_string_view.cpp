// SPDX-License-Identifier: Apache-2.0
// expect: a string_view, a span or an optional reference can't own what it is decoded into
#include <ingot/pack/unpack.hpp>

#include <string>
#include <string_view>

#ifdef MUST_COMPILE
struct record {
  std::string name;
};
#else
struct record {
  std::string_view name;
};
#endif

ingot::result<record> read(ingot::bytes_view bytes) { return ingot::unpack<record>(bytes); }
