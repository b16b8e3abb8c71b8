// SPDX-License-Identifier: Apache-2.0
// The tokens of MessagePack and CBOR, and the bytes from which they are read.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/error.hpp>
#include <ingot/reflect/hooks.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::interchange {

/// Returns true if text is UTF-8. Most text is ASCII, so first checks eight bytes at a time for
/// ASCII.
[[nodiscard]] inline bool is_text(std::string_view text) noexcept {
  constexpr std::uint64_t high = 0x8080'8080'8080'8080;
  std::size_t plain = 0;
  std::uint64_t eight = 0;
  for (; text.size() - plain >= sizeof eight; plain += sizeof eight) {
    std::memcpy(&eight, text.data() + plain, sizeof eight);
    if ((eight & high) != 0) break;
  }
  return is_utf8(text.substr(plain)); // a character begins here, since all bytes before are ASCII
}

/// A scalar, the beginning or end of a container, or a tag or extension that describes the next
/// value.
struct token {
  enum kinds : std::uint8_t {
    null,
    undefined,
    boolean,   ///< `number` is 0 or 1
    natural,   ///< `number`
    negative,  ///< -1 - `number`
    real,      ///< `number` contains the bits of the double
    text,      ///< `bytes`, which may be valid only until the next token is read
    binary,    ///< `bytes`, as valid as the bytes of `text`
    array,     ///< `number` elements; with `open_end`, all elements until a stop
    map,       ///< `number` members; with `open_end`, all members until a stop
    extension, ///< extension of the type `number`, from -128 to 127, with `bytes`
    tag,       ///< tag `number`, which describes the next value
    simple,    ///< simple value `number` of CBOR
    stop,      ///< end of a container without a count
    // Entries of a reader's stack that are not tokens:
    space,     ///< a namespace of strings
    shareable, ///< a value to which references may refer
    replay,    ///< a value that is read again for a reference
  };
  kinds kind = null;
  bool open_end = false; ///< there is no count; a stop ends the container or string
  std::uint64_t number = 0;
  bytes_view bytes;

  [[nodiscard]] std::string_view chars() const noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

// CBOR's tags that readers handle in a special way: the tags of big integers, and the tag that only
// marks data as CBOR and does not change the value.
inline constexpr std::uint64_t bignum = 2;
inline constexpr std::uint64_t negative_bignum = 3;
inline constexpr std::uint64_t self_described = 55799;

/// Number of bytes between two calls of the progress callback.
inline constexpr std::size_t report_interval = std::size_t{256} << 10;

/// Untrusted bytes, and the position up to which they are read.
struct input {
  bytes_view bytes;
  std::size_t at = 0;
  pending_error why;
  bool has_shared = false; ///< true after an extension that may mark a shared value of msgpackr

  [[nodiscard]] std::size_t left() const noexcept { return bytes.size() - at; }
  [[nodiscard]] const std::byte* here() const noexcept { return bytes.data() + at; }
  INGOT_COLD bool reject(errc code, std::size_t where, std::string_view expected) noexcept {
    why = error{code, where}.with_expected(expected);
    return false;
  }
  INGOT_COLD bool reject(errc code, std::size_t where, std::string_view expected,
                         std::uint64_t found) noexcept {
    why = error{code, where}.with_expected(expected).with_found(found);
    return false;
  }
};

}}} // namespace ingot::INGOT_V1::detail::interchange
