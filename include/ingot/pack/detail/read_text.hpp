// SPDX-License-Identifier: Apache-2.0
// Reads strings from packed bytes. Strings are the most frequent payload, and branch predictors
// can't predict their lengths.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/pack/detail/level.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class String>
INGOT_NOINLINE inline void assign_far(String& out, const std::byte* from, std::size_t n) {
  using char_type = typename String::value_type;
  if constexpr (is_specialization<String, std::basic_string>) { // its `assign` checks for overlaps
    out.clear();                                                // so that growing copies nothing
    // the lambda uses the captured `n`, because g++ 12 passes the capacity instead of `n`
    out.resize_and_overwrite(n, [from, n](char_type* to, std::size_t) {
      if (n != 0) std::memcpy(to, from, n); // without bytes, `from` may be null
      return n;
    });
  } else {
    out.assign(reinterpret_cast<const char_type*>(from), n);
  }
}

/// Assigns `n` bytes to a string. A string of up to 15 bytes takes one move of 16 bytes, without a
/// branch on `n`; see `copy_string`. The move may write all 16 bytes: the 15 characters for which
/// the string has capacity, and the place of the terminator after them.
template <class String>
INGOT_INLINE void assign_string(reader& r, String& out, const std::byte* from, std::size_t n) {
  if constexpr (is_specialization<String, std::basic_string>) {
    if (n <= 15 && r.end - from >= 16 && out.capacity() >= 15) [[likely]] {
      out.resize_and_overwrite(15, [from, n](typename String::value_type* to, std::size_t) {
        std::uint64_t block[2];
        std::memcpy(block, from, sizeof block);
        std::memcpy(to, block, sizeof block);
        return n;
      });
      return;
    }
  }
  assign_far(out, from, n);
}

/// Returns true if the capacity of the container is enough for a text of `bytes` bytes, or has no
/// limit.
template <class String>
INGOT_INLINE constexpr bool text_fits(const String& out, std::size_t bytes) noexcept {
  if constexpr (!has_fixed_capacity<String>) return true;
  else return can_hold(out, bytes / sizeof(typename String::value_type));
}
template <class String>
INGOT_INLINE constexpr void read_text(reader& r, const std::byte* from, std::size_t size, String& out) {
  using char_type = typename String::value_type;
  if constexpr (kind_of<String> == kind::path) {
    std::u8string text;
    read_text(r, from, size, text);
    out = String(text);
  } else {
    if constexpr (sizeof(char_type) == 1) {
      if !consteval {
        assign_string(r, out, from, size);
        return;
      }
    }
    const std::size_t count = size / sizeof(char_type);
    out.resize(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = load_le<char_type>(from + i * sizeof(char_type));
  }
}

}}} // namespace ingot::INGOT_V1::detail
