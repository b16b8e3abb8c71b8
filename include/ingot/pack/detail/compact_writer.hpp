// SPDX-License-Identifier: Apache-2.0
// Writes the compact profile: computes a bound of the size first, then writes in one pass that
// can't fail. See measure.hpp and writer.hpp.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/pack/detail/compact_default.hpp>
#include <ingot/pack/detail/compact_float.hpp>
#include <ingot/pack/detail/compact_layout.hpp>
#include <ingot/pack/detail/measure.hpp>
#include <ingot/pack/detail/writer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

// --- size ----------------------------------------------------------------------------------------

/// Returns the size of an encoded length in bytes. If not `Exact`, returns the maximum size. The
/// sum of the sizes is then an upper bound, and needs no branch for each field.
template <bool Exact>
INGOT_INLINE constexpr std::uint64_t length_size(std::uint64_t length) noexcept {
  if constexpr (Exact) return varint_size(length);
  else return 5;
}

template <bool Exact, encoding S, class T, class M>
constexpr std::uint64_t compact_size(M& m, const T& value, unsigned depth);

template <bool Exact, encoding S, class T, class M>
INGOT_INLINE constexpr std::uint64_t compact_size_inline(M& m, const T& value, unsigned depth);

template <bool Exact, encoding S, class List, class M>
constexpr std::uint64_t compact_size_of_far_list(M& m, const List& list, unsigned depth);

/// Returns true if the value has the version that its type names, or if the type names no version.
/// Otherwise sets the error in `m`.
template <class T>
INGOT_INLINE constexpr bool has_right_version(measurer& m, const T& value) {
  if constexpr (kind_of<T> == kind::record) {
    if constexpr (has_version_member<T>) {
      const auto found = *pointer_at<0>(part_pointers(value));
      if (!std::cmp_equal(found, type_get<T, version_t>.number)) {
        m.fail(errc::wrong_version, "the version that the type names", static_cast<std::uint64_t>(found));
        name_failed_member<T>(m, 0);
        return false;
      }
    }
  }
  return true;
}

template <bool Exact, encoding S, class T, class M>
INGOT_INLINE constexpr std::uint64_t compact_size_of_parts(M& m, const T& value, unsigned depth) {
  if (!has_right_version(m, value)) return 0;
  const auto pointers = part_pointers(value);
  return [&]<std::size_t... I>(std::index_sequence<I...>) INGOT_INLINE_LAMBDA {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>)
                                          INGOT_INLINE_LAMBDA -> std::uint64_t {
      if constexpr (parts<T>::template skipped<J>) {
        return 0;
      } else {
        using part = typename parts<T>::template type<J>;
        constexpr encoding how = part_encoding<T, J, S>;
        if constexpr (is_fallible<part> || rejects_values<how>) {
          if (m.failed) return 0;
          const auto size = compact_size_inline<Exact, how, part>(m, *pointer_at<J>(pointers), depth);
          if (m.failed) [[unlikely]]
            name_failed_member<T>(m, J);
          return size;
        } else {
          return compact_size_inline<Exact, how, part>(m, *pointer_at<J>(pointers), depth);
        }
      }
    };
    const auto size = (std::uint64_t{0} + ... + one(std::integral_constant<std::size_t, I>{}));
    if constexpr (can_be_rejected<packed_checks, T>)
      m.rejected = is_rejected_itself<packed_checks>(value, pointers, m.rejected);
    return size;
  }(std::make_index_sequence<parts<T>::count>{});
}

/// Returns the size of a record with elided defaults: the mask, and the members that differ from
/// their defaults. Always measures exactly: a bound would have to count the members that are
/// omitted.
template <encoding S, class T, class M>
constexpr std::uint64_t compact_size_elided(M& m, const T& value, unsigned depth) {
  if (!has_right_version(m, value)) return 0;
  return with_standard<T>([&](const T& standard) {
    const auto pointers = part_pointers(value);
    const auto standards = part_pointers(standard);
    std::uint64_t total = mask_size<T>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!parts<T>::template skipped<J>) {
          using part = typename parts<T>::template type<J>;
          if (!m.failed && !is_default_value<part, part_encoding<T, J, S>>(*pointer_at<J>(pointers),
                                                                           *pointer_at<J>(standards))) {
            total += compact_size<true, part_encoding<T, J, S>, part>(m, *pointer_at<J>(pointers), depth);
            if (m.failed) [[unlikely]]
              name_failed_member<T>(m, J);
          }
        }
      };
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<parts<T>::count>{});
    if constexpr (can_be_rejected<packed_checks, T>)
      m.rejected = is_rejected_itself<packed_checks>(value, pointers, m.rejected);
    return total;
  });
}

