// SPDX-License-Identifier: Apache-2.0
// Compares a value that was read without its type with the original, member by member. The
// comparison walks the types independently of the library.
#pragma once

#include <ingot/dynamic/parts.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>

#include "zoo/equal.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace dynamic_agrees {

using ingot::dynamic_value;
using ingot::kind;
using ingot::kind_of;

template <class T>
bool agree(const T& typed, const dynamic_value& found);

template <class T>
bool same_number(T typed, const dynamic_value& found) {
  const auto number = found.as<T>();
  if constexpr (std::is_floating_point_v<T>)
    return number && (*number == typed || (*number != *number && typed != typed));
  else return number && *number == typed;
}
/// For wider text, which `as` does not support.
template <class Text>
bool same_units(const Text& typed, const dynamic_value& found) {
  using ingot::detail::dyn::access;
  if (found.kind() != ingot::dynamic_kind::text || found.size() != typed.size()) return false;
  const auto run = access::text_of(found);
  std::uint64_t i = 0;
  for (const auto unit : typed) {
    if (access::memory_of(found)->unit(run, i++) != static_cast<std::uint32_t>(unit)) return false;
  }
  return run.width == sizeof(typename Text::value_type);
}
template <class List>
bool same_elements(const List& typed, const dynamic_value& found) {
  std::size_t i = 0;
  for (const auto& each : typed) {
    if (!agree<std::remove_cvref_t<decltype(each)>>(each, found[i++])) return false;
  }
  return i == found.size() && !found[i].exists();
}
/// Compares each entry by its key; repeated keys must occur equally often.
template <class Map>
bool same_entries(const Map& typed, const dynamic_value& found) {
  std::size_t count = 0;
  for (const auto& part : found.parts()) {
    ++count;
    bool is_there = false;
    for (const auto& [key, held] : typed)
      is_there = is_there || (agree(key, part.key) && agree(held, part.value));
    if (!is_there || !found.find(part.key).exists()) return false;
  }
  return count == typed.size() && found.size() == count;
}
template <class Set>
bool same_keys(const Set& typed, const dynamic_value& found) {
  std::size_t count = 0;
  for (const auto& part : found.parts()) {
    ++count;
    bool is_there = false;
    for (const auto& key : typed) is_there = is_there || agree(key, part.value);
    if (!is_there || !found.find(part.value).exists()) return false;
  }
  return count == typed.size();
}

/// For an omitted member.
template <class T, std::size_t I, class M>
bool has_default(const M& member) {
  const T fresh{};
  bool same = false;
  ingot::for_each_member(fresh, [&]<class J, class N>(J, const N& other) {
    if constexpr (J::value == I) same = zoo::equal(other, member);
  });
  return same;
}

template <class T>
bool agree(const T& typed, const dynamic_value& found) {
  constexpr kind k = kind_of<T>;
  if constexpr (k == kind::adapted) {
    return agree(ingot::adapt<T>::to(typed), found);
  } else if constexpr (k == kind::boolean) {
    return found.value_or(!typed) == typed;
  } else if constexpr (k == kind::byte) {
    return found.value_or(-1) == std::to_integer<int>(typed);
  } else if constexpr (k == kind::integer || k == kind::floating) {
    return same_number(typed, found);
  } else if constexpr (k == kind::character) {
    // In a block it has the platform's sign of characters, in messages none.
    return found.kind() == ingot::dynamic_kind::character &&
           static_cast<T>(ingot::detail::dyn::access::number_of(found)) == typed;
  } else if constexpr (k == kind::enumeration) {
    const auto number = found.as<T>();
    return number && *number == typed;
  } else if constexpr (k == kind::duration) {
    return same_number(typed.count(), found);
  } else if constexpr (k == kind::time_point) {
    return same_number(typed.time_since_epoch().count(), found);
  } else if constexpr (k == kind::complex) {
    const auto [real, imaginary] = found.complex();
    return zoo::equal(real != real, typed.real() != typed.real()) &&
           (real != real || real == static_cast<double>(typed.real())) &&
           zoo::equal(imaginary != imaginary, typed.imag() != typed.imag()) &&
           (imaginary != imaginary || imaginary == static_cast<double>(typed.imag()));
  } else if constexpr (k == kind::bitset) {
    for (std::size_t i = 0; i < typed.size(); ++i) {
      if (found.bit(i) != typed[i]) return false;
    }
    return found.size() == typed.size();
  } else if constexpr (k == kind::string) {
    if constexpr (sizeof(typename T::value_type) == 1)
      return found.value_or(std::string_view("\xFF")) ==
             std::string_view(reinterpret_cast<const char*>(typed.data()), typed.size());
    else return same_units(typed, found);
  } else if constexpr (k == kind::path) {
    return found.value_or(std::string("\xFF")) == typed.native();
  } else if constexpr (k == kind::optional || k == kind::box) {
    if (!static_cast<bool>(typed)) return found.exists() && !found.held().exists() && found.empty();
    return agree<std::remove_cvref_t<decltype(*typed)>>(*typed, found.held());
  } else if constexpr (k == kind::variant) {
    const auto same = [&](const auto& held) { return agree(held, found.held()); };
    if (found.alternative() != typed.index()) return false;
    if constexpr (requires { typed.visit(same); }) return typed.visit(same);
    else return std::visit(same, typed);
  } else if constexpr (k == kind::expected) {
    if (found.alternative() != (typed.has_value() ? 0U : 1U)) return false;
    if (!typed.has_value()) return agree(typed.error(), found.held());
    if constexpr (std::is_void_v<typename T::value_type>) return !found.held().exists();
    else return agree(*typed, found.held());
  } else if constexpr (k == kind::tuple) {
    std::size_t i = 0;
    return std::apply([&](const auto&... each) { return (agree(each, found[i++]) && ...); }, typed) &&
           i == found.size();
  } else if constexpr (k == kind::record) {
    std::size_t i = 0;
    return ingot::for_each_member(typed, [&]<class I, class M>(I, const M& member) {
      if constexpr (ingot::member_has<T, I::value, ingot::skip_t>) {
        return true;
      } else {
        const std::string_view name = ingot::member_name<T, I::value>;
        if constexpr (ingot::type_has<T, ingot::elide_defaults_t>) {
          if (!found[i].exists()) return found.member_name(i++) == name && has_default<T, I::value>(member);
        }
        const std::size_t at = i++;
        return found.member_name(at) == name && agree(member, found[at]) && agree(member, found.member(name));
      }
    });
  } else if constexpr (k == kind::map || k == kind::unordered_map) {
    return same_entries(typed, found);
  } else if constexpr (k == kind::set || k == kind::unordered_set) {
    return same_keys(typed, found);
  } else {
    return same_elements(typed, found);
  }
}

} // namespace dynamic_agrees
