// SPDX-License-Identifier: Apache-2.0
// Keys of objects, with the hash that they are found by. One that is known at compile time carries it: `doc["price"_key]`.
#pragma once

#include <ingot/live/hash.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

namespace detail::doc {

/// The text of a key of at most 16 bytes as two numbers, the same on every machine: its first eight bytes and its last eight, least
/// significant first, or twice all of a shorter one.
struct key_words {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  friend constexpr bool operator==(const key_words& a, const key_words& b) noexcept {
    return ((a.head ^ b.head) | (a.tail ^ b.tail)) == 0;
  }
};
inline constexpr std::size_t most_in_words = 16;

/// A hash, and the same in both halves of 32 bits, as lanes are compared with it: one of 16 that the compiler puts aside on the stack costs more to get back than what is made of it.
struct twice_hash {
  std::uint32_t both;
  [[nodiscard]] INGOT_INLINE static constexpr twice_hash of(std::uint32_t hash) noexcept {
    return {hash * 0x10001};
  }
  [[nodiscard]] INGOT_INLINE constexpr std::uint16_t once() const noexcept {
    return static_cast<std::uint16_t>(both);
  }
};

/// Whether the compiler knows the number.
[[nodiscard]] INGOT_INLINE constexpr bool is_known([[maybe_unused]] std::size_t n) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_constant_p(n) != 0;
#else
  return false;
#endif
}

/// How many of eight bytes a shorter key doesn't have. Without a jump, which a compiler makes of a condition here.
[[nodiscard]] INGOT_INLINE constexpr std::size_t missing_bytes(std::size_t n) noexcept {
  const auto all_when_shorter = static_cast<unsigned>((std::uint64_t{n} - 8) >> 32);
  return (8 - static_cast<unsigned>(n)) & all_when_shorter;
}
/// The words, of 1 to 16 bytes, without asking how many: at least seven bytes of the same memory are before them. `missing` are their
/// `missing_bytes`.
[[nodiscard]] INGOT_INLINE key_words words_before(const std::byte* text, std::size_t n,
                                                  std::size_t missing) noexcept {
  return {load_le<std::uint64_t>(text - missing) >> 8 * missing,
          load_le<std::uint64_t>(text + n - 8) >> 8 * missing};
}
/// The same of bytes that end at `end`.
[[nodiscard]] INGOT_INLINE key_words words_between(const std::byte* text, const std::byte* end,
                                                   std::size_t missing) noexcept {
  return {load_le<std::uint64_t>(text - missing) >> 8 * missing,
          load_le<std::uint64_t>(end - 8) >> 8 * missing};
}
/// What the lower bits of a key's hash, as it stands in an object, say: how many bytes the key has, of 1 to 15 the first of which is not zero. Its record has only
/// the bytes then. They are 0 for any other key, whose record begins by saying what it is.
inline constexpr std::uint16_t length_mask = 15;
[[nodiscard]] INGOT_INLINE constexpr std::uint32_t length_in(std::uint32_t hash) noexcept {
  return hash & length_mask;
}
/// The upper 12 of its 16 bits: of a key of at most 16 bytes those of the hash of its words, of a longer text those of the text's.
[[nodiscard]] INGOT_INLINE constexpr std::uint32_t upper_bits(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>(hash >> 48) & 0xFFF0;
}
[[nodiscard]] INGOT_INLINE constexpr std::uint32_t upper_of_words(const key_words& words,
                                                                  std::size_t n) noexcept {
  return upper_bits(fold(first_seed ^ n * text_factor, words.head, words.tail));
}
/// The hash of a key of at most 16 bytes.
[[nodiscard]] INGOT_INLINE constexpr std::uint16_t hash_words(const key_words& words,
                                                              std::size_t n) noexcept {
  return static_cast<std::uint16_t>(
      upper_of_words(words, n) | ((words.head & 0xFF) != 0 ? length_in(static_cast<std::uint32_t>(n)) : 0));
}
[[nodiscard]] INGOT_NOINLINE constexpr std::uint16_t hash_long_key(std::string_view text) noexcept {
  return static_cast<std::uint16_t>(upper_bits(hash_text(first_seed, text.data(), text.size())));
}
/// What is known of a key beside its text. Of one whose hash doesn't tell its length the words are what no byte is.
struct measured_key {
  key_words words;
  twice_hash hash;
  std::uint8_t length;  ///< as the hash tells it
  std::uint8_t missing; ///< of eight bytes
};
inline constexpr std::uint8_t no_length = 1;
inline constexpr std::uint64_t no_word = std::uint64_t{1} << 63;
/// The same in two registers, of a key whose words are one number.
struct measured_few {
  std::uint64_t word;
  std::uint16_t hash;
  std::uint8_t length;
};
/// How many of a text of 4 to 16 bytes are behind the first four of a word: of a shorter text than eight fewer than four.
[[nodiscard]] INGOT_INLINE constexpr std::size_t more_than_four(std::size_t n) noexcept {
  return n - 4 < 4 ? n - 4 : 4;
}
/// The words of such a text, by four of them and the `more` behind those, which of a shorter text overlap with its last four: no jump depends on how long
/// it is.
[[nodiscard]] INGOT_INLINE constexpr key_words words_of(const char* text, std::size_t n,
                                                        std::size_t more) noexcept {
  const auto word = [&](std::size_t at) {
    return load_units<std::uint32_t>(text, at) | load_units<std::uint32_t>(text, at + more) << 8 * more;
  };
  return {word(0), word(n - 4 - more)};
}
/// Of a text that has not 4 to 15 bytes, or begins with a zero.
[[nodiscard]] INGOT_INLINE constexpr measured_few measure_few(const char* text, std::size_t n) noexcept {
  if (n > most_in_words) return {no_word, hash_long_key({text, n}), no_length};
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
  // The others are out of line, but for those that the compiler knows.
  const measured_few few = is_known(n) ? measure_few(text, n) : measure_others(text, n);
  return {{few.word, few.word},
          twice_hash::of(few.hash),
          few.length,
          static_cast<std::uint8_t>(missing_bytes(few.length))};
}
[[nodiscard]] INGOT_INLINE constexpr std::uint16_t hash_key(std::string_view text) noexcept {
  return measure_key(text.data(), text.size()).hash.once();
}

} // namespace detail::doc

