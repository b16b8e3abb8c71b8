// SPDX-License-Identifier: Apache-2.0
// Compares a view with the decoded value field by field, through every form of access that the view
// has.
#pragma once

#include <ingot/pack/view.hpp>

#include "zoo/equal.hpp"
#include "zoo/sample.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hostile {

/// Returns true if `seen` shows `value`. Adds one to `fields` for each visited field and element.
/// Adapted classes are walked in their stored form, but not compared: their `adapt` may read
/// several encodings as one value.
template <class T, class Seen>
bool agrees(const Seen& seen, const T& value, std::size_t& fields);

/// Visits everything that a view can show when there is no value to compare it with.
template <class T, class Seen>
void walk(const Seen& seen, std::size_t& fields);

namespace detail {

namespace d = ingot::detail;
using ingot::kind;
using ingot::kind_of;

template <class Seen>
inline constexpr bool is_string_view = requires(const Seen& seen) { seen.substr(0); };

/// Compares texts of any kind, character by character.
template <class View, class String>
bool same_text(const View& seen, const String& text) {
  return seen.size() == text.size() && std::equal(text.begin(), text.end(), seen.begin(), [](auto a, auto b) {
           return static_cast<std::uint32_t>(a) == static_cast<std::uint32_t>(b);
         });
}

template <class T>
using element_of = typename d::viewed_element<T>::type;

/// `as_span` and `copy_to` show the elements that the iterators do.
template <class T, class Seen, class Same>
bool bulk_copies_agree(const Seen& seen, Same same) {
  using element = element_of<T>;
  if constexpr (requires { seen.as_span(); }) {
    if (const auto span = seen.as_span()) {
      if (span->size() != seen.size()) return false;
      std::size_t i = 0;
      for (const auto& e : *span) {
        if (!same(e, i++)) return false;
      }
    }
  }
  if constexpr (requires(element* to) { seen.copy_to(to); } && std::is_default_constructible_v<element> &&
                std::is_move_constructible_v<element>) {
    const auto copies = std::make_unique<element[]>(seen.size());
    seen.copy_to(copies.get());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!same(copies[i], i)) return false;
    }
  }
  return true;
}

/// Iterators move in both directions and compute correct distances.
template <class Seen>
bool iterators_hold(const Seen& seen) {
  const auto first = seen.begin();
  const auto last = seen.end();
  if (static_cast<std::size_t>(last - first) != seen.size() || (first == last) != seen.empty()) return false;
  auto it = last;
  for (std::size_t i = 0; i < seen.size(); ++i) --it;
  return it == first && !(last < first);
}

template <class T, class Seen>
bool elements_agree(const Seen& seen, const T& value, std::size_t& fields) {
  using element = element_of<T>;
  std::size_t count = 0;
  auto at = seen.begin();
  for (auto it = std::begin(value); it != std::end(value); ++it, ++count) {
    const element& there = *it; // through a value, if elements are proxies
    if (count >= seen.size() || !agrees<element>(seen[count], there, fields)) return false;
    std::size_t ignored = 0;
    if (!agrees<element>(*at++, there, ignored)) return false;
  }
  if (count != seen.size() || !iterators_hold(seen)) return false;
  if constexpr (kind_of<T> == kind::array || d::contiguous_list<T>) {
    return bulk_copies_agree<T>(
        seen, [&](const element& e, std::size_t i) { return zoo::equal<element>(e, value[i]); });
  } else {
    return bulk_copies_agree<T>(seen, [](const element&, std::size_t) { return true; });
  }
}

/// Returns `key` in the form that a view's lookups take.
template <class K>
decltype(auto) query(const K& key) {
  if constexpr (kind_of<K> == kind::path) return (key.native());
  else return (key);
}

template <class T, class Seen, class Item>
bool entry_agrees(const Seen& seen, const Item& item, std::size_t& fields) {
  if constexpr (d::is_map<T>) {
    return agrees<ingot::key_t<T>>(seen.first, item.first, fields) &&
           agrees<ingot::mapped_t<T>>(seen.second, item.second, fields);
  } else {
    return agrees<ingot::key_t<T>>(seen, item, fields);
  }
}

/// Lookups find each key of the container, with its value, and no key that is absent.
template <class T, class Seen>
bool lookups_agree(const Seen& seen, const T& value, std::size_t& fields) {
  using key = ingot::key_t<T>;
  for (const auto& item : value) {
    const key& k = d::key_of<T>(item);
    const auto low = seen.lower_bound(query(k));
    const auto high = seen.upper_bound(query(k));
    if (static_cast<std::size_t>(high - low) != value.count(k) || seen.find(query(k)) != low ||
        !seen.contains(query(k))) {
      return false;
    }
    if constexpr (!ingot::is_multi<T>) {
      if (!entry_agrees<T>(*low, item, fields)) return false;
    } else if constexpr (kind_of<T> == kind::map || kind_of<T> == kind::set) {
      auto [from, to] = value.equal_range(k);
      for (auto it = low; it != high; ++it, ++from) {
        if (!entry_agrees<T>(*it, *from, fields)) return false;
      }
    }
  }
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const key absent = zoo::sample<key>(seed);
    if (value.contains(absent)) continue;
    const auto low = seen.lower_bound(query(absent));
    if (seen.contains(query(absent)) || seen.find(query(absent)) != seen.end() ||
        low != seen.upper_bound(query(absent))) {
      return false;
    }
  }
  return true;
}

