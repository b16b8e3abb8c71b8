// SPDX-License-Identifier: Apache-2.0
// Truncated messages. A reader that trusts a length before it has checked the bytes reads outside
// the message.
#include "hostile/mutants.hpp"

namespace hostile { namespace {

TEST(prefix, of_no_message_is_a_message) {
  tally count("prefixes");
  for_each_message(4096, 3, [&](const subject& s, const message& whole) {
    ASSERT_TRUE(count.offer(s, whole, "whole", 0).accepted) << s.name;
    const std::size_t step = sampled() && whole.size() > 64 ? 7 : 1;
    for (std::size_t n = 0; n < whole.size(); n += step) {
      const message cut(whole.begin(),
                        // an allocation of exactly its size
                        whole.begin() + static_cast<std::ptrdiff_t>(n));
      const verdict v = count.offer(s, cut, "cut to", n);
      if (s.closed) {
        EXPECT_FALSE(v.accepted) << s.name << " cut to " << n << " of " << whole.size();
      }
    }
  });
  EXPECT_GT(count.tried(), min_tries(sampled() ? 5'000u : 40'000u));
}

TEST(prefix, after_a_whole_message_is_rejected) {
  tally count("bytes after");
  for_each_message(4096, 3, [&](const subject& s, message longer) {
    for (const std::byte extra : {std::byte{0}, std::byte{1}, std::byte{0xFF}}) {
      longer.push_back(extra);
      const verdict v = count.offer(s, longer, "with more after", longer.size());
      EXPECT_FALSE(s.closed && v.accepted) << s.name << " with bytes after it";
    }
  });
}

}} // namespace hostile
