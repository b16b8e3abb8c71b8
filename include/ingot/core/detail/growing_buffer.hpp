// SPDX-License-Identifier: Apache-2.0
// A buffer for code that reports missing memory by std::bad_alloc.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A `buffer` whose functions throw `std::bad_alloc` if there is no memory. Writers of messages
/// fill such a buffer within `catch_bad_alloc`, and return the bytes by `take`.
class growing_buffer {
public:
  growing_buffer() noexcept = default;
  /// Creates a buffer of `size` zeros.
  explicit growing_buffer(std::size_t size) { resize(size); }

  [[nodiscard]] std::byte* data() noexcept { return bytes_.data(); }
  [[nodiscard]] const std::byte* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
  [[nodiscard]] std::byte* begin() noexcept { return bytes_.begin(); }
  [[nodiscard]] std::byte* end() noexcept { return bytes_.end(); }
  [[nodiscard]] const std::byte* begin() const noexcept { return bytes_.begin(); }
  [[nodiscard]] const std::byte* end() const noexcept { return bytes_.end(); }
  [[nodiscard]] INGOT_CHECKED std::byte& operator[](std::size_t i) noexcept { return bytes_[i]; }
  void swap(growing_buffer& other) noexcept { bytes_.swap(other.bytes_); }

  /// Sets the size; new bytes are zero.
  void resize(std::size_t size) {
    const std::size_t before = bytes_.size();
    if (size > before) std::memset(prepare(size - before), 0, size - before);
    if (size < before) bytes_.clear();
    bytes_.commit(size - bytes_.size());
  }
  void push_back(std::byte b) {
    *prepare(1) = b;
    bytes_.commit(1);
  }
  /// Appends bytes. Requires that they are not part of this buffer.
  void append(bytes_view bytes) {
    if (bytes.empty()) return;
    std::memcpy(prepare(bytes.size()), bytes.data(), bytes.size());
    bytes_.commit(bytes.size());
  }
  void append(std::string_view text) { append(as_bytes_view(text)); }
  /// Inserts `count` zeros before byte `at`.
  void insert_zeros(std::size_t at, std::size_t count) {
    const std::size_t before = bytes_.size();
    resize(before + count);
    std::memmove(data() + at + count, data() + at, before - at);
    std::memset(data() + at, 0, count);
  }
  /// Moves the bytes out.
  [[nodiscard]] buffer take() noexcept { return std::move(bytes_); }

private:
  [[nodiscard]] std::byte* prepare(std::size_t count) {
    const auto space = bytes_.prepare(count);
    if (space.size() < count) [[unlikely]]
      no_memory();
    return space.data();
  }
  [[noreturn]] INGOT_COLD static void no_memory() {
#if INGOT_EXCEPTIONS
    throw std::bad_alloc{};
#else
    std::abort();
#endif
  }

  buffer bytes_;
};

}}} // namespace ingot::INGOT_V1::detail
