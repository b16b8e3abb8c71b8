// SPDX-License-Identifier: Apache-2.0
// Reads the compact profile: one walk over untrusted bytes that decodes or only validates,
// depending on its target.
#pragma once

#include <ingot/pack/detail/compact_record.hpp>
#include <ingot/pack/detail/compact_sorted.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <encoding S, class List, class Out>
INGOT_INLINE constexpr bool compact_read_list_inline(reader& r, stream& in, Out& out, unsigned depth) {
  using element = list_element_t<List>;
  std::size_t count = 0;
  if (!read_count<min_size<element, S>>(r, in, count)) [[unlikely]]
    return false;
  if constexpr (keeps<Out>) {
    if (!can_hold(out, count)) [[unlikely]]
      return r.fail(errc::too_long, in.at, within_capacity, count);
  }
  if constexpr (is_compact_bitwise<element, S> && any_bytes_valid<element> && !is_sorted_list<List>) {
    if !consteval {
      if constexpr (!keeps<Out> || contiguous_storage<Out>) {
        if constexpr (keeps<Out>) {
          if (!read_bulk(r, out, in.at, count)) [[unlikely]]
            return false;
        }
        in.at += count * slot_size<element>;
        return true;
      }
    }
  }
  if constexpr (!keeps<Out> && is_compact_fixed<element, S> && any_bytes_valid<element> &&
                !is_sorted_list<List>) {
    in.at += count * slot_size<element>; // every pattern of the elements' bytes is valid
    return true;
  } else if constexpr (is_sorted_list<List>) {
    return compact_read_sorted<S, List>(r, in, count, out, depth);
  } else if constexpr (!keeps<Out>) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!compact_read_inline<S, element>(r, in, out, depth)) [[unlikely]]
        return name_element<List>(r, i);
    }
    return true;
  } else if constexpr (std::is_default_constructible_v<element> && resizable<Out> &&
                       std::is_same_v<decltype(*out.begin()), element&>) {
    if (out.size() != count && !grow_to(r, in.at, out, count)) [[unlikely]]
      return false;
    const std::uint64_t bytes = in.left(); // upper bound of the list's bytes
    auto target = out.begin();
    for (std::size_t i = 0; i != count;) {
      const std::size_t end = next_report_index(r, i, count, bytes);
      for (; i != end; ++i, ++target) {
        if (!compact_read_inline<S, element>(r, in, *target, depth)) [[unlikely]]
          return name_element<List>(r, i);
      }
      if (i != count && !tell(r, in.at)) [[unlikely]]
        return false;
    }
    return true;
  } else {
    out.clear();
    if (!take_memory(r, in.at, count * element_cost<Out>())) [[unlikely]]
      return false;
    const std::uint64_t bytes = in.left();
    for (std::size_t i = 0; i != count;) {
      const std::size_t end = next_report_index(r, i, count, bytes);
      for (; i != end; ++i) {
        if (!compact_read_value<S, element>(r, in, depth, [&](element&& value) {
              out.insert(out.end(), std::move(value));
              return true;
            })) [[unlikely]] {
          return name_element<List>(r, i);
        }
      }
      if (i != count && !tell(r, in.at)) [[unlikely]]
        return false;
    }
    return true;
  }
}
template <encoding S, class List, class Out>
INGOT_FLATTEN constexpr const std::byte* compact_read_list(reader& r, stream in, Out& out, unsigned depth) {
  return compact_read_list_inline<S, List>(r, in, out, depth) ? in.at : nullptr;
}

