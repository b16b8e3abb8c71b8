// SPDX-License-Identifier: Apache-2.0
// Two iterators as a range: std::ranges::subrange without <ranges>.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>

#include <concepts>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class I, class S>
struct iterator_pair {
  I first;
  S last;

  [[nodiscard]] constexpr I begin() const
    requires std::copyable<I>
  {
    return first;
  }
  /// Moves the first iterator out, so `begin` may be called only once.
  [[nodiscard]] constexpr I begin()
    requires(!std::copyable<I>)
  {
    return std::move(first);
  }
  [[nodiscard]] constexpr S end() const { return last; }
};
template <class I, class S>
iterator_pair(I, S) -> iterator_pair<I, S>;

}}} // namespace ingot::INGOT_V1::detail

template <class I, class S>
inline constexpr bool std::ranges::enable_view<ingot::detail::iterator_pair<I, S>> = true;
template <class I, class S>
inline constexpr bool std::ranges::enable_borrowed_range<ingot::detail::iterator_pair<I, S>> = true;
