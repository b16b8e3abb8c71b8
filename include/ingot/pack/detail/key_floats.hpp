// SPDX-License-Identifier: Apache-2.0
// Floats at any depth in keys: none is NaN, and no zero has a sign. A NaN equals no key, and -0
// equals +0 but has other bytes. Readers check the floats of packed keys, and writers remove the
// signs of their zeros. For keys that are C++ objects see for_all_key_floats in measure.hpp.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/pack/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if a key of this type may contain floats. `Path` holds the enclosing records.
template <class K, class... Path>
consteval bool has_float() {
  if constexpr (std::is_same_v<K, nothing>) return false;
  else if constexpr (kind_of<K> == kind::floating || kind_of<K> == kind::complex) return true;
  else if constexpr (kind_of<K> == kind::duration) return std::is_floating_point_v<typename K::rep>;
  else if constexpr (kind_of<K> == kind::time_point) return has_float<typename K::duration>();
  else if constexpr (kind_of<K> == kind::adapted) return has_float<adapted_t<K>, Path...>();
  else if constexpr (kind_of<K> == kind::array) return has_float<element_t<K>, Path...>();
  else if constexpr (has_parts<K>) {
    // if `K` is in `Path`, an outer call already examines the members of `K`
    if constexpr (is_any_of<K, Path...>) return false;
    else {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((!parts<K>::template skipped<I> &&
                 has_float<typename parts<K>::template type<I>, Path..., K>()) ||
                ...);
      }(std::make_index_sequence<parts<K>::count>{});
    }
  } else if constexpr (is_list<K>) return has_float<list_element_t<K>, Path...>();
  else if constexpr (is_tagged<K>) {
    return []<class... Ts>(alternatives<Ts...>) {
      return (has_float<Ts, Path...>() || ...);
    }(tagged_alternatives<K>());
  } else return false;
}
template <class List>
consteval bool key_has_float() {
  if constexpr (is_sorted_list<List>) return has_float<key_t<List>>();
  else return false;
}

/// Returns true if a float may be in the payload of a key. Readers can check such a float only
/// after they have read the key.
template <class K>
consteval bool has_float_in_payload() {
  if constexpr (!has_float<K>()) return false;
  else if constexpr (is_variable_leaf<K>) return true;
  else if constexpr (kind_of<K> == kind::adapted) return has_float_in_payload<adapted_t<K>>();
  else if constexpr (kind_of<K> == kind::array) return has_float_in_payload<element_t<K>>();
  else if constexpr (has_parts<K>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (
          (!parts<K>::template skipped<I> && has_float_in_payload<typename parts<K>::template type<I>>()) ||
          ...);
    }(std::make_index_sequence<parts<K>::count>{});
  } else return false;
}

template <class K, class Byte, class F>
constexpr void each_packed_float(Byte* at, Byte* tail, end_type& begin, F& f);
template <class K, class Byte, class F>
constexpr void each_packed_float_in_payload(Byte* at, std::size_t size, F& f);

/// Calls `f` with the type of the alternative that the tag selects.
template <class T, class F>
constexpr void with_alternative(std::size_t tag, F&& f) {
  [&]<class... Ts>(alternatives<Ts...>) {
    std::size_t index = 0;
    ((index++ == tag ? f(std::type_identity<Ts>()) : void()), ...);
  }(tagged_alternatives<T>());
}

