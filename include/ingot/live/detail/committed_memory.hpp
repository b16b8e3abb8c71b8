// SPDX-License-Identifier: Apache-2.0
// The part of a slot that has memory. Windows gives reserved addresses memory only on request, and
// counts this memory as used from then on. So an allocator requests memory while its block grows. A
// freed or trimmed block gives its memory back. On other systems each page gets memory at its first
// use, and nothing of this is compiled.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>

// A test that defines INGOT_TEST_SYSTEM, the name of a header with a simulated system, runs the
// code for Windows on any machine. All files of the program are compiled with this definition.
#if defined(INGOT_TEST_SYSTEM)
#include INGOT_TEST_SYSTEM
#define INGOT_COMMITS 1
#elif defined(_WIN32)
#include <ingot/live/detail/system_windows.hpp>
#define INGOT_COMMITS 1
#else
#define INGOT_COMMITS 0
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// True if reserved addresses get memory only on request.
inline constexpr bool commits = INGOT_COMMITS != 0;

/// The memory of an allocator's block, if each page gets memory at its first use.
template <class Offset, bool = commits>
class committed_memory {
public:
  [[nodiscard]] static constexpr Offset usable_within(Offset limit) noexcept { return limit; }
  [[nodiscard]] static constexpr Offset limit(Offset usable) noexcept { return usable; }
  [[nodiscard]] static constexpr bool failed() noexcept { return false; }
};

#if INGOT_COMMITS

/// Returns the number of the page that contains `at`.
[[nodiscard]] inline std::uintptr_t page_of(const std::byte* at) noexcept {
  return reinterpret_cast<std::uintptr_t>(at) / system::page_size;
}
/// Requests memory for all pages of [from, to), which is not empty.
[[nodiscard]] inline bool commit_pages(const std::byte* from, const std::byte* to) noexcept {
  const auto pages = static_cast<std::size_t>(page_of(to - 1) - page_of(from) + 1);
  std::byte* const first =
      const_cast<std::byte*>(from) - reinterpret_cast<std::uintptr_t>(from) % system::page_size;
  return system::commit(first, pages * system::page_size);
}
/// Gives the memory of all pages of [from, to) back, except for the pages that contain `from - 1`
/// or `to`. Returns false and changes nothing if the system refuses.
[[nodiscard]] inline bool decommit_pages(std::byte* from, const std::byte* to) noexcept {
  const std::uintptr_t first = page_of(from - 1) + 1;
  const std::uintptr_t last = page_of(to);
  if (first >= last) return true;
  return system::discard(from + (first * system::page_size - reinterpret_cast<std::uintptr_t>(from)),
                         static_cast<std::size_t>(last - first) * system::page_size);
}

/// The memory of an allocator's block. The first bytes of a block in a slot have memory, and so do
/// the words of the bitmap that belong to these bytes. A block in a span has memory everywhere.
template <class Offset>
class committed_memory<Offset, true> {
public:
  /// Bytes of a block whose bitmap is in the block's own page.
  static constexpr std::size_t beginning = 8192;

  /// Begins with the rest of the page that contains `block`.
  void begin(const std::byte* block) noexcept {
    const std::size_t rest =
        system::page_size -
        static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(block) % system::page_size);
    committed_ = static_cast<Offset>(rest < beginning ? rest : beginning); // a multiple of 16
  }
  /// Sets the maximum size of the block. Returns the number of bytes that may be used now.
  [[nodiscard]] Offset usable_within(Offset limit) noexcept {
    limit_ = limit;
    return bytes() != 0 && bytes() < limit ? bytes() : limit;
  }
  /// Returns the maximum size of the block.
  [[nodiscard]] Offset limit(Offset) const noexcept { return limit_; }
  /// Returns true if the last request failed.
  [[nodiscard]] bool failed() const noexcept { return (committed_ & 1) != 0; }
  /// Returns the number of bytes with memory; 0 for a block in a span.
  [[nodiscard]] Offset bytes() const noexcept { return committed_ & ~Offset{1}; }
  /// Called after the memory that follows the first `bytes` bytes was given back.
  void shrink_to(std::size_t bytes) noexcept { committed_ = static_cast<Offset>(bytes); }

  /// Requests memory for `wanted` bytes of `block`, within the maximum size, and for a sixteenth
  /// more, so that a long block needs few requests. `bitmap(n)` is the start of the bitmap for `n`
  /// bytes. If there is no memory, changes nothing and returns false.
  template <class Bitmap>
  [[nodiscard]] bool reach(const std::byte* block, Offset wanted, const Bitmap& bitmap) noexcept {
    committed_ = bytes();
    if (wanted > limit_) return false;
    if (committed_ == 0 || wanted <= committed_) return true;
    const Offset generous = limit_ - wanted < wanted / 16 ? limit_ : wanted + wanted / 16;
    if (commit(block, generous, bitmap) || commit(block, wanted, bitmap)) return true;
    committed_ |= 1;
    return false;
  }

private:
  template <class Bitmap>
  [[nodiscard]] bool commit(const std::byte* block, std::size_t bytes, const Bitmap& bitmap) noexcept {
    // Slots begin and end at pages, so the last page is in the slot.
    const std::size_t over =
        static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(block) + bytes) % system::page_size);
    if (over != 0) bytes += system::page_size - over;
    const std::byte* const longer = bitmap(bytes);
    const std::byte* const now = bitmap(committed_);
    if (page_of(longer) != page_of(now) && !commit_pages(longer, now)) return false;
    if (!commit_pages(block + committed_, block + bytes)) return false;
    committed_ = static_cast<Offset>(bytes);
    return true;
  }

  Offset limit_ = 0;
  Offset committed_ = 0; ///< the lowest bit is set if the last request failed
};

#endif

}}} // namespace ingot::INGOT_V1::detail
