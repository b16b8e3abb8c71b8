// SPDX-License-Identifier: Apache-2.0
// Mutants of a block's bytes. Each is offered to `open` and to `open_in_place`. Every operation
// runs on the accepted ones.
#pragma once

#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>

#include "live/offering_of.hpp"
#include "live/operations.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace live_test {

using byte_vector = std::vector<std::byte>;

[[nodiscard]] byte_vector bytes_of(const auto& block) { return {block.bytes().begin(), block.bytes().end()}; }

/// Returns true if INGOT_TEST_SAMPLED is set, as the slow legs of the matrix do: tests offer a
/// share of the mutants instead of all.
[[nodiscard]] inline bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

/// Defines how blocks of `T` are opened, and which operations run on them.
template <class T>
struct block_of {
  static auto open(std::span<const std::byte> bytes) { return ingot::live<T>::open(bytes); }
  static auto open_in_place(std::span<std::byte> bytes) { return ingot::live<T>::open_in_place(bytes); }
  static void look_at_unvalidated(std::span<std::byte>, std::size_t) {}
  static void use_in_place(ingot::live<T>& block, std::size_t) { exercise(block); }
  static void use(ingot::live<T>& block, std::size_t) { exercise(block); }
};
template <class T>
using offering = offering_of<block_of<T>>;

