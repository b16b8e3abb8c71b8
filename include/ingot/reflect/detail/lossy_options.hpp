// SPDX-License-Identifier: Apache-2.0
// The loss of precision that annotations allow, for each member. These annotations are `quantize`
// and `unit_vector` of a member, and `transform` of a type. `transform` has the effect of the other
// two on members of the type.
#pragma once

#include <ingot/reflect/detail/parts_of.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>
#include <ingot/reflect/sentence.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if `T` has a float to which the `quantize` of a member applies: `T` itself, or a
/// float in containers and alternatives of `T`. Floats in records and in keys do not count.
template <class T, class... Path>
consteval bool has_quantizable();
template <class... Path, class... Ts>
consteval bool any_quantizable(type_pack<Ts...>) {
  return (has_quantizable<std::remove_const_t<Ts>, Path...>() || ...);
}
template <class T, class... Path>
consteval bool has_quantizable() {
  constexpr kind what = kind_of<T>;
  if constexpr ((std::is_same_v<T, Path> || ...))
    return false; // an adapted class may be stored as a sequence of itself
  else if constexpr (what == kind::floating) return true;
  else if constexpr (what == kind::adapted) return has_quantizable<adapted_t<T>, Path..., T>();
  else if constexpr (what == kind::map || what == kind::unordered_map)
    return has_quantizable<mapped_t<T>, Path...>();
  else if constexpr (what == kind::set || what == kind::unordered_set || what == kind::duration ||
                     what == kind::time_point || what == kind::complex)
    return false;
  else return any_quantizable<Path...>(parts_of<T>());
}
/// Returns true if a `unit_vector` of `Bytes` bytes (0: its default size) on a member of type `T`
/// has something to encode: `T` is an array of floats for a direction or rotation, or has such an
/// array in its containers or alternatives.
template <unsigned Bytes, class T, class... Path>
consteval bool has_unit_vector();
template <unsigned Bytes, class... Path, class... Ts>
consteval bool any_unit_vector(type_pack<Ts...>) {
  return (has_unit_vector<Bytes, std::remove_const_t<Ts>, Path...>() || ...);
}
template <unsigned Bytes, class T, class... Path>
consteval bool has_unit_vector() {
  constexpr kind what = kind_of<T>;
  if constexpr ((std::is_same_v<T, Path> || ...)) return false;
  else if constexpr (what == kind::adapted) return has_unit_vector<Bytes, adapted_t<T>, Path..., T>();
  else if constexpr (what == kind::array) {
    if constexpr (kind_of<element_t<T>> == kind::floating) return unit_size_of(Bytes, array_size<T>) != 0;
    else return has_unit_vector<Bytes, element_t<T>, Path...>();
  } else if constexpr (what == kind::map || what == kind::unordered_map)
    return has_unit_vector<Bytes, mapped_t<T>, Path...>();
  else if constexpr (what == kind::set || what == kind::unordered_set) return false;
  else return any_unit_vector<Bytes, Path...>(parts_of<T>());
}

template <class T>
consteval bool is_stored_as_float() {
  if constexpr (kind_of<T> == kind::adapted) return is_stored_as_float<adapted_t<T>>();
  else return kind_of<T> == kind::floating;
}
/// Returns true if `T` has an array, also in keys, whose elements are classes that are stored as
/// floats. A schema describes such an array as an array of floats. But `unit_vector` does not apply
/// to such an array: each element is stored in full.
template <unsigned Bytes, class T, class... Path>
consteval bool has_adapted_unit();
template <unsigned Bytes, class... Path, class... Ts>
consteval bool any_adapted_unit(type_pack<Ts...>) {
  return (has_adapted_unit<Bytes, std::remove_const_t<Ts>, Path...>() || ...);
}
template <unsigned Bytes, class T, class... Path>
consteval bool has_adapted_unit() {
  constexpr kind what = kind_of<T>;
  if constexpr ((std::is_same_v<T, Path> || ...)) return false;
  else if constexpr (what == kind::adapted) return has_adapted_unit<Bytes, adapted_t<T>, Path..., T>();
  else if constexpr (what == kind::array) {
    constexpr bool is_adapted = kind_of<element_t<T>> == kind::adapted;
    if constexpr (is_adapted && is_stored_as_float<element_t<T>>())
      return unit_size_of(Bytes, array_size<T>) != 0;
    else return has_adapted_unit<Bytes, element_t<T>, Path...>();
  } else return any_adapted_unit<Bytes, Path...>(parts_of<T>());
}

/// The loss of precision that a member allows.
struct lossy_options {
  quantize_t step{};
  unit_vector_t unit{};
  bool is_quantized = false;
  bool is_unit_vector = false;
};

