// SPDX-License-Identifier: Apache-2.0
// The bytes of an archive, as docs/format.md describes them: tags, lengths and numbers. An archive
// contains lengths but no positions, and each value has exactly one encoding. The bytes need not be
// validated, because each function here checks that everything it reads is inside the bytes.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/document/format.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

inline constexpr std::array<char, 4> archive_magic{'i', 'n', 'g', 'A'};
inline constexpr uint8_t archive_version = 2;
/// Size of magic, version and flags in bytes. After them comes the length of the remaining bytes.
inline constexpr uint32_t archive_head_size = 6;
/// Maximum size of an archive in bytes. So lengths, key numbers and shape numbers take at most 31
/// bits.
inline constexpr uint32_t max_archive_bytes = 0x7FFFFFFF;

/// First bytes of values. If a comment begins with a number of tags, the constant is the first of
/// these tags.
namespace archive_tag {
inline constexpr uint8_t small_integer = 0x00;  ///< 64 tags: the tag is the integer
inline constexpr uint8_t short_text = 0x40;     ///< 48 tags: a string of length tag - `short_text`
inline constexpr uint8_t small_negative = 0x70; ///< 16 tags: the integers -16 to -1
inline constexpr uint8_t null = 0x80;
inline constexpr uint8_t no = 0x81;
inline constexpr uint8_t yes = 0x82;
inline constexpr uint8_t text = 0x83;
inline constexpr uint8_t binary = 0x84;
inline constexpr uint8_t array = 0x85;
inline constexpr uint8_t object = 0x86; ///< object whose shape number is too large for a tag
inline constexpr uint8_t empty_array = 0x87;
inline constexpr uint8_t empty_object = 0x88;
inline constexpr uint8_t positive = 0x90;   ///< 8 tags: an integer n of 1 to 8 bytes
inline constexpr uint8_t complement = 0x98; ///< 8 tags: -1 - n for an integer n of 1 to 8 bytes
inline constexpr uint8_t real = 0xA0;       ///< 9 tags: the upper 0 to 8 bytes of a double
inline constexpr uint8_t single = 0xA9;     ///< a double that a normal float holds exactly
inline constexpr uint8_t packed = 0xB0;     ///< 8 tags: an array of integers of 1 to 8 bytes
inline constexpr uint8_t shaped = 0xC0;     ///< 64 tags: an object, with the number of its shape
} // namespace archive_tag

inline constexpr uint32_t archive_small_integers = 64;
inline constexpr uint32_t archive_short_texts = 48;
inline constexpr uint32_t archive_small_negatives = 16;
inline constexpr uint32_t archive_small_shapes = 64;

/// Forms in which a shape lists its keys: all keys of the archive, one bit for each key, or the
/// gaps between key numbers.
enum class shape_form : uint8_t { all, bits, gaps };
[[nodiscard]] constexpr shape_form form_of_shape(uint32_t members, uint32_t keys) noexcept {
  if (members == keys) return shape_form::all;
  return (keys + 7) / 8 < members ? shape_form::bits : shape_form::gaps;
}

/// Returns the number of bytes that a number needs, at least 1.
[[nodiscard]] INGOT_INLINE uint32_t bytes_of_number(uint64_t n) noexcept {
  return (static_cast<uint32_t>(std::bit_width(n | 1)) + 7) / 8;
}
/// Returns the number of bytes that an integer needs in two's complement.
[[nodiscard]] INGOT_INLINE uint32_t bytes_of_signed(std::int64_t n) noexcept {
  const auto magnitude = static_cast<uint64_t>(n < 0 ? ~n : n);
  return static_cast<uint32_t>(std::bit_width(magnitude)) / 8 + 1;
}
/// Returns the size of an integer in bytes, including its tag.
[[nodiscard]] INGOT_INLINE uint32_t bytes_of_integer(std::int64_t n) noexcept {
  if (n >= -std::int64_t{archive_small_negatives} && n < std::int64_t{archive_small_integers}) return 1;
  return 1 + bytes_of_number(static_cast<uint64_t>(n < 0 ? ~n : n));
}

