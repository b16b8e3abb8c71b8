// SPDX-License-Identifier: Apache-2.0
// A float is also a part of a key if an optional contains its record.
// expect: quantized_key
// expect: place
// expect: x
#include <ingot/pack/compact.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <unordered_set>

struct place {
  float x;
  bool operator==(const place& other) const { return x == other.x; }
};
struct hash {
  std::size_t operator()(const std::optional<place>& at) const { return std::hash<float>{}(at ? at->x : 0); }
};
struct world {
  std::unordered_set<std::optional<place>, hash> all;
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::member<"x">(ingot::tight_float));
#else
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::member<"x">(ingot::quantize(0.01)));
#endif
ingot::result<ingot::buffer> write(const world& w) { return ingot::compact::pack(w); }