template <class K, encoding S>
consteval bool reaches_unit() {
  constexpr auto bytes = static_cast<unsigned>(std::to_underlying(S) >> 48 & 0xFF);
  if constexpr (spells(S, encoding::unit_vector)) return has_unit_vector<bytes, K>();
  else return false;
}
template <class K, class... Path>
consteval void check_key();
template <class K, std::size_t I, class... Path>
consteval void check_part_of_key() {
  if constexpr (!parts<K>::template skipped<I>) {
    if constexpr (!is_entry<K> && kind_of<K> == kind::record) {
      if constexpr (rejects_values<member_encoding<K, I>()>) {
        constexpr auto name = declared_name_table<K>[I];
        complain<misuse::quantized_key, K, fixed_string<name.size() + 1>(name)>();
      }
    }
    check_key<typename parts<K>::template type<I>, Path...>();
  }
}
template <class... Path, class... Ts>
consteval void check_keys(type_pack<Ts...>) {
  (check_key<std::remove_const_t<Ts>, Path...>(), ...);
}
/// Rejects keys with rounded members, at compile time. Rounding could make two keys equal, and
/// readers would reject the second key.
template <class K, class... Path>
consteval void check_key() {
  if constexpr (is_any_of<K, Path...>) return;
  else if constexpr (kind_of<K> == kind::adapted) check_key<adapted_t<K>, K, Path...>();
  else if constexpr (has_parts<K>) {
    [[maybe_unused]] constexpr auto members = []<std::size_t... I>(std::index_sequence<I...>) {
      (check_part_of_key<K, I, K, Path...>(), ...);
    };
    members(std::make_index_sequence<parts<K>::count>{});
  } else {
    check_keys<K, Path...>(parts_of<K>());
  }
}

/// The encoding of the elements of a list, or of the keys of a map. `S` is the encoding of the list
/// or map.
template <encoding S, class List>
inline constexpr encoding key_encoding = key_has_float<List>() ? combined_encoding(S, encoding::in_key) : S;

template <bool Exact, encoding S, class List, class M>
INGOT_INLINE constexpr std::uint64_t compact_size_of_list(M& m, const List& list, unsigned depth) {
  using element = list_element_t<List>;
  const auto count = static_cast<std::uint64_t>(list.size());
  if constexpr (is_sorted_list<List>) {
    static_assert(!spells(S, encoding::quantized) || !has_quantizable<key_t<List>>(),
                  "ingot: quantize does not reach floats in keys: two keys might become one");
    static_assert(!reaches_unit<key_t<List>, S>(),
                  "ingot: unit_vector does not reach keys: two keys might become one");
    check_key<key_t<List>>();
  }
  if (!keeps_links(m, list)) return 0;
  if constexpr (min_size<element, S> == 0) {
    if (count > max_empty_elements - m.empty_elements) {
      return m.fail(errc::too_large, "at most 65536 elements of size zero in a message");
    }
    m.empty_elements += static_cast<std::uint32_t>(count);
  }
  std::uint64_t total = length_size<Exact>(count);
  if constexpr (is_compact_fixed<element, S> && !is_fallible<element> && !key_has_float<List>()) {
    check_whole_part(m, list);
    return total + count * slot_size<element>;
  } else {
    [[maybe_unused]] std::size_t index = 0;
    const bool all = for_each_measured(m, list, [&](const auto& item) INGOT_INLINE_LAMBDA {
      if constexpr (is_map<List>) {
        total += compact_size_inline<Exact, key_encoding<S, List>, key_t<List>>(m, item.first, depth);
        if constexpr (is_fallible<List> || rejects_values<S>) {
          if (m.failed) [[unlikely]]
            return name_failed_entry(m, "key", index);
        }
        if constexpr (key_has_float<List>()) {
          measure_key<key_t<List>>(m, item.first);
          if (m.failed) [[unlikely]] { // a NaN: adds the entry to the path, as readers do
            m.why->in_element(index);
            return false;
          }
        }
        total += compact_size_inline<Exact, S, mapped_t<List>>(m, item.second, depth);
        if constexpr (is_fallible<List> || rejects_values<S>) {
          if (m.failed) [[unlikely]]
            return name_failed_entry(m, "value", index);
        }
      } else {
        total += compact_size_inline<Exact, key_encoding<S, List>, element>(m, item, depth);
        if constexpr (key_has_float<List>()) measure_key<element>(m, item);
      }
      if constexpr (is_fallible<List> || rejects_values<S>) {
        if (m.failed) [[unlikely]] {
          m.why->in_element(index);
          return false;
        }
        ++index;
      }
      return true;
    });
    if (!all) return 0;
    return total;
  }
}

