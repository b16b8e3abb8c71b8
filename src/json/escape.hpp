// SPDX-License-Identifier: Apache-2.0
// Strings between their two spellings: as a program holds them, and as JSON writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ingot::inline v1::json::detail {

/// Whether a raw string has a backslash. `room` is how many bytes may be read from its start.
[[nodiscard]] inline bool has_escape(std::string_view raw, [[maybe_unused]] std::size_t room) noexcept {
#if defined(__SSE2__)
  if (raw.size() <= 16 && room >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(raw.data()));
    const auto hits =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
    return (hits & ((std::uint32_t{1} << raw.size()) - 1)) != 0;
  }
#endif
  return !raw.empty() && std::memchr(raw.data(), '\\', raw.size()) != nullptr;
}

/// Appends what `raw`, the inside of a JSON string, stands for. Returns where the first bad escape stands, or null.
/// A lone surrogate is bad, because nothing in UTF-8 could stand for it. `out` null checks only.
[[nodiscard]] const char* unescape(std::string_view raw, std::string* out);

/// Where ill-formed UTF-8 begins, or `text.size()`.
[[nodiscard]] std::size_t utf8_prefix(std::string_view text) noexcept;

/// How many bytes the ill-formed part at `at` has: what is replaced by one U+FFFD (Unicode, "maximal subpart").
[[nodiscard]] std::size_t ill_formed_size(std::string_view text, std::size_t at) noexcept;

/// Appends one scalar value as UTF-8.
void append_utf8(std::string& out, std::uint32_t code);

} // namespace ingot::inline v1::json::detail
