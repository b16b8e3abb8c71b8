// SPDX-License-Identifier: Apache-2.0
// Converts strings between their form in memory and their form in JSON.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/lanes.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Returns true if a raw string has a backslash. `readable` is the number of readable bytes from
/// the start of the string.
[[nodiscard]] inline bool has_escape(std::string_view raw, [[maybe_unused]] std::size_t readable) noexcept {
#if INGOT_LANES
  if (raw.size() <= 16 && readable >= 16) {
    using namespace ingot::detail; // NOLINT(google-build-using-namespace)
    const std::uint32_t hits = bits_of(load_lanes<byte_lanes>(raw.data()) == all_lanes('\\'));
    return (hits & ((std::uint32_t{1} << raw.size()) - 1)) != 0;
  }
#endif
  return !raw.empty() && std::memchr(raw.data(), '\\', raw.size()) != nullptr;
}

/// Assigns a short string to `out`. The content of the string begins at `inside`. The string must
/// have at most fifteen bytes and no escapes. Moves a fixed number of bytes into the internal
/// buffer of `out`. Returns false for all other strings; they need the slow path. `readable` is the
/// number of readable bytes from `inside` on.
[[nodiscard]] inline bool assign_short([[maybe_unused]] const char* inside,
                                       [[maybe_unused]] std::size_t readable,
                                       [[maybe_unused]] std::string& out) {
#if INGOT_LANES
  if (readable < 16 || out.capacity() < 15) return false;
  using namespace ingot::detail; // NOLINT(google-build-using-namespace)
  const auto bytes = load_lanes<byte_lanes>(inside);
  const auto where = [bytes](std::uint8_t c) { return bits_of(bytes == all_lanes(c)); };
  // A backslash before the first quote needs the slow path. Its bit is below the lowest bit of
  // `quotes`. Sixteen bytes without a quote also need the slow path. The lowest bit of `quotes` is
  // then bit 17, and bit 16, which is always set, is below it as if it were a backslash.
  const std::uint32_t quotes = where('"') | 0x20000;
  if (((where('\\') | 0x10000) & (quotes - 1)) != 0) return false;
  const auto length = static_cast<std::size_t>(std::countr_zero(quotes));
  // to[15] is for the terminator
  out.resize_and_overwrite(15, [bytes, length](char* to, std::size_t) {
    store_lanes(to, bytes);
    return length;
  });
  return true;
#else
  return false;
#endif
}

/// Appends the decoded content of a JSON string, `raw`. Returns the position of the first invalid
/// escape, or null. A lone surrogate is invalid, because UTF-8 can't represent it. If `out` is
/// null, only checks the content.
[[nodiscard]] const char* unescape(std::string_view raw, std::string* out);

/// Returns the position of the first ill-formed UTF-8; `text.size()` if all of the text is
/// well-formed.
[[nodiscard]] std::size_t utf8_prefix(std::string_view text) noexcept;

/// Returns the size of the ill-formed part at `at`. This part is replaced by one U+FFFD (Unicode,
/// "maximal subpart").
[[nodiscard]] std::size_t ill_formed_size(std::string_view text, std::size_t at) noexcept;

/// Appends one scalar value as UTF-8.
void append_utf8(std::string& out, std::uint32_t code);

}}} // namespace ingot::INGOT_V1::json::detail
