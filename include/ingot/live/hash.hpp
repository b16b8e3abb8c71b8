// SPDX-License-Identifier: Apache-2.0
// The hash of keys, which tables in blocks are laid out by: the same number for the same key on
// every machine, whatever its byte order, so it is a part of the format. Everything is 64 bits wide
// and wraps around. The seed of a table says which of two hashes it uses: the fast one under
// `first_seed`, the keyed one (detail/keyed_hash.hpp) under every other seed.
//
// The fast hash is
//
//   fold(s, x, y)   a = x ^ s; b = y ^ rotate(s, 32); the 128-bit product of a and b, its upper half xor its lower half
//   number          fold(s, v, 0); v the value as two's complement of 64 bits. bool 0 or 1, characters their unsigned code
//                   unit, enums their number, durations and times their count
//   float           fold(s, v, 0); v the bits of the value as a double, of +0 for -0; NaN is no key
//   text            its code units as bytes, least significant first, n of them: s = s ^ (n * text_factor), then
//                     while more than 16 are left: s = fold(s, next 8, the 8 after them), little-endian
//                     at last fold(s, x, y):  n > 16     x = bytes n-16 .. n-9,  y = bytes n-8 .. n-1
//                                             8 .. 16    x = bytes 0 .. 7,       y = bytes n-8 .. n-1
//                                             4 .. 7     x = bytes 0 .. 3,       y = bytes n-4 .. n-1
//                                             1 .. 3     x = byte 0 + byte n/2 * 2^8 + byte n-1 * 2^16,   y = 0
//                                             0          x = y = 0
//   pair, record    s = hash of a member under s, for each in order
//   array           the same for its elements; when they are numbers of one byte, as text of these bytes
//   sequence        as an array, but for text followed by s = fold(s, count of elements, 0)
//
// The s that a key begins with is `first_seed`, which is public: keys that collide are easy to
// find. A table whose keys do takes another seed, and with it the keyed hash.
#pragma once

#include <ingot/core/detail/wide_product.hpp>
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

/// A fraction, so that nobody has chosen it: of the square root of 2, odd in place of even.
inline constexpr std::uint64_t text_factor = 0x6A09E667F3BCC909;

/// The seed of the fast hash. Under it numbers are multiplied by the golden ratio, which spreads
/// those that follow each other evenly.
inline constexpr std::uint64_t first_seed = std::rotl(std::uint64_t{0x9E3779B97F4A7C15}, 32);

/// `Word` of a text's bytes from byte `at` on.
template <class Word, class Char>
[[nodiscard]] constexpr std::uint64_t gather_units(const Char* text, std::size_t at) noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    const auto unit =
        static_cast<std::uint64_t>(text[(at + i) / sizeof(Char)]); // NOLINT: a sign is cut off below
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

/// The same without a jump on lengths from 8 to 32, for where each text is of another one: whether there is a first step is a mask.
template <class Char>
[[nodiscard]] INGOT_INLINE std::uint64_t hash_text_steadily(std::uint64_t s, const Char* text,
                                                            std::size_t units) noexcept {
  const std::size_t n = units * sizeof(Char);
  if (n < 8 || n > 32) return hash_text(s, text, units);
  s ^= n * text_factor;
  const std::uint64_t longer = 0 - std::uint64_t{n > 16};
  const std::size_t second = n - 8 < 8 ? n - 8 : 8; // of a shorter one it is in the text, too, and not used
  const std::uint64_t stepped =
      fold(s, load_units<std::uint64_t>(text, 0), load_units<std::uint64_t>(text, second));
  s ^= (s ^ stepped) & longer;
  return fold(s, load_units<std::uint64_t>(text, (n - 16) & static_cast<std::size_t>(longer)),
              load_units<std::uint64_t>(text, n - 8));
}

/// A plain key as its value in 64 bits.
template <class K>
[[nodiscard]] INGOT_INLINE constexpr std::uint64_t key_number(const K& key) noexcept {
  if constexpr (memory_kind_of<K> == kind::enumeration) return key_number(std::to_underlying(key));
  else if constexpr (memory_kind_of<K> == kind::duration) return key_number(key.count());
  else if constexpr (memory_kind_of<K> == kind::time_point) return key_number(key.time_since_epoch());
  else if constexpr (memory_kind_of<K> == kind::character) return static_cast<std::make_unsigned_t<K>>(key);
  else return static_cast<std::uint64_t>(key); // signed ones keep their sign
}