/// Makes `*seen` depend on `Held`: clang otherwise checks the expression for views of variants
/// before it knows the alternative.
template <class Held, class Seen>
auto dereferenced(const Seen& seen) {
  return *seen;
}

template <class T, class Seen>
bool tagged_agrees(const Seen& seen, const T& value, std::size_t& fields) {
  bool same = true;
  bool held_something = false;
  d::visit_held(value, [&](auto index, const auto& held) {
    using held_type = std::remove_cvref_t<decltype(held)>;
    held_something = true;
    same = seen.index() == index;
    if constexpr (!std::is_same_v<held_type, d::nothing>) {
      same = same && agrees<held_type>(seen.template get<decltype(index)::value>(), held, fields);
      if constexpr (kind_of<T> != kind::variant &&
                    !(kind_of<T> == kind::expected && decltype(index)::value == 1)) {
        same = same && agrees<held_type>(dereferenced<held_type>(seen), held, fields);
      }
    }
  });
  if constexpr (kind_of<T> != kind::variant) {
    if constexpr (kind_of<T> == kind::expected) same = same && seen.has_value() == value.has_value();
    else same = same && seen.has_value() == held_something && static_cast<bool>(seen) == held_something;
  }
  std::size_t visited = 0;
  seen.visit([&](auto) { ++visited; });
  return same && visited == 1 && (held_something || seen.index() == 0);
}

template <class T, class Seen>
bool parts_agree(const Seen& seen, const T& value, std::size_t& fields) {
  const auto pointers = d::part_pointers(value);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (d::parts<T>::template skipped<J>) return true;
      else {
        using part = typename d::parts<T>::template type<J>;
        return agrees<part>(seen.template get<J>(), *d::pointer_at<J>(pointers), fields);
      }
    };
    return (one(std::integral_constant<std::size_t, I>{}) && ...);
  }(std::make_index_sequence<d::parts<T>::count>{});
}

} // namespace detail

template <class T, class Seen>
bool agrees(const Seen& seen, const T& value, std::size_t& fields) {
  namespace d = ingot::detail;
  using ingot::kind;
  ++fields;
  if constexpr (ingot::kind_of<T> == kind::adapted) {
    walk<T>(seen, fields);
    return true;
  } else if constexpr (ingot::kind_of<T> == kind::path) {
    return detail::same_text(seen, value.native());
  } else if constexpr (detail::is_string_view<Seen>) {
    return detail::same_text(seen, value);
  } else if constexpr (d::is_text<T>) {
    return detail::same_text(seen, value) && detail::iterators_hold(seen) &&
           detail::bulk_copies_agree<T>(seen, [&](auto c, std::size_t i) { return c == value[i]; });
  } else if constexpr (d::is_sorted_list<T>) {
    std::size_t before = fields;
    walk<T>(seen, fields);
    return fields > before && seen.size() == value.size() && detail::iterators_hold(seen) &&
           detail::lookups_agree(seen, value, fields);
  } else if constexpr (d::is_list<T> || ingot::kind_of<T> == kind::array) {
    return detail::elements_agree(seen, value, fields);
  } else if constexpr (d::is_tagged<T>) {
    return detail::tagged_agrees(seen, value, fields);
  } else if constexpr (d::has_parts<T>) {
    return detail::parts_agree(seen, value, fields);
  } else {
    return zoo::equal(seen, value);
  }
}

template <class T, class Seen>
void walk(const Seen& seen, std::size_t& fields) {
  namespace d = ingot::detail;
  using ingot::kind;
  ++fields;
  if constexpr (ingot::kind_of<T> == kind::adapted) {
    walk<ingot::adapted_t<T>>(seen, fields);
  } else if constexpr (detail::is_string_view<Seen>) {
    for (const auto c : seen) fields += c == 0;
  } else if constexpr (d::is_map<T>) {
    for (const auto& [k, v] : seen) {
      walk<ingot::key_t<T>>(k, fields);
      walk<ingot::mapped_t<T>>(v, fields);
    }
  } else if constexpr (d::is_text<T> || d::is_list<T> || ingot::kind_of<T> == kind::array) {
    for (const auto& e : seen) walk<detail::element_of<T>>(e, fields);
  } else if constexpr (d::is_tagged<T>) {
    [&]<class... Ts>(d::alternatives<Ts...>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        [[maybe_unused]] const auto one = [&]<std::size_t J, class A>(std::integral_constant<std::size_t, J>,
                                                                      std::type_identity<A>) {
          if constexpr (!std::is_same_v<A, d::nothing>) walk<A>(seen.template get<J>(), fields);
        };
        static_cast<void>(
            ((seen.index() == I
                  ? (one(std::integral_constant<std::size_t, I>{}, std::type_identity<Ts>{}), true)
                  : false) ||
             ...));
      }(std::index_sequence_for<Ts...>{});
    }(d::tagged_alternatives<T>());
  } else if constexpr (d::has_parts<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!d::parts<T>::template skipped<J>) {
          walk<typename d::parts<T>::template type<J>>(seen.template get<J>(), fields);
        }
      };
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<d::parts<T>::count>{});
  }
}

} // namespace hostile
