// SPDX-License-Identifier: Apache-2.0
// Writes the contents of JSON strings into space that the caller has reserved. Bytes above 127 are
// copied. The caller validates them later, as part of a longer text.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/lanes.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Returns true if JSON strings contain the byte only in its escaped form.
[[nodiscard]] constexpr bool needs_escape(unsigned char byte) noexcept {
  return byte < 0x20 || byte == '"' || byte == '\\';
}

/// The escaped form of a byte. `size` is 0 for bytes that need no escape.
struct escaped_byte {
  char text[7];
  std::uint8_t size;
};
inline constexpr auto escaped_bytes = [] {
  std::array<escaped_byte, '\\' + 1> table{};
  constexpr std::string_view hex = "0123456789abcdef";
  for (unsigned byte = 0; byte < 0x20; ++byte)
    table[byte] = {{'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15], '\0'}, 6};
  const auto two = [&table](char byte, char letter) {
    table[static_cast<unsigned char>(byte)] = {{'\\', letter}, 2};
  };
  two('"', '"');
  two('\\', '\\');
  two('\b', 'b');
  two('\f', 'f');
  two('\n', 'n');
  two('\r', 'r');
  two('\t', 't');
  return table;
}();

/// Number of bytes that `put_escape` and `put_escaped` may write after the text.
inline constexpr std::size_t escape_slack = 16;
/// Maximum size of the escaped form of a byte.
inline constexpr std::size_t max_escape_size = 6;

/// Writes a quote, a backslash or a control character in its escaped form.
INGOT_INLINE char* put_escape(char* to, unsigned char byte) noexcept {
  static_assert(sizeof(escaped_byte) == 8);
  const escaped_byte& form = escaped_bytes[byte];
  std::memcpy(to, &form, sizeof form);
  return to + form.size;
}

#if INGOT_LANES

using ingot::detail::all_lanes;
using ingot::detail::any_of;
using ingot::detail::bits_of;
using ingot::detail::byte_lanes;
using ingot::detail::load_lanes;
using ingot::detail::long_lanes;
using ingot::detail::signed_byte_lanes;
using ingot::detail::store_lanes;
using ingot::detail::top_bits_of;
using ingot::detail::word_lanes;

/// Sets the lanes of the bytes that need an escape.
[[nodiscard]] INGOT_INLINE signed_byte_lanes escaped_lanes(byte_lanes bytes) noexcept {
  // The exclusive or with 2 exchanges the quote and the space. Then the quote directly follows the
  // control characters. The exclusive or with 0x80 makes the signed comparison an unsigned one.
  const auto moved = (signed_byte_lanes)(bytes ^ all_lanes(0x82));
  return (moved < (signed_byte_lanes)all_lanes(0xA1)) | (bytes == all_lanes('\\'));
}

#else

/// Returns true if a byte of the word needs an escape.
[[nodiscard]] INGOT_INLINE bool has_escaped(std::uint64_t word) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  const std::uint64_t quote = word ^ (ones * '"');
  const std::uint64_t slash = word ^ (ones * '\\');
  return (((word - ones * 0x20) & ~word) | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) &
         ones * 0x80;
}
[[nodiscard]] INGOT_INLINE std::uint32_t has_high(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>((word & 0x8080808080808080u) != 0);
}

#endif

/// Copies bytes from the beginning of `text`. Stops before the first byte that needs an escape, or
/// at most fifteen bytes earlier. Returns the number of copied bytes. Sets bits of `high` if one of
/// these bytes is above 127. Needs space for all of `text`.
[[nodiscard]] INGOT_INLINE std::size_t put_unescaped(char* to, std::string_view text,
                                                     std::uint32_t& high) noexcept {
  const char* const from = text.data();
  const std::size_t n = text.size();
#if INGOT_LANES
  if (n >= 16) {
    byte_lanes all{};
    std::size_t i = 0;
    for (; n - i > 16; i += 16) {
      const auto bytes = load_lanes<byte_lanes>(from + i);
      if (any_of(escaped_lanes(bytes))) [[unlikely]] {
        high |= top_bits_of(all);
        return i;
      }
      store_lanes(to + i, bytes);
      all |= bytes;
    }
    const auto last = load_lanes<byte_lanes>(from + n - 16); // overlaps copied bytes
    high |= top_bits_of(all | last);
    if (any_of(escaped_lanes(last))) [[unlikely]]
      return i;
    store_lanes(to + n - 16, last);
    return n;
  }
  byte_lanes bytes;
  std::uint32_t lanes = 0;
  if (n >= 8) {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    std::memcpy(&head, from, 8);
    std::memcpy(&tail, from + n - 8, 8);
    std::memcpy(to, &head, 8);
    std::memcpy(to + n - 8, &tail, 8);
    bytes = (byte_lanes)(long_lanes{head, tail});
    lanes = 0xFFFF;
  } else if (n >= 4) {
    std::uint32_t head = 0;
    std::uint32_t tail = 0;
    std::memcpy(&head, from, 4);
    std::memcpy(&tail, from + n - 4, 4);
    std::memcpy(to, &head, 4);
    std::memcpy(to + n - 4, &tail, 4);
    bytes = (byte_lanes)(word_lanes{head, tail});
    lanes = 0xFF;
  } else {
    if (n == 0) return 0;
    const char first = from[0];
    const char middle = from[n / 2];
    const char last = from[n - 1];
    to[0] = first;
    to[n / 2] = middle;
    to[n - 1] = last;
    const auto three = static_cast<std::uint32_t>(static_cast<unsigned char>(first)) |
                       static_cast<std::uint32_t>(static_cast<unsigned char>(middle)) << 8 |
                       static_cast<std::uint32_t>(static_cast<unsigned char>(last)) << 16;
    bytes = (byte_lanes)(word_lanes{three});
    lanes = 7;
  }
  if ((bits_of(escaped_lanes(bytes)) & lanes) != 0) [[unlikely]]
    return 0;
  high |= top_bits_of(bytes); // the other lanes are zero
  return n;
#else
  std::size_t i = 0;
  for (; n - i >= 8; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i, 8);
    if (has_escaped(word)) return i;
    std::memcpy(to + i, &word, 8);
    high |= has_high(word);
  }
  for (; i != n; ++i) {
    const auto byte = static_cast<unsigned char>(from[i]);
    if (needs_escape(byte)) return i;
    to[i] = from[i];
    high |= byte >> 7;
  }
  return n;
#endif
}

