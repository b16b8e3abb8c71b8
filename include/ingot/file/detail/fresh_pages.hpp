// SPDX-License-Identifier: Apache-2.0
// Requests pages of newly allocated memory in batches, shortly before the pages are written.
// Without a request, the first write to each page causes a page fault. These page faults take a
// large part of the time of loading.
#pragma once

#include <ingot/core/detail/atomic_value.hpp>
#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// State of memory into which a file is read. `there`: its pages exist, as in memory that was used
/// before. `fresh`: the memory is newly allocated.
enum class pages : std::uint8_t { there, fresh };

/// Bytes requested at once. The pages that the system has zeroed are then still in the cache when
/// they are written.
inline constexpr std::size_t pages_step = std::size_t{256} * 1024;

/// Requests the pages of one piece of memory, in one or more calls. The calls go from the beginning
/// of the memory to its end.
class page_asker {
public:
  /// Announces that all of these bytes will be written soon. The announcement is only a hint. It
  /// has no effect on a system that has no call for such hints. No other memory is changed.
  void prepare(std::span<std::byte> bytes) noexcept;

private:
  /// Number of bytes after the announced bytes that are assumed to have no pages yet, because the
  /// announced bytes had none.
  std::size_t believed_ = 0;
};
inline void prepare_pages(std::span<std::byte> bytes) noexcept { page_asker().prepare(bytes); }

/// Returns true if a list allocates new memory for `count` elements, and the memory is so large
/// that allocators request it from the system.
template <class List>
[[nodiscard]] bool will_be_fresh(const List& list, std::size_t count) noexcept {
  if constexpr (requires { list.capacity(); }) {
    return list.capacity() < count && count >= pages_step / sizeof(*list.data());
  } else {
    return false;
  }
}

/// Requests the pages of a list's memory before the list's elements are made. The elements are made
/// in order, in reserved memory.
template <class List>
class pages_ahead {
public:
  /// Size of one request in elements.
  static constexpr std::size_t step = pages_step / sizeof(typename List::value_type) + 1;

  /// Constructs an object that requests pages for the `count` elements of `list`. If `fresh` is
  /// false, `reach` does nothing.
  pages_ahead(List& list, std::size_t count, bool fresh) noexcept : list_(list), left_(fresh ? count : 0) {}

  /// Requests the pages of the elements before `end`. Call this before these elements are made.
  /// Does nothing if the list has not reserved memory for all elements: the memory after the
  /// reserved memory belongs to other objects.
  void reach(std::size_t end) noexcept {
    while (prepared_ < end && has_space()) {
      const std::size_t n = left_ < step ? left_ : step;
      auto* const at = reinterpret_cast<std::byte*>(std::to_address(list_.data()));
      asker_.prepare(
          {at + prepared_ * sizeof(typename List::value_type), n * sizeof(typename List::value_type)});
      prepared_ += n;
      left_ -= n;
    }
  }

private:
  [[nodiscard]] bool has_space() const noexcept {
    if constexpr (requires { list_.capacity(); }) return left_ != 0 && list_.capacity() >= prepared_ + left_;
    else return false;
  }

  List& list_;
  std::size_t left_;
  std::size_t prepared_ = 0;
  page_asker asker_;
};

/// Memory whose pages are requested one piece at a time, from the beginning of the memory on. So
/// the pages of a piece are still in the cache when the piece is written.
class growing_memory {
public:
  /// Announces that the first `bytes` bytes will be written soon. Some of these bytes may have been
  /// announced before. Only one thread may call this.
  virtual void reach(std::size_t bytes) = 0;
  /// Requests the next missing pages, if they begin at most a short distance after the bytes that
  /// `reach` announced. Idle threads may call this. Returns false if it requested no pages.
  [[nodiscard]] virtual bool prepare_some() noexcept = 0;
  growing_memory(const growing_memory&) = delete;
  growing_memory& operator=(const growing_memory&) = delete;

protected:
  growing_memory() noexcept = default;
  ~growing_memory() = default;
};

/// A vector that begins without elements and with capacity for `count` elements. Elements are made
/// just before bytes are read into them. No element moves, so other threads may write to existing
/// elements at the same time.
template <class Vector>
class growing_vector final : public growing_memory {
  using element = typename Vector::value_type;

public:
  growing_vector(Vector& list, std::size_t count, bool fresh) noexcept
      : list_(list), start_(reinterpret_cast<std::byte*>(std::to_address(list.data()))),
        missing_(fresh && list.capacity() >= count ? count * sizeof(element) : 0) {}

  void reach(std::size_t bytes) override {
    const std::size_t end = (bytes + sizeof(element) - 1) / sizeof(element);
    if (end <= list_.size()) return;
    reached_.store(end * sizeof(element));
    while (ask(end * sizeof(element), asker_)) {
    }
    list_.resize(end);
  }
  [[nodiscard]] bool prepare_some() noexcept override {
    page_asker asker;
    return ask(reached_.load_relaxed() + ahead, asker);
  }

private:
  /// Maximum distance in bytes from the end of the announced bytes to pages that idle threads
  /// request. Pages further ahead would leave the cache before they are written.
  static constexpr std::size_t ahead = 4 * pages_step;

  /// Requests the pages of the next piece, if this piece begins before `end`.
  [[nodiscard]] bool ask(std::size_t end, page_asker& asker) noexcept {
    std::size_t at = poll_.load_relaxed();
    do {
      if (at >= missing_ || at >= end) return false;
    } while (!poll_.compare_exchange(at, at + pages_step));
    asker.prepare({start_ + at, missing_ - at < pages_step ? missing_ - at : pages_step});
    return true;
  }

  Vector& list_;
  std::byte* start_;
  std::size_t missing_; ///< size of the memory's first part, which had no pages at first
  page_asker asker_;    ///< for the thread that calls `reach`
  atomic_value<std::size_t> reached_;
  atomic_value<std::size_t> poll_;
};

/// Resizes a list as `resize` does. Requests the pages of a piece of the list, makes its elements,
/// and continues with the next piece.
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

}}} // namespace ingot::INGOT_V1::detail
