// SPDX-License-Identifier: Apache-2.0
// The hash of keys. It determines the layout of hash tables in blocks, so it is a part of the
// format: a key has the same hash on every machine, for any byte order. All arithmetic is on
// unsigned 64-bit numbers and wraps around. The seed of a table selects one of two hashes: the fast
// hash for `first_seed`, the keyed hash (detail/keyed_hash.hpp) for every other seed.
//
// The fast hash is
//
//   fold(s, x, y)   a = x ^ s; b = y ^ rotate(s, 32); p = a * b, a product of 128 bits;
//                   result = upper half of p ^ lower half of p
//   number          fold(s, v, 0); v is the value in 64-bit two's complement. A bool is 0 or 1,
//                   a character its unsigned code unit, an enum its number, a duration or time
//                   its count
//   float           fold(s, v, 0); v is the bits of the value as a double; -0 counts as +0; NaN is
//                   not a key
//   text            its code units as bytes, least significant byte first; n bytes in total.
//                     First s = s ^ (n * text_factor).
//                     While more than 16 bytes are left: s = fold(s, next 8 bytes, 8 bytes after
//                     those), each a little-endian number.
//                     At the end fold(s, x, y):
//                       n > 16    x = bytes n-16 .. n-9,  y = bytes n-8 .. n-1
//                       8 .. 16   x = bytes 0 .. 7,       y = bytes n-8 .. n-1
//                       4 .. 7    x = bytes 0 .. 3,       y = bytes n-4 .. n-1
//                       1 .. 3    x = byte 0 + byte n/2 * 2^8 + byte n-1 * 2^16,  y = 0
//                       0         x = y = 0
//   pair, record    for each member in order: s = hash of the member with s
//   array           for each element in order: s = hash of the element with s. An array of
//                   one-byte numbers is hashed as text of these bytes
//   sequence        as an array; unless it was hashed as text, s = fold(s, number of elements, 0)
//                   follows
//
// A hash starts with s = `first_seed`. This seed is public, so colliding keys are easy to find. A
// table with too many collisions takes another seed, and with it the keyed hash.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/wide_product.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/live/detail/key_order.hpp>
#include <ingot/live/detail/keyed_hash.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

[[nodiscard]] INGOT_INLINE constexpr std::uint64_t fold(std::uint64_t s, std::uint64_t x,
                                                        std::uint64_t y) noexcept {
  const wide_product both = multiply(x ^ s, y ^ std::rotl(s, 32));
  return both.high ^ both.low;
}

/// The fraction bits of the square root of 2, with the lowest bit set. Derived from a known
/// constant, so that its value is not a free choice.
inline constexpr std::uint64_t text_factor = 0x6A09E667F3BCC909;

/// The seed of the fast hash. With this seed, the hash multiplies the first number by the golden
/// ratio, which distributes consecutive numbers evenly.
inline constexpr std::uint64_t first_seed = std::rotl(std::uint64_t{0x9E3779B97F4A7C15}, 32);

/// Returns the bytes of a text from byte `at` on, as a little-endian `Word`.
template <class Word, class Char>
[[nodiscard]] constexpr std::uint64_t gather_units(const Char* text, std::size_t at) noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    const auto unit =
        static_cast<std::uint64_t>(text[(at + i) / sizeof(Char)]); // NOLINT: sign is cut off below
    word |= (unit >> (at + i) % sizeof(Char) * 8 & 0xFF) << 8 * i;
  }
  return word;
}
template <class Word, class Char>
[[nodiscard]] INGOT_INLINE constexpr std::uint64_t load_units(const Char* text, std::size_t at) noexcept {
  if consteval {
    return gather_units<Word>(text, at);
  } else {
    if constexpr (little_endian || sizeof(Char) == 1)
      return load_le<Word>(reinterpret_cast<const std::byte*>(text) + at);
    else return gather_units<Word>(text, at);
  }
}

template <class Char>
[[nodiscard]] INGOT_INLINE constexpr std::uint64_t hash_text(std::uint64_t s, const Char* text,
                                                             std::size_t units) noexcept {
  const std::size_t n = units * sizeof(Char);
  s ^= n * text_factor;
  if (n > 16) {
    std::size_t at = 0;
    for (; n - at > 16; at += 16)
      s = fold(s, load_units<std::uint64_t>(text, at), load_units<std::uint64_t>(text, at + 8));
    return fold(s, load_units<std::uint64_t>(text, n - 16), load_units<std::uint64_t>(text, n - 8));
  }
  if (n >= 8) return fold(s, load_units<std::uint64_t>(text, 0), load_units<std::uint64_t>(text, n - 8));
  if (n >= 4) return fold(s, load_units<std::uint32_t>(text, 0), load_units<std::uint32_t>(text, n - 4));
  if (n == 0) return fold(s, 0, 0);
  return fold(s,
              load_units<std::uint8_t>(text, 0) | load_units<std::uint8_t>(text, n / 2) << 8 |
                  load_units<std::uint8_t>(text, n - 1) << 16,
              0);
}

