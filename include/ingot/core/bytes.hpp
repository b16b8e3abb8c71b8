// SPDX-License-Identifier: Apache-2.0
// Parameter types of functions that take bytes.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// A read-only view of bytes: the parameter type of all readers. Does not own the bytes.
using bytes_view = std::span<const std::byte>;

namespace detail {

template <class T>
concept byte_like =
    std::is_same_v<T, std::byte> || std::is_same_v<T, char> || std::is_same_v<T, unsigned char> ||
    std::is_same_v<T, signed char> || std::is_same_v<T, char8_t>;

} // namespace detail

/// Contiguous memory whose elements are one byte each: `std::vector<std::byte>`, `std::string`,
/// `ingot::buffer`...
template <class R>
concept byte_range = requires(const R& range, std::size_t n) {
  n = range.size();
  requires detail::byte_like<std::remove_cvref_t<decltype(*range.data())>>;
};

/// Returns a view of the bytes of `range`, without a copy. The view is valid as long as the storage
/// of `range`.
template <byte_range R>
[[nodiscard]] constexpr bytes_view as_bytes_view(const R& range) noexcept {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*range.data())>, std::byte>) {
    return {range.data(), range.size()};
  } else {
    return {reinterpret_cast<const std::byte*>(range.data()), range.size()};
  }
}

namespace detail {

/// A memmove that also works in constant expressions. It replaces `std::ranges::copy`, whose
/// headers take longer to compile than this whole file.
constexpr void copy_bytes(std::byte* to, const std::byte* from, std::size_t n) noexcept {
  if consteval {
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
  } else {
    if (n != 0) std::memmove(to, from, n);
  }
}
constexpr bool equal_bytes(bytes_view a, bytes_view b) noexcept {
  if (a.size() != b.size()) return false;
  if consteval {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  } else {
    return a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0;
  }
}

} // namespace detail
}} // namespace ingot::INGOT_V1
