// SPDX-License-Identifier: Apache-2.0
// The character of standard containers: what ratios are to, and what the encoders encode.
#pragma once

#include "model.hpp"
#include "plain.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace bench {

struct std_family {
  template <class T>
  using vector = std::vector<T>;
  template <class K, class V>
  using map = std::map<K, V>;
  using string = std::string;
};
using std_equip = equip_of<std_family>;
using std_character = character_of<std_family>;
using std_backend = plain_backend<std_family>;

/// As FILL and `rounds` RW iterations leave it.
inline std_character make_std_character(std::uint64_t seed, std::size_t rounds = 0) {
  std_character c{};
  fill<std_backend>(c, build_values()[seed].data());
  for (std::size_t k = 0; k < rounds; ++k) rewrite<std_backend>(c, edits()[k % edit_count]);
  return c;
}

} // namespace bench
