// SPDX-License-Identifier: Apache-2.0
// A float is as much part of a key where an optional holds its record, or another container in the key.
// expect: quantized_key
// expect: place
// expect: x
#include <ingot/pack/compact.hpp>

#include <map>
#include <optional>
#include <set>
#include <vector>

struct place {
  float x;
  bool operator<(const place& other) const { return x < other.x; }
  bool operator==(const place& other) const { return x == other.x; }
};
struct world {
  std::set<std::vector<std::map<int, std::optional<place>>>> all;
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::member<"x">(ingot::tight_float));
#else
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::member<"x">(ingot::quantize(0.01)));
#endif
ingot::result<ingot::buffer> write(const world& w) { return ingot::compact::pack(w); }
