// SPDX-License-Identifier: Apache-2.0
// The hash of tables whose keys collide under the fast hash: SipHash-1-3 (Aumasson and Bernstein,
// "SipHash: a fast short-input PRF", INDOCRYPT 2012) of the key's words, eight bytes each, least
// significant byte first. The 128-bit key of SipHash is derived from the table's seed. Its first
// half is the seed. Its second half is the seed with both halves exchanged, xor `second_half`.
//
// Without the seed, a test that distinguishes hashes from random numbers takes as much work as
// finding the seed: 2^63 hashes on average. So the properties of random home slots hold for all
// keys:
//
// - With n keys of random home slots and `r = n / homes`, the expected step (distance of a
//   key from its home slot) is at most
//   `r / (2 (1 - r))`: 2 for r = 4/5, the highest load (Knuth, The Art of Computer Programming,
//   volume 3, section 6.4, theorem K; the order of keys doesn't change the sum).
// - A step of k needs, for some l, l + k keys whose home slots are among l + 1 slots. By Chernoff's
//   bound its probability is below the sum over l of `exp(r l (e^t - 1) - t (l + k))`, for each t
//   below the positive root of `r (e^t - 1) = t`. For r = 4/5 and t = 2/5 that is less than
//   `154 exp(-2 k / 5)`, which is `1.2 * 10^-9` for k = 64. For r = 2/5 and t = 7/5 it is less than
//   10^-38.
//
// With random home slots, a table may still have a key without a slot. This happens in less than
// one of ten tables of four keys, which is the worst size. It happens in one of 300 large tables
// (measured): displaced entries need more slots after the last home slot than there are. The table
// then draws another seed, and after 32 draws doubles its home slots (hash_rebuild.hpp). If a key
// has no slot in tables of three sizes, it is rejected as `too_many_collisions`. With secret seeds,
// the probability of this rejection is below 10^-30.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <bit>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

class keyed_hash {
public:
  /// The fractional part of the square root of 2.
  static constexpr std::uint64_t second_half = 0x6A09E667F3BCC908;

  explicit constexpr keyed_hash(std::uint64_t seed) noexcept
      : keyed_hash(seed, std::rotl(seed, 32) ^ second_half) {}
  /// `first` and `second` are the first and second eight bytes of SipHash's own key.
  constexpr keyed_hash(std::uint64_t first, std::uint64_t second) noexcept
      : v0_(first ^ 0x736F6D6570736575), v1_(second ^ 0x646F72616E646F6D), v2_(first ^ 0x6C7967656E657261),
        v3_(second ^ 0x7465646279746573) {}

  INGOT_INLINE constexpr void add(std::uint64_t word) noexcept {
    mix(word);
    ++words_;
  }
  /// Returns the hash of all words. The uppermost byte of SipHash's last block is the size of the
  /// words in bytes.
  [[nodiscard]] constexpr std::uint64_t done() const noexcept {
    keyed_hash last = *this;
    last.mix(words_ * 8 << 56);
    last.v2_ ^= 0xFF;
    last.round();
    last.round();
    last.round();
    return last.v0_ ^ last.v1_ ^ last.v2_ ^ last.v3_;
  }

private:
  INGOT_INLINE constexpr void mix(std::uint64_t word) noexcept {
    v3_ ^= word;
    round();
    v0_ ^= word;
  }
  INGOT_INLINE constexpr void round() noexcept {
    v0_ += v1_;
    v2_ += v3_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v1_;
    v0_ += v3_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_;
  std::uint64_t v1_;
  std::uint64_t v2_;
  std::uint64_t v3_;
  std::uint64_t words_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail
