// SPDX-License-Identifier: Apache-2.0
// Rounding might make two keys equal, and readers would reject the message.
// expect: quantized_key
// expect: place
// expect: up
#include <ingot/pack/compact.hpp>

#include <array>
#include <set>

struct place {
  std::array<float, 3> up;
  bool operator<(const place& other) const { return up < other.up; }
};
struct world {
  std::set<place> all;
};

#ifdef MUST_COMPILE
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::member<"up">(ingot::tight_float));
#else
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::member<"up">(ingot::unit_vector));
#endif
ingot::result<ingot::buffer> write(const world& w) { return ingot::compact::pack(w); }
