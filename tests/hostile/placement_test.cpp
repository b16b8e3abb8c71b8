// SPDX-License-Identifier: Apache-2.0
// The address of the bytes must not matter: any alignment, and no readable memory before or after
// them. The pages around a message catch a read outside it in optimised code, without a sanitizer.
#include "hostile/fenced_pages.hpp"
#include "hostile/mutants.hpp"

#include <cstring>

namespace hostile { namespace {

TEST(placement, at_every_offset_is_the_same_message) {
  tally count("offsets");
  for_each_message(2048, 2, [&](const subject& s, const message& m) {
    alignas(64) static std::byte storage[2048 + 64];
    for (std::size_t offset = 0; offset < 64; offset += sampled() ? 5 : 1) {
      std::memset(storage, 0xA5, sizeof storage);
      if (!m.empty()) std::memcpy(storage + offset, m.data(), m.size());
      EXPECT_TRUE(count.offer(s, {storage + offset, m.size()}, "at offset", offset).accepted) << s.name;
    }
  });
}

TEST(placement, between_unmapped_pages_reads_nothing_outside) {
  const fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  tally count("between unmapped pages");
  for_each_message(4096, 3, [&](const subject& s, const message& m) {
    const ingot::bytes_view whole = m;
    EXPECT_TRUE(count.offer(s, pages.at_begin(whole), "at the first byte", 0).accepted) << s.name;
    EXPECT_TRUE(count.offer(s, pages.at_end(whole), "at the last byte", 0).accepted) << s.name;
    const std::size_t step = sampled() && m.size() > 64 ? 7 : 1;
    for (std::size_t n = 0; n < m.size(); n += step) {
      count.offer(s, pages.at_end(whole.first(n)), "at the last byte, cut to", n);
      count.offer(s, pages.at_begin(whole.last(n)), "at the first byte, its end of", n);
      count.offer(s, pages.at_end(whole.last(n)), "at the last byte, its end of", n);
    }
  });
}

}} // namespace hostile