/// Calls `f` with the address and the size of each float in the key whose slot is at `at`. Moves
/// `begin` to the end of the key's payload. Requires that a payload with floats is valid.
template <class K, class Byte, class F>
constexpr void each_packed_float(Byte* at, Byte* tail, end_type& begin, F& f) {
  if constexpr (is_variable_leaf<K>) {
    const end_type end = load_le<end_type>(at);
    if constexpr (has_float<K>()) each_packed_float_in_payload<K>(tail + begin, end - begin, f);
    begin = end;
  } else if constexpr (kind_of<K> == kind::adapted) {
    each_packed_float<adapted_t<K>>(at, tail, begin, f);
  } else if constexpr (is_fixed<K> && !has_float<K>()) {
    return;
  } else if constexpr (kind_of<K> == kind::floating) {
    f(at, std::integral_constant<std::size_t, sizeof(K)>());
  } else if constexpr (kind_of<K> == kind::duration) {
    each_packed_float<typename K::rep>(at, tail, begin, f);
  } else if constexpr (kind_of<K> == kind::time_point) {
    each_packed_float<typename K::duration>(at, tail, begin, f);
  } else if constexpr (kind_of<K> == kind::complex) {
    using half = typename K::value_type;
    each_packed_float<half>(at, tail, begin, f);
    each_packed_float<half>(at + slot_size<half>, tail, begin, f);
  } else if constexpr (kind_of<K> == kind::array) {
    for (std::size_t i = 0; i < array_size<K>; ++i)
      each_packed_float<element_t<K>>(at + i * slot_size<element_t<K>>, tail, begin, f);
  } else if constexpr (has_parts<K>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!parts<K>::template skipped<J>)
          each_packed_float<typename parts<K>::template type<J>>(at + part_offsets<K>[J], tail, begin, f);
      };
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<parts<K>::count>{});
  } else {
    static_assert(is_tagged<K>);
    with_alternative<K>(std::to_integer<std::size_t>(*at), [&]<class A>(std::type_identity<A>) {
      each_packed_float<A>(at + 1, tail, begin, f);
    });
  }
}
/// As `each_packed_float`, for the bytes of a key that is a whole message, or for the payload of a
/// slot.
template <class K, class Byte, class F>
constexpr void each_packed_float_in_payload(Byte* at, std::size_t size, F& f) {
  static_assert(!is_evolvable<K> || !has_float<K>(),
                "ingot: a key can't be an evolvable record that holds floats");
  if constexpr (!has_float<K>() || is_evolvable<K>) {
    return;
  } else if constexpr (kind_of<K> == kind::adapted) {
    each_packed_float_in_payload<adapted_t<K>>(at, size, f);
  } else if constexpr (is_list<K>) {
    using element = list_element_t<K>;
    static_assert(!is_evolvable<element>, "ingot: a key can't be an evolvable record that holds floats");
    constexpr std::size_t stride = slot_size<element>;
    std::size_t count = 0;
    if constexpr (is_fixed<element>) {
      if constexpr (stride != 0) count = size / stride;
    } else {
      count = load_le<end_type>(at);
      at += end_size;
    }
    Byte* const tail = at + count * stride;
    end_type begin = 0;
    for (std::size_t i = 0; i < count; ++i) each_packed_float<element>(at + i * stride, tail, begin, f);
  } else if constexpr (is_tagged<K> && !is_fixed<K>) {
    if (size == 0) return; // an empty optional
    with_alternative<K>(std::to_integer<std::size_t>(*at), [&]<class A>(std::type_identity<A>) {
      each_packed_float_in_payload<A>(at + 1, size - 1, f);
    });
  } else {
    end_type begin = 0;
    each_packed_float<K>(at, at + fixed_part<K>, begin, f);
  }
}

template <std::size_t Width>
using bits_of_width = std::conditional_t<Width == 4, std::uint32_t, std::uint64_t>;
template <std::size_t Width>
inline constexpr bits_of_width<Width> minus_zero = bits_of_width<Width>{1} << (Width * 8 - 1);

struct sign_of_zero_off {
  template <std::size_t Width>
  constexpr void operator()(std::byte* at, std::integral_constant<std::size_t, Width>) const noexcept {
    using bits = bits_of_width<Width>;
    if (load_le<bits>(at) == minus_zero<Width>) store_le(at, bits{0});
  }
};
struct seen_normal {
  bool all = true;
  template <std::size_t Width>
  constexpr void operator()(const std::byte* at, std::integral_constant<std::size_t, Width>) noexcept {
    using bits = bits_of_width<Width>;
    constexpr bits infinity =
        Width == 4 ? static_cast<bits>(0x7F80'0000) : static_cast<bits>(0x7FF0'0000'0000'0000);
    const bits number = load_le<bits>(at);
    all = all && (number & ~minus_zero<Width>) <= infinity && number != minus_zero<Width>;
  }
};

/// Changes -0 to 0 in all floats of a key, because stored keys have no -0. The slot of the key is
/// at `at`, and its payload starts at position `begin` of `tail`.
template <class K>
constexpr void normalise_key(std::byte* at, std::byte* tail, end_type begin) noexcept {
  sign_of_zero_off f;
  each_packed_float<K>(at, tail, begin, f);
}
/// As `normalise_key`, for a key that is a whole message.
template <class K>
constexpr void normalise_lone_key(std::byte* at, std::size_t size) noexcept {
  sign_of_zero_off f;
  each_packed_float_in_payload<K>(at, size, f);
}

}}} // namespace ingot::INGOT_V1::detail
