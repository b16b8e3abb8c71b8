// SPDX-License-Identifier: Apache-2.0
// The layout of the compact profile: the encoding of each member. Shared by writer, reader and
// index.
//
// Values follow each other in declaration order. Lengths are varints. Annotations of a member or of
// its type turn integers into varints and make floats short. A type may leave out members that
// equal their default. docs/format.md describes the bytes.
#pragma once

#include <ingot/pack/detail/key_floats.hpp>
#include <ingot/pack/layout.hpp>
#include <ingot/reflect/detail/lossy_options.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The encoding of a member's scalars. It applies inside sequences, arrays, optionals and tuples of
/// scalars, but not inside records, which have annotations of their own.
///
/// - A float has at most one encoding. A lossy encoding takes precedence over `tight_float`, and
///   `tight_float` over `short_float`.
/// - With `quantized`, the higher bits contain the step; see `quantum`.
/// - `unit_vector` applies to arrays of three or four floats. Other floats may have another
///   encoding at the same time. The higher bits contain the size of the vector in bytes.
/// - `unit_part` is one number of a unit vector, for readers that read each number separately: see
///   `unit_part_of`.
/// - `in_key` is for writers: zeros lose their sign, also in records that are part of the key.
enum class encoding : std::uint64_t {
  plain = 0,
  varint = 1,
  short_float = 2,
  varint_and_short_float = 3,
  tight_float = 4,
  quantized = 8,
  unit_vector = 16,
  unit_part = 32,
  in_key = 64
};

constexpr bool spells(encoding how, encoding what) noexcept {
  return (std::to_underlying(how) & std::to_underlying(what)) != 0;
}
constexpr encoding encoding_from(bool varint, bool short_float, bool tight_float) noexcept {
  const unsigned floats = tight_float ? 4 : short_float ? 2 : 0;
  return static_cast<encoding>((varint ? 1U : 0U) | floats);
}

constexpr encoding only_in_key(encoding how) noexcept {
  return static_cast<encoding>(std::to_underlying(how) & std::to_underlying(encoding::in_key));
}
constexpr encoding combined_encoding(encoding how, encoding what) noexcept {
  return static_cast<encoding>(std::to_underlying(how) | std::to_underlying(what));
}

/// The step of quantised floats: `units` times 10^-digits.
struct quantum {
  std::uint32_t units = 1;
  unsigned digits = 0;
};
/// Returns `flags`, which has one byte, with a step in the bits above. The next 32 bits have the
/// units, and the byte after them has the digits.
constexpr std::uint64_t with_quantum(std::uint64_t flags, quantum step) noexcept {
  return flags | static_cast<std::uint64_t>(step.units) << 8 | static_cast<std::uint64_t>(step.digits) << 40;
}
constexpr quantum quantum_in(std::uint64_t word) noexcept {
  return {static_cast<std::uint32_t>(word >> 8), static_cast<unsigned>(word >> 40 & 0xFF)};
}

/// Returns the size in bytes of an array of `count` floats if it is encoded as a unit vector;
/// otherwise 0.
constexpr unsigned unit_size(encoding how, std::uint64_t count) noexcept {
  return spells(how, encoding::unit_vector)
             ? unit_size_of(static_cast<unsigned>(std::to_underlying(how) >> 48 & 0xFF), count)
             : 0;
}
constexpr std::uint64_t with_unit_vector(std::uint64_t word, unsigned bytes) noexcept {
  return word | std::to_underlying(encoding::unit_vector) | static_cast<std::uint64_t>(bytes) << 48;
}
/// Returns the encoding of number `index` in a unit vector of `count` numbers and `size` bytes. The
/// functions below return `count`, `size` and `index` from the encoding.
constexpr encoding unit_part_of(unsigned count, unsigned size, unsigned index) noexcept {
  return static_cast<encoding>(std::uint64_t{std::to_underlying(encoding::unit_part)} | count << 8 |
                               size << 16 | index << 24);
}
constexpr unsigned unit_count_in(encoding part) noexcept { return std::to_underlying(part) >> 8 & 0xFF; }
constexpr unsigned unit_size_in(encoding part) noexcept { return std::to_underlying(part) >> 16 & 0xFF; }
constexpr unsigned unit_index_in(encoding part) noexcept { return std::to_underlying(part) >> 24 & 0xFF; }

