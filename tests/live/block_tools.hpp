// SPDX-License-Identifier: Apache-2.0
// Checks of a block's bytes for tests: which bytes its containers reach, whether each byte is
// reached or in a free run, and whether all other bytes are zero.
#pragma once

#include <ingot/live/live.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace live_test {

/// One bit per eight bytes of the block: set where a container has its storage.
struct reached {
  std::vector<bool> granules;
  std::size_t bytes = 0;
  bool sound = false; ///< nothing overlaps, and nothing is outside the block
};

/// Records claims in a `reached`.
class noting_claims {
public:
  explicit noting_claims(reached& all) : all_(&all) {}
  [[nodiscard]] bool take(std::size_t at, std::size_t size) {
    if (at % 8 != 0 || size % 8 != 0 || (at + size) / 8 > all_->granules.size()) return false;
    for (std::size_t i = at / 8; i < (at + size) / 8; ++i) {
      if (all_->granules[i]) return false;
      all_->granules[i] = true;
    }
    all_->bytes += size;
    return true;
  }

private:
  reached* all_;
};

/// Walks the block as a reader of untrusted bytes does, but only to find the storages.
template <class T, class P>
[[nodiscard]] reached reach(const ingot::basic_live<T, P>& block) {
  namespace d = ingot::detail;
  reached all;
  const auto bytes = block.bytes();
  all.granules.resize(bytes.size() / 8);
  noting_claims claims(all);
  if (!claims.take(0, d::first_storage<T>)) return all;
  d::block_validator<P, noting_claims, d::asking::positions> walk(bytes.data(), bytes.size(),
                                                                  d::first_storage<T>, claims);
  all.sound = d::check_object(*block, walk);
  return all;
}

/// Expects that every byte of the block is reached or in a free run. `lost`: bytes that may be
/// neither, after `trim` or a free run of eight bytes.
template <class T, class P>
void expect_accounted(const ingot::basic_live<T, P>& block, std::size_t lost = 0) {
  const reached all = reach(block);
  EXPECT_TRUE(all.sound);
  const auto stats = block.stats();
  EXPECT_LE(all.bytes + stats.free_bytes, stats.used);
  EXPECT_GE(all.bytes + stats.free_bytes + lost, stats.used);
}

/// Also releases a storage that holds nothing, which a sanitizer would report.
[[nodiscard]]
#if INGOT_POISONS == 1
__attribute__((no_sanitize("address")))
#endif
inline bool all_zero(const std::byte* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (from[i] != std::byte{0}) return false;
  }
  return true;
}

/// Returns the number of bytes that no container reaches and that are not zero: none after `trim`.
/// Before it they are the allocator's links.
template <class T, class P>
[[nodiscard]] std::size_t stale_bytes(const ingot::basic_live<T, P>& block) {
  const reached all = reach(block);
  const auto bytes = block.bytes();
  std::size_t stale = 0;
  for (std::size_t i = 0; i < all.granules.size(); ++i) {
    if (all.granules[i]) continue;
    for (std::size_t k = 0; k < 8; ++k) stale += bytes[8 * i + k] != std::byte{0};
  }
  return stale;
}

/// Returns true if the bytes after the used ones are zero, up to `max_size` or for `look` bytes:
/// never written, or cleared.
template <class T, class P>
[[nodiscard]] bool is_zero_after(const ingot::basic_live<T, P>& block,
                                 std::size_t look = std::size_t{1} << 16) {
  const auto bytes = block.bytes();
  std::size_t end = block.max_size() / 8 * 8;
#if INGOT_COMMITS // later bytes of a slot have no memory; a span has memory everywhere
  const auto block_start = ingot::detail::block_ref<P>(const_cast<std::byte*>(bytes.data()));
  if (const std::size_t in_slot = block_start.allocator().memory().bytes(); in_slot != 0) end = in_slot;
#endif
  return all_zero(bytes.data() + bytes.size(), std::min(look, end - bytes.size()));
}

/// Returns true if the container's storage is zero after its last element.
template <class C>
[[nodiscard]] bool is_zero_after_elements(const C& container) {
  using element = typename C::value_type;
  const auto* const end = reinterpret_cast<const std::byte*>(container.data() + container.size());
  return container.capacity() <= container.size() ||
         all_zero(end, (container.capacity() - container.size()) * sizeof(element));
}

/// Expects that the bytes open as the same value, and so does the canonical form, which is in order
/// and the same for each copy.
template <class T, class P>
void expect_opens_again(const ingot::basic_live<T, P>& block) {
  using live = ingot::basic_live<T, P>;
  auto opened = live::open(block.bytes());
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_TRUE(*opened == block);
  // Trimmed bytes are a free run now; runs of eight bytes are not counted
  expect_accounted(*opened, opened->size());
  opened->compact();
  live other(block);
  EXPECT_TRUE(other == block);
  other.compact();
  EXPECT_TRUE(std::ranges::equal(opened->bytes(), other.bytes())) << "the canonical form of one value";
  EXPECT_TRUE((ingot::detail::is_canonical_block<T, P>(other.bytes().data(), other.size())));
  EXPECT_TRUE(other == block);
}

} // namespace live_test
