// SPDX-License-Identifier: Apache-2.0
// Keys of objects, with the hash by which they are found. The compiler computes the hash of a key
// that it knows: `doc["price"_key]`.
#pragma once

#include <ingot/live/hash.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::doc {

/// Text of a key of at most 16 bytes as two little-endian numbers, equal on every machine. For a
/// key of 8 bytes or more, `head` has the first eight bytes and `tail` the last eight. For a
/// shorter key, each of the two has all bytes.
struct key_words {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  friend constexpr bool operator==(const key_words& a, const key_words& b) noexcept {
    return ((a.head ^ b.head) | (a.tail ^ b.tail)) == 0;
  }
};
inline constexpr std::size_t max_word_bytes = 16;

/// A 16-bit hash in both halves of a 32-bit number. In this form, the hash is compared with the
/// lanes of a vector. Compilers spill a 16-bit hash to the stack, and loading the hash again would
/// take longer than the comparison.
struct twice_hash {
  std::uint32_t both;
  [[nodiscard]] INGOT_INLINE static constexpr twice_hash of(std::uint32_t hash) noexcept {
    return {hash * 0x10001};
  }
  [[nodiscard]] INGOT_INLINE constexpr std::uint16_t once() const noexcept {
    return static_cast<std::uint16_t>(both);
  }
};

/// Returns true if `n` is a constant for the compiler.
[[nodiscard]] INGOT_INLINE constexpr bool is_known([[maybe_unused]] std::size_t n) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_constant_p(n) != 0;
#else
  return false;
#endif
}