/// Offers every `step`-th flipped bit.
template <class T>
void offer_flips(offering<T>& all, const byte_vector& bytes, std::size_t step) {
  for (std::size_t bit = 0; bit < 8 * bytes.size() && !testing::Test::HasFailure(); bit += step) {
    SCOPED_TRACE(bit);
    auto mutant = bytes;
    mutant[bit / 8] ^= std::byte{1} << bit % 8;
    all.offer(mutant);
  }
}
/// Offers every `step`-th pair of bits within every word: both set, both cleared, both flipped.
template <class T>
void offer_two_bits(offering<T>& all, const byte_vector& bytes, std::size_t step) {
  std::size_t turn = 0;
  for (std::size_t at = 0; at + 4 <= bytes.size() && !testing::Test::HasFailure(); at += 4) {
    SCOPED_TRACE(at);
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    for (unsigned first = 0; first < 32; ++first) {
      for (unsigned second = 0; second < first; ++second) {
        const std::uint32_t both = 1U << first | 1U << second;
        for (const std::uint32_t value : {word | both, word & ~both, word ^ both}) {
          if (value == word || turn++ % step != 0) continue;
          auto mutant = bytes;
          std::memcpy(mutant.data() + at, &value, sizeof value);
          all.offer(mutant);
        }
      }
    }
  }
}
/// Offers boundary values in every word: the limits of the word, the number of bytes after it, and
/// the distances back to header and root.
template <class T>
void offer_boundary_values(offering<T>& all, const byte_vector& bytes, std::size_t step) {
  constexpr auto max = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t at = 0; at + 4 <= bytes.size() && !testing::Test::HasFailure(); at += 4 * step) {
    SCOPED_TRACE(at);
    const auto remaining = static_cast<std::uint32_t>(bytes.size() - at);
    const auto back = static_cast<std::uint32_t>(-static_cast<std::int32_t>(at));
    for (const std::uint32_t value :
         {0U, 1U, 2U, 8U, max, max - 1, max / 2, max / 2 + 1, max / 2 - 1, max / 2 - 64, remaining,
          remaining - 1, remaining + 1, remaining - 8, remaining + 8, back, back + 56, back + 64}) {
      auto mutant = bytes;
      std::memcpy(mutant.data() + at, &value, sizeof value);
      all.offer(mutant);
    }
  }
}
/// Copies every word after the header onto every other word: offsets to the same storage, to
/// themselves or to their container, and the lengths, capacities and keys of other objects.
template <class T>
void offer_copied_words(offering<T>& all, const byte_vector& bytes, std::size_t step) {
  constexpr std::size_t first = ingot::detail::root_position;
  std::size_t pair = 0;
  for (std::size_t from = first; from + 4 <= bytes.size(); from += 4) {
    for (std::size_t to = first; to + 4 <= bytes.size() && !testing::Test::HasFailure(); to += 4) {
      if (from == to || ++pair % step != 0) continue;
      SCOPED_TRACE(testing::Message() << from << " onto " << to);
      auto mutant = bytes;
      std::memcpy(mutant.data() + to, bytes.data() + from, 4);
      all.offer(mutant);
    }
  }
}
/// Offers every word as an offset to every position.
template <class T>
void offer_redirected_offsets(offering<T>& all, const byte_vector& bytes, std::size_t step) {
  std::size_t pair = 0;
  for (std::size_t from = ingot::detail::root_position; from + 4 <= bytes.size(); from += 4) {
    for (std::size_t position = 0; position <= bytes.size() + 8 && !testing::Test::HasFailure();
         position += 8) {
      if (++pair % step != 0) continue;
      SCOPED_TRACE(testing::Message() << from << " leads to " << position);
      auto mutant = bytes;
      const auto offset = static_cast<std::int32_t>(position) - static_cast<std::int32_t>(from);
      std::memcpy(mutant.data() + from, &offset, sizeof offset);
      all.offer(mutant);
    }
  }
}
/// Offers damage at one to six positions.
template <class T, class Random>
void offer_random_damage(offering<T>& all, const byte_vector& bytes, std::size_t count, Random& random) {
  for (std::size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    auto mutant = bytes;
    for (auto changes = random() % 6 + 1; changes != 0; --changes) {
      const std::size_t at = 64 + random() % (mutant.size() - 64);
      if (random() % 2 == 0) mutant[at] = static_cast<std::byte>(random());
      else mutant[at] ^= std::byte{1} << random() % 8;
    }
    all.offer(mutant);
  }
}
/// Offers the greatest number, up to the number of bytes, and the least number that each word may
/// have in an accepted block. If `open` accepts too great a number, an edit will fail.
template <class T>
void offer_extremes(offering<T>& all, const byte_vector& bytes, std::size_t step) {
  exact_bytes there(bytes);
  const auto accepts = [&](std::size_t at, std::uint32_t value) {
    std::memcpy(there.span().data() + at, &value, sizeof value);
    return ingot::live_view<T>::open(there.span()).has_value();
  };
  if (!there.is_aligned()) return;
  const auto limit = static_cast<std::uint32_t>(bytes.size() + 8);
  for (std::size_t at = ingot::detail::root_position; at + 4 <= bytes.size() && !testing::Test::HasFailure();
       at += 4 * step) {
    SCOPED_TRACE(at);
    std::uint32_t greatest = limit;
    while (greatest != 0 && !accepts(at, greatest)) --greatest;
    std::uint32_t lowest = 0;
    while (lowest < greatest && !accepts(at, lowest)) ++lowest;
    for (const std::uint32_t value : {greatest, lowest}) {
      auto mutant = bytes;
      std::memcpy(mutant.data() + at, &value, sizeof value);
      all.offer(mutant);
    }
    there.restore(bytes);
  }
}
/// Offers all mutants of the functions above. `dense` is the step between pairs of words.
template <class T, class Random>
void offer_all_damage(offering<T>& all, const byte_vector& bytes, std::size_t dense, Random& random) {
  const std::size_t step = sampled() ? 11 : 1;
  EXPECT_TRUE(all.offer(bytes));
  for (std::size_t size = 0; size < bytes.size(); size += step) {
    EXPECT_FALSE(ingot::live<T>::open(std::span<const std::byte>(bytes).first(size)).has_value());
  }
  offer_flips(all, bytes, step);
  offer_boundary_values(all, bytes, step);
  offer_extremes(all, bytes, step);
  offer_copied_words(all, bytes, dense * step);
  offer_redirected_offsets(all, bytes, dense * step);
  offer_random_damage(all, bytes, 2'000 / step, random);
}

} // namespace live_test
