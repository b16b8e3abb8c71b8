// SPDX-License-Identifier: Apache-2.0
// The names and tags of a variant's alternatives. If the data has another version of the variant, a
// reader finds the alternative by its name. The tag of an alternative is its key in text and
// documents.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/reflect/detail/own_name.hpp>
#include <ingot/reflect/detail/parts_of.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/variant_names.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// True if the program names the alternatives of `V` by `variant_names`.
template <class V>
inline constexpr bool names_alternatives =
    !std::is_same_v<std::remove_const_t<decltype(json::variant_names<V>)>, std::nullptr_t>;

/// Returns the name of an alternative without `variant_names`. For records, enumerations and
/// adapted classes, this is the name of the class. For all other types it is empty, because the
/// names of numbers, texts and containers differ between compilers and platforms.
template <class T>
consteval std::string_view alternative_class_name() {
  if constexpr (document_like<T> || (!std::is_class_v<T> && !std::is_enum_v<T>)) return {};
  else if constexpr (memory_kind_of<T> == kind::record || memory_kind_of<T> == kind::enumeration ||
                     memory_kind_of<T> == kind::adapted)
    return declared_class_name<T>();
  else return {};
}

template <std::size_t N>
consteval bool none_empty(const std::array<std::string_view, N>& names) {
  for (const std::string_view name : names) {
    if (name.empty()) return false;
  }
  return true;
}
template <class V>
consteval auto declared_alternative_names() {
  std::array<std::string_view, std::variant_size_v<V>> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = json::variant_names<V>[i];
  return names;
}
template <class V>
consteval auto make_alternative_names() {
  constexpr std::size_t n = std::variant_size_v<V>;
  if constexpr (names_alternatives<V>) {
    static_assert(std::size(json::variant_names<V>) == n,
                  "ingot::json::variant_names needs one name an alternative");
    constexpr auto names = declared_alternative_names<V>();
    static_assert(all_distinct(names, n), "ingot::json::variant_names gives two alternatives one name");
    static_assert(none_empty(names), "ingot::json::variant_names gives an alternative an empty name");
    return names;
  } else {
    std::array<std::string_view, n> names{};
    [&]<class... Ts>(type_pack<Ts...>) {
      std::size_t i = 0;
      ((names[i++] = alternative_class_name<std::remove_const_t<Ts>>()), ...);
    }(parts_of<V>());
    return names;
  }
}
/// One name for each alternative of the variant `V`; empty for an alternative without a name.
template <class V>
inline constexpr auto alternative_names = make_alternative_names<V>();

/// Returns true if the name of a type may be a tag. A name that begins with a digit may not,
/// because it could be the index of another alternative. The caller checks that no other
/// alternative has the name.
[[nodiscard]] constexpr bool can_be_tag(std::string_view name) noexcept {
  return !name.empty() && (name[0] < '0' || name[0] > '9');
}

template <std::size_t N>
inline constexpr auto index_texts = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<decimal_text, N>{decimal_text(I)...};
}(std::make_index_sequence<N>());
template <class V>
consteval auto make_variant_tags() {
  constexpr std::size_t n = std::variant_size_v<V>;
  std::array<std::string_view, n> tags = alternative_names<V>;
  if constexpr (names_alternatives<V>) return tags;
  const std::array<std::string_view, n> names = tags;
  const std::array<std::uint64_t, n> hashes = name_hashes(names, n);
  for (std::size_t i = 0; i < n; ++i) {
    bool is_tag = can_be_tag(names[i]);
    for (std::size_t j = 0; is_tag && j < n; ++j)
      is_tag = j == i || hashes[j] != hashes[i] || names[j] != names[i];
    if (!is_tag) tags[i] = index_texts<n>[i].view();
  }
  return tags;
}
/// The tag of each alternative of the variant `V`: the name that `variant_names` gives; else the
/// name of the alternative's type, if no other alternative has that name; else its index.
template <class V>
inline constexpr auto variant_tags = make_variant_tags<V>();
template <class V>
[[nodiscard]] constexpr std::string_view variant_tag(std::size_t i) noexcept {
  return variant_tags<V>[i];
}

/// Text for `error::expected()` when a reader finds a key that is not the tag of an alternative. If
/// the key is the index of an alternative, the text names the tag of this alternative. Otherwise
/// the text lists all tags, up to the length that errors can show.
class expected_tags {
public:
  /// `tag(i)` is the tag of alternative `i`. O(count).
  template <class Tag>
  constexpr expected_tags(std::string_view key, std::size_t count, Tag&& tag) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      if (decimal_text(i).view() != key) continue;
      add("the tag ");
      add(tag(i));
      add(", not the index of the alternative");
      return;
    }
    for (std::size_t i = 0; i < count && size_ < chars_.size(); ++i) {
      add(i == 0 ? "one key of " : ", ");
      add(tag(i));
    }
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars_.data(), size_}; }

private:
  constexpr void add(std::string_view text) noexcept {
    for (const char c : text) {
      if (size_ < chars_.size()) chars_[size_++] = c;
    }
  }

  std::array<char, 250> chars_{};
  std::size_t size_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail
