// SPDX-License-Identifier: Apache-2.0
// Pages for a document that grows, many at once: each that comes by itself costs an interruption, a tenth of the time that reading a long text takes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/document/core.hpp>
#include <ingot/live/slots.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot::inline v1::json::detail::plain {

/// What a document's memory has at its end while it is filled from front to back. What was not used is given back.
class prepared_memory {
public:
  explicit prepared_memory(ingot::detail::doc::core& in) noexcept
      : in_(in), next_(in.in_place() ? never : after(static_cast<std::uint32_t>(in.arena().peak()))) {}
  prepared_memory(const prepared_memory&) = delete;
  prepared_memory& operator=(const prepared_memory&) = delete;
  ~prepared_memory() {
    if (end_ == nullptr) return;
    // Behind what was ever used pages are as the system gives them.
    std::byte* const unused = page_at(in_.arena().peak());
    if (unused < end_)
      static_cast<void>(ingot::detail::system::discard(unused, static_cast<std::size_t>(end_ - unused)));
  }

  /// A node at `place` is about to be written.
  INGOT_INLINE void reaches(std::uint32_t place) noexcept {
    if (place >= next_) [[unlikely]]
      prepare(place);
  }

private:
  static constexpr std::uint32_t first =
      512U << 10; ///< texts that make less are left alone, however long the document was before
  static constexpr std::uint32_t step = 256U << 10;
  static constexpr std::uint32_t never = static_cast<std::uint32_t>(-1);

  [[nodiscard]] static constexpr std::uint32_t after(std::uint32_t used) noexcept {
    return used < never - first ? used + first : never;
  }
  [[nodiscard]] std::byte* page_at(std::size_t place) const noexcept {
    constexpr std::size_t page = 65536; // of any system, or several
    std::byte* const at = in_.start() + place;
    return at + (page - reinterpret_cast<std::uintptr_t>(at) % page) % page;
  }
  INGOT_NOINLINE void prepare(std::uint32_t place) noexcept {
    next_ = never;
    // Others than slots have memory already, or ask somebody else for it.
    if (!in_.owned().is_slot() || in_.limit() < 2 * step || place > in_.limit() - 2 * step) return;
    std::byte* const from = page_at(place);
    end_ = from + step; // a step that fails may have come halfway
    if (!ingot::detail::system::prepare(from, step)) return;
    next_ = static_cast<std::uint32_t>(end_ - in_.start());
  }

  ingot::detail::doc::core& in_;
  std::byte* end_ = nullptr; ///< of what was prepared
  std::uint32_t next_;       ///< what place asks for more
};

} // namespace ingot::inline v1::json::detail::plain
