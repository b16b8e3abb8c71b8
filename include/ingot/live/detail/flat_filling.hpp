// SPDX-License-Identifier: Apache-2.0
// Fills a flat set or map with keys in any order and sorts them once. One insertion after another
// would move all entries behind each key: time quadratic in the keys, which a sender may put into
// descending order.
#pragma once

#include <ingot/live/container.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace ingot::inline INGOT_V1::detail {

/// The keys of `out`, which is empty at first, are in no order until `finish`. Without that, `out`
/// is empty afterwards.
template <class C>
class flat_filling {
public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  explicit flat_filling(C& out) noexcept : out_(out) {}
  flat_filling(const flat_filling&) = delete;
  flat_filling& operator=(const flat_filling&) = delete;
  ~flat_filling() {
    if (!finished_) out_.clear();
  }

  /// Adds a key, and the value that is made of the arguments. Returns its number, which is where it
  /// is until `finish`; throws as `emplace` does.
  template <class Q, class... A>
  std::size_t add(Q&& key, A&&... arguments) {
    const std::size_t number =
        container_access::add_behind(out_, order_, std::forward<Q>(key), std::forward<A>(arguments)...);
    if (number == none) [[unlikely]]
      container_access::throw_failure(out_);
    return number;
  }
  /// Sorts. Returns the number of the first key that was there already, or `none`; such keys are
  /// removed. O(n log n), and O(n) if the keys came in order.
  std::size_t finish() {
    const std::size_t repeated = container_access::sort_entries(out_, order_);
    finished_ = true;
    return repeated;
  }

private:
  C& out_;
  std::vector<std::size_t> order_; ///< the numbers of the entries, once a key was not above the one before
  bool finished_ = false;
};

} // namespace ingot::inline INGOT_V1::detail