template <bool Exact, encoding S, class T, class M>
INGOT_INLINE constexpr std::uint64_t compact_size_inline(M& m, const T& value, unsigned depth) {
  if constexpr (is_recursive<T> && (is_list<T> || is_tagged<T> || is_evolvable<T>)) {
    if (depth > max_depth) return m.fail(errc::too_deep, "at most 128 levels of nesting");
  }
  if constexpr (std::is_same_v<T, nothing>) {
    return 0;
  } else if constexpr (is_compact_fixed<T, S> && !is_fallible<T>) {
    check_whole_part(m, value);
    return slot_size<T>;
  } else if constexpr (kind_of<T> == kind::adapted) {
    if (!fits_stored_form(m, value)) return 0;
    const auto& stored = checked_stored(m, value);
    return compact_size<Exact, S, adapted_t<T>>(m, stored, depth);
  } else if constexpr (kind_of<T> == kind::path) {
    const std::uint64_t size = value.u8string().size();
    return length_size<Exact>(size) + size;
  } else if constexpr (is_text<T>) {
    const std::uint64_t size = static_cast<std::uint64_t>(value.size()) * sizeof(typename T::value_type);
    return length_size<Exact>(value.size()) + size;
  } else if constexpr (is_list<T>) {
    if constexpr (is_recursive<T>) return compact_size_of_far_list<Exact, S>(m, value, depth + 1);
    else return compact_size_of_list<Exact, S>(m, value, depth + 1);
  } else if constexpr (is_tagged<T>) {
    std::uint64_t total = 1;
    if constexpr (kind_of<T> == kind::variant) {
      if (value.valueless_by_exception()) return m.fail(errc::invalid_value, "a variant that holds a value");
    }
    visit_held(value, [&](auto, const auto& held) {
      using held_type = std::remove_cvref_t<decltype(held)>;
      total += compact_size<Exact, S, held_type>(m, held, depth + 1);
    });
    return total;
  } else if constexpr (constexpr std::size_t unit = unit_whole<T, S>; unit != 0) {
    return is_unit<T>(value) ? unit : m.fail(errc::out_of_range, unit_expected);
  } else if constexpr (kind_of<T> == kind::array) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      total += compact_size_inline<Exact, S, element_t<T>>(m, value[i], depth);
      if constexpr (is_fallible<element_t<T>> || rejects_values<S>) {
        if (m.failed) [[unlikely]] {
          m.why->in_element(i);
          return 0;
        }
      }
    }
    return total;
  } else if constexpr (has_parts<T>) {
    if constexpr (is_evolvable<T>) {
      static_assert(!elides_defaults<T>, "ingot: a type is evolvable or elides its defaults, not both");
      const std::uint64_t size = compact_size_of_parts<true, S>(m, value, depth + 1);
      return varint_size(size) + size;
    } else if constexpr (elides_defaults<T>) {
      return compact_size_elided<S>(m, value, depth);
    } else {
      return compact_size_of_parts<Exact, S>(m, value, depth);
    }
  } else if constexpr (kind_of<T> != kind::floating) {
    check_whole_part(m, value);
    if constexpr (Exact) return varint_size(to_varint(value));
    else return (sizeof(T) * 8 + 6) / 7;
  } else if constexpr (spells(S, encoding::quantized)) {
    std::int64_t steps = 0;
    if (!quantise(widened_bits(value), quantum_in(std::to_underlying(S)), steps))
      return m.fail(errc::out_of_range, "a number that quantize's steps can reach");
    return varint_size(zigzag(steps));
  } else {
    if constexpr (!Exact) return 1 + sizeof(T);
    else if constexpr (spells(S, encoding::in_key)) return float_size(S, with_one_zero(value));
    else return float_size(S, value);
  }
}
template <bool Exact, encoding S, class T, class M>
constexpr std::uint64_t compact_size(M& m, const T& value, unsigned depth) {
  return compact_size_inline<Exact, S>(m, value, depth);
}
template <bool Exact, encoding S, class List, class M>
constexpr std::uint64_t compact_size_of_far_list(M& m, const List& list, unsigned depth) {
  return compact_size_of_list<Exact, S>(m, list, depth);
}

