// SPDX-License-Identifier: Apache-2.0
// Selects the members that a record with `elide_defaults` leaves out. Writer and reader must select
// the same members, because a value has only one encoding: a member that may be left out must be
// left out, and any other member must be present.
#pragma once

#include <ingot/core/detail/never_destroyed.hpp>
#include <ingot/pack/detail/compact_float.hpp>
#include <ingot/pack/detail/key_floats.hpp>
#include <ingot/pack/detail/reader.hpp>
#include <ingot/pack/layout.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns an object whose members have the values of absent members: a default-constructed object
/// with the `default_value` annotations applied.
template <class T>
constexpr T make_standard() {
  static_assert(
      std::is_default_constructible_v<T>,
      "ingot: a type whose members may be left out needs a default constructor to say what they then are");
  T standard{};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (member_has<T, J, default_value_t>)
        assign_default<T, J>(*pointer_at<J>(part_pointers(standard)));
    };
    (one(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<member_count<T>>{});
  return standard;
}
/// Returns the object of `make_standard`. The object is created once, so that a vector of such
/// records does not create one for each record.
template <class T>
const T& standard_object() {
  static const never_destroyed<T> standard([] { return make_standard<T>(); });
  return *standard;
}
template <class T, class F>
constexpr auto with_standard(F&& f) {
  if consteval {
    const T standard = make_standard<T>();
    return f(standard);
  } else {
    return f(standard_object<T>());
  }
}

/// Returns true if members of type `M` are never left out, because equal values may have different
/// bytes.
template <class M>
consteval bool never_left_out() {
  if constexpr (kind_of<M> == kind::record) return has_hooks<M>;
  // compared in the stored form, which is the same on all platforms
  else if constexpr (has_platform_form<M>) return false;
  else return kind_of<M> == kind::adapted || kind_of<M> == kind::variant || kind_of<M> == kind::expected;
}

/// Returns true if a member with the default `standard` can be left out. The result is a constant
/// for most types.
template <class M>
constexpr bool can_be_left_out(const M& standard) {
  if constexpr (never_left_out<M>()) {
    return false;
  } else if constexpr (is_list<M>) {
    return standard.size() == 0;
  } else if constexpr (may_be_absent<M>) {
    return !standard || can_be_left_out(*standard);
  } else if constexpr (kind_of<M> == kind::array) {
    bool all = true;
    for (std::size_t i = 0; i < array_size<M>; ++i) all = all && can_be_left_out<element_t<M>>(standard[i]);
    return all;
  } else if constexpr (has_parts<M>) {
    const auto pointers = part_pointers(standard);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((parts<M>::template skipped<I> ||
               can_be_left_out<std::remove_const_t<typename parts<M>::template type<I>>>(
                   *pointer_at<I>(pointers))) &&
              ...);
    }(std::make_index_sequence<parts<M>::count>{});
  } else {
    return true;
  }
}

/// Returns true if writers leave out a member with this value: its bytes equal the bytes of the
/// default, or readers decode its bytes to the default. `V` is `M` or `owning_t<M>`.
template <class M, encoding How = encoding::plain, class V>
constexpr bool is_default_value(const V& value, const M& standard) {
  if constexpr (never_left_out<M>()) {
    return false;
  } else if constexpr (kind_of<M> == kind::floating) {
    std::uint64_t bits = std::bit_cast<float_bits<M>>(value);
    if constexpr (spells(How, encoding::in_key)) bits = bits == minus_zero<sizeof(M)> ? 0 : bits;
    const std::uint64_t usual = std::bit_cast<float_bits<M>>(standard);
    if constexpr (spells(How, encoding::quantized))
      return bits == usual || requantised<sizeof(M)>(bits, quantum_in(std::to_underlying(How))) == usual;
    else return bits == usual;
  } else if constexpr (kind_of<M> == kind::complex) {
    using part = typename M::value_type;
    return is_default_value<part, only_in_key(How)>(value.real(), standard.real()) &&
           is_default_value<part, only_in_key(How)>(value.imag(), standard.imag());
  } else if constexpr (kind_of<M> == kind::duration) {
    return is_default_value<typename M::rep, only_in_key(How)>(value.count(), standard.count());
  } else if constexpr (kind_of<M> == kind::time_point) {
    return is_default_value<typename M::duration, only_in_key(How)>(value.time_since_epoch(),
                                                                    standard.time_since_epoch());
    // a path's own `==` treats "a//b" and "a/b" as equal
  } else if constexpr (kind_of<M> == kind::path) {
    return value.native() == standard.native();
  } else if constexpr (is_text<M>) {
    return value.size() == standard.size() && order_of<M>(value, standard) == 0;
  } else if constexpr (is_list<M>) {
    return value.size() == 0 && standard.size() == 0;
  } else if constexpr (may_be_absent<M>) {
    if (!value || !standard) return !value && !standard;
    return is_default_value<std::remove_cvref_t<decltype(*standard)>, How>(*value, *standard);
  } else if constexpr (constexpr std::size_t size = unit_whole<M, How>; size != 0) {
    if (is_default_value<M>(value, standard)) return true;
    std::uint64_t code = 0;
    if (!unit_code_of<M>(value, size, code)) return false;
    M again{};
    assign_unit<M>(again, code, size);
    return is_default_value<M>(again, standard);
  } else if constexpr (kind_of<M> == kind::array) {
    for (std::size_t i = 0; i < array_size<M>; ++i) {
      if (!is_default_value<element_t<M>, How>(value[i], standard[i])) return false;
    }
    return true;
  } else if constexpr (has_parts<M>) {
    const auto a = part_pointers(value);
    const auto b = part_pointers(standard);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((parts<M>::template skipped<I> ||
               is_default_value<std::remove_const_t<typename parts<M>::template type<I>>,
                                part_encoding<M, I, How>>(*pointer_at<I>(a), *pointer_at<I>(b))) &&
              ...);
    }(std::make_index_sequence<parts<M>::count>{});
  } else {
    return value == standard; // scalars and bitsets
  }
}

}}} // namespace ingot::INGOT_V1::detail
