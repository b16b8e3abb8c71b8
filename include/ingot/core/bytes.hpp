// SPDX-License-Identifier: Apache-2.0
// The one spelling of "some bytes" that every reader takes.
#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

namespace ingot::inline v1 {

using bytes_view = std::span<const std::byte>;

namespace detail {

template <class T>
concept byte_like = std::is_same_v<T, std::byte> || std::is_same_v<T, char> || std::is_same_v<T, unsigned char> ||
                    std::is_same_v<T, signed char> || std::is_same_v<T, char8_t>;

} // namespace detail

/// Contiguous memory whose elements are one byte each: `std::vector<std::byte>`, `std::string`, `ingot::buffer`...
template <class R>
concept byte_range = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                     detail::byte_like<std::remove_cv_t<std::ranges::range_value_t<R>>>;

/// The bytes of `range`, without a copy. They are valid as long as the range's own storage is.
template <byte_range R>
[[nodiscard]] constexpr bytes_view as_bytes_view(const R& range) noexcept {
  using element = std::remove_cv_t<std::ranges::range_value_t<const R>>;
  if constexpr (std::is_same_v<element, std::byte>) {
    return {std::ranges::data(range), std::ranges::size(range)};
  } else {
    return std::as_bytes(std::span{std::ranges::data(range), std::ranges::size(range)});
  }
}

} // namespace ingot::inline v1
