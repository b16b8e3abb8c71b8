// SPDX-License-Identifier: Apache-2.0
// Encoders of columns, one for each form. Values are little-endian and contiguous.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/endian.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class U>
[[nodiscard]] U value_at(const std::byte* values, std::size_t i) noexcept {
  return load_le<U>(values + i * sizeof(U));
}

/// Appends `n` uninitialised bytes to `out` and returns their position; null if there is no memory.
[[nodiscard]] inline std::byte* grow(buffer& out, std::size_t n) noexcept {
  if (out.prepare(n).size() < n) return nullptr;
  std::byte* const at = out.data() + out.size();
  out.commit(n);
  return at;
}

/// Appends `n` values; `value(i)` is the i-th value. This function and the other functions of this
/// file return false if there is no memory.
template <class U, class F>
[[nodiscard]] bool append_shuffled(buffer& out, std::size_t n, F&& value) noexcept {
  std::byte* const to = grow(out, n * sizeof(U));
  if (n != 0 && to == nullptr) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t v = value(i);
    for (std::size_t k = 0; k < sizeof(U); ++k) to[k * n + i] = static_cast<std::byte>(v >> 8 * k & 0xFFU);
  }
  return true;
}
template <class U>
[[nodiscard]] bool append_delta(buffer& out, const std::byte* values, std::size_t n) noexcept {
  return append_shuffled<U>(out, n, [&](std::size_t i) {
    const U before = i == 0 ? U{} : value_at<U>(values, i - 1);
    return static_cast<U>(value_at<U>(values, i) - before);
  });
}

/// Returns the value that more than half of the values have. Returns any value if there is no such
/// value.
template <class U>
[[nodiscard]] U likely_majority(const std::byte* values, std::size_t n) noexcept {
  U found{};
  std::size_t lead = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const U v = value_at<U>(values, i);
    if (lead == 0) found = v;
    if (v == found) ++lead;
    else --lead;
  }
  return found;
}
template <class U>
[[nodiscard]] bool append_sparse(buffer& out, const std::byte* values, std::size_t n,
                                 buffer& storage) noexcept {
  const U base = likely_majority<U>(values, n);
  std::byte* const to = grow(out, sizeof(U) + (n + 7) / 8);
  storage.clear();
  if (to == nullptr || !storage.resize(n * sizeof(U))) return false;
  store_le(to, base);
  std::memset(to + sizeof(U), 0, (n + 7) / 8);
  std::size_t others = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const U v = value_at<U>(values, i);
    if (v == base) continue;
    to[sizeof(U) + i / 8] |= std::byte{1} << i % 8;
    store_le(storage.data() + others++ * sizeof(U), v);
  }
  return append_shuffled<U>(out, others, [&](std::size_t i) { return value_at<U>(storage.data(), i); });
}

/// Finds the distinct values in ascending order, if there are at most 256.
template <class U>
class found_palette {
public:
  /// Returns false if there are more than 256 distinct values.
  [[nodiscard]] bool find(const std::byte* values, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      const U v = value_at<U>(values, i);
      const std::size_t at = slot_of(v);
      if (taken_[at]) continue;
      if (count_ == all_.size()) return false;
      taken_[at] = true;
      keys_[at] = v;
      all_[count_++] = v;
    }
    std::sort(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(count_));
    for (std::size_t i = 0; i < count_; ++i) index_[slot_of(all_[i])] = static_cast<std::uint8_t>(i);
    return true;
  }
  [[nodiscard]] std::span<const U> values() const noexcept { return {all_.data(), count_}; }
  [[nodiscard]] std::uint8_t index(U v) const noexcept { return index_[slot_of(v)]; }
  /// Returns the number of bits of an index.
  [[nodiscard]] unsigned bits() const noexcept {
    return std::max(1U, static_cast<unsigned>(std::bit_width(count_ - 1)));
  }

private:
  [[nodiscard]] std::size_t slot_of(U v) const noexcept {
    std::size_t at = static_cast<std::size_t>(std::uint64_t{v} * 0x9E3779B97F4A7C15U >> 55);
    while (taken_[at] && keys_[at] != v) at = (at + 1) % taken_.size();
    return at;
  }
  std::array<bool, 512> taken_{};
  std::array<U, 512> keys_{};
  std::array<std::uint8_t, 512> index_{};
  std::array<U, 256> all_{};
  std::size_t count_ = 0;
};

template <class U>
[[nodiscard]] bool append_palette(buffer& out, const found_palette<U>& palette, unsigned bits,
                                  const std::byte* values, std::size_t n) noexcept {
  const auto all = palette.values();
  const std::size_t indexes = (n * bits + 7) / 8;
  std::byte* to = grow(out, 2 + all.size() * sizeof(U) + indexes);
  if (to == nullptr) return false;
  *to++ = static_cast<std::byte>(all.size() - 1);
  *to++ = static_cast<std::byte>(bits);
  for (const U v : all) {
    store_le(to, v);
    to += sizeof(U);
  }
  std::uint32_t word = 0;
  unsigned filled = 0;
  for (std::size_t i = 0; i < n; ++i) {
    word |= static_cast<std::uint32_t>(palette.index(value_at<U>(values, i))) << filled;
    for (filled += bits; filled >= 8; filled -= 8, word >>= 8) *to++ = static_cast<std::byte>(word & 0xFFU);
  }
  if (filled != 0) *to = static_cast<std::byte>(word & 0xFFU);
  return true;
}

}}} // namespace ingot::INGOT_V1::detail