/// Returns the number of bytes of a double that an archive stores: the upper bytes. The lowest
/// bytes are not stored if they are zero.
[[nodiscard]] INGOT_INLINE uint32_t bytes_of_real(uint64_t bits) noexcept {
  return bits == 0 ? 0 : 8 - static_cast<uint32_t>(std::countr_zero(bits)) / 8;
}
/// Converts the bits of a double to the bits of a float. Requires that a normal float holds the
/// double exactly.
[[nodiscard]] INGOT_INLINE uint32_t to_single(uint64_t bits) noexcept {
  const auto exponent = (static_cast<uint32_t>(bits >> 52) & 0x7FF) - (1023 - 127);
  return static_cast<uint32_t>(bits >> 63) << 31 | exponent << 23 |
         (static_cast<uint32_t>(bits >> 29) & 0x7F'FFFF);
}
/// Converts the bits of a float to the bits of a double. Returns 0 for a float that is not normal.
[[nodiscard]] INGOT_INLINE uint64_t from_single(uint32_t bits) noexcept {
  const uint32_t exponent = bits >> 23 & 0xFF;
  if (exponent == 0 || exponent == 0xFF) return 0;
  return uint64_t{bits >> 31} << 63 | uint64_t{exponent + (1023 - 127)} << 52 |
         uint64_t{bits & 0x7F'FFFF} << 29;
}

/// Loads a little-endian number of 1 to 8 bytes.
[[nodiscard]] INGOT_INLINE uint64_t load_number(const std::byte* from, uint32_t bytes) noexcept {
  switch (bytes) {
  case 1: return std::to_integer<uint64_t>(*from);
  case 2: return load_le<uint16_t>(from);
  case 4: return load_le<uint32_t>(from);
  case 8: return load_le<uint64_t>(from);
  default: break;
  }
  uint64_t n = 0;
  for (uint32_t i = bytes; i-- != 0;) n = n << 8 | std::to_integer<uint64_t>(from[i]);
  return n;
}
INGOT_INLINE void store_number(std::byte* to, uint64_t n, uint32_t bytes) noexcept {
  switch (bytes) {
  case 1: to[0] = static_cast<std::byte>(n); return;
  case 2: store_le(to, static_cast<uint16_t>(n)); return;
  case 4: store_le(to, static_cast<uint32_t>(n)); return;
  case 8: store_le(to, n); return;
  default: break;
  }
  for (uint32_t i = 0; i < bytes; ++i, n >>= 8) to[i] = static_cast<std::byte>(n & 0xFF);
}
/// Loads a little-endian integer of 1 to 8 bytes in two's complement.
[[nodiscard]] INGOT_INLINE std::int64_t load_signed(const std::byte* from, uint32_t bytes) noexcept {
  const uint32_t unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(load_number(from, bytes) << unused) >> unused;
}

/// Reads a length below 2^31: seven bits in each byte, least significant first, in the shortest
/// form. Returns false if there is no such length.
[[nodiscard]] INGOT_NOINLINE inline bool read_long_length(const std::byte* start, uint32_t& at, uint32_t end,
                                                          uint32_t& n) noexcept {
  n = 0;
  for (uint32_t shift = 0; shift < 35 && at < end; shift += 7) {
    const auto byte = std::to_integer<uint32_t>(start[at++]);
    if (shift == 28 && byte > 7) return false;
    n |= (byte & 0x7F) << shift;
    if (byte < 0x80) return byte != 0 || shift == 0;
  }
  return false;
}
[[nodiscard]] INGOT_INLINE bool read_length(const std::byte* start, uint32_t& at, uint32_t end,
                                            uint32_t& n) noexcept {
  if (at < end && std::to_integer<uint8_t>(start[at]) < 0x80) [[likely]] {
    n = std::to_integer<uint32_t>(start[at++]);
    return true;
  }
  return read_long_length(start, at, end, n);
}

[[nodiscard]] INGOT_INLINE uint32_t bytes_of_length(uint32_t n) noexcept {
  return (static_cast<uint32_t>(std::bit_width(n | 1)) + 6) / 7;
}

/// A value of an archive, without its elements.
struct archive_head {
  value_kind kind = value_kind::absent;
  bool is_packed = false;
  uint8_t width = 0;   ///< packed array: size of each integer in bytes
  uint64_t number = 0; ///< content of a scalar, as in `item`
  uint32_t shape = 0;  ///< object with members: number of its shape
  uint32_t body = 0;   ///< start of its text or elements
  uint32_t next = 0;   ///< end of its text or elements

  [[nodiscard]] INGOT_INLINE uint32_t length() const noexcept { return next - body; }
  /// Converts a scalar, text or bytes to an item.
  [[nodiscard]] INGOT_INLINE item as_item(const std::byte* start) const noexcept {
    if (kind != value_kind::text && kind != value_kind::binary) return item::of(kind, number);
    return item::text(kind, start + body, length());
  }
};

/// Reads the value at `at`. Returns false if there is no value that ends at or before `end`, or if
/// the value is not in its only valid encoding. Does not read the elements of arrays and objects.
[[nodiscard]] INGOT_INLINE bool read_archive_head(const std::byte* start, uint32_t at, uint32_t end,
                                                  archive_head& found) noexcept {
  namespace cbor_tag = archive_tag;
  if (at >= end) return false;
  const auto tag = std::to_integer<uint8_t>(start[at++]);
  found = archive_head{};
  found.body = found.next = at;
  const auto sized = [&](value_kind kind, uint32_t length) {
    found.kind = kind;
    found.body = at;
    if (length > end - at) return false;
    found.next = at + length;
    return true;
  };
  const auto scalar = [&](value_kind kind, uint64_t number) {
    found.kind = kind;
    found.number = number;
    return true;
  };
  uint32_t n = 0;
  if (tag < cbor_tag::short_text) return scalar(value_kind::integer, tag);
  if (tag < cbor_tag::small_negative) return sized(value_kind::text, tag - uint32_t{cbor_tag::short_text});
  if (tag < cbor_tag::null)
    return scalar(value_kind::integer,
                  static_cast<uint64_t>(std::int64_t{tag} - cbor_tag::null)); // -16 to -1
  if (tag >= cbor_tag::shaped) {
    found.shape = tag - uint32_t{cbor_tag::shaped};
    return read_length(start, at, end, n) && sized(value_kind::object, n) && n != 0;
  }
  if (tag >= cbor_tag::packed) {
    if (tag >= cbor_tag::packed + 8 || !read_length(start, at, end, n) || n == 0) return false;
    found.is_packed = true;
    found.width = static_cast<uint8_t>(tag - cbor_tag::packed + 1);
    return n <= (end - at) / found.width && sized(value_kind::array, n * found.width);
  }
  if (tag >= cbor_tag::real) {
    const uint32_t bytes = tag - uint32_t{cbor_tag::real};
    if (bytes > 9 || !sized(value_kind::number, bytes == 9 ? 4 : bytes)) return false;
    if (bytes == 9) {
      found.number = from_single(static_cast<uint32_t>(load_number(start + at, 4)));
      return bytes_of_real(found.number) == 5;
    }
    if (bytes == 0) return true;
    found.number = load_number(start + at, bytes) << (64 - 8 * bytes);
    return bytes_of_real(found.number) == bytes && (bytes != 5 || !is_float(found.number));
  }
  if (tag >= cbor_tag::positive) {
    const bool negative = tag >= cbor_tag::complement;
    const uint32_t bytes = (tag & 7U) + 1;
    if (!sized(value_kind::integer, bytes)) return false;
    const uint64_t number = load_number(start + at, bytes);
    if (bytes_of_number(number) != bytes ||
        number < (negative ? archive_small_negatives : archive_small_integers) ||
        (negative && number >> 63 != 0))
      return false;
    found.number = negative ? ~number : number;
    if (!negative && number >> 63 != 0) found.kind = value_kind::large_integer;
    return true;
  }
  switch (tag) {
  case cbor_tag::null: return scalar(value_kind::null, 0);
  case cbor_tag::no: return scalar(value_kind::boolean, 0);
  case cbor_tag::yes: return scalar(value_kind::boolean, 1);
  case cbor_tag::text:
    return read_length(start, at, end, n) && sized(value_kind::text, n) && n >= archive_short_texts;
  case cbor_tag::binary: return read_length(start, at, end, n) && sized(value_kind::binary, n);
  case cbor_tag::array: return read_length(start, at, end, n) && sized(value_kind::array, n) && n != 0;
  case cbor_tag::object:
    return read_length(start, at, end, found.shape) && found.shape >= archive_small_shapes &&
           read_length(start, at, end, n) && sized(value_kind::object, n) && n != 0;
  case cbor_tag::empty_array: return scalar(value_kind::array, 0);
  case cbor_tag::empty_object: return scalar(value_kind::object, 0);
  default: return false;
  }
}

/// Returns the position after the value at `at`; 0 if there is no value. Reads only tags and
/// lengths.
[[nodiscard]] INGOT_INLINE uint32_t skip_archived(const std::byte* start, uint32_t at,
                                                  uint32_t end) noexcept {
  namespace cbor_tag = archive_tag;
  if (at >= end) return 0;
  const auto tag = std::to_integer<uint8_t>(start[at++]);
  uint32_t n = 0;
  if (tag < cbor_tag::short_text) return at;
  if (tag < cbor_tag::null) {
    n = tag < cbor_tag::small_negative ? tag - uint32_t{cbor_tag::short_text} : 0;
  } else if (tag >= cbor_tag::shaped) {
    if (!read_length(start, at, end, n)) return 0;
  } else if (tag >= cbor_tag::packed) {
    if (tag >= cbor_tag::packed + 8 || !read_length(start, at, end, n)) return 0;
    const uint32_t width = tag - uint32_t{cbor_tag::packed} + 1;
    if (n > (end - at) / width) return 0;
    n *= width;
  } else if (tag >= cbor_tag::real) {
    n = tag - uint32_t{cbor_tag::real};
    if (n > 9) return 0;
    if (n == 9) n = 4;
  } else if (tag >= cbor_tag::positive) {
    n = (tag & 7U) + 1;
  } else if (tag == cbor_tag::object) {
    uint32_t shape = 0;
    if (!read_length(start, at, end, shape) || !read_length(start, at, end, n)) return 0;
  } else if (tag >= cbor_tag::text && tag <= cbor_tag::array) {
    if (!read_length(start, at, end, n)) return 0;
  } else if (tag > cbor_tag::empty_object) {
    return 0;
  }
  return n <= end - at ? at + n : 0;
}

/// The parts of an archive: keys, shapes, root. Each part begins at the end of the previous part.
/// The root ends at the end of the archive.
struct archive_parts {
  uint32_t keys = 0;   ///< number of keys
  uint32_t shapes = 0; ///< number of shapes
  uint32_t keys_at = 0;
  uint32_t keys_end = 0;
  uint32_t shapes_at = 0;
  uint32_t shapes_end = 0; ///< start of the root
  uint32_t end = 0;
};

enum class shape_outcome : uint8_t {
  read,
  bad,
  unused, ///< the remaining bytes are too few for an object with so many keys
  no_memory,
};

/// Reads the shape at `at`. Appends the ascending numbers of its keys to `ids`.
template <class Ids>
[[nodiscard]] inline shape_outcome read_archive_shape(const std::byte* start, uint32_t& at,
                                                      const archive_parts& parts, uint32_t& count,
                                                      Ids& ids) noexcept {
  const uint32_t end = parts.shapes_end;
  const uint32_t keys = parts.keys;
  if (!read_length(start, at, end, count) || count == 0 || count > keys) return shape_outcome::bad;
  // An object with this shape must follow, with `count` elements of at least one byte. So the
  // remaining bytes limit the list.
  if (count > parts.end - end) return shape_outcome::unused;
  switch (form_of_shape(count, keys)) {
  case shape_form::all:
    for (uint32_t i = 0; i < count; ++i) {
      if (!ids.push(i)) return shape_outcome::no_memory;
    }
    return shape_outcome::read;
  case shape_form::bits: {
    const uint32_t bytes = (keys + 7) / 8;
    if (bytes > end - at) return shape_outcome::bad;
    uint32_t met = 0;
    for (uint32_t i = 0; i < bytes; ++i) {
      for (auto bits = std::to_integer<uint32_t>(start[at + i]); bits != 0; bits &= bits - 1, ++met) {
        const uint32_t id = 8 * i + static_cast<uint32_t>(std::countr_zero(bits));
        if (id >= keys) return shape_outcome::bad;
        if (!ids.push(id)) return shape_outcome::no_memory;
      }
    }
    at += bytes;
    return met == count ? shape_outcome::read : shape_outcome::bad;
  }
  default:
    for (uint32_t i = 0, next = 0; i < count; ++i) {
      uint32_t gap = 0;
      if (!read_length(start, at, end, gap) || next >= keys || gap >= keys - next) return shape_outcome::bad;
      if (!ids.push(next + gap)) return shape_outcome::no_memory;
      next += gap + 1;
    }
    return shape_outcome::read;
  }
}
/// Returns the position after the shape at `at`; 0 if there is no shape.
[[nodiscard]] inline uint32_t skip_archive_shape(const std::byte* start, uint32_t at,
                                                 const archive_parts& parts) noexcept {
  uint32_t count = 0;
  if (!read_length(start, at, parts.shapes_end, count) || count == 0 || count > parts.keys) return 0;
  switch (form_of_shape(count, parts.keys)) {
  case shape_form::all: return at;
  case shape_form::bits: {
    const uint32_t bytes = (parts.keys + 7) / 8;
    return bytes <= parts.shapes_end - at ? at + bytes : 0;
  }
  default:
    for (uint32_t gap = 0; count != 0; --count) {
      if (!read_length(start, at, parts.shapes_end, gap)) return 0;
    }
    return at;
  }
}

}}} // namespace ingot::INGOT_V1::detail::doc
