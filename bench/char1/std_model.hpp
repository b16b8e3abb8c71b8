// SPDX-License-Identifier: Apache-2.0
// The character of standard containers in CHAR-1: the base of the ratios, and the input of the
// encoders.
#pragma once

#include "plain.hpp"
#include "std_character.hpp"

#include <cstddef>
#include <cstdint>

namespace bench {

using std_backend = plain_backend<std_family>;

/// Returns a character after FILL and `rounds` RW iterations.
inline std_character make_std_character(std::uint64_t seed, std::size_t rounds = 0) {
  std_character c{};
  fill<std_backend>(c, build_values()[seed].data());
  for (std::size_t k = 0; k < rounds; ++k) rewrite<std_backend>(c, edits()[k % edit_count]);
  return c;
}

} // namespace bench
