// SPDX-License-Identifier: Apache-2.0
// Mutants of the bytes of a block, each offered to `open` and to `open_in_place`; what is accepted has everything done to it.
#pragma once

#include <ingot/live/live.hpp>

#include "live/operations.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
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

/// Set by the legs that are slow: a share of the mutants instead of all.
[[nodiscard]] inline bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

/// Bytes at an address that is a multiple of 16, which end where they end: sanitizers see what is read behind.
class exact_bytes {
public:
  explicit exact_bytes(std::span<const std::byte> from)
      : memory_(static_cast<std::byte*>(std::malloc(from.size() == 0 ? 1 : from.size()))),
        size_(from.size()) {
    if (!from.empty()) std::memcpy(memory_, from.data(), from.size());
  }
  exact_bytes(const exact_bytes&) = delete;
  exact_bytes& operator=(const exact_bytes&) = delete;
  ~exact_bytes() { std::free(memory_); }
  [[nodiscard]] std::span<std::byte> span() { return {memory_, size_}; }
  [[nodiscard]] bool is_aligned() const { return reinterpret_cast<std::uintptr_t>(memory_) % 16 == 0; }

private:
  std::byte* memory_;
  std::size_t size_;
};

/// Offers mutants of a block of `T`, and counts.
template <class T>
class offering {
public:
  explicit offering(std::string_view what) : what_(what) {}
  offering(const offering&) = delete;
  offering& operator=(const offering&) = delete;
  ~offering() {
    std::printf("[  counted ] %.*s: %zu tried, %zu accepted\n", static_cast<int>(what_.size()), what_.data(),
                tried, accepted);
  }

  bool offer(std::span<const std::byte> bytes) {
    ++tried;
    auto opened = ingot::live<T>::open(bytes);
    // Where the bytes are: the same verdict, and with a sanitizer nothing is read outside.
    exact_bytes there(bytes);
    if (there.is_aligned()) {
      auto in_place = ingot::live<T>::open_in_place(there.span());
      EXPECT_EQ(opened.has_value(), in_place.has_value());
      if (in_place) exercise(*in_place);
    }
    if (!opened) {
      EXPECT_LE(opened.error().offset(), bytes.size()) << opened.error().message();
      return false;
    }
    ++accepted;
    exercise(*opened);
    return true;
  }

  std::size_t tried = 0;
  std::size_t accepted = 0;

private:
  std::string_view what_;
};

/// Every `step`-th flipped bit.
template <class T>
void offer_flips(offering<T>& all, const byte_vector& bytes, std::size_t step) {
  for (std::size_t bit = 0; bit < 8 * bytes.size() && !testing::Test::HasFailure(); bit += step) {
    SCOPED_TRACE(bit);
    auto mutant = bytes;
    mutant[bit / 8] ^= std::byte{1} << bit % 8;
    all.offer(mutant);
  }
}
/// Every `step`-th pair of bits within every word: both set, both cleared, both flipped.
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
/// In every word: the ends of what it can count, what remains behind it, and the ways back to header and root.
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
/// Every word behind the header onto every other: offsets that lead to the same storage, to themselves, to what holds them; the
/// lengths, capacities and keys of others.
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
/// Every word as an offset to every place.
template <class T>
void offer_redirected_offsets(offering<T>& all, const byte_vector& bytes, std::size_t step) {
  std::size_t pair = 0;
  for (std::size_t from = ingot::detail::root_position; from + 4 <= bytes.size(); from += 4) {
    for (std::size_t place = 0; place <= bytes.size() + 8 && !testing::Test::HasFailure(); place += 8) {
      if (++pair % step != 0) continue;
      SCOPED_TRACE(testing::Message() << from << " leads to " << place);
      auto mutant = bytes;
      const auto offset = static_cast<std::int32_t>(place) - static_cast<std::int32_t>(from);
      std::memcpy(mutant.data() + from, &offset, sizeof offset);
      all.offer(mutant);
    }
  }
}
/// Damage in one to six places.
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

} // namespace live_test