/// Returns eight minus `n`; 0 if `n` is eight or more. Computed without a condition, because a
/// condition would become a jump.
[[nodiscard]] INGOT_INLINE constexpr std::size_t missing_bytes(std::size_t n) noexcept {
  const auto all_when_shorter = static_cast<unsigned>((std::uint64_t{n} - 8) >> 32);
  return (8 - static_cast<unsigned>(n)) & all_when_shorter;
}
/// Returns the words of a key of 1 to 16 bytes without a test of the length. At least seven bytes
/// before the text must be readable. `missing` is the result of `missing_bytes`.
[[nodiscard]] INGOT_INLINE key_words words_before(const std::byte* text, std::size_t n,
                                                  std::size_t missing) noexcept {
  return {load_le<std::uint64_t>(text - missing) >> 8 * missing,
          load_le<std::uint64_t>(text + n - 8) >> 8 * missing};
}
/// Returns what `words_before` returns, for a key whose bytes end at `end`.
[[nodiscard]] INGOT_INLINE key_words words_between(const std::byte* text, const std::byte* end,
                                                   std::size_t missing) noexcept {
  return {load_le<std::uint64_t>(text - missing) >> 8 * missing,
          load_le<std::uint64_t>(end - 8) >> 8 * missing};
}
/// Mask of the length in the stored hash of a key. For a key of 1 to 15 bytes whose first byte is
/// not zero, these bits of the hash are the key's length, and the key's record contains only the
/// key's bytes. For any other key, these bits are 0, and the record begins with a byte for the
/// key's length or kind.
inline constexpr std::uint16_t length_mask = 15;
[[nodiscard]] INGOT_INLINE constexpr std::uint32_t length_in(std::uint32_t hash) noexcept {
  return hash & length_mask;
}
/// Returns the upper 12 bits of the 16-bit hash of a key. For a key of at most 16 bytes, `hash` is
/// the hash of the key's words, otherwise the hash of its text.
[[nodiscard]] INGOT_INLINE constexpr std::uint32_t upper_bits(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>(hash >> 48) & 0xFFF0;
}
[[nodiscard]] INGOT_INLINE constexpr std::uint32_t upper_of_words(const key_words& words,
                                                                  std::size_t n) noexcept {
  return upper_bits(fold(first_seed ^ n * text_factor, words.head, words.tail));
}
/// Returns the hash of a key of at most 16 bytes.
[[nodiscard]] INGOT_INLINE constexpr std::uint16_t hash_words(const key_words& words,
                                                              std::size_t n) noexcept {
  return static_cast<std::uint16_t>(
      upper_of_words(words, n) | ((words.head & 0xFF) != 0 ? length_in(static_cast<std::uint32_t>(n)) : 0));
}
[[nodiscard]] INGOT_NOINLINE constexpr std::uint16_t hash_long_key(std::string_view text) noexcept {
  return static_cast<std::uint16_t>(upper_bits(hash_text(first_seed, text.data(), text.size())));
}
/// Properties of a key in addition to its text. If the hash doesn't contain the length, `words` has
/// a value that no text can have.
struct measured_key {
  key_words words;
  twice_hash hash;
  std::uint8_t length;  ///< the length in the hash; `no_length` if the hash contains no length
  std::uint8_t missing; ///< eight minus the length, or 0
};
inline constexpr std::uint8_t no_length = 1;
inline constexpr std::uint64_t no_word = std::uint64_t{1} << 63;
/// A `measured_key` that fits in two registers, for keys whose two words are equal.
struct measured_few {
  std::uint64_t word;
  std::uint16_t hash;
  std::uint8_t length;
};
/// For a text of 4 to 16 bytes, returns the distance between the two groups of four bytes that form
/// a word (see `words_of`): 4, or less for a text shorter than eight bytes.
[[nodiscard]] INGOT_INLINE constexpr std::size_t more_than_four(std::size_t n) noexcept {
  return n - 4 < 4 ? n - 4 : 4;
}
/// Returns the words of a text of 4 to 16 bytes; `more` is `more_than_four(n)`. Each word consists
/// of four bytes of the text, and of the four bytes that begin `more` bytes later. In a text
/// shorter than eight bytes, these two groups of bytes overlap. No jump depends on the length.
[[nodiscard]] INGOT_INLINE constexpr key_words words_of(const char* text, std::size_t n,
                                                        std::size_t more) noexcept {
  const auto word = [&](std::size_t at) {
    return load_units<std::uint32_t>(text, at) | load_units<std::uint32_t>(text, at + more) << 8 * more;
  };
  return {word(0), word(n - 4 - more)};
}
/// Returns the word, hash and length of a text that does not have 4 to 15 bytes, or that begins
/// with a zero byte.
[[nodiscard]] INGOT_INLINE constexpr measured_few measure_few(const char* text, std::size_t n) noexcept {
  if (n > max_word_bytes) return {no_word, hash_long_key({text, n}), no_length};
  if (n >= 4) return {no_word, hash_words(words_of(text, n, more_than_four(n)), n), no_length};
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < n; ++i) all |= std::uint64_t{static_cast<unsigned char>(text[i])} << 8 * i;
  const std::uint16_t hash = hash_words({all, all}, n);
  if (length_in(hash) == 0) return {no_word, hash, no_length};
  return {all, hash, static_cast<std::uint8_t>(n)};
}
[[nodiscard]] INGOT_NOINLINE constexpr measured_few measure_others(const char* text, std::size_t n) noexcept {
  return measure_few(text, n);
}
[[nodiscard]] INGOT_INLINE constexpr measured_key measure_key(const char* text, std::size_t n) noexcept {
  if (n - 4 <= length_mask - 4) [[likely]] {
    const std::size_t more = more_than_four(n);
    const key_words words = words_of(text, n, more);
    if ((words.head & 0xFF) != 0) [[likely]]
      return {words, twice_hash::of(upper_of_words(words, n) | static_cast<std::uint32_t>(n)),
              static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(4 - more)};
  }
  // For other texts, calls a function that is not inlined, unless the length is a constant.
  const measured_few few = is_known(n) ? measure_few(text, n) : measure_others(text, n);
  return {{few.word, few.word},
          twice_hash::of(few.hash),
          few.length,
          static_cast<std::uint8_t>(missing_bytes(few.length))};
}
[[nodiscard]] INGOT_INLINE constexpr std::uint16_t hash_key(std::string_view text) noexcept {
  return measure_key(text.data(), text.size()).hash.once();
}

struct key_access;

} // namespace detail::doc

