// SPDX-License-Identifier: Apache-2.0
// Replaces every length, end and count by values for which bounds checks are easily forgotten.
//
// A valid message's lengths are not larger than the message. So every word (at any offset: nothing
// is aligned) with such a number is one of them, or treated as one.
#include <ingot/core/endian.hpp>

#include "hostile/mutants.hpp"

#include <algorithm>
#include <cstdint>

namespace hostile { namespace {

using word = std::uint32_t;

/// Calls `f` with the offset of each word that may be a length.
template <class F>
void for_each_length(const message& m, F&& f) {
  for (std::size_t at = 0; at + sizeof(word) <= m.size(); ++at) {
    if (ingot::load_le<word>(m.data() + at) <= m.size()) f(at);
  }
}

TEST(length_word, at_every_boundary_is_rejected_or_harmless) {
  tally count("boundary values");
  for_each_message(1024, sampled() || complete() ? 4 : 2, [&](const subject& s, message m) {
    for_each_length(m, [&](std::size_t at) {
      const auto before = ingot::load_le<word>(m.data() + at);
      const auto size = static_cast<word>(m.size());
      const auto left = static_cast<word>(m.size() - at - sizeof(word));
      constexpr word max = 0xFFFF'FFFF;
      for (const word value :
           {word{0},      word{1},    max,         max - 1,     max - 3,      max - 7,
            max / 2 - 1,  max / 2,    max / 2 + 1, left - 1,    left,         left + 1,
            size - 1,     size,       size + 1,    before - 1,  before + 1,   before * 2,
            max - before, max - left, max / 4 + 1, max / 8 + 1, max / 12 + 1, max / 24 + 1}) {
        ingot::store_le(m.data() + at, value);
        count.offer(s, m, "boundary value at", at);
      }
      ingot::store_le(m.data() + at, before);
    });
  });
  EXPECT_GT(count.tried(), min_tries(180'000u));
}

TEST(length_word, with_any_two_bits_changed_is_rejected_or_harmless) {
  tally count("two bits");
  std::size_t turn = 0;
  for_each_message(400, 1, [&](const subject& s, message m) {
    for_each_length(m, [&](std::size_t at) {
      const auto before = ingot::load_le<word>(m.data() + at);
      for (unsigned high = 1; high < 32; ++high) {
        for (unsigned low = 0; low < high; ++low) {
          if (++turn % (sampled() ? 64 : complete() ? 1 : 7) != 0) continue;
          ingot::store_le(m.data() + at, before ^ (word{1} << high | word{1} << low));
          count.offer(s, m, "two bits changed at", at);
        }
      }
      ingot::store_le(m.data() + at, before);
    });
  });
  EXPECT_GT(count.tried(), min_tries(sampled() ? 15'000u : 170'000u));
}

/// A length and the bytes that it counts, changed together, so that every other length still fits:
/// only the meaning of the bytes can show the error. A record of an older version is one that is
/// cut like this, between two members.
TEST(length_word, less_by_the_bytes_taken_out_is_rejected_or_harmless) {
  tally count("bytes taken out");
  std::size_t turn = 0;
  for_each_message(160, 2, [&](const subject& s, const message& m) {
    for_each_length(m, [&](std::size_t at) {
      const auto before = ingot::load_le<word>(m.data() + at);
      const std::size_t after = at + sizeof(word);
      for (word gone = 1; gone <= std::min<word>(before, 8); ++gone) {
        for (std::size_t from = after; from + gone <= m.size(); ++from) {
          if (++turn % (sampled() ? 16 : complete() ? 1 : 5) != 0) continue;
          message shorter = m;
          ingot::store_le(shorter.data() + at, before - gone);
          const auto first = shorter.begin() + static_cast<std::ptrdiff_t>(from);
          shorter.erase(first, first + static_cast<std::ptrdiff_t>(gone));
          count.offer(s, shorter, "length less by the bytes taken out, at", at);
        }
      }
    });
  });
  EXPECT_GT(count.tried(), min_tries(sampled() ? 15'000u : 60'000u));
}

/// Two lengths changed together, so that one mistake hides the other: each end is replaced by each
/// other end.
TEST(length_word, exchanged_with_another_is_rejected_or_harmless) {
  tally count("exchanged words");
  std::size_t turn = 0;
  for_each_message(160, 2, [&](const subject& s, message m) {
    for_each_length(m, [&](std::size_t a) {
      for (std::size_t b = a + 1; b + sizeof(word) <= m.size(); ++b) {
        if (++turn % (sampled() ? 16 : complete() ? 1 : 3) != 0) continue;
        const message saved = m;
        const auto first = ingot::load_le<word>(m.data() + a);
        const auto second = ingot::load_le<word>(m.data() + b);
        ingot::store_le(m.data() + b, first);
        ingot::store_le(m.data() + a, second);
        count.offer(s, m, "words exchanged, first at", a);
        m = saved;
      }
    });
  });
}

}} // namespace hostile