/// Same as `hash_text`, but without a branch on lengths from 8 to 32. Such a branch is mispredicted
/// when lengths vary. The first `fold` is always computed. If the text has at most 16 bytes, a mask
/// discards the result.
template <class Char>
[[nodiscard]] INGOT_INLINE std::uint64_t hash_text_steadily(std::uint64_t s, const Char* text,
                                                            std::size_t units) noexcept {
  const std::size_t n = units * sizeof(Char);
  if (n < 8 || n > 32) return hash_text(s, text, units);
  s ^= n * text_factor;
  const std::uint64_t longer = 0 - std::uint64_t{n > 16};
  // For n <= 16, the result of the first `fold` is not used, so `second` may be the position of any
  // 8 bytes of the text.
  const std::size_t second = n - 8 < 8 ? n - 8 : 8;
  const std::uint64_t stepped =
      fold(s, load_units<std::uint64_t>(text, 0), load_units<std::uint64_t>(text, second));
  s ^= (s ^ stepped) & longer;
  return fold(s, load_units<std::uint64_t>(text, (n - 16) & static_cast<std::size_t>(longer)),
              load_units<std::uint64_t>(text, n - 8));
}

/// Returns the value of a key that is one number: an integer, enum, bool, character, byte, duration
/// or time point.
template <class K>
[[nodiscard]] INGOT_INLINE constexpr std::uint64_t key_number(const K& key) noexcept {
  if constexpr (memory_kind_of<K> == kind::enumeration) return key_number(std::to_underlying(key));
  else if constexpr (memory_kind_of<K> == kind::duration) return key_number(key.count());
  else if constexpr (memory_kind_of<K> == kind::time_point) return key_number(key.time_since_epoch());
  else if constexpr (memory_kind_of<K> == kind::character) return static_cast<std::make_unsigned_t<K>>(key);
  else return static_cast<std::uint64_t>(key); // sign-extended if signed
}

template <class T>
consteval bool is_byte_like() {
  return is_plain_key<T>() && sizeof(T) == 1;
}
/// Contiguous elements of one byte.
template <class T>
concept byte_run =
    (is_array_like<T> || kind_of<T> == kind::sequence) && is_byte_like<std::remove_cv_t<element_t<T>>>() &&
    requires(const T& run) { std::data(run); };

/// Hash state for the fast hash. Takes numbers, texts and counts in order.
struct fold_state {
  std::uint64_t s;
  [[nodiscard]] INGOT_INLINE constexpr fold_state number(std::uint64_t value) const noexcept {
    return {fold(s, value, 0)};
  }
  template <class Char>
  [[nodiscard]] INGOT_INLINE constexpr fold_state text(const Char* first, std::size_t units) const noexcept {
    return {hash_text(s, first, units)};
  }
  [[nodiscard]] INGOT_INLINE constexpr std::uint64_t done() const noexcept { return s; }
};
/// Hash state for the keyed hash, which hashes a list of 64-bit words. Two different keys of one
/// type never give the same words. This is because the key can be decoded from its last word to its
/// first: the length of a text follows its characters, and the number of elements of a sequence
/// follows the elements.
struct keyed_state {
  keyed_hash to;
  [[nodiscard]] constexpr keyed_state number(std::uint64_t value) const noexcept {
    keyed_state next = *this;
    next.to.add(value);
    return next;
  }
  template <class Char>
  [[nodiscard]] constexpr keyed_state text(const Char* first, std::size_t units) const noexcept {
    keyed_state next = *this;
    const std::size_t n = units * sizeof(Char);
    std::size_t at = 0;
    for (; n - at >= 8; at += 8) next.to.add(load_units<std::uint64_t>(first, at));
    std::uint64_t rest = 0;
    for (std::size_t i = at; i != n; ++i) rest |= load_units<std::uint8_t>(first, i) << 8 * (i - at);
    if (at != n) next.to.add(rest);
    next.to.add(n);
    return next;
  }
  [[nodiscard]] constexpr std::uint64_t done() const noexcept { return to.done(); }
};