/// Key with its hash. The hash is computed when the key is constructed from text, or by the
/// compiler with `_key`. The key refers to the text; the text must outlive the key.
class document_key {
public:
  /// Constructs a key from text. O(length).
  // NOLINTNEXTLINE(google-explicit-constructor): text can be passed as a key
  INGOT_INLINE constexpr document_key(std::string_view text) noexcept
      : document_key(text, detail::doc::measure_key(text.data(), text.size())) {}
  /// Constructs a key from text that ends with a zero. O(length).
  INGOT_INLINE constexpr document_key(const char* text) noexcept : document_key(std::string_view(text)) {}
  /// Constructs a key from another text type. O(length).
  template <class Text>
    requires(!std::is_same_v<std::remove_cvref_t<Text>, document_key> &&
             requires(const Text& t) {
               { t.data() } -> std::convertible_to<const char*>;
               { t.size() } -> std::convertible_to<std::size_t>;
             })
  INGOT_INLINE constexpr document_key(const Text& text) noexcept
      : document_key(std::string_view(text.data(), text.size())) {}

  /// Constructs a key that equals `of` and has the same hash, with its text at the address `copy`.
  /// Requires that the text at `copy` is equal to the text of `of`.
  constexpr document_key(const char* copy, const document_key& of) noexcept : document_key(of) {
    text_ = {copy, of.text_.size()};
  }

  /// Returns the text.
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }
  /// Returns the hash by which objects find the key. The hash is the same on every machine. Twelve
  /// bits are from the text's hash with the seed `first_seed`. The other four bits are the length;
  /// see `length_mask`.
  [[nodiscard]] INGOT_INLINE constexpr std::uint16_t hash() const noexcept { return hash_.once(); }
  /// Returns the length if the hash contains it. Otherwise returns a length that matches no stored
  /// key.
  [[nodiscard]] INGOT_INLINE constexpr std::size_t length() const noexcept { return length_; }
  /// Returns true if the key of `length()` bytes at `text` is this key.
  [[nodiscard]] INGOT_INLINE bool is_at(const std::byte* text) const noexcept {
    return detail::doc::words_before(text, length_, missing_) == words_;
  }
  /// Returns true if the key that begins at `text` and ends at `end` is this key.
  [[nodiscard]] INGOT_INLINE bool is_between(const std::byte* text, const std::byte* end) const noexcept {
    return detail::doc::words_between(text, end, missing_) == words_;
  }

private:
  friend struct detail::doc::key_access;
  INGOT_INLINE constexpr document_key(std::string_view text,
                                      const detail::doc::measured_key& measured) noexcept
      : text_(text), words_(measured.words), hash_(measured.hash), length_(measured.length),
        missing_(measured.missing) {}

  std::string_view text_;
  detail::doc::key_words words_;
  detail::doc::twice_hash hash_;
  std::uint8_t length_;
  /// Result of `missing_bytes`. It is computed once, so that lookups need no jump on the length.
  std::uint8_t missing_;
};

namespace detail::doc {

/// Text from which a key can be constructed. Excludes types that derive from a key or convert to a
/// key, because these are keys already.
template <class Text>
concept text_of_key =
    std::is_constructible_v<document_key, const Text&> && !std::is_base_of_v<document_key, Text> &&
    (std::is_convertible_v<const Text&, std::string_view> ||
     requires(const Text& t) { std::string_view(t.data(), t.size()); });
template <class Text>
[[nodiscard]] INGOT_INLINE constexpr std::string_view text_in(const Text& text) noexcept {
  if constexpr (std::is_convertible_v<const Text&, std::string_view>) return text;
  else return {text.data(), text.size()};
}

/// Gives lookups access to the private parts of a key.
struct key_access {
  /// Returns the hash in both halves of a 32-bit number; see `twice_hash`.
  [[nodiscard]] static INGOT_INLINE constexpr twice_hash hash_twice(const document_key& key) noexcept {
    return key.hash_;
  }
  /// Overload for other types of keys, such as `hashed_text`.
  template <class Key>
  [[nodiscard]] static INGOT_INLINE constexpr twice_hash hash_twice(const Key& key) noexcept {
    return key.twice();
  }
};

} // namespace detail::doc

inline namespace literals {

/// Creates a key at compile time: `doc["price"_key]`. The compiler computes the hash.
[[nodiscard]] consteval document_key operator""_key(const char* text, std::size_t size) {
  return {std::string_view(text, size)};
}

} // namespace literals
}} // namespace ingot::INGOT_V1
