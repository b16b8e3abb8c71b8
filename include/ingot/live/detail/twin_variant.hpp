// SPDX-License-Identifier: Apache-2.0
// The variant in a generated twin. The alternatives have the names of the original variant's
// alternatives. The names belong to the class of the variant and not to the alternatives: two
// variants with different names may have twins with the same alternatives.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/variant_names.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The twin of a variant with names or a `tag_key`, or of an `expected`. Twins of other variants
/// are a `basic_variant<P, Ts...>`.
template <class Original, block_policy P, class... Ts>
class twin_variant : public basic_variant<P, Ts...> {
  using base = basic_variant<P, Ts...>;

public:
  using base::base;
  twin_variant() noexcept = default;
  template <class U>
    requires(!std::same_as<std::remove_cvref_t<U>, twin_variant>)
  twin_variant& operator=(U&& value) {
    base::operator=(std::forward<U>(value));
    return *this;
  }

  template <class U>
  [[nodiscard]] bool try_assign(U&& from) {
    if constexpr (!std::same_as<std::remove_cvref_t<U>, twin_variant>)
      return base::try_assign(std::forward<U>(from));
    else if constexpr (std::is_lvalue_reference_v<U> || std::is_const_v<U>)
      return base::try_assign(static_cast<const base&>(from));
    else return base::try_assign(static_cast<base&&>(from));
  }

  using base::operator==;
  bool operator==(const twin_variant& other) const {
    return base::operator==(static_cast<const base&>(other));
  }
};

template <class Original, block_policy P, class... Ts>
inline constexpr bool is_variant<twin_variant<Original, P, Ts...>> = true;
template <class Original, block_policy P, class... Ts>
inline constexpr bool is_live_variant<twin_variant<Original, P, Ts...>> = true;
template <class Original, block_policy P, class... Ts>
struct alternatives_of<twin_variant<Original, P, Ts...>> {
  using type = type_pack<Ts...>;
};

/// Names of the twin's alternatives: the names of the original's alternatives; for an `expected`,
/// the keys of its JSON form.
template <class Original>
inline constexpr auto twin_names = [] {
  if constexpr (kind_of<Original> == kind::expected) return std::array<std::string_view, 2>{"value", "error"};
  else if constexpr (names_alternatives<Original>) return alternative_names<Original>;
  else return nullptr;
}();

template <class Original>
consteval bool names_twin() {
  if constexpr (kind_of<Original> == kind::expected) return true;
  else return names_alternatives<Original> || !json::tag_key<Original>.empty();
}
/// The type that replaces `Original` in a twin.
template <class Original, block_policy P, class... Ts>
using variant_in_twin =
    std::conditional_t<names_twin<Original>(), twin_variant<Original, P, Ts...>, basic_variant<P, Ts...>>;

}}} // namespace ingot::INGOT_V1::detail

template <class Original, ingot::block_policy P, class... Ts>
inline constexpr auto ingot::json::variant_names<ingot::detail::twin_variant<Original, P, Ts...>> =
    ingot::detail::twin_names<Original>;
template <class Original, ingot::block_policy P, class... Ts>
inline constexpr std::string_view ingot::json::tag_key<ingot::detail::twin_variant<Original, P, Ts...>> =
    ingot::json::tag_key<Original>;

template <class Original, ingot::block_policy P, class... Ts>
struct std::variant_size<ingot::detail::twin_variant<Original, P, Ts...>>
    : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <std::size_t I, class Original, ingot::block_policy P, class... Ts>
struct std::variant_alternative<I, ingot::detail::twin_variant<Original, P, Ts...>>
    : std::variant_alternative<I, std::variant<Ts...>> {};
template <class Original, ingot::block_policy P, class... Ts>
  requires(requires(const Ts& value) { std::hash<Ts>{}(value); } && ...)
struct std::hash<ingot::detail::twin_variant<Original, P, Ts...>>
    : std::hash<ingot::basic_variant<P, Ts...>> {};
