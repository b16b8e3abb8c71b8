// SPDX-License-Identifier: Apache-2.0
// A minimal allocator for blocks that are built once and sent. It allocates at the end of the block
// only, and reuses released bytes only there. It never searches. Its state is a few numbers and the
// bitmap that validation needs.
#pragma once

#include <ingot/live/policy.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// All operations are O(1), except for clearing bytes. Bytes released before the end stay free
/// until the block is compacted.
template <std::unsigned_integral Offset>
class alignas(16) bump {
public:
  using offset_type = Offset;
  using run = storage_run<Offset>;
  using prefix = storage_prefix<Offset>;
  static constexpr Offset min_run_size = 2 * sizeof(prefix);

  [[nodiscard]] static constexpr std::size_t bitmap_size(std::size_t limit) noexcept {
    return arena<Offset>::bitmap_size(limit);
  }
  [[nodiscard]] std::uint64_t* bitmap_end() noexcept { return reinterpret_cast<std::uint64_t*>(this); }

  void start(Offset used, Offset limit) noexcept {
    *this = bump{};
    limit_ = limit / 8 * 8;
    tail_ = peak_ = used;
  }
  /// Sets the state after validation. Clears all free bytes. The free bytes after the last storage
  /// are allocated next. The other free bytes are only counted.
  void adopt(Offset used, Offset limit) noexcept {
    start(used, limit);
    Offset behind = 0; // end of the last storage
    for (Offset at = 0; at < used; at += 8) {
      if (is_taken(at)) behind = at + 8;
      else std::memset(block() + at, 0, 8), free_ += 8;
    }
    tail_ = behind;
    free_ -= used - behind;
  }
  void copy_state(const bump& other, Offset limit) noexcept {
    start(other.tail_, limit);
    free_ = other.free_;
  }
  void forget_holes() noexcept { free_ = 0; }
  bool consolidate() noexcept { return false; }
  [[nodiscard]] bool reach(std::size_t bytes) const noexcept { return bytes <= limit_; }
  [[nodiscard]] bool growth_failed() const noexcept { return false; }

  [[nodiscard]] Offset used() const noexcept { return tail_; }
  [[nodiscard]] Offset limit() const noexcept { return limit_; }
  [[nodiscard]] Offset peak() const noexcept { return peak_; }
  void forget_peak() noexcept { peak_ = tail_; }
  [[nodiscard]] Offset free_bytes() const noexcept { return free_; }

  [[nodiscard]] run allocate(Offset size) noexcept {
    if (size < min_run_size) size = min_run_size;
    if (limit_ - tail_ < size) return {};
    const Offset at = tail_;
    tail_ += size;
    if (peak_ < tail_) peak_ = tail_;
    prefix_at(at) = {static_cast<Offset>(size - sizeof(prefix)), at};
    return {at, size};
  }
  [[nodiscard]] run allocate_aligned(Offset size) noexcept {
    const Offset gap = (tail_ + static_cast<Offset>(sizeof(prefix))) % 16;
    if (limit_ - tail_ < gap) return {};
    tail_ += gap;
    const run made = allocate(size);
    if (!made) tail_ -= gap;
    else free_ += gap;
    return made;
  }
  [[nodiscard]] bool extend(Offset at, Offset old_size, Offset new_size) noexcept {
    if (at + old_size != tail_ || limit_ - tail_ < new_size - old_size) return false;
    tail_ += new_size - old_size;
    if (peak_ < tail_) peak_ = tail_;
    prefix_at(at).capacity = new_size - static_cast<Offset>(sizeof(prefix));
    return true;
  }
  void release(Offset at, Offset size) noexcept {
    std::memset(block() + at, 0, size);
    if (at + size == tail_) tail_ = at;
    else free_ += size;
  }
  void release_storage(std::byte* data, Offset size) noexcept {
    release(static_cast<Offset>(data - block() - static_cast<std::ptrdiff_t>(sizeof(prefix))), size);
  }

private:
  [[nodiscard]] std::byte* block() noexcept {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(this) + sizeof(bump));
  }
  [[nodiscard]] prefix& prefix_at(Offset at) noexcept { return *reinterpret_cast<prefix*>(block() + at); }
  [[nodiscard]] bool is_taken(Offset at) noexcept {
    const std::size_t bit = at / 8;
    return (*(bitmap_end() - 1 - bit / 64) >> bit % 64 & 1) != 0;
  }

  Offset tail_ = 0;
  Offset limit_ = 0;
  Offset free_ = 0;
  Offset peak_ = 0;
};

} // namespace detail

/// For blocks that are built once: like `narrow_policy`, but released storages are not reused
/// before `compact()`.
struct bump_policy {
  /// 32-bit offsets.
  using offset_type = std::uint32_t;
  using allocator_type = detail::bump<std::uint32_t>;
};

static_assert(block_policy<bump_policy>);

}} // namespace ingot::INGOT_V1
