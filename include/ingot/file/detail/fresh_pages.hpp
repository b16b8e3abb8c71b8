// SPDX-License-Identifier: Apache-2.0
// Pages of memory that was just taken, many at once, shortly before they are written: each that comes by itself interrupts whoever
// writes, which is a good part of what loading costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace ingot::inline v1::detail {

/// Whether memory that is read into has its pages, as what was used before does.
enum class pages : std::uint8_t { there, fresh };

/// So many bytes at once: what the system has zeroed is still in the cache when it is written.
inline constexpr std::size_t pages_step = std::size_t{256} * 1024;

/// Asks for the pages of one piece of memory, from its beginning to its end.
class page_asker {
public:
  /// All of these bytes are about to be written. No more than a hint: nothing else in memory changes, and a system that has no such call is as it was.
  void prepare(std::span<std::byte> bytes) noexcept;

private:
  std::size_t believed_ = 0; ///< bytes to come that are taken to be fresh, as those before them were
};
inline void prepare_pages(std::span<std::byte> bytes) noexcept { page_asker().prepare(bytes); }

/// Whether a list takes new memory for so many elements, and not so few that its allocator has them in its hand.
template <class List>
[[nodiscard]] bool will_be_fresh(const List& list, std::size_t count) noexcept {
  if constexpr (requires { list.capacity(); }) {
    return list.capacity() < count && count >= pages_step / sizeof(*list.data());
  } else {
    return false;
  }
}

/// The pages of a list's memory, ahead of its elements, which are made from the first on, in the room that was reserved for them.
template <class List>
class pages_ahead {
public:
  static constexpr std::size_t step = pages_step / sizeof(typename List::value_type) + 1; ///< in elements

  /// With the memory of `count` elements, if that is fresh.
  pages_ahead(List& list, std::size_t count, bool fresh) noexcept : list_(list), left_(fresh ? count : 0) {}

  /// Elements up to that one are about to be made, none behind. A list that took its reservation for advice has no memory for them yet, and what
  /// is behind its own is somebody else's.
  void reach(std::size_t end) noexcept {
    while (prepared_ < end && has_room()) {
      const std::size_t n = left_ < step ? left_ : step;
      auto* const at = reinterpret_cast<std::byte*>(std::to_address(list_.data()));
      asker_.prepare(
          {at + prepared_ * sizeof(typename List::value_type), n * sizeof(typename List::value_type)});
      prepared_ += n;
      left_ -= n;
    }
  }

private:
  [[nodiscard]] bool has_room() const noexcept {
    if constexpr (requires { list_.capacity(); }) return left_ != 0 && list_.capacity() >= prepared_ + left_;
    else return false;
  }

  List& list_;
  std::size_t left_;
  std::size_t prepared_ = 0;
  page_asker asker_;
};

/// As `resize`, that pages and elements are made in turns.
template <class List>
void resize_fresh(List& list, std::size_t count) {
  const bool fresh = will_be_fresh(list, count);
  list.reserve(count);
  for (pages_ahead<List> ahead(list, count, fresh); fresh && list.size() < count;) {
    const std::size_t left = count - list.size();
    const std::size_t next = left < ahead.step ? count : list.size() + ahead.step;
    ahead.reach(next);
    list.resize(next);
  }
  list.resize(count);
}

} // namespace ingot::inline v1::detail
