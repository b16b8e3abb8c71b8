// SPDX-License-Identifier: Apache-2.0
// Rounding might make two keys equal, and readers would reject the message.
// expect: quantized_key
// expect: place
// expect: x
#include <ingot/pack/compact.hpp>

#include <map>
#include <vector>

struct place {
  float x;
  bool operator<(const place& other) const { return x < other.x; }
};
struct world {
  std::map<std::vector<place>, int> all;
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::member<"x">(ingot::tight_float));
#else
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::member<"x">(ingot::quantize(0.01)));
#endif
ingot::result<ingot::buffer> write(const world& w) { return ingot::compact::pack(w); }
