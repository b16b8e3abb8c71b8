// SPDX-License-Identifier: Apache-2.0
// Flips each bit of a message that ends before an unmapped page. If the result is accepted, every
// operation on it must be safe.
#include "hostile/fenced_pages.hpp"
#include "hostile/mutants.hpp"

#include <chrono>

namespace hostile { namespace {

using clock = std::chrono::steady_clock;

TEST(flip, of_every_bit_is_rejected_or_harmless) {
  tally count("flips");
  clock::duration slowest{};
  std::string_view slowest_name;
  std::size_t turn = 0;
  const fenced_pages pages(1024);
  ASSERT_TRUE(pages.ready());
  for_each_message(1024, 2, [&](const subject& s, message m) {
    for (std::size_t bit = 0; bit < m.size() * 8; ++bit) {
      if (sampled() && ++turn % 16 != 0) continue;
      const auto mask = std::byte{1} << (bit % 8);
      m[bit / 8] ^= mask;
      const auto start = clock::now();
      count.offer(s, pages.at_end(m), "at the last byte, bit flipped", bit);
      if (const auto took = clock::now() - start; took > slowest) {
        slowest = took;
        slowest_name = s.name;
      }
      m[bit / 8] ^= mask;
    }
  });
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(slowest).count();
  std::printf("[  slowest ] %lld ms, %s\n", static_cast<long long>(milliseconds), slowest_name.data());
  EXPECT_GT(count.tried(), min_tries(sampled() ? 20'000u : 300'000u));
  EXPECT_GT(count.accepted(), count.tried() / 20); // otherwise the views were not traversed
  // a machine may stall, but a loop over 2^32 takes longer than a second
  EXPECT_LT(milliseconds, 1000);
}

}} // namespace hostile
