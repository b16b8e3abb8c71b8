// SPDX-License-Identifier: Apache-2.0
// Keys of objects, with the hash that they are found by. One that is known at compile time carries it: `doc["price"_key]`.
#pragma once

#include <ingot/live/hash.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ingot::inline v1 {

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

[[nodiscard]] INGOT_INLINE constexpr key_words words_of(const char* text, std::size_t n) noexcept {
  if (n - 4 <= most_in_words - 4) [[likely]] {
    // By four bytes and the `more` behind them, which of a shorter text overlap with its last four: no jump depends on how long it is.
    const std::size_t more = n < 8 ? n - 4 : 4;
    const auto word = [&](std::size_t at) {
      return load_units<std::uint32_t>(text, at) | load_units<std::uint32_t>(text, at + more) << 8 * more;
    };
    return {word(0), word(n - 4 - more)};
  }
  if (n == 0 || n > most_in_words) return {};
  const auto byte = [&](std::size_t at) {
    return std::uint64_t{static_cast<unsigned char>(text[at])} << 8 * at;
  };
  const std::uint64_t all = byte(0) | byte(n / 2) | byte(n - 1);
  return {all, all};
}
/// Bits of eight bytes that a shorter key doesn't have. Without a jump, which a compiler makes of a condition here.
[[nodiscard]] INGOT_INLINE constexpr unsigned missing_bits(std::size_t n) noexcept {
  const auto all_when_shorter = static_cast<unsigned>((std::uint64_t{n} - 8) >> 32);
  return (64 - 8 * static_cast<unsigned>(n)) & all_when_shorter;
}
/// The same, of 1 to 16 bytes, without asking how many: at least seven bytes of the same memory are before them. `missing` are their
/// `missing_bits`.
[[nodiscard]] INGOT_INLINE key_words words_before(const std::byte* text, std::size_t n,
                                                  unsigned missing) noexcept {
  return {load_le<std::uint64_t>(text - missing / 8) >> missing,
          load_le<std::uint64_t>(text + n - 8) >> missing};
}
/// The upper 16 bits of the hash of a key's words, or of a longer text.
[[nodiscard]] INGOT_INLINE constexpr std::uint16_t hash_words(const key_words& words,
                                                              std::size_t n) noexcept {
  return static_cast<std::uint16_t>(fold(first_seed ^ n * text_factor, words.head, words.tail) >> 48);
}
[[nodiscard]] INGOT_NOINLINE constexpr std::uint16_t hash_long_key(std::string_view text) noexcept {
  return static_cast<std::uint16_t>(hash_text(first_seed, text.data(), text.size()) >> 48);
}
[[nodiscard]] INGOT_INLINE constexpr std::uint16_t hash_key(std::string_view text) noexcept {
  if (text.size() <= most_in_words) [[likely]]
    return hash_words(words_of(text.data(), text.size()), text.size());
  return hash_long_key(text);
}

} // namespace detail::doc

/// A key and its hash. Made of text at once, or, with `_key`, by the compiler. Refers to the text.
class document_key {
public:
  // NOLINTNEXTLINE(google-explicit-constructor): wherever a key is asked for, text is one
  INGOT_INLINE constexpr document_key(std::string_view text) noexcept
      : text_(text), words_(detail::doc::words_of(text.data(), text.size())), hash_(hash_of(words_, text)),
        missing_(missing_of(text)) {}
  INGOT_INLINE constexpr document_key(const char* text) noexcept : document_key(std::string_view(text)) {}
  template <class Text>
    requires(!std::is_same_v<std::remove_cvref_t<Text>, document_key> &&
             requires(const Text& t) {
               { t.data() } -> std::convertible_to<const char*>;
               { t.size() } -> std::convertible_to<std::size_t>;
             })
  INGOT_INLINE constexpr document_key(const Text& text) noexcept
      : document_key(std::string_view(text.data(), text.size())) {}

  /// A copy of a key's text, of which the hash is known.
  constexpr document_key(const char* copy, const document_key& of) noexcept
      : text_(copy, of.text_.size()), words_(of.words_), hash_(of.hash_), missing_(of.missing_) {}

  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }
  /// The upper 16 bits of the text's hash under `first_seed`, which is the same on every machine.
  [[nodiscard]] constexpr std::uint16_t hash() const noexcept { return hash_; }
  /// Of at most 16 bytes: the text, to be compared at once.
  [[nodiscard]] constexpr const detail::doc::key_words& words() const noexcept { return words_; }
  /// Whether a key of as many bytes, from 1 to 16, is this one.
  [[nodiscard]] INGOT_INLINE bool is_at(const std::byte* text) const noexcept {
    return detail::doc::words_before(text, text_.size(), missing_) == words_;
  }

private:
  [[nodiscard]] INGOT_INLINE static constexpr std::uint16_t hash_of(const detail::doc::key_words& words,
                                                                    std::string_view text) noexcept {
    if (text.size() <= detail::doc::most_in_words) [[likely]]
      return detail::doc::hash_words(words, text.size());
    return detail::doc::hash_long_key(text);
  }

  [[nodiscard]] INGOT_INLINE static constexpr std::uint16_t missing_of(std::string_view text) noexcept {
    return static_cast<std::uint16_t>(detail::doc::missing_bits(text.size()));
  }

  std::string_view text_;
  detail::doc::key_words words_;
  std::uint16_t hash_;
  std::uint16_t missing_; ///< asked for once: a jump on the length of a key goes wrong as often as not
};

inline namespace literals {

/// `doc["price"_key]`: the hash is a constant of the program.
[[nodiscard]] consteval document_key operator""_key(const char* text, std::size_t size) {
  return {std::string_view(text, size)};
}

} // namespace literals
} // namespace ingot::inline v1
