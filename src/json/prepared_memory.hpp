// SPDX-License-Identifier: Apache-2.0
// Pages for a document that grows, many at once: those that come by themselves, each an interruption, were a quarter of the time that reading a long text took.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/document/detail/core.hpp>
#include <ingot/live/detail/slots.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail::plain {

/// What a document's memory has at its end while it is filled from front to back. What was not used is given back.
class prepared_memory {
public:
  prepared_memory(ingot::detail::doc::core& in, std::size_t text) noexcept
      : in_(in), arena_(in.in_place() ? nullptr : &in.arena()),
        next_(arena_ != nullptr ? after(arena_->peak(), text) : 0) {}
  prepared_memory(const prepared_memory&) = delete;
  prepared_memory& operator=(const prepared_memory&) = delete;
  ~prepared_memory() {
    if (end_ == nullptr) return;
    // Behind what was ever used, and before what is known of it, pages are as the system gives them.
    give_back(page_at(in_.arena().peak()), end_);
    if (begin_ == nullptr) return;
    std::byte* const front = in_.owned().front_of(in_.arena().peak());
    give_back(begin_, front - reinterpret_cast<std::uintptr_t>(front) % page);
  }

  /// A node of so many bytes is about to be allocated: whether `prepare` comes first.
  [[nodiscard]] INGOT_INLINE bool ends_before(std::uint64_t bytes) const noexcept {
    return arena_ != nullptr && end_of(bytes) > next_;
  }
  /// `left` is what there is still of the text.
  INGOT_NOINLINE void prepare(std::uint64_t bytes, std::size_t left) noexcept {
    // Others than slots have memory already, or ask somebody else for it.
    bool good = in_.owned().is_slot();
    while (good && end_of(bytes) > next_) good = add(left);
    if (!good) arena_ = nullptr;
  }

private:
  static constexpr std::size_t page = 65536; ///< of any system, or several
  static constexpr std::size_t large_page = ingot::detail::system::large_page;
  static constexpr std::uint32_t first =
      512U << 10; ///< texts that make less are left alone, however long the document was before
  static constexpr std::uint32_t step = 256U << 10;
  /// Texts as long as half of one, mostly use that half, and are read in a third less time.
  static constexpr std::size_t worth_large_page = std::size_t{1} << 20;

  [[nodiscard]] static constexpr std::uint64_t after(std::uint64_t used, std::size_t text) noexcept {
    return large_page != 0 && text >= worth_large_page ? used : used + first;
  }
  [[nodiscard]] std::byte* page_at(std::size_t place) const noexcept {
    std::byte* const at = in_.start() + place;
    return at + (page - reinterpret_cast<std::uintptr_t>(at) % page) % page;
  }
  /// Where a node ends that goes behind all others, with what is zeroed of the next.
  [[nodiscard]] INGOT_INLINE std::uint64_t end_of(std::uint64_t bytes) const noexcept {
    return arena_->peak() + bytes + 8;
  }
  /// False at the end of the slot, or when the system has nothing to give.
  [[nodiscard]] bool add(std::size_t left) noexcept {
    std::byte* const here = page_at(arena_->peak());
    std::byte* const from = end_ != nullptr && here <= end_ + page ? end_ : here;
    const auto at = static_cast<std::size_t>(from - in_.start());
    if (in_.limit() < 2 * step || at > in_.limit() - 2 * step) return false;
    std::size_t size = step;
    if constexpr (large_page != 0) {
      if (left >= worth_large_page) {
        const std::size_t inside = reinterpret_cast<std::uintptr_t>(from) % large_page;
        if ((inside == 0 || at <= page) && add_large(from - inside, inside)) return true;
        size = std::min(size, large_page - inside); // the next is a large page
      }
    }
    end_ = from + size; // a step that fails may have come halfway
    next_ = at + size;
    return ingot::detail::system::prepare(from, size);
  }
  /// The large page at `at`, of which `inside` bytes are the document's beginning and what lies before it.
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
  const ingot::detail::doc::core::arena_type* arena_; ///< null: there is nothing to prepare
  std::byte* begin_ = nullptr; ///< of what was prepared, if that lies before the document
  std::byte* end_ = nullptr;   ///< of what was prepared
  std::uint64_t next_;         ///< what is behind it asks for more
};

}}} // namespace ingot::INGOT_V1::json::detail::plain
