// SPDX-License-Identifier: Apache-2.0
// The names of a variant's alternatives where people read them: in text, and in documents, which are made from text.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

namespace ingot::inline INGOT_V1::json {

/// The tags of a variant's alternatives in text. Specialise this as an array with one name for each alternative, so
/// that people can read the text and it survives a change of their order:
///
///   template <> inline constexpr std::string_view ingot::json::variant_names<shape>[] = {"circle", "square"};
///
/// Without it, the tag is the index of the alternative.
template <class V>
inline constexpr std::nullptr_t variant_names = nullptr;

} // namespace ingot::inline INGOT_V1::json

namespace ingot::inline INGOT_V1::detail {

template <class V>
consteval auto variant_tags() {
  constexpr std::size_t n = std::variant_size_v<V>;
  if constexpr (std::is_same_v<std::remove_const_t<decltype(json::variant_names<V>)>, std::nullptr_t>) {
    static_assert(n <= 100,
                  "ingot::json: name the alternatives of a variant of more than 100 (variant_names)");
    std::array<std::array<char, 2>, n> digits{};
    for (std::size_t i = 0; i < n; ++i) {
      digits[i] = {static_cast<char>('0' + (i < 10 ? i : i / 10)), static_cast<char>('0' + i % 10)};
    }
    return digits;
  } else {
    static_assert(std::size(json::variant_names<V>) == n,
                  "ingot::json::variant_names needs one name an alternative");
    std::array<std::string_view, n> names{};
    for (std::size_t i = 0; i < n; ++i) names[i] = json::variant_names<V>[i];
    return names;
  }
}
template <class V>
inline constexpr auto variant_tag_texts = variant_tags<V>();

/// Two members or alternatives of one name would be one key. This runs at compile time, for every type: a number stands for each name, so that few pairs of them
/// are looked at letter by letter.
template <std::size_t N>
consteval bool all_distinct(const std::array<std::string_view, N>& names, std::size_t count) {
  std::array<std::uint64_t, N + 1> marks{};
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t mark = 0;
    for (const char c : names[i]) mark = mark * 31 + static_cast<std::uint64_t>(c);
    for (std::size_t j = 0; j < i; ++j) {
      if (marks[j] == mark && names[i] == names[j]) return false;
    }
    marks[i] = mark;
  }
  return true;
}

/// The tag of the `i`-th alternative.
template <class V>
[[nodiscard]] constexpr std::string_view variant_tag(std::size_t i) noexcept {
  const auto& text = variant_tag_texts<V>[i];
  if constexpr (std::is_same_v<decltype(text), const std::string_view&>) return text;
  else return {text.data(), i < 10 ? std::size_t{1} : std::size_t{2}};
}

} // namespace ingot::inline INGOT_V1::detail