/// Returns the encoding that the member's annotations request. If they request no encoding, returns
/// the encoding that the type's annotations request.
template <class T, std::size_t I>
consteval encoding member_encoding() {
  constexpr encoding own = encoding_from(member_has<T, I, varint_t>, member_has<T, I, short_float_t>,
                                         member_has<T, I, tight_float_t>);
  constexpr encoding types =
      encoding_from(type_has<T, varint_t>, type_has<T, short_float_t>, type_has<T, tight_float_t>);
  if constexpr (member_has<T, I, fixed_t>) return encoding::plain;
  else {
    auto word = std::to_underlying(own);
    if constexpr (has_lossy_member<T>) {
      constexpr lossy_options lost = lossy_options_of<T, I>();
      if constexpr (lost.is_quantized)
        word = with_quantum((member_has<T, I, varint_t> ? 1U : 0U) | 8U, {lost.step.units, lost.step.digits});
      if constexpr (lost.is_unit_vector) word = with_unit_vector(word, lost.unit.bytes);
    }
    return word != 0 ? static_cast<encoding>(word) : types;
  }
}
/// Returns the size in bytes of a `T` if it is encoded as a unit vector; otherwise 0.
template <class T, encoding S>
consteval std::size_t compute_unit_whole() {
  if constexpr (spells(S, encoding::unit_vector) && kind_of<T> == kind::array) {
    if constexpr (kind_of<element_t<T>> == kind::floating) return unit_size(S, array_size<T>);
  }
  return 0;
}
template <class T, encoding S>
inline constexpr std::size_t unit_whole = compute_unit_whole<T, S>();
/// True if some values can't be encoded with `S`.
template <encoding S>
inline constexpr bool rejects_values = spells(S, encoding::quantized) || spells(S, encoding::unit_vector);
/// Returns the encoding of a part: in a record, the encoding of the member; in a tuple or map
/// entry, `Outer`.
template <class T, std::size_t I, encoding Outer>
consteval encoding compute_part_encoding() {
  if constexpr (!is_entry<T> && kind_of<T> == kind::record)
    return combined_encoding(member_encoding<T, I>(), only_in_key(Outer));
  else return Outer;
}
template <class T, std::size_t I, encoding Outer>
inline constexpr encoding part_encoding = compute_part_encoding<T, I, Outer>();

/// Returns true if the size of this scalar depends on its value.
template <class T, encoding S>
consteval bool scalar_varies() {
  if constexpr (kind_of<T> == kind::integer || kind_of<T> == kind::enumeration)
    return spells(S, encoding::varint) && sizeof(T) > 1;
  else return kind_of<T> == kind::floating && (std::to_underlying(S) & 0xE) != 0;
}

template <class T>
inline constexpr bool elides_defaults = kind_of<T> == kind::record && type_has<T, elide_defaults_t>;

/// Returns the number of members that have a bit in the mask of a record that elides defaults.
template <class T>
consteval std::size_t elidable_count() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (std::size_t{0} + ... + (parts<T>::template skipped<I> ? 0 : 1));
  }(std::make_index_sequence<parts<T>::count>{});
}
template <class T>
inline constexpr std::size_t mask_size = (elidable_count<T>() + 7) / 8;

template <class T, encoding S>
consteval bool compute_compact_fixed();

/// True if every value takes `slot_size` bytes.
template <class T, encoding S = encoding::plain>
inline constexpr bool is_compact_fixed = compute_compact_fixed<T, S>();

template <class T, encoding S>
consteval bool compute_compact_fixed() {
  if constexpr (std::is_same_v<T, nothing>) return true;
  else if constexpr (!is_fixed<T> || is_tagged<T>) return false;
  else if constexpr (elides_defaults<T>) return false;
  else if constexpr (kind_of<T> == kind::adapted) return is_compact_fixed<adapted_t<T>, S>;
  else if constexpr (unit_whole<T, S> != 0) return false;
  else if constexpr (kind_of<T> == kind::array) return is_compact_fixed<element_t<T>, S>;
  else if constexpr (has_parts<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((parts<T>::template skipped<I> ||
               is_compact_fixed<typename parts<T>::template type<I>, part_encoding<T, I, S>>) &&
              ...);
    }(std::make_index_sequence<parts<T>::count>{});
  } else return !scalar_varies<T, S>();
}

