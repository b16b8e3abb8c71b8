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

/// A key and its hash. Made of text at once, or, with `_key`, by the compiler. Refers to the text.
class document_key {
public:
  // NOLINTNEXTLINE(google-explicit-constructor): wherever a key is asked for, text is one
  constexpr document_key(std::string_view text) noexcept : text_(text), hash_(hash_of(text)) {}
  constexpr document_key(const char* text) noexcept : document_key(std::string_view(text)) {}
  template <class Text>
    requires(!std::is_same_v<std::remove_cvref_t<Text>, document_key> &&
             requires(const Text& t) {
               { t.data() } -> std::convertible_to<const char*>;
               { t.size() } -> std::convertible_to<std::size_t>;
             })
  constexpr document_key(const Text& text) noexcept
      : document_key(std::string_view(text.data(), text.size())) {}

  /// A copy of a key's text, of which the hash is known.
  constexpr document_key(const char* copy, const document_key& of) noexcept
      : text_(copy, of.text_.size()), hash_(of.hash_) {}

  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }
  /// The upper 16 bits of the text's hash under `first_seed`, which is the same on every machine.
  [[nodiscard]] constexpr std::uint16_t hash() const noexcept { return hash_; }

private:
  [[nodiscard]] static constexpr std::uint16_t hash_of(std::string_view text) noexcept {
    return static_cast<std::uint16_t>(detail::hash_text(detail::first_seed, text.data(), text.size()) >> 48);
  }

  std::string_view text_;
  std::uint16_t hash_;
};

inline namespace literals {

/// `doc["price"_key]`: the hash is a constant of the program.
[[nodiscard]] consteval document_key operator""_key(const char* text, std::size_t size) {
  return {std::string_view(text, size)};
}

} // namespace literals
} // namespace ingot::inline v1
