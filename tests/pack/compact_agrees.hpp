// SPDX-License-Identifier: Apache-2.0
// Checks that every type of the zoo has to pass in the compact profile: packed, sized, decoded into
// a new object and into an object in use, packed again to the same bytes; validated, and read
// through a view that shows every field, element and key.
#pragma once

#include <ingot/pack/compact_view.hpp>

#include "checks.hpp"
#include "zoo/equal.hpp"
#include "zoo/sample.hpp"

#include <iterator>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace compact_test {

using pack_test::exact_copy;
using pack_test::same_bytes;
using pack_test::subject;

template <class T>
concept byte_text = zoo::rules::text<T> && sizeof(typename T::value_type) == 1;

/// Returns true if `seen`, a view of any kind, shows `value`. zoo/sample.hpp says why the members
/// don't come from ingot.
template <class T, class Seen>
bool shows(const Seen& seen, const T& value);

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
consteval bool is_skipped() {
  if constexpr (ingot::kind_of<T> == ingot::kind::record) return ingot::member_has<T, I, ingot::skip_t>;
  else return false;
}

template <class T, class Seen>
bool shows_members(const Seen& seen, const T& value) {
  const auto members = members_of(value);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (is_skipped<T, J>()) return true;
      else return shows(seen.template get<J>(), std::get<J>(members));
    };
    return (one(std::integral_constant<std::size_t, I>{}) && ...);
  }(std::make_index_sequence<std::tuple_size_v<decltype(members_of(value))>>{});
}

template <class T, class Seen>
bool shows_elements(const Seen& seen, const T& value) {
  std::size_t i = 0;
  auto at = seen.begin();
  for (const std::iter_value_t<decltype(std::begin(value))>& expected : value) {
    if (i == seen.size() || at == seen.end() || !shows(seen[i], expected) || !shows(*at, expected))
      return false;
    ++i;
    ++at;
  }
  return i == seen.size() && at == seen.end();
}

template <class T, class Seen>
bool shows_entries(const Seen& seen, const T& value) {
  if (seen.size() != value.size()) return false;
  for (const auto& item : value) {
    constexpr bool is_map = requires { typename T::mapped_type; };
    const auto& wanted = [&]() -> const typename T::key_type& {
      if constexpr (is_map) return item.first;
      else return item;
    }();
    const auto first = seen.lower_bound(wanted);
    const auto last = seen.upper_bound(wanted);
    if (seen.find(wanted) != first || static_cast<std::size_t>(last - first) != value.count(wanted))
      return false;
    bool found = false; // among equal keys of a multimap, in any order
    for (auto at = first; at != last; ++at) {
      if constexpr (is_map) found = found || (shows((*at).first, wanted) && shows((*at).second, item.second));
      else found = found || shows(*at, wanted);
    }
    if (!found) return false;
  }
  return true;
}

template <class T, class Seen>
bool shows(const Seen& seen, const T& value) {
  if constexpr (requires { ingot::adapt<T>::to(value); }) {
    return shows(seen, ingot::adapt<T>::to(value));
  } else if constexpr (std::same_as<T, std::filesystem::path>) {
    return seen == value.string();
  } else if constexpr (byte_text<T>) {
    return seen == value;
  } else if constexpr (std::is_empty_v<T>) {
    return true;
  } else if constexpr (requires { zoo_members(value); } || zoo::rules::is<T, std::pair> ||
                       zoo::rules::is<T, std::tuple>) {
    return shows_members(seen, value);
  } else if constexpr (zoo::rules::is<T, std::optional> || zoo::rules::is<T, std::unique_ptr>) {
    return seen.has_value() == static_cast<bool>(value) && (!value || shows(*seen, *value));
  } else if constexpr (zoo::rules::is<T, std::expected>) {
    if (seen.has_value() != value.has_value()) return false;
    if (!value) return shows(seen.error(), value.error());
    if constexpr (std::is_void_v<typename T::value_type>) return true;
    else return shows(*seen, *value);
  } else if constexpr (zoo::rules::is<T, std::variant>) {
    return seen.index() == value.index() && [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((value.index() != I || shows(seen.template get<I>(), *std::get_if<I>(&value))) && ...);
    }(std::make_index_sequence<std::variant_size_v<T>>{});
  } else if constexpr (requires { typename T::key_type; }) {
    return shows_entries(seen, value);
  } else if constexpr (requires { std::begin(value); }) {
    return shows_elements(seen, value);
  } else if constexpr (ingot::kind_of<T> == ingot::kind::record) {
    return shows_members(seen, value);
  } else {
    return zoo::equal(seen, value);
  }
}

/// Bounded in memory, so that a false count in hostile bytes is found.
inline constexpr std::size_t index_bound = 20;

template <class T>
void round_trip(subject about, const T& value, T& warm) {
  const auto packed = ingot::compact::pack(value);
  if (!about.succeeded(packed, "compact::pack")) return;
  about.expect(ingot::compact::packed_size(value).value_or(~std::size_t{0}) == packed->size(),
               "packed_size is not the size");
  const auto bound = ingot::detail::compact_measure<false>(value);
  about.expect(bound && *bound >= packed->size(), "the bound is below the size");

  std::vector<std::byte> tight(packed->size());
  if (about.succeeded(ingot::compact::pack_to(std::span(tight), value),
                      "pack into memory that just suffices")) {
    about.expect(same_bytes(*packed, tight), "other bytes in a buffer of exactly the size");
  }
  const exact_copy copy(*packed);
  about.succeeded(ingot::compact::validate<T>(copy.bytes()), "check");
  if (!about.succeeded(ingot::compact::unpack_into(warm, copy.bytes()), "unpack_into")) return;
  about.expect(zoo::equal(value, warm), "decoding gives another value");
  about.expect(ingot::compact::pack(warm) == *packed, "the decoded value packs to other bytes");
}

template <class T>
void is_seen(subject about, const T& value) {
  const auto packed = ingot::compact::pack(value);
  if (!about.succeeded(packed, "compact::pack")) return;
  const exact_copy copy(*packed);
  const auto seen = ingot::compact::view<T>::open(copy.bytes());
  if (!about.succeeded(seen, "view::open")) return;
  about.expect(shows(*seen, value), "the view shows another value");
  about.expect(seen->index_size() <= index_bound * packed->size(), "the index is larger than promised");
}

/// For the zoo's for_each_ functions. Between two other fields, which would show a wrong position.
template <class T>
using message = std::pair<T, std::uint16_t>;
template <class T>
message<T> message_of(std::uint64_t seed) {
  return {zoo::sample<T>(seed), std::uint16_t{0x1234}};
}
struct every_round_trip {
  template <class T>
  void operator()(std::string_view name) const {
    message<T> warm = message_of<T>(100);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      round_trip<message<T>>({name, seed}, message_of<T>(seed), warm);
  }
};
struct every_view {
  template <class T>
  void operator()(std::string_view name) const {
    for (std::uint64_t seed = 0; seed < 12; ++seed) is_seen<message<T>>({name, seed}, message_of<T>(seed));
  }
};

} // namespace compact_test