/// True if memcpy can encode and decode a value.
template <class T, encoding S = encoding::plain>
inline constexpr bool is_compact_bitwise =
    is_bitwise<T> && is_compact_fixed<T, S> && !(spells(S, encoding::in_key) && has_float<T>());

template <class T, encoding S, class... Path>
consteval std::size_t compute_min_size() {
  if constexpr (std::is_same_v<T, nothing>) return 0;
  else if constexpr (has_parts<T>) {
    if constexpr (is_evolvable<T> || is_any_of<T, Path...>) return 1;
    else if constexpr (elides_defaults<T>) return mask_size<T>;
    else {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        std::size_t total = 0;
        [[maybe_unused]] const auto add = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
          if constexpr (!parts<T>::template skipped<J>) {
            total +=
                compute_min_size<typename parts<T>::template type<J>, part_encoding<T, J, S>, Path..., T>();
          }
        };
        (add(std::integral_constant<std::size_t, I>{}), ...);
        return total;
      }(std::make_index_sequence<parts<T>::count>{});
    }
  } else if constexpr (kind_of<T> == kind::adapted) return compute_min_size<adapted_t<T>, S, Path...>();
  else if constexpr (unit_whole<T, S> != 0) return unit_whole<T, S>;
  else if constexpr (kind_of<T> == kind::array) {
    return array_size<T> * compute_min_size<element_t<T>, S, Path...>();
  } else if constexpr (is_tagged<T> || is_list<T> || is_text<T>) return 1;
  else if constexpr (scalar_varies<T, S>()) return 1;
  else return slot_size<T>;
}
/// Minimum size of a value in bytes. Readers check the counts of lists with this size.
template <class T, encoding S = encoding::plain>
inline constexpr std::size_t min_size = compute_min_size<T, S>();

/// Returns the number of members, from `I` on, that one memcpy can copy together.
template <class T, encoding S, std::size_t I>
consteval std::size_t compact_run() {
  if constexpr (spells(S, encoding::in_key)) return 1;
  std::size_t length = run_lengths<T>[I];
  [&]<std::size_t... J>(std::index_sequence<J...>) {
    constexpr std::array<bool, sizeof...(J)> plain{
        is_compact_fixed<typename parts<T>::template type<J>, part_encoding<T, J, S>>...};
    for (std::size_t i = 0; i < length; ++i) {
      if (!plain[I + i]) length = i == 0 ? 1 : i;
    }
  }(std::make_index_sequence<parts<T>::count>{});
  return length;
}

// --- varints -------------------------------------------------------------------------------------

/// Maximum size of a varint in bytes. Each byte has seven bits of the number, the least significant
/// bits first. The high bit is set in all bytes except the last byte. A varint has as few bytes as
/// possible.
inline constexpr std::size_t varint_limit = 10;

constexpr std::size_t varint_size(std::uint64_t value) noexcept {
  return value < 0x80 ? 1 : (static_cast<std::size_t>(std::bit_width(value)) + 6) / 7;
}

/// Maps signed integers of small magnitude to small unsigned integers: 0, -1, 1, -2 to 0, 1, 2, 3.
constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}
template <class T>
constexpr std::uint64_t to_varint(T value) noexcept {
  if constexpr (std::is_enum_v<T>) return to_varint(static_cast<std::underlying_type_t<T>>(value));
  else if constexpr (std::is_signed_v<T>) return zigzag(value);
  else return value;
}

INGOT_NOINLINE constexpr std::byte* put_long_varint(std::byte* to, std::uint64_t value) noexcept {
  while (value >= 0x80) {
    *to++ = static_cast<std::byte>(value | 0x80);
    value >>= 7;
  }
  *to++ = static_cast<std::byte>(value);
  return to;
}
INGOT_INLINE constexpr std::byte* put_varint(std::byte* to, std::uint64_t value) noexcept {
  if (value < 0x80) [[likely]] {
    *to = static_cast<std::byte>(value);
    return to + 1;
  }
  return put_long_varint(to, value);
}

}}} // namespace ingot::INGOT_V1::detail
