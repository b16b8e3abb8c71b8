// SPDX-License-Identifier: Apache-2.0
// Checks that a view shows every field, element and key of an object. zoo/sample.hpp says why the
// members don't come from ingot.
#pragma once

#include <ingot/pack/pack.hpp>
#include <ingot/pack/view.hpp>

#include "checks.hpp"
#include "zoo/equal.hpp"
#include "zoo/sample.hpp"

#include <memory>
#include <ranges>
#include <string_view>
#include <tuple>
#include <utility>

namespace pack_test {

template <class T>
bool agrees(const ingot::view<T>& seen, const T& value);

template <class T>
concept one_byte_text = zoo::rules::text<T> && sizeof(typename T::value_type) == 1;

template <class T>
auto members_of(const T& value) {
  if constexpr (requires { zoo_members(value); }) return zoo_members(value);
  else if constexpr (requires { std::tuple_size<T>::value; }) {
    return std::apply([](const auto&... elements) { return std::tie(elements...); }, value);
  } else {
    return ingot::visit_members(value, [](const auto&... members) { return std::tie(members...); });
  }
}

template <class T, std::size_t I>
inline constexpr bool is_skipped = [] {
  if constexpr (ingot::kind_of<T> == ingot::kind::record) return ingot::member_has<T, I, ingot::skip_t>;
  else return false;
}();

template <class T, std::size_t... I>
bool members_agree(const ingot::view<T>& seen, const T& value, std::index_sequence<I...>) {
  [[maybe_unused]] const auto members = members_of(value);
  [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
    if constexpr (is_skipped<T, J>) return true;
    else
      return agrees<std::remove_cvref_t<decltype(std::get<J>(members))>>(seen.template get<J>(),
                                                                         std::get<J>(members));
  };
  return (one(std::integral_constant<std::size_t, I>{}) && ...);
}

template <class T>
bool elements_agree(const ingot::view<T>& seen, const T& value) {
  using element = std::remove_cv_t<std::iter_value_t<decltype(std::begin(value))>>;
  std::size_t i = 0;
  auto at = seen.begin();
  for (const element& expected : value) {
    if (i == seen.size() || at == seen.end()) return false;
    if (!agrees<element>(seen[i], expected) || !agrees<element>(*at, expected)) return false;
    ++i;
    ++at;
  }
  return i == seen.size() && at == seen.end();
}

template <class T>
bool entries_agree(const ingot::view<T>& seen, const T& value) {
  if (seen.size() != value.size()) return false;
  using key = typename T::key_type;
  for (const auto& item : value) {
    const key& wanted = [&]() -> const key& {
      if constexpr (requires { typename T::mapped_type; }) return item.first;
      else return item;
    }();
    const auto first = seen.lower_bound(wanted);
    const auto last = seen.upper_bound(wanted);
    if (!seen.contains(wanted) || seen.find(wanted) != first) return false;
    if (static_cast<std::size_t>(last - first) != value.count(wanted)) return false;
    bool found = false; // among equal keys of a multimap, in any order
    for (auto at = first; at != last; ++at) {
      if constexpr (requires { typename T::mapped_type; }) {
        found = found || (agrees<key>((*at).first, wanted) &&
                          agrees<typename T::mapped_type>((*at).second, item.second));
      } else {
        found = found || agrees<key>(*at, wanted);
      }
    }
    if (!found) return false;
  }
  return true;
}

template <class T>
bool agrees(const ingot::view<T>& seen, const T& value) {
  if constexpr (requires { ingot::adapt<T>::to(value); }) {
    return agrees<ingot::adapted_t<T>>(seen, ingot::adapt<T>::to(value));
  } else if constexpr (std::same_as<T, std::filesystem::path>) {
    return seen == value.string();
  } else if constexpr (one_byte_text<T>) {
    return seen == value;
  } else if constexpr (std::is_empty_v<T>) {
    return true;
  } else if constexpr (requires { zoo_members(value); } || zoo::rules::is<T, std::pair> ||
                       zoo::rules::is<T, std::tuple>) {
    constexpr std::size_t count = std::tuple_size_v<decltype(members_of(value))>;
    return members_agree<T>(seen, value, std::make_index_sequence<count>{});
  } else if constexpr (zoo::rules::is<T, std::optional> || zoo::rules::is<T, std::unique_ptr>) {
    if (seen.has_value() != static_cast<bool>(value)) return false;
    return !value || agrees<std::remove_cvref_t<decltype(*value)>>(*seen, *value);
  } else if constexpr (zoo::rules::is<T, std::expected>) {
    if (seen.has_value() != value.has_value()) return false;
    if (!value) return agrees<typename T::error_type>(seen.error(), value.error());
    return agrees<typename T::value_type>(*seen, *value);
  } else if constexpr (zoo::rules::is<T, std::variant>) {
    return seen.index() == value.index() && [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((value.index() != I ||
               agrees<std::variant_alternative_t<I, T>>(seen.template get<I>(), *std::get_if<I>(&value))) &&
              ...);
    }(std::make_index_sequence<std::variant_size_v<T>>{});
  } else if constexpr (requires { typename T::key_type; }) {
    return entries_agree<T>(seen, value);
  } else if constexpr (requires { std::begin(value); }) {
    return elements_agree<T>(seen, value);
  } else if constexpr (std::is_class_v<T> && ingot::record<T>) {
    return members_agree<T>(seen, value, std::make_index_sequence<ingot::member_count<T>>{});
  } else {
    return zoo::equal(seen, value);
  }
}

/// For the zoo's for_each_ functions. Between two other fields, which would show a wrong offset.
struct every_view {
  template <class T>
  void operator()(std::string_view name) const {
    using message = std::tuple<std::uint8_t, T, std::uint16_t, T>;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const subject about{name, seed};
      const message value{0x5A, zoo::sample<T>(seed), 0x1234, zoo::sample<T>(seed + 1)};
      const auto packed = ingot::pack(value);
      if (!about.succeeded(packed, "pack")) continue;
      const exact_copy copy(*packed);
      const auto seen = ingot::view<message>::open(copy.bytes());
      if (!about.succeeded(seen, "open")) continue;
      about.expect(agrees<message>(*seen, value), "the view shows another value");
      about.expect(agrees<message>(ingot::view<message>::open_unchecked(copy.bytes()), value),
                   "trust shows another value");
    }
  }
};

} // namespace pack_test