/// Returns the number of elements of an array of floats, 1 for a float, and 0 for a type without
/// floats. Returns the maximum of `std::size_t` for any other type that contains floats.
template <class M>
consteval std::size_t float_shape() {
  if constexpr (kind_of<M> == kind::adapted) return float_shape<adapted_t<M>>();
  else if constexpr (kind_of<M> == kind::floating) return 1;
  else {
    if constexpr (kind_of<M> == kind::array) {
      if constexpr (kind_of<element_t<M>> == kind::floating) return array_size<M>;
    }
    return has_quantizable<M>() ? ~std::size_t{0} : 0;
  }
}
/// Returns true if a member itself has an annotation for its compact encoding. Annotations of the
/// type do not apply to such a member.
template <class T, std::size_t I>
consteval bool has_own_encoding() {
  return member_has<T, I, varint_t> || member_has<T, I, fixed_t> || member_has<T, I, short_float_t> ||
         member_has<T, I, tight_float_t> || member_has<T, I, quantize_t> || member_has<T, I, unit_vector_t>;
}
/// The indices of the members to which `transform` applies. The index of a missing position,
/// rotation or scale is the number of members. `is_well` is true if there is a position, a
/// rotation, at most one scale, and no other floats. Floats of members with annotations of their
/// own don't count.
struct transform_parts {
  std::size_t position = 0;
  std::size_t rotation = 0;
  std::size_t scale = 0;
  bool is_well = true;
};
template <class T>
consteval transform_parts find_transform() {
  constexpr std::size_t count = member_count<T>;
  transform_parts found{count, count, count, true};
  const auto take = [&](std::size_t index, std::size_t shape) {
    std::size_t* slot = &found.rotation;
    if (shape != 4) slot = found.position == count ? &found.position : &found.scale;
    const bool fits = shape == 4 || shape == 3 || (shape == 1 && slot == &found.scale);
    if (*slot != count || !fits) found.is_well = false;
    *slot = index;
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (!member_has<T, J, skip_t> && !has_own_encoding<T, J>()) {
        constexpr std::size_t shape = float_shape<std::remove_const_t<member_type<T, J>>>();
        if constexpr (shape != 0) take(J, shape);
      }
    };
    (one(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<count>{});
  if (found.position == count || found.rotation == count) found.is_well = false;
  return found;
}

template <class T, std::size_t I>
consteval lossy_options lossy_options_of() {
  lossy_options options;
  if constexpr (member_has<T, I, quantize_t>) {
    options.is_quantized = true;
    options.step = member_get<T, I, quantize_t>;
  }
  if constexpr (member_has<T, I, unit_vector_t>) {
    options.is_unit_vector = true;
    options.unit = member_get<T, I, unit_vector_t>;
  }
  if constexpr (type_has<T, transform_t>) {
    constexpr transform_t all = type_get<T, transform_t>;
    constexpr transform_parts parts = find_transform<T>();
    if constexpr (I == parts.rotation) {
      options.is_unit_vector = true;
      options.unit = all.rotation;
    } else if constexpr (I == parts.position || I == parts.scale) {
      options.is_quantized = true;
      options.step = I == parts.position ? all.position : all.scale;
    }
  }
  return options;
}

template <class T, std::size_t I>
consteval void check_losses_of_member() {
  constexpr auto name = declared_name_table<T>[I];
  using member = std::remove_const_t<member_type<T, I>>;
  constexpr lossy_options lost = lossy_options_of<T, I>();
  if constexpr (member_has<T, I, transform_t>)
    complain<misuse::transform_shape, T, fixed_string<name.size() + 1>(name)>();
  if constexpr (lost.is_unit_vector) {
    if constexpr (!has_unit_vector<lost.unit.bytes, member>())
      complain<misuse::unit_nothing, T, fixed_string<name.size() + 1>(name)>();
    if constexpr (has_adapted_unit<lost.unit.bytes, member>())
      complain<misuse::unit_adapted, T, fixed_string<name.size() + 1>(name)>();
  }
  if constexpr (lost.is_quantized) {
    constexpr quantize_t step = lost.step;
    if constexpr (step.units == 0 || step.digits > 9 || (step.digits != 0 && step.units % 10 == 0))
      complain<misuse::quantize_step, T, fixed_string<name.size() + 1>(name)>();
    if constexpr (!has_quantizable<member>())
      complain<misuse::quantized_nothing, T, fixed_string<name.size() + 1>(name)>();
  }
}
template <class T>
consteval void check_losses() {
  if constexpr (has_lossy_member<T>) { // the type or a member has such an annotation; few types do
    if constexpr (type_has<T, quantize_t> || type_has<T, unit_vector_t>)
      complain<misuse::quantized_type, T>();
    if constexpr (type_has<T, transform_t>) {
      if constexpr (!find_transform<T>().is_well) complain<misuse::transform_shape, T>();
    }
    [[maybe_unused]] constexpr auto members = []<std::size_t... I>(std::index_sequence<I...>) {
      (check_losses_of_member<T, I>(), ...);
    };
    members(std::make_index_sequence<member_count<T>>{});
  }
}

}}} // namespace ingot::INGOT_V1::detail
