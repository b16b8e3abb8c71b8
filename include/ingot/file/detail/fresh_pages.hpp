// SPDX-License-Identifier: Apache-2.0
// Pages of memory that was just taken, many at once, shortly before they are written: each that comes by itself interrupts whoever
// writes, which is a good part of what loading costs.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

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

/// Memory that is made ready a piece at a time, from its beginning on, so that it is still in the cache when it is written.
class growing_memory {
public:
  /// So many bytes of it are about to be written, some of them perhaps again. For one thread.
  virtual void reach(std::size_t bytes) = 0;
  /// Asks for pages a little ahead of what was reached, if some are missing: for other threads that have nothing else to do. False if not.
  [[nodiscard]] virtual bool prepare_some() noexcept = 0;
  growing_memory(const growing_memory&) = delete;
  growing_memory& operator=(const growing_memory&) = delete;

protected:
  growing_memory() noexcept = default;
  ~growing_memory() = default;
};

/// A vector without elements that has room for `count`: they are made where and when they are about to be read into. None moves, so others
/// may meanwhile write to those that are there.
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
    reached_.store(end * sizeof(element), std::memory_order_relaxed);
    while (ask(end * sizeof(element), asker_)) {
    }
    list_.resize(end);
  }
  [[nodiscard]] bool prepare_some() noexcept override {
    page_asker asker;
    return ask(reached_.load(std::memory_order_relaxed) + ahead, asker);
  }

private:
  static constexpr std::size_t ahead = 4 * pages_step; ///< what is further would be out of the cache again

  /// The next piece that begins before `end`.
  [[nodiscard]] bool ask(std::size_t end, page_asker& asker) noexcept {
    std::size_t at = poll_.load(std::memory_order_relaxed);
    do {
      if (at >= missing_ || at >= end) return false;
    } while (!poll_.compare_exchange_weak(at, at + pages_step, std::memory_order_relaxed));
    asker.prepare({start_ + at, missing_ - at < pages_step ? missing_ - at : pages_step});
    return true;
  }

  Vector& list_;
  std::byte* start_;
  std::size_t missing_; ///< bytes, from the first on, that have no pages yet
  page_asker asker_;    ///< of who reaches
  std::atomic<std::size_t> reached_ = 0;
  std::atomic<std::size_t> poll_ = 0;
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

}}} // namespace ingot::INGOT_V1::detail
