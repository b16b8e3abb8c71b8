// SPDX-License-Identifier: Apache-2.0
// A newer version may add members to such a key. A reader does not know whether they are NaN.
// expect: a key can't be an evolvable record that holds floats
// expect: place
#include <ingot/pack/pack.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <variant>
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
using either = std::variant<std::vector<float>, place>;
struct hash {
  std::size_t operator()(const either& key) const { return key.index(); }
};
struct world {
  std::unordered_set<either, hash> all;
};

ingot::result<ingot::buffer> write(const world& w) { return ingot::pack(w); }
