// SPDX-License-Identifier: Apache-2.0
// The live twin of a struct of plain std:: members, made by the compiler: it has the same members, with the same names and annotations, as
// containers of a block. This needs C++26 reflection. Without that, the twin is written by hand, and this header is empty.
//
//   struct person { std::string name; std::vector<int> scores; };
//   ingot::live_twin<person>    is { ingot::string name; ingot::vector<int> scores; }
//   ingot::live<person>         is a block that holds one
//
// A member that is an `ingot::document` becomes an `ingot::live_value`, if <ingot/document/live_value.hpp> is included. Bases are flattened; member functions and default values stay behind. A type that can lie in a block is its own twin.
#pragma once

#include <ingot/core/detail/config.hpp>

#if INGOT_REFLECTION

#include <ingot/live/box.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include <array>
#include <cstddef>
#include <meta>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot::inline v1 {

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

template <block_policy P, class... Ts>
basic_variant<P, twin_t<Ts, P>...> twin_variant(type_pack<Ts...>);

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
  else if constexpr (what == kind::map && !is_multi<T>)
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
    return std::type_identity<decltype(twin_variant<P>(typename alternatives_of<T>::type{}))>{};
  else if constexpr (std::is_bounded_array_v<T>)
    return std::type_identity<twin_t<element_t<T>, P>[array_size<T>]> {};
  else if constexpr (is_array_like<T>)
    return std::type_identity<std::array<twin_t<element_t<T>, P>, array_size<T>>>{};
  else if constexpr (is_specialization<T, std::pair>)
    return std::type_identity<
        std::pair<twin_t<typename T::first_type, P>, twin_t<typename T::second_type, P>>>{};
  else return std::type_identity<T>{}; // what has no twin is refused by name where it is put into a block
}
template <class T, block_policy P>
consteval std::vector<std::meta::info> twin_members() {
  std::vector<std::meta::info> members;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (members.push_back(
         data_member_spec(dealias(^^twin_t<member_type<T, I>, P>), {.name = declared_name_table<T>[I]})),
     ...);
  }(std::make_index_sequence<member_count<T>>{});
  return members;
}

/// The struct that the compiler writes. What it is the twin of is found through the class around it.
template <class T, block_policy P>
struct twin_record {
  using ingot_annotated_as = T; // where reflection looks for the annotations
  struct type;
  consteval { define_aggregate(^^type, twin_members<T, P>()); }
};

template <changing_record T, block_policy P>
struct live_form<T, P> {
  using type = twin_t<T, P>;
};

} // namespace detail

/// `T` itself if it can lie in a block; otherwise the generated struct.
template <class T, block_policy P = narrow_policy>
using live_twin = detail::twin_t<T, P>;

} // namespace ingot::inline v1

#endif
