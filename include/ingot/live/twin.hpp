// SPDX-License-Identifier: Apache-2.0
// The live twin of a struct of plain std:: members, made by the compiler: it has the same members, with the same names and annotations, as
// containers of a block. This needs C++26 reflection. Without that, the twin is written by hand, and this header is empty.
//
//   struct person { std::string name; std::vector<int> scores; };
//   ingot::live_twin<person>    is { ingot::string name; ingot::vector<int> scores; }
//   ingot::live<person>         is a block that holds one
//
// A member that is an `ingot::document` becomes an `ingot::live_value`, if
// <ingot/document/live_value.hpp> is included. Bases are flattened; member functions stay behind. A
// new twin has the values that a new object of the struct has: making one throws `out_of_space`
// where they have no room. Variants keep the names that `variant_names` gives their alternatives. A
// path becomes UTF-8 text, an `expected` a variant of `value` and `error`, a tuple a pair or a
// struct with `element_0`, `element_1`, ...; these have the same packed bytes, but schemas of their
// own. A type that can lie in a block is its own twin.
#pragma once

#include <ingot/core/detail/config.hpp>

#if INGOT_REFLECTION

#include <ingot/live/box.hpp>
#include <ingot/live/detail/twin_variant.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include <array>
#include <cstddef>
#include <meta>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

template <class T, block_policy P>
struct twin_record;

template <class T>
constexpr bool has_to_change(visited_types& seen);

template <class... Ts>
constexpr bool any_has_to_change(visited_types& seen, type_pack<Ts...>) {
  return (has_to_change<std::remove_cv_t<Ts>>(seen) || ...);
}
/// Whether a `T` keeps something elsewhere than in itself, so that its twin is another type.
template <class T>
constexpr bool has_to_change(visited_types& seen) {
  if constexpr (live_container<T>) {
    return false;
  } else if constexpr (is_array_like<T>) {
    return has_to_change<std::remove_cv_t<element_t<T>>>(seen);
  } else if constexpr (is_specialization<T, std::pair>) {
    return any_has_to_change(seen, type_pack<typename T::first_type, typename T::second_type>{});
  } else if constexpr (kind_of<T> == kind::record) {
    if (!seen.add(type_tag<T>())) return false;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (has_to_change<std::remove_cv_t<member_type<T, I>>>(seen) || ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return displacement_of<T, narrow_policy>() != displacement::none;
  }
}
template <class T>
inline constexpr bool changes = [] {
  visited_types seen;
  return has_to_change<T>(seen);
}();

/// Records are named before they are written, so that they can hold themselves.
template <class T>
concept changing_record = kind_of<T> == kind::record && changes<T>;

template <class T, block_policy P>
consteval auto choose_twin();
template <changing_record T, block_policy P>
auto twin_of() -> std::type_identity<typename twin_record<T, P>::type>;
template <class T, block_policy P>
  requires(!changing_record<T>)
auto twin_of() -> decltype(choose_twin<T, P>());
template <class T, block_policy P>
using twin_t = typename decltype(twin_of<std::remove_cv_t<T>, P>())::type;

template <class T, block_policy P, class... Ts>
variant_in_twin<T, P, twin_t<Ts, P>...> twin_of_variant(type_pack<Ts...>);

/// The struct for a tuple of other than two elements: they have no names.
template <class T, block_policy P, class Indices>
struct tuple_record;
template <class T, block_policy P, std::size_t... I>
struct tuple_record<T, P, std::index_sequence<I...>> {
  struct type;
  consteval {
    const auto name = [](std::size_t i) {
      std::string made = "element_";
      if (i >= 10) made.push_back(static_cast<char>('0' + i / 10));
      made.push_back(static_cast<char>('0' + i % 10));
      return made;
    };
    define_aggregate(^^type, {
                                 data_member_spec(dealias(^^twin_t<std::tuple_element_t<I, T>, P>),
                                                  {.name = name(I)})...});
  }
};

template <class T, block_policy P>
consteval auto choose_twin() {
  constexpr kind what = memory_kind_of<T>;
  if constexpr (!changes<T>) return std::type_identity<T>{};
  else if constexpr (requires { typename form_in_twin<T, P>::type; })
    return std::type_identity<typename form_in_twin<T, P>::type>{};
  else if constexpr (document_like<T>) {
    static_assert(!document_like<T>, "the twin of an ingot::document is an ingot::live_value: include "
                                     "<ingot/document/live_value.hpp>");
    return std::type_identity<T>{};
  } else if constexpr (what == kind::string)
    return std::type_identity<basic_string<typename T::value_type, P>>{};
  else if constexpr (what == kind::path) return std::type_identity<basic_string<char8_t, P>>{};
  else if constexpr (what == kind::sequence)
    return std::type_identity<basic_vector<twin_t<element_t<T>, P>, P>>{};
  else if constexpr (what == kind::set && !is_multi<T>)
    return std::type_identity<basic_set<twin_t<key_t<T>, P>, P>>{};
  else if constexpr (what == kind::set) return std::type_identity<basic_multiset<twin_t<key_t<T>, P>, P>>{};
  else if constexpr (what == kind::map && is_multi<T>)
    return std::type_identity<basic_multimap<twin_t<key_t<T>, P>, twin_t<mapped_t<T>, P>, P>>{};
  else if constexpr (what == kind::map)
    return std::type_identity<basic_map<twin_t<key_t<T>, P>, twin_t<mapped_t<T>, P>, P>>{};
  else if constexpr (what == kind::unordered_set && !is_multi<T>)
    return std::type_identity<basic_hash_set<twin_t<key_t<T>, P>, P>>{};
  else if constexpr (what == kind::unordered_map && !is_multi<T>)
    return std::type_identity<basic_hash_map<twin_t<key_t<T>, P>, twin_t<mapped_t<T>, P>, P>>{};
  else if constexpr (what == kind::optional)
    return std::type_identity<basic_optional<twin_t<typename T::value_type, P>, P>>{};
  else if constexpr (what == kind::box)
    return std::type_identity<basic_box<twin_t<typename T::element_type, P>, P>>{};
  else if constexpr (what == kind::variant)
    return std::type_identity<decltype(twin_of_variant<T, P>(typename alternatives_of<T>::type{}))>{};
  else if constexpr (what == kind::expected) {
    using value =
        std::conditional_t<std::is_void_v<typename T::value_type>, std::monostate, typename T::value_type>;
    return std::type_identity<variant_in_twin<T, P, twin_t<value, P>, twin_t<typename T::error_type, P>>>{};
  } else if constexpr (std::is_bounded_array_v<T>)
    return std::type_identity<twin_t<element_t<T>, P>[array_size<T>]> {};
  else if constexpr (is_array_like<T>)
    return std::type_identity<std::array<twin_t<element_t<T>, P>, array_size<T>>>{};
  else if constexpr (is_specialization<T, std::pair>)
    return std::type_identity<
        std::pair<twin_t<typename T::first_type, P>, twin_t<typename T::second_type, P>>>{};
  else if constexpr (what == kind::tuple) {
    constexpr std::size_t count = std::tuple_size_v<T>;
    if constexpr (count == 2)
      return std::type_identity<
          std::pair<twin_t<std::tuple_element_t<0, T>, P>, twin_t<std::tuple_element_t<1, T>, P>>>{};
    else if constexpr (count == 0) return std::type_identity<T>{};
    else return std::type_identity<typename tuple_record<T, P, std::make_index_sequence<count>>::type>{};
  } else return std::type_identity<T>{}; // what has no twin is refused by name where it is put into a block
}
template <class T, block_policy P>
consteval std::vector<std::meta::info> twin_members() {
  std::vector<std::meta::info> members;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto add = [&](std::meta::info type, std::string_view name) {
      std::string
          copied; // not made of a pointer: with -fsanitize=undefined g++ can't compare one of a static array with null
      for (const char c : name) copied.push_back(c);
      members.push_back(data_member_spec(type, {.name = copied}));
    };
    (add(dealias(^^twin_t<member_type<T, I>, P>), declared_name_table<T>[I]), ...);
  }(std::make_index_sequence<member_count<T>>{});
  return members;
}

