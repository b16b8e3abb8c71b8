// SPDX-License-Identifier: Apache-2.0
// Damaged compact messages: every prefix and every flipped bit, for types that use each encoding of
// the profile.
#include "hostile/mutants.hpp"
#include "hostile/subjects.hpp"

namespace hostile { namespace {

TEST(compact, damaged_anywhere_is_rejected_or_harmless) {
  tally count("compact prefixes and flips");
  std::size_t turn = 0;
  for (const subject& s : compact_subjects()) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      message m = s.sample(seed);
      if (m.size() > 600) continue;
      EXPECT_TRUE(count.offer(s, m, "whole", 0).accepted) << s.name;
      for (std::size_t n = 0; n < m.size(); ++n) {
        const message cut(m.begin(), m.begin() + static_cast<std::ptrdiff_t>(n));
        count.offer(s, cut, "cut to", n);
      }
      for (std::size_t bit = 0; bit < m.size() * 8; ++bit) {
        if (sampled() && ++turn % 16 != 0) continue;
        const auto mask = std::byte{1} << (bit % 8);
        m[bit / 8] ^= mask;
        count.offer(s, m, "bit flipped", bit);
        m[bit / 8] ^= mask;
      }
    }
  }
}

}} // namespace hostile