template <class T>
consteval bool is_byte_like() {
  return is_plain_key<T>() && sizeof(T) == 1;
}
/// Elements of one byte that lie side by side.
template <class T>
concept byte_run =
    (is_array_like<T> || kind_of<T> == kind::sequence) && is_byte_like<std::remove_cv_t<element_t<T>>>() &&
    requires(const T& run) { std::data(run); };

/// What a key is hashed into: numbers, texts and counts, one after the other, by the fast hash.
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
/// The same by the keyed hash. The words tell the key when they are read from the last one
/// backwards, since a text's length and a sequence's count stand behind their parts: two keys of a
/// type never have the same words.
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

/// The hash of what `put(state)` puts behind the state that a table of this seed begins with.
template <class Put>
[[nodiscard]] constexpr std::uint64_t hash_under(std::uint64_t seed, const Put& put) {
  if (seed == first_seed) [[likely]]
    return put(fold_state{first_seed}).done();
  return put(keyed_state{keyed_hash(seed)}).done();
}

/// The state behind a key, or a twin of one.
template <class State, class K>
[[nodiscard]] INGOT_INLINE constexpr State hash_into(State s, const K& key) noexcept {
  if constexpr (text_key<K>) {
    const auto text = key_view(key);
    return s.text(text.data(), text.size());
  } else if constexpr (is_plain_key<K>()) {
    return s.number(key_number(key));
  } else if constexpr (std::is_floating_point_v<K>) {
    return s.number(std::bit_cast<std::uint64_t>(key == 0 ? 0.0 : static_cast<double>(key)));
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

/// Apart from the fast hash, so that it takes no room there.
template <class K>
[[nodiscard]] INGOT_NOINLINE constexpr std::uint64_t hash_keyed(std::uint64_t seed, const K& key) noexcept {
  return hash_into(keyed_state{keyed_hash(seed)}, key).done();
}
/// The hash of a key, or of a twin of one, under a table's seed.
template <class K>
[[nodiscard]] INGOT_INLINE constexpr std::uint64_t hash_key(std::uint64_t seed, const K& key) noexcept {
  if (seed == first_seed) [[likely]]
    return hash_into(fold_state{first_seed}, key).done();
  return hash_keyed(seed, key);
}

/// What tables name as their hasher.
struct normative_hash {
  std::uint64_t seed = first_seed;
  template <class K>
  [[nodiscard]] constexpr std::uint64_t operator()(const K& key) const noexcept {
    return hash_key(seed, key);
  }
};

/// What a key may be looked up by: the key itself, what converts to a number, any text for text, and twins.
template <class Given, class K, class Q = std::remove_cvref_t<Given>>
concept key_like = std::same_as<K, Q> || (text_key<K> && text_key<Q>) ||
                   ((is_plain_key<K>() || std::is_floating_point_v<K>) && std::convertible_to<const Q&, K>) ||
                   (!text_key<K> && !is_plain_key<K>() && memory_kind_of<K> == memory_kind_of<Q> &&
                    memory_kind_of<K> != kind::none);

/// The form in which a key is looked up: numbers converted to its type, other text as a view, all else as it is.
template <class K, class Q>
[[nodiscard]] INGOT_INLINE constexpr decltype(auto) as_key(const Q& given) noexcept {
  if constexpr (!std::same_as<K, Q> && text_key<K>) return key_view(given);
  else if constexpr (!std::same_as<K, Q> && (is_plain_key<K>() || std::is_floating_point_v<K>))
    return static_cast<K>(given);
  else return (given); // NOLINT(readability-redundant-parentheses): a reference to it
}

} // namespace detail

/// The normative hash of a key under a seed, as specified in <ingot/live/hash.hpp>. Text hashes alike in whatever class it is.
template <class K>
[[nodiscard]] constexpr std::uint64_t hash_value(const K& key,
                                                 std::uint64_t seed = detail::first_seed) noexcept {
  return detail::hash_key(seed, key);
}

}} // namespace ingot::INGOT_V1