// --- bytes ---------------------------------------------------------------------------------------

template <encoding S, output_space Space, class T>
constexpr void compact_put(tail_writer<Space>& w, const T& value);
template <encoding S, output_space Space, class T>
INGOT_INLINE constexpr void compact_put_inline(tail_writer<Space>& w, const T& value);

template <std::size_t I, encoding S, output_space Space, class T, class Pointers>
INGOT_INLINE constexpr void compact_put_parts(tail_writer<Space>& w, const Pointers& pointers) {
  if constexpr (I < parts<T>::count) {
    if constexpr (parts<T>::template skipped<I>) {
      compact_put_parts<I + 1, S, Space, T>(w, pointers);
    } else {
      using part = typename parts<T>::template type<I>;
      if constexpr (constexpr std::size_t run = compact_run<T, S, I>(); run > 1) {
        if !consteval {
          if (are_adjacent<I, run>(pointers)) {
            constexpr std::size_t bytes = part_offsets<T>[I + run] - part_offsets<T>[I];
            std::memcpy(w.at, pointer_at<I>(pointers), bytes);
            w.at += bytes;
            compact_put_parts<I + run, S, Space, T>(w, pointers);
            return;
          }
        }
      }
      compact_put_inline<part_encoding<T, I, S>, Space, part>(w, *pointer_at<I>(pointers));
      compact_put_parts<I + 1, S, Space, T>(w, pointers);
    }
  }
}

template <encoding S, output_space Space, class T>
constexpr void compact_put_elided(tail_writer<Space>& w, const T& value) {
  with_standard<T>([&](const T& standard) {
    const auto pointers = part_pointers(value);
    const auto standards = part_pointers(standard);
    std::byte* const mask = w.at;
    for (std::size_t i = 0; i < mask_size<T>; ++i) mask[i] = std::byte{0};
    w.at += mask_size<T>;
    std::size_t bit = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!parts<T>::template skipped<J>) {
          using part = typename parts<T>::template type<J>;
          if (!is_default_value<part, part_encoding<T, J, S>>(*pointer_at<J>(pointers),
                                                              *pointer_at<J>(standards))) {
            mask[bit / 8] |= std::byte{1} << (bit % 8);
            compact_put<part_encoding<T, J, S>, Space, part>(w, *pointer_at<J>(pointers));
          }
          ++bit;
        }
      };
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<parts<T>::count>{});
  });
}