/// A key with its hash, which is computed when it is made of text, or by the compiler with `_key`. It refers
/// to the text, which must stay.
class document_key {
public:
  // NOLINTNEXTLINE(google-explicit-constructor): wherever a key is asked for, text is one
  INGOT_INLINE constexpr document_key(std::string_view text) noexcept
      : document_key(text, detail::doc::measure_key(text.data(), text.size())) {}
  INGOT_INLINE constexpr document_key(const char* text) noexcept : document_key(std::string_view(text)) {}
  template <class Text>
    requires(!std::is_same_v<std::remove_cvref_t<Text>, document_key> &&
             requires(const Text& t) {
               { t.data() } -> std::convertible_to<const char*>;
               { t.size() } -> std::convertible_to<std::size_t>;
             })
  INGOT_INLINE constexpr document_key(const Text& text) noexcept
      : document_key(std::string_view(text.data(), text.size())) {}

  /// A copy of a key whose text is at `copy`, with the hash that is known.
  constexpr document_key(const char* copy, const document_key& of) noexcept : document_key(of) {
    text_ = {copy, of.text_.size()};
  }

  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }
  /// What objects find the key by: twelve bits of the text's hash under `first_seed`, which is the same on every machine, and how long the text is, as `length_mask` says.
  [[nodiscard]] INGOT_INLINE constexpr std::uint16_t hash() const noexcept { return hash_.once(); }
  [[nodiscard]] INGOT_INLINE constexpr detail::doc::twice_hash hash_twice() const noexcept { return hash_; }
  /// Of a key whose hash tells it; of others as many bytes as those have that it is never taken for.
  [[nodiscard]] INGOT_INLINE constexpr std::size_t length() const noexcept { return length_; }
  /// Of a key whose hash tells its length: the text, to be compared at once.
  [[nodiscard]] constexpr const detail::doc::key_words& words() const noexcept { return words_; }
  /// Whether a key of `length()` bytes is this one.
  [[nodiscard]] INGOT_INLINE bool is_at(const std::byte* text) const noexcept {
    return detail::doc::words_before(text, length_, missing_) == words_;
  }
  /// The same of one that ends at `end`.
  [[nodiscard]] INGOT_INLINE bool is_between(const std::byte* text, const std::byte* end) const noexcept {
    return detail::doc::words_between(text, end, missing_) == words_;
  }

private:
  INGOT_INLINE constexpr document_key(std::string_view text,
                                      const detail::doc::measured_key& measured) noexcept
      : text_(text), words_(measured.words), hash_(measured.hash), length_(measured.length),
        missing_(measured.missing) {}

  std::string_view text_;
  detail::doc::key_words words_;
  detail::doc::twice_hash hash_;
  std::uint8_t length_;
  /// `missing_bytes`, asked for once: a jump on the length of a key goes wrong as often as not.
  std::uint8_t missing_;
};

namespace detail::doc {

/// Text that a key can be made of, and that is none yet. What derives from a key, or becomes one by a conversion of its own, is no text.
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

} // namespace detail::doc

inline namespace literals {

/// `doc["price"_key]`: the compiler computes the hash.
[[nodiscard]] consteval document_key operator""_key(const char* text, std::size_t size) {
  return {std::string_view(text, size)};
}

} // namespace literals
}} // namespace ingot::INGOT_V1
