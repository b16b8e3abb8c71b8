// SPDX-License-Identifier: Apache-2.0
// Adds the entries of a range to a flat set or map. An insertion moves all entries after the new
// key, so a range in descending order would take quadratic time. After some moves the entries are
// appended in the order of the range instead. An index (key_index.hpp) finds equal keys, and the
// entries move to their positions once, at the end.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/owned.hpp>
#include <ingot/live/detail/key_order.hpp>
#include <ingot/reflect/detail/key_index.hpp>

#include <cstddef>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The entries may be out of order until `finish` is called or this object is destroyed. If there
/// is no memory for the index, keys are inserted one by one.
template <class Storage>
class flat_range {
public:
  explicit flat_range(Storage& to) noexcept : to_(to) {}
  flat_range(const flat_range&) = delete;
  flat_range& operator=(const flat_range&) = delete;
  INGOT_INLINE ~flat_range() { finish(); }

  /// Adds an entry unless an equal key is there. Returns false if the block is full, or if the key
  /// holds a NaN. If the caller's code throws, nothing is added. Takes O(log n) comparisons and, on
  /// average, O(1) moves.
  template <class Q, class... A>
  [[nodiscard]] INGOT_INLINE bool add(Q&& key, A&&... arguments) {
    if (index_ != nullptr) [[unlikely]]
      return append(std::forward<Q>(key), std::forward<A>(arguments)...);
    const auto count = [this](std::size_t moves) { count_moves(moves); };
    return to_.add_counted(count, std::forward<Q>(key), std::forward<A>(arguments)...).first !=
           Storage::nowhere;
  }
  /// Moves the entries to their positions. O(n); O(1) if few keys came out of order.
  INGOT_INLINE void finish() noexcept {
    if (index_ != nullptr) [[unlikely]]
      arrange();
  }

private:
  /// Number of moves for each entry before an index is built. Building the index takes about as
  /// long as these moves.
  static constexpr std::size_t moves_before_index = 16;

  INGOT_COLD void count_moves(std::size_t more) noexcept {
    moves_ += more;
    if (moves_ / moves_before_index <= to_.size_) return;
    moves_ = 0;
    owned<key_index> fresh(new (std::nothrow) key_index);
    if (fresh == nullptr || !fresh->try_reserve(2 * static_cast<std::size_t>(to_.size_))) return;
    fresh->build(to_.size_);
    index_ = std::move(fresh);
  }
  template <class Q, class... A>
  [[nodiscard]] INGOT_NOINLINE bool append(Q&& key, A&&... arguments) {
    // The range may run code of the program, which may change the container in spite of the
    // precondition.
    const bool is_whole = index_->size() == to_.size_;
    if (!is_whole || !index_->try_reserve(index_->size() + 1)) {
      arrange();
      return to_.add(std::forward<Q>(key), std::forward<A>(arguments)...).first != Storage::nowhere;
    }
    if (!is_key(key)) return false;
    decltype(auto) wanted = Storage::query(key);
    bool is_known = false;
    index_->descend([&](std::size_t number) {
      const int order = Storage::compare(to_.first_key()[number], wanted);
      is_known |= order == 0;
      return order < 0;
    });
    if (is_known) return true;
    if (!to_.add_last(std::forward<Q>(key), std::forward<A>(arguments)...)) return false;
    index_->insert();
    return true;
  }
  INGOT_COLD void arrange() noexcept {
    if (index_->size() == to_.size_) to_.arrange_entries(*index_);
    index_ = nullptr;
  }

  Storage& to_;
  std::size_t moves_ = 0;
  owned<key_index> index_;
};

}}} // namespace ingot::INGOT_V1::detail
