// SPDX-License-Identifier: Apache-2.0
// Code that only reads gets this error, too.
// expect: a key can't be an evolvable record that holds floats
// expect: place
#include <ingot/pack/unpack.hpp>

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

struct place {
#ifdef MUST_COMPILE
  std::int32_t x;
#else
  float x;
#endif
  bool operator==(const place& other) const { return x == other.x; }
};
template <>
inline constexpr auto ingot::annotations<place> = ingot::annotate(ingot::type(ingot::evolvable));
struct hash {
  std::size_t operator()(const std::vector<place>& key) const { return key.size(); }
};
struct world {
  std::unordered_set<std::vector<place>, hash> all;
};

ingot::result<world> read(ingot::bytes_view bytes) { return ingot::unpack<world>(bytes); }