template <encoding S, class T, class Out>
INGOT_INLINE constexpr bool compact_read_inline(reader& r, stream& in, Out& out, unsigned depth) {
  if constexpr (is_recursive<T> && (is_list<T> || is_tagged<T> || is_evolvable<T>)) {
    if (depth > max_depth) [[unlikely]]
      return r.fail(errc::too_deep, in.at, "at most 128 levels of nesting");
  }
  if constexpr (std::is_same_v<T, nothing>) {
    return true;
  } else if constexpr (kind_of<T> == kind::adapted) {
    const std::byte* const from = in.at;
    scratch_value<adapted_t<T>> storage;
    adapted_t<T>& stored = *storage;
    return compact_read<S, adapted_t<T>>(r, in, stored, depth) &&
           adapt_into<T>(r, from, std::move(stored), [&](from_result<T>&& value) {
             if constexpr (keeps<Out>) out = std::move(value);
           });
  } else if constexpr (is_compact_fixed<T, S> && !has_parts<T>) {
    if (in.left() < slot_size<T>) [[unlikely]]
      return fail_truncated(r, in);
    const std::byte* const from = in.at;
    end_type previous = 0;
    if (level_bad<T>(from, previous, 0)) [[unlikely]]
      return explain_level<T>(r, from, previous, 0);
    in.at += slot_size<T>;
    if constexpr (kind_of<T> == kind::array || keeps<Out>)
      return read_slot<T>(r, from, from, previous, out, depth);
    else return true;
  } else if constexpr (is_text<T>) {
    std::size_t count = 0;
    constexpr std::size_t unit = kind_of<T> == kind::path ? 1 : sizeof(typename text_unit<T>::type);
    if (!read_count<unit>(r, in, count)) [[unlikely]]
      return false;
    if constexpr (keeps<Out>) {
      if (!text_fits(out, count * unit)) [[unlikely]]
        return r.fail(errc::too_long, in.at, within_capacity, count * unit);
      read_text(r, in.at, count * unit, out);
    }
    in.at += count * unit;
    return true;
  } else if constexpr (is_list<T>) {
    if constexpr (is_compact_bitwise<list_element_t<T>, S> && any_bytes_valid<list_element_t<T>>) {
      return compact_read_list_inline<S, T>(r, in, out, depth + 1);
    } else {
      const std::byte* const list_end = compact_read_list<S, T>(r, in, out, depth + 1);
      if (list_end == nullptr) [[unlikely]]
        return false;
      in.at = list_end;
      return true;
    }
  } else if constexpr (is_tagged<T>) {
    if (in.left() < 1) [[unlikely]]
      return fail_truncated(r, in);
    const std::byte* const from = in.at;
    const auto tag = std::to_integer<std::size_t>(*from);
    constexpr std::size_t count = decltype(tagged_alternatives<T>())::size;
    if (tag >= count) [[unlikely]]
      return r.fail(errc::bad_variant, from, "the tag of an alternative", tag);
    ++in.at;
    return read_alternative<T>(r, from, tag, out, [&]<class A>(std::type_identity<A>, auto& target) {
      return compact_read<S, A>(r, in, target, depth + 1);
    });
  } else if constexpr (constexpr std::size_t unit = unit_whole<T, S>; unit != 0) {
    std::uint64_t code = 0;
    if (!read_unit_code(r, in, array_size<T>, unit, code)) [[unlikely]]
      return false;
    if constexpr (keeps<Out>) assign_unit<T>(out, code, unit);
    return true;
  } else if constexpr (kind_of<T> == kind::array) {
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      bool well = true;
      if constexpr (keeps<Out>) well = compact_read_inline<S, element_t<T>>(r, in, out[i], depth);
      else well = compact_read_inline<S, element_t<T>>(r, in, out, depth);
      if (!well) [[unlikely]] {
        r.why->in_element(i);
        return false;
      }
    }
    return true;
  } else if constexpr (has_parts<T>) {
    if constexpr (is_evolvable<T>) {
      std::size_t size = 0;
      if (!read_count<1>(r, in, size)) [[unlikely]]
        return false;
      stream own{in.at, in.at + size}; // ends with the record: later members are skipped
      if (!compact_read_record<S, true, T>(r, own, out, depth + 1)) return false;
      in.at += size;
      return true;
    } else {
      return compact_read_record<S, false, T>(r, in, out, depth);
    }
  } else if constexpr (kind_of<T> != kind::floating) {
    const std::byte* const from = in.at;
    std::uint64_t raw = 0;
    T value{};
    if (!read_varint(r, in, raw) || !accept_varint(r, from, raw, value)) [[unlikely]]
      return false;
    if constexpr (keeps<Out>) out = value;
    return true;
  } else {
    T value{};
    if (!read_spelled_float(r, in, S, value)) [[unlikely]]
      return false;
    if constexpr (keeps<Out>) out = value;
    return true;
  }
}
template <encoding S, class T, class Out>
constexpr bool compact_read(reader& r, stream& in, Out& out, unsigned depth) {
  return compact_read_inline<S, T>(r, in, out, depth);
}

}}} // namespace ingot::INGOT_V1::detail
