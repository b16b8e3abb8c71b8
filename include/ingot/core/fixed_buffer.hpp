// SPDX-License-Identifier: Apache-2.0
// Bytes on the stack, for messages with a known maximum size: the buffer allocates nothing, and can
// fail only if it is full.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/config.hpp>
#include <ingot/core/hardening.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace ingot { inline namespace INGOT_V1 {

/// Holds up to `N` bytes inline; models `direct_sink`. Trivially copyable. The constructor does not
/// initialise the bytes.
template <std::size_t N>
class fixed_buffer {
public:
  using value_type = std::byte;

  constexpr fixed_buffer() noexcept {
    if consteval {
      bytes_.fill(std::byte{});
    }
  }

  [[nodiscard]] constexpr std::byte* data() noexcept { return bytes_.data(); }
  [[nodiscard]] constexpr const std::byte* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] static constexpr std::size_t capacity() noexcept { return N; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] constexpr std::byte* begin() noexcept { return data(); }
  [[nodiscard]] constexpr std::byte* end() noexcept { return data() + size_; }
  [[nodiscard]] constexpr const std::byte* begin() const noexcept { return data(); }
  [[nodiscard]] constexpr const std::byte* end() const noexcept { return data() + size_; }
  /// Returns byte `i`. Requires that `i` is less than `size()`. docs/preconditions.md says in which
  /// modes this is checked.
  [[nodiscard]] INGOT_CHECKED constexpr const std::byte& operator[](std::size_t i) const noexcept {
    INGOT_REQUIRE(i < size(), broken_index("ingot::fixed_buffer", i, size()));
    return bytes_[i];
  }
  constexpr void clear() noexcept { size_ = 0; }

  /// Returns all free bytes, or an empty span if fewer than `need` bytes are free.
  [[nodiscard]] constexpr std::span<std::byte> prepare(std::size_t need, std::size_t = 0) noexcept {
    if (N - size_ < need) return {};
    return std::span<std::byte>{bytes_}.subspan(size_);
  }
  /// Makes the first `n` prepared bytes part of the contents.
  INGOT_CHECKED constexpr void commit(std::size_t n) noexcept {
    INGOT_REQUIRE(n <= N - size_, broken_prepared_size("ingot::fixed_buffer", "commit()", n, N - size_));
    size_ += n;
  }

  friend constexpr bool operator==(const fixed_buffer& a, const fixed_buffer& b) noexcept {
    return detail::equal_bytes(as_bytes_view(a), as_bytes_view(b));
  }

private:
  // The bytes are the first member and aligned, so that no 16-byte store into a small message
  // crosses a cache line.
  alignas(16) std::array<std::byte, N> bytes_;
  std::size_t size_ = 0;
};

}} // namespace ingot::INGOT_V1