template <encoding S, class List, output_space Space>
INGOT_INLINE constexpr void compact_put_elements(tail_writer<Space>& w, const List& list) {
  using element = list_element_t<List>;
  const std::size_t count = list.size();
  w.at = put_varint(w.at, count);
  if constexpr (is_compact_bitwise<element, S> && contiguous_list<List> && !is_sorted_list<List>) {
    if !consteval {
      put_bulk<slot_size<element> == 1>(w, list.data(), count * slot_size<element>);
      return;
    }
  }
  for_each_in_order(list, poll_of(w), [&](const auto& item) INGOT_INLINE_LAMBDA {
    if constexpr (Space == output_space::reporting) {
      if (!w.report->should_continue(w.at)) return;
    }
    if constexpr (is_map<List>) {
      using key = key_t<List>;
      compact_put_inline<key_encoding<S, List>, Space, key>(w, item.first);
      compact_put_inline<S, Space, mapped_t<List>>(w, item.second);
    } else {
      compact_put_inline<key_encoding<S, List>, Space, element>(w, item);
    }
  });
}
template <encoding S, output_space Space, class List>
INGOT_FLATTEN constexpr std::byte* compact_put_list(tail_writer<Space> w, const List& list) {
  compact_put_elements<S>(w, list);
  return w.at;
}

template <encoding S, output_space Space, class T>
INGOT_INLINE constexpr void compact_put_inline(tail_writer<Space>& w, const T& value) {
  if constexpr (std::is_same_v<T, nothing>) {
    return;
  } else if constexpr (is_compact_fixed<T, S> && !has_parts<T>) {
    put_slot<Space, T>(w, w.at, w.at, value);
    if constexpr (spells(S, encoding::in_key)) normalise_key<T>(w.at, w.at, 0);
    w.at += slot_size<T>;
  } else if constexpr (kind_of<T> == kind::adapted) {
    const auto& stored = adapt<T>::to(value);
    compact_put_inline<S, Space, adapted_t<T>>(w, stored);
  } else if constexpr (kind_of<T> == kind::path) {
    const auto text = value.u8string();
    compact_put_inline<S, Space>(w, text);
  } else if constexpr (is_text<T>) {
    w.at = put_varint(w.at, value.size());
    put_payload_inline(w, value);
  } else if constexpr (is_list<T>) {
    if constexpr (is_compact_bitwise<list_element_t<T>, S>) compact_put_elements<S>(w, value);
    else w.at = compact_put_list<S>(w, value);
  } else if constexpr (is_tagged<T>) {
    *w.at++ = std::byte{0};
    visit_held(value, [&](auto index, const auto& held) {
      using held_type = std::remove_cvref_t<decltype(held)>;
      w.at[-1] = static_cast<std::byte>(decltype(index)::value);
      compact_put<S, Space, held_type>(w, held);
    });
  } else if constexpr (constexpr std::size_t unit = unit_whole<T, S>; unit != 0) {
    std::uint64_t code = 0;
    static_cast<void>(unit_code_of<T>(value, unit, code)); // can't fail: the value was measured
    w.at = put_unit_code(w.at, code, unit);
  } else if constexpr (kind_of<T> == kind::array) {
    for (std::size_t i = 0; i < array_size<T>; ++i) compact_put_inline<S, Space, element_t<T>>(w, value[i]);
  } else if constexpr (has_parts<T>) {
    if constexpr (is_evolvable<T>) {
      if constexpr (Space == output_space::reporting) {
        polling_measurer m(*w.report->by);
        w.at = put_varint(w.at, compact_size_of_parts<true, S>(m, value, 0));
      } else {
        measurer m;
        w.at = put_varint(w.at, compact_size_of_parts<true, S>(m, value, 0));
      }
      compact_put_parts<0, S, Space, T>(w, part_pointers(value));
    } else if constexpr (elides_defaults<T>) {
      compact_put_elided<S>(w, value);
    } else {
      compact_put_parts<0, S, Space, T>(w, part_pointers(value));
    }
  } else if constexpr (kind_of<T> != kind::floating) {
    w.at = put_varint(w.at, to_varint(value));
  } else if constexpr (spells(S, encoding::in_key)) {
    w.at = put_float(w.at, S, with_one_zero(value));
  } else {
    w.at = put_float(w.at, S, value);
  }
}
template <encoding S, output_space Space, class T>
constexpr void compact_put(tail_writer<Space>& w, const T& value) {
  compact_put_inline<S>(w, value);
}

}}} // namespace ingot::INGOT_V1::detail
