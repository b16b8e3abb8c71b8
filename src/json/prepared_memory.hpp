// SPDX-License-Identifier: Apache-2.0
// Requests pages for a growing document in batches. Without batches, page faults took a quarter of
// the time of reading a long text.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/live/detail/slots.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail::plain {

/// Requests pages from the system for a growing document, before the document writes to them. This
/// is called preparing pages. The document fills its memory from front to back. The destructor
/// returns unused pages to the system.
class prepared_memory {
public:
  prepared_memory(ingot::detail::doc::core& in, std::size_t text) noexcept
      : in_(in), arena_(in.in_place() || ingot::detail::commits ? nullptr : &in.arena()),
        next_(arena_ != nullptr ? after(arena_->peak(), text) : 0) {}
  prepared_memory(const prepared_memory&) = delete;
  prepared_memory& operator=(const prepared_memory&) = delete;
  ~prepared_memory() {
    if (end_ == nullptr) return;
    // The document's memory assumes that pages between two positions are untouched. The first
    // position is the end of all bytes that were ever used. The second position is the beginning of
    // the bytes whose state is known. So prepared pages between these positions are returned to the
    // system.
    give_back(page_at(in_.arena().peak()), end_);
    if (begin_ == nullptr) return;
    std::byte* const front = in_.owned().front_of(in_.arena().peak());
    give_back(begin_, front - reinterpret_cast<std::uintptr_t>(front) % page);
  }

  /// Returns true if `prepare` must be called before a node of `bytes` is allocated.
  [[nodiscard]] INGOT_INLINE bool ends_before(std::uint64_t bytes) const noexcept {
    return arena_ != nullptr && end_of(bytes) > next_;
  }
  /// Prepares pages for a node of `bytes` bytes. `left` is the number of bytes of the text that are
  /// not read yet.
  INGOT_NOINLINE void prepare(std::uint64_t bytes, std::size_t left) noexcept {
    // Only slots (memory from the library's own pool of address ranges) are prepared. Other memory
    // has its pages already, or belongs to another owner.
    bool good = in_.owned().is_slot();
    while (good && end_of(bytes) > next_) good = add(left);
    if (!good) arena_ = nullptr;
  }

private:
  static constexpr std::size_t page = 65536; ///< multiple of any system's page size
  static constexpr std::size_t large_page = ingot::detail::system::large_page;
  /// Pages are prepared after the document has grown by this number of bytes. A slot keeps as many
  /// bytes in memory for its next document, so small documents need no pages.
  static constexpr std::uint32_t first = 64U << 10;
  /// Number of bytes that are prepared at a time: `long_step` if much more text than that is left.
  /// If less text than `step` is left, nothing is prepared, because many pages would remain unused.
  static constexpr std::uint32_t step = 64U << 10;
  static constexpr std::uint32_t long_step = 256U << 10;
  /// Minimum size of the text that is not read yet, for which a large page is prepared. The
  /// documents of such texts usually fill at least half of a large page, and reading then takes two
  /// thirds of the time.
  static constexpr std::size_t worth_large_page = std::size_t{1} << 20;

  [[nodiscard]] static constexpr std::uint64_t after(std::uint64_t used, std::size_t text) noexcept {
    return large_page != 0 && text >= worth_large_page ? used : used + first;
  }
  [[nodiscard]] std::byte* page_at(std::size_t position) const noexcept {
    std::byte* const at = in_.start() + position;
    return at + (page - reinterpret_cast<std::uintptr_t>(at) % page) % page;
  }
  /// Returns the end of a node that is placed after all other nodes, including the bytes that are
  /// zeroed for the next node.
  [[nodiscard]] INGOT_INLINE std::uint64_t end_of(std::uint64_t bytes) const noexcept {
    return arena_->peak() + bytes + 8;
  }
  /// Prepares the next pages. Returns false near the end of the text, at the end of the slot, or if
  /// the system has no memory.
  [[nodiscard]] bool add(std::size_t left) noexcept {
    std::byte* const here = page_at(arena_->peak());
    std::byte* const from = end_ != nullptr && here <= end_ + page ? end_ : here;
    const auto at = static_cast<std::size_t>(from - in_.start());
    if (left < step || in_.limit() < 2 * long_step || at > in_.limit() - 2 * long_step) return false;
    std::size_t size = left >= 4 * long_step ? long_step : step;
    if constexpr (large_page != 0) {
      if (left >= worth_large_page) {
        const std::size_t inside = reinterpret_cast<std::uintptr_t>(from) % large_page;
        if ((inside == 0 || at <= page) && add_large(from - inside, inside)) return true;
        size = std::min(size, large_page - inside); // a large page follows
      }
    }
    end_ = from + size; // a failed step may have prepared some pages
    next_ = at + size;
    return ingot::detail::system::prepare(from, size);
  }
  /// Prepares the large page at `at`. The first `inside` bytes of this page contain the document's
  /// beginning and the memory before it.
  [[nodiscard]] bool add_large(std::byte* at, std::size_t inside) noexcept {
    const std::span<std::byte> slot = in_.owned().slot();
    const auto begin = reinterpret_cast<std::uintptr_t>(slot.data());
    const auto from = reinterpret_cast<std::uintptr_t>(at);
    if (from < begin || slot.size() < large_page || from - begin > slot.size() - large_page) return false;
    using ingot::detail::system::large_page_now;
    const auto now = inside != 0 ? large_page_now::begun : large_page_now::untouched;
    if (!ingot::detail::system::prepare_large(at, now)) return false;
    if (inside != 0) begin_ = at;
    end_ = at + large_page;
    next_ = static_cast<std::size_t>(end_ - in_.start());
    return true;
  }
  static void give_back(std::byte* from, std::byte* to) noexcept {
    if (from < to)
      static_cast<void>(ingot::detail::system::discard(from, static_cast<std::size_t>(to - from)));
  }

  ingot::detail::doc::core& in_;
  const ingot::detail::doc::core::arena_type* arena_; ///< null if nothing must be prepared
  std::byte* begin_ = nullptr; ///< beginning of the prepared memory, if it is before the document
  std::byte* end_ = nullptr;   ///< end of the prepared memory
  std::uint64_t next_;         ///< memory after this position must be prepared
};

}}} // namespace ingot::INGOT_V1::json::detail::plain
