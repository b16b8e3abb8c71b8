// SPDX-License-Identifier: Apache-2.0
// A growable sequence of bytes that does not zero new bytes. Writers fill all bytes that they
// request. `std::vector::resize` would first zero these bytes, which takes as much time as the
// encoding.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/config.hpp>
#include <ingot/core/hardening.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Owns its bytes; models `direct_sink`. Moving is O(1) and leaves the source empty. Copying copies
/// `size()` bytes. Growing invalidates pointers and spans into the bytes. `clear` keeps the
/// capacity.
class buffer {
public:
  using value_type = std::byte;

  constexpr buffer() noexcept = default;
  constexpr buffer(buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  /// Copies the bytes. If there is no memory, copies none, and `size()` is 0.
  constexpr buffer(const buffer& other) { append(other); }
  constexpr buffer& operator=(buffer&& other) noexcept {
    buffer taken(std::move(other));
    swap(taken);
    return *this;
  }
  constexpr buffer& operator=(const buffer& other) {
    if (this != &other) {
      buffer copy(other);
      swap(copy);
    }
    return *this;
  }
  constexpr ~buffer() { release(data_); }

  constexpr void swap(buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  [[nodiscard]] constexpr std::byte* data() noexcept { return data_; }
  [[nodiscard]] constexpr const std::byte* data() const noexcept { return data_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] constexpr std::byte* begin() noexcept { return data_; }
  [[nodiscard]] constexpr std::byte* end() noexcept { return data_ + size_; }
  [[nodiscard]] constexpr const std::byte* begin() const noexcept { return data_; }
  [[nodiscard]] constexpr const std::byte* end() const noexcept { return data_ + size_; }
  /// Returns byte `i`. Requires that `i` is less than `size()`. docs/preconditions.md says in which
  /// modes this is checked.
  [[nodiscard]] INGOT_CHECKED constexpr std::byte& operator[](std::size_t i) noexcept {
    INGOT_REQUIRE(i < size_, broken_index("ingot::buffer", i, size_));
    return data_[i];
  }
  [[nodiscard]] INGOT_CHECKED constexpr const std::byte& operator[](std::size_t i) const noexcept {
    INGOT_REQUIRE(i < size_, broken_index("ingot::buffer", i, size_));
    return data_[i];
  }

  constexpr void clear() noexcept { size_ = 0; }

  /// Sets the capacity to at least `capacity` bytes. Returns false if there is no memory; the
  /// contents are unchanged then.
  [[nodiscard]] constexpr bool reserve(std::size_t capacity) noexcept {
    return capacity <= capacity_ || regrow(capacity, size_);
  }
  /// Sets the size. New bytes are uninitialised. Returns false if there is no memory; the contents
  /// are unchanged then.
  [[nodiscard]] constexpr bool resize(std::size_t size) noexcept {
    if (!reserve(size)) return false;
    size_ = size;
    return true;
  }
  /// Appends a copy of `bytes`. Requires that `bytes` is not part of this buffer. Returns false if
  /// there is no memory.
  constexpr bool append(bytes_view bytes) noexcept {
    const auto space = prepare(bytes.size());
    if (space.size() < bytes.size()) return false;
    detail::copy_bytes(space.data(), bytes.data(), bytes.size());
    commit(bytes.size());
    return true;
  }

  /// Returns memory for at least `need` bytes after the contents, or an empty span if there is no
  /// memory. The first `keep` of these bytes have the values that the caller wrote after an earlier
  /// `prepare`, even if the contents move. Amortised O(1): the capacity doubles.
  [[nodiscard]] INGOT_CHECKED constexpr std::span<std::byte> prepare(std::size_t need,
                                                                     std::size_t keep = 0) noexcept {
    if (capacity_ - size_ < need) [[unlikely]] {
      INGOT_REQUIRE(keep <= capacity_ - size_,
                    broken_prepared_size("ingot::buffer", "prepare() that keeps", keep, capacity_ - size_));
      if (need > std::numeric_limits<std::size_t>::max() / 2 - size_) return {};
      const std::size_t wanted = size_ + need;
      constexpr std::size_t min_capacity = 64; // allocators return at least this many bytes anyway
      const std::size_t doubled = capacity_ * 2 < min_capacity ? min_capacity : capacity_ * 2;
      if (!regrow(wanted < doubled ? doubled : wanted, size_ + keep) && !regrow(wanted, size_ + keep))
        return {};
    }
    return {data_ + size_, capacity_ - size_};
  }
  /// Makes the first `n` prepared bytes part of the contents.
  INGOT_CHECKED constexpr void commit(std::size_t n) noexcept {
    INGOT_REQUIRE(n <= capacity_ - size_,
                  broken_prepared_size("ingot::buffer", "commit()", n, capacity_ - size_));
    size_ += n;
  }

  friend constexpr bool operator==(const buffer& a, const buffer& b) noexcept {
    return detail::equal_bytes(a, b);
  }
  friend constexpr bool operator==(const buffer& a, bytes_view b) noexcept {
    return detail::equal_bytes(a, b);
  }

private:
  INGOT_NOINLINE constexpr bool regrow(std::size_t capacity, std::size_t keep) noexcept {
    std::byte* grown = nullptr;
    if consteval {
      grown = new std::byte[capacity]{};
    } else {
      grown = static_cast<std::byte*>(::operator new(capacity, std::nothrow));
    }
    if (grown == nullptr) return false;
    detail::copy_bytes(grown, data_, keep);
    release(data_);
    data_ = grown;
    capacity_ = capacity;
    return true;
  }
  static constexpr void release(std::byte* data) noexcept {
    if (data == nullptr) return;
    if consteval {
      delete[] data;
    } else {
      ::operator delete(data);
    }
  }

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}} // namespace ingot::INGOT_V1