/// Returns the hash with the seed of a table. `put` takes the initial hash state, adds the key, and
/// returns the state after that.
template <class Put>
[[nodiscard]] constexpr std::uint64_t hash_under(std::uint64_t seed, const Put& put) {
  if (seed == first_seed) [[likely]]
    return put(fold_state{first_seed}).done();
  return put(keyed_state{keyed_hash(seed)}).done();
}

/// Adds a key, or a twin of a key, to a hash state and returns the new state.
template <class State, class K>
[[nodiscard]] INGOT_INLINE constexpr State hash_into(State s, const K& key) noexcept {
  if constexpr (text_key<K>) {
    const auto text = key_view(key);
    return s.text(text.data(), text.size());
  } else if constexpr (is_plain_key<K>()) {
    return s.number(key_number(key));
  } else if constexpr (std::is_floating_point_v<K>) {
    return s.number(is_zero(key) ? 0 : float_bits_of(float_to_double(key)));
  } else if constexpr (byte_run<K>) {
    return s.text(std::data(key), std::size(key));
  } else if constexpr (is_array_like<K>) {
    for (const auto& each : key) s = hash_into(s, each);
    return s;
  } else if constexpr (is_specialization<K, std::pair>) {
    return hash_into(hash_into(s, key.first), key.second);
  } else if constexpr (kind_of<K> == kind::sequence) {
    std::uint64_t count = 0;
    for (const auto& each : key) {
      s = hash_into(s, static_cast<const std::remove_cv_t<element_t<K>>&>(each));
      ++count;
    }
    return s.number(count);
  } else {
    static_assert(
        kind_of<K> == kind::record,
        "ingot: keys are numbers, enums, times, text, and arrays, pairs, sequences and records of these");
    return visit_members(key, [s](const auto&... members) INGOT_INLINE_LAMBDA {
      State hash = s;
      ((hash = hash_into(hash, members)), ...);
      return hash;
    });
  }
}

/// A separate function, so that the fast hash stays small when inlined.
template <class K>
[[nodiscard]] INGOT_NOINLINE constexpr std::uint64_t hash_keyed(std::uint64_t seed, const K& key) noexcept {
  return hash_into(keyed_state{keyed_hash(seed)}, key).done();
}
/// Returns the hash of a key, or of a twin of a key, with the seed of a table.
template <class K>
[[nodiscard]] INGOT_INLINE constexpr std::uint64_t hash_key(std::uint64_t seed, const K& key) noexcept {
  if (seed == first_seed) [[likely]]
    return hash_into(fold_state{first_seed}, key).done();
  return hash_keyed(seed, key);
}

/// The hasher of tables.
struct normative_hash {
  std::uint64_t seed = first_seed;
  template <class K>
  [[nodiscard]] constexpr std::uint64_t operator()(const K& key) const noexcept {
    return hash_key(seed, key);
  }
};

/// A type that can look up a `K`: `K` itself, or a twin of `K`. If `K` is a number, also a type
/// that converts to `K`, but no `long double` with more digits than a `double`: rounded, it would
/// find a key that it does not equal. If `K` is text, also any other text.
template <class Argument, class K, class Q = std::remove_cvref_t<Argument>>
concept key_like = std::same_as<K, Q> || (text_key<K> && text_key<Q>) ||
                   ((is_plain_key<K>() || std::is_floating_point_v<K>) && std::convertible_to<const Q&, K> &&
                    !wider_than_keys<Q>) ||
                   (!text_key<K> && !is_plain_key<K>() && memory_kind_of<K> == memory_kind_of<Q> &&
                    memory_kind_of<K> != kind::none);

/// Converts a query to the form that lookups use: numbers to type `K`, and text that is not a `K`
/// to a view. Everything else is unchanged.
template <class K, class Q>
[[nodiscard]] INGOT_INLINE constexpr decltype(auto) as_key(const Q& query) noexcept {
  if constexpr (!std::same_as<K, Q> && text_key<K>) return key_view(query);
  else if constexpr (!std::same_as<K, Q> && (is_plain_key<K>() || std::is_floating_point_v<K>))
    return static_cast<K>(query);
  else return (query); // NOLINT(readability-redundant-parentheses): returns a reference
}

} // namespace detail

/// Returns the normative hash of a key for a seed, as specified in <ingot/live/hash.hpp>. Equal
/// texts of different string classes have the same hash.
template <class K>
[[nodiscard]] constexpr std::uint64_t hash_value(const K& key,
                                                 std::uint64_t seed = detail::first_seed) noexcept {
  return detail::hash_key(seed, key);
}

}} // namespace ingot::INGOT_V1
