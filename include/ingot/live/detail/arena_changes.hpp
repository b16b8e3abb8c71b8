// SPDX-License-Identifier: Apache-2.0
// Functions of an arena that change all of its state: it takes over a block, copies another arena,
// forgets its free runs, or gets more memory.
#pragma once

#include <ingot/live/detail/arena.hpp> // NOLINT(misc-header-include-cycle)

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <std::unsigned_integral Offset>
void arena<Offset>::adopt(Offset used, Offset limit) noexcept {
  reset(used, limit);
  Offset end = 0;
  for (Offset at = next_change(0, used, true); at < used; at = next_change(end, used, true)) {
    end = next_change(at, used, false);
    std::memset(block() + at, 0, end - at);
    if constexpr (poisons) poison_free(at, end - at);
    if (end == used) tail_ = at;
    else if (end - at < min_run_size) mark(at, end - at);
    else link(at, end - at);
  }
  if constexpr (poisons) poison_tail();
}

template <std::unsigned_integral Offset>
void arena<Offset>::copy_state(const arena& other, Offset limit) noexcept {
  auto& from = const_cast<arena&>(other); // only read
  for (std::size_t i = 0; i * bytes_per_word < other.tail_; ++i) word(i) = from.word(i);
  other.for_each_fastbin_entry([&](Offset at, Offset size) { clear(at, size); });
  adopt(other.tail_, limit);
}

template <std::unsigned_integral Offset>
void arena<Offset>::forget_holes() noexcept {
  consolidate();
  for (Offset& bin : bins_) {
    while (bin != 0) {
      const Offset at = bin;
      const Offset size = free_size(at);
      bin = links_at(at).next;
      wipe_head(at);
      mark(at, size);
    }
  }
  filled_ = {};
  free_ = 0;
}

template <std::unsigned_integral Offset>
bool arena<Offset>::lengthen(Offset more) noexcept {
  if constexpr (commits) {
    if (more > cap - tail_) return false;
    const Offset end = tail_ + more;
    const auto bitmap_start = [this](std::size_t bytes) {
      return reinterpret_cast<const std::byte*>(bitmap_end()) - bitmap_size(bytes);
    };
    if (has_growth() && end > limit()) {
      block_growth& by = growth_of(this, growth_);
      by.lengthen(by, end);
      limit_ = memory_.usable_within(usable_within(by, cap) / granule * granule);
    }
    if (!memory_.reach(block(), end, bitmap_start)) return false;
    limit_ = memory_.usable_within(limit());
    return true;
  }
  if (!has_growth() || more > cap - tail_) return false;
  block_growth& by = growth_of(this, growth_);
  by.lengthen(by, std::size_t{tail_} + std::size_t{more});
  limit_ = usable_within(by, cap) / granule * granule;
  return limit_ - tail_ >= more;
}

}}} // namespace ingot::INGOT_V1::detail
