// SPDX-License-Identifier: Apache-2.0
// The direct parts of a type that is no record: elements, keys and values, alternatives.
#pragma once

#include <ingot/reflect/kind.hpp>

#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A list of types. `parts_of<T>` returns the types whose encodings form the encoding of a `T`. The
/// list does not contain the members of a record or the stored form of an adapted class.
template <class... Ts>
struct type_pack {};

template <class T>
struct alternatives_of;
template <template <class...> class Template, class... Ts>
struct alternatives_of<Template<Ts...>> {
  using type = type_pack<Ts...>;
};

template <class T>
consteval auto parts_of() {
  constexpr kind what = kind_of<T>;
  if constexpr (what == kind::array || what == kind::sequence || what == kind::set ||
                what == kind::unordered_set) {
    return type_pack<typename element_of<T>::type>{};
  } else if constexpr (what == kind::map || what == kind::unordered_map) {
    return type_pack<key_t<T>, mapped_t<T>>{};
  } else if constexpr (what == kind::optional || what == kind::complex) {
    return type_pack<typename T::value_type>{};
  } else if constexpr (what == kind::box) {
    return type_pack<typename T::element_type>{};
  } else if constexpr (what == kind::expected) {
    if constexpr (std::is_void_v<typename T::value_type>) return type_pack<typename T::error_type>{};
    else return type_pack<typename T::value_type, typename T::error_type>{};
  } else if constexpr (what == kind::tuple || what == kind::variant) {
    return typename alternatives_of<T>::type{};
  } else if constexpr (what == kind::duration) {
    return type_pack<typename T::rep>{};
  } else if constexpr (what == kind::time_point) {
    return type_pack<typename T::duration>{};
  } else {
    return type_pack<>{};
  }
}

}}} // namespace ingot::INGOT_V1::detail