/// Whether a default-constructed `T` may be something else than zeros and empty containers, which
/// its twin is.
template <class T>
consteval bool has_initialisers() {
  if constexpr (is_array_like<T>) {
    return has_initialisers<std::remove_cv_t<element_t<T>>>();
  } else if constexpr (is_specialization<T, std::pair>) {
    return has_initialisers<typename T::first_type>() || has_initialisers<typename T::second_type>();
  } else if constexpr (kind_of<T> != kind::record || !std::is_default_constructible_v<T>) {
    return false;
  } else if constexpr (!std::is_aggregate_v<T>) {
    return true; // it has a constructor
  } else {
    for (const std::meta::info each : own_members<T>) {
      if (has_default_member_initializer(each)) return true;
    }
    return []<std::size_t... B, std::size_t... I>(std::index_sequence<B...>, std::index_sequence<I...>) {
      return (has_initialisers<own_base<T, B>>() || ...) ||
             (has_initialisers<std::remove_cv_t<typename[:type_of(own_members<T>[I]):]>>() || ...);
    }(own_base_indices<T>{}, own_member_indices<T>{});
  }
}

/// The struct that the compiler writes. What it is the twin of is found through the class around it.
template <class T, block_policy P>
struct twin_record {
  using ingot_annotated_as = T; // where reflection looks for the annotations
  struct type;
  consteval { define_aggregate(^^type, twin_members<T, P>()); }
};

/// The struct that a generated twin was made of.
template <class T>
concept generated_twin = annotated_class(^^T) != ^^T;
template <generated_twin T>
struct default_source<T> {
  using type = [:annotated_class(^^T):];
  static constexpr bool differs = has_initialisers<type>();
};

/// Refuses members that have no twin by the names of the struct that was written.
template <class T, block_policy P, std::size_t I>
consteval bool require_twin() {
  using member = std::remove_cv_t<member_type<T, I>>;
  constexpr auto name = declared_name_table<T>[I];
  if constexpr (member_has<T, I, skip_t>)
    displace<displacement::skipped_member, T, fixed_string<name.size() + 1>(name), member>();
  else if constexpr (kind_of<member> != kind::record && changes<member> &&
                     std::is_same_v<twin_t<member, P>, member>)
    displace<displacement_of<member, P>(), T, fixed_string<name.size() + 1>(name), member>();
  return true;
}
template <class T, block_policy P>
consteval bool require_twins() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (require_twin<T, P, I>() && ...);
  }(std::make_index_sequence<member_count<T>>{});
}

template <changing_record T, block_policy P>
struct live_form<T, P> {
  static_assert(require_storable<T>() && require_twins<T, P>());
  using type = twin_t<T, P>;
};

} // namespace detail

/// `T` itself if it can lie in a block; otherwise the generated struct.
template <class T, block_policy P = narrow_policy>
using live_twin = detail::twin_t<T, P>;

}} // namespace ingot::INGOT_V1

#endif