#if INGOT_LANES && !INGOT_SANITIZED
#define INGOT_JSON_SHORT_STRINGS 1
/// Copies a text of at most sixteen bytes, without a branch on the length. Returns false if a byte
/// needs an escape. Reads and writes sixteen bytes. The bytes after the text do not change the
/// result, so they need not be initialised. Not used with sanitizers, which would report them.
[[nodiscard]] INGOT_INLINE bool put_short(char* to, const char* from, std::size_t size,
                                          std::uint32_t& high) noexcept {
  const auto bytes = load_lanes<byte_lanes>(from);
  store_lanes(to, bytes);
  const std::uint32_t lanes = (std::uint32_t{1} << size) - 1;
  high |= top_bits_of(bytes) & lanes;
  return (bits_of(escaped_lanes(bytes)) & lanes) == 0;
}
#else
#define INGOT_JSON_SHORT_STRINGS 0
#endif

/// Writes all of `text`, with escapes. Returns the end of the written text. Sets bits of `high` if
/// a byte is above 127. Needs space for `max_escape_size` bytes for each byte of `text`, and for
/// `escape_slack` more.
[[nodiscard]] inline char* put_escaped(char* to, std::string_view text, std::uint32_t& high) noexcept {
  const char* from = text.data();
  std::size_t left = text.size();
#if INGOT_LANES
  // Writes the first `size` of the sixteen bytes at `block`. The fifteen bytes after these sixteen
  // must be readable.
  byte_lanes all{};
  const auto put_block = [&to, &all](const char* block, std::size_t size) INGOT_INLINE_LAMBDA {
    const auto bytes = load_lanes<byte_lanes>(block);
    store_lanes(to, bytes);
    all |= bytes;
    std::uint32_t escaped = bits_of(escaped_lanes(bytes)) & ((std::uint32_t{1} << size) - 1);
    std::size_t done = 0;
    for (; escaped != 0; escaped &= escaped - 1) {
      const auto at = static_cast<std::size_t>(std::countr_zero(escaped));
      to = put_escape(to + (at - done), static_cast<unsigned char>(block[at]));
      done = at + 1;
      store_lanes(to, load_lanes<byte_lanes>(block + done));
    }
    to += size - done;
  };
  for (; left >= 32; left -= 16, from += 16) put_block(from, 16);
  char rest[48]{}; // the last bytes of the text, and readable bytes after them
  if (left != 0) std::memcpy(rest, from, left);
  if (left > 16) {
    put_block(rest, 16);
    put_block(rest + 16, left - 16);
  } else {
    put_block(rest, left);
  }
  high |= top_bits_of(all); // the bytes after the text are zero
#else
  for (; left != 0; --left, ++from) {
    if (left >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, from, 8);
      if (!has_escaped(word)) {
        std::memcpy(to, &word, 8);
        high |= has_high(word);
        to += 8;
        from += 7;
        left -= 7;
        continue;
      }
    }
    const auto byte = static_cast<unsigned char>(*from);
    if (needs_escape(byte)) {
      to = put_escape(to, byte);
    } else {
      *to++ = *from;
      high |= byte >> 7;
    }
  }
#endif
  return to;
}

}}} // namespace ingot::INGOT_V1::json::detail
