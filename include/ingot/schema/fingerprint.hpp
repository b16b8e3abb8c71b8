// SPDX-License-Identifier: Apache-2.0
// The parts of a schema, and the hash function of its fingerprint. The numbers in this file belong
// to every format that contains a fingerprint; docs/format.md is the normative text.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// The kind of a part. The numbers enter the fingerprint and never change.
enum class schema_kind : std::uint8_t {
  none = 0, ///< no part has this kind
  boolean = 1,
  integer = 2,
  floating = 3,
  character = 4,
  byte = 5,
  enumeration = 6,
  duration = 7,   ///< child: its count
  time_point = 8, ///< child: a duration, the time since the epoch
  complex = 9,    ///< child: one of its two floats
  bitset = 10,
  string = 11,
  path = 12,
  sequence = 13,      ///< vector, deque, list, span, ...
  array = 14,         ///< C array, std::array
  set = 15,           ///< ordered
  unordered_set = 16, ///< hashed
  map = 17,           ///< ordered; children: key, value
  unordered_map = 18, ///< hashed; children: key, value
  optional = 19,      ///< also a pointer that may be null, which has the same encoding
  variant = 20,       ///< children: the alternatives, with their names
  expected = 21,      ///< children: value (unless void), error
  tuple = 22,         ///< also pair
  record = 23,        ///< children: the members that are not skipped; members of bases first
  recursion = 24,     ///< a reference to an open record (see `schema_walk`)
  document = 25,      ///< a value of any kind
};

/// Bits of `schema_attributes::flags`. The numbers enter the fingerprint and never change.
enum class schema_flag : std::uint8_t {
  is_signed = 1,      ///< integer, enumeration
  is_tight_float = 1, ///< record: its floats have the tight encoding in the compact profile
  names_tags = 1,     ///< variant: the program gave the names of its alternatives
  is_open = 2,        ///< enumeration: numbers without an enumerator are valid
  is_multi = 4,       ///< sets and maps: keys may repeat
  /// enumeration: combinations of the enumerators' bits are values, and so is zero
  is_flags = 4,
  is_evolvable = 8,     ///< record
  is_versioned = 16,    ///< record
  elides_defaults = 32, ///< record: the compact profile omits members that have their default
  is_varint = 64,       ///< record: its integers are varints in the compact profile
  is_short_float = 128, ///< record: its floats have the short encoding in the compact profile
};

/// Bits of the annotations of a member that change its bytes in the compact profile.
enum class schema_annotation : std::uint8_t {
  is_varint = 1,
  is_fixed = 2,
  is_short_float = 4,
  is_tight_float = 8,
  /// floats are rounded to a step of units * 10^-digits: the units are in bits 8 to 39, the digits
  /// in bits 40 to 47
  is_quantized = 16,
  /// arrays of floats are unit vectors: the size of an encoded vector in bytes is in bits 48 to 55;
  /// 0 is the default size
  is_unit_vector = 32,
};

/// One part of a schema, without its children.
struct schema_attributes {
  schema_kind kind{}; ///< kind of the part
  /// size in bytes of a scalar, of an enumeration's values, or of a string's characters
  std::uint8_t width = 0;
  std::uint8_t flags = 0; ///< bits of `schema_flag`
  /// array: the number of elements; bitset: the number of bits; duration: the numerator of the
  /// period in seconds; versioned record: the version; recursion: the number of open records (see
  /// `schema_walk`) that were opened after the target
  std::uint64_t extent = 0;
  std::uint64_t divisor = 0; ///< duration: denominator of the period

  /// Returns true if the flag is set.
  [[nodiscard]] constexpr bool has(schema_flag flag) const noexcept {
    return (flags & static_cast<std::uint8_t>(flag)) != 0;
  }
  friend constexpr bool operator==(const schema_attributes&, const schema_attributes&) = default;
};

namespace detail {

/// The hash function of all fingerprints. It multiplies and folds each 64-bit word, and ends with
/// an avalanche. The input is words and not bytes, because words need fewer steps, and compilers
/// interpret each step of a constant expression.
class fingerprint {
public:
  constexpr void word(std::uint64_t w) noexcept {
    state_ = (state_ ^ w) * 0x9E3779B97F4A7C15U;
    state_ ^= state_ >> 32;
  }
  /// Adds the length, then the bytes as little-endian words. Zeros fill the last word.
  constexpr void text(std::string_view s) noexcept {
    word(s.size());
    for (std::size_t i = 0; i < s.size();) {
      std::uint64_t w = 0;
      for (unsigned shift = 0; shift < 64 && i < s.size(); shift += 8, ++i) {
        w |= static_cast<std::uint64_t>(static_cast<unsigned char>(s[i])) << shift;
      }
      word(w);
    }
  }
  constexpr void header(const schema_attributes& attributes, std::size_t children) noexcept {
    word(static_cast<std::uint64_t>(attributes.kind) | static_cast<std::uint64_t>(attributes.width) << 8 |
         static_cast<std::uint64_t>(attributes.flags) << 16 | static_cast<std::uint64_t>(children) << 32);
    word(attributes.extent);
    word(attributes.divisor);
  }
  constexpr void enumerator(std::uint64_t value, std::string_view name) noexcept {
    word(value);
    text(name);
  }
  constexpr void member(std::string_view name, std::uint64_t annotations, std::uint64_t id) noexcept {
    text(name);
    word(annotations);
    word(id);
  }
  constexpr void alternative(std::string_view name, std::uint64_t id) noexcept {
    text(name);
    word(id);
  }
  [[nodiscard]] constexpr std::uint64_t finish() const noexcept {
    std::uint64_t h = state_;
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCDU;
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53U;
    return h ^ h >> 33;
  }

private:
  std::uint64_t state_ = 0xCBF29CE484222325U;
};

} // namespace detail
}} // namespace ingot::INGOT_V1
