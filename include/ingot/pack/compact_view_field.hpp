// SPDX-License-Identifier: Apache-2.0
// Converts a position in an indexed compact message to a view.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/pack/detail/compact_index.hpp>
#include <ingot/pack/detail/compact_reader.hpp>
#include <ingot/pack/detail/view_access.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace compact {

template <class T, detail::encoding S = detail::encoding::plain>
class record_view;
template <class T, detail::encoding S = detail::encoding::plain>
class list_view;
template <class T, detail::encoding S = detail::encoding::plain>
class tagged_view;

} // namespace compact

namespace detail {

template <class T, encoding S>
consteval auto compute_compact_view() {
  if constexpr (kind_of<T> == kind::adapted) return compute_compact_view<adapted_t<T>, S>();
  else if constexpr (kind_of<T> == kind::path) return std::type_identity<std::string_view>{};
  else if constexpr (is_text<T>) {
    using char_type = typename T::value_type;
    if constexpr (sizeof(char_type) == 1) return std::type_identity<std::basic_string_view<char_type>>{};
    // Text of wider characters is no string_view, because a string_view would need aligned
    // characters.
    else return std::type_identity<compact::list_view<T, S>>{};
  } else if constexpr (unit_whole<T, S> != 0) {
    // A unit vector is stored as one code for all its numbers. So the view has the decoded numbers.
    return std::type_identity<std::array<element_t<T>, array_size<T>>>{};
  } else if constexpr (kind_of<T> == kind::array || is_list<T>)
    return std::type_identity<compact::list_view<T, S>>{};
  else if constexpr (has_parts<T>) return std::type_identity<compact::record_view<T, S>>{};
  else if constexpr (is_tagged<T>) return std::type_identity<compact::tagged_view<T, S>>{};
  else return std::type_identity<T>{};
}
/// The view type of a `T`. Compact views are of the same kinds as packed views, and have the same
/// members.
template <class T, encoding S = encoding::plain>
using compact_view_of = typename decltype(compute_compact_view<std::remove_const_t<T>, S>())::type;

/// Returns the end of the value at `f`.
template <class T, encoding S>
INGOT_INLINE const std::byte* end_of(const indexed_ref& f) noexcept {
  if constexpr (constexpr std::size_t own = index_slots<T, S>; own == 0)
    return f.bytes() + trailing_bytes<T, S>;
  else return f.in.base + f.slot_at(own - 1) + trailing_bytes<T, S>;
}

/// Returns the `I`-th part of a record, tuple or entry whose index slots are those of its parts.
template <class T, encoding S, std::size_t I>
INGOT_INLINE indexed_ref part_at(const indexed_ref& f) noexcept {
  constexpr part_position position = part_positions<T, S>[I];
  slot_type from = f.at;
  if constexpr (position.slots != 0) from = f.slot_at(position.slots - 1);
  return {f.in, static_cast<slot_type>(from + position.bytes),
          static_cast<slot_type>(f.slot + position.slots)};
}

template <class T, encoding S>
INGOT_INLINE compact_view_of<T, S> compact_view_at(const indexed_ref& f) noexcept {
  if constexpr (kind_of<T> == kind::adapted) {
    return compact_view_at<adapted_t<T>, S>(f);
  } else if constexpr (is_byte_text<T>()) {
    using text = compact_view_of<T, S>;
    const std::byte* at = f.bytes();
    const auto size = static_cast<std::size_t>(take_varint(at));
    return text(reinterpret_cast<const typename text::value_type*>(at), size);
  } else if constexpr (constexpr std::size_t unit = unit_whole<T, S>; unit != 0) {
    compact_view_of<T, S> value{};
    assign_unit<T>(value, unit_code_at(f.bytes(), unit), unit);
    return value;
  } else if constexpr (is_text<T> || is_list<T> || kind_of<T> == kind::array || has_parts<T> ||
                       is_tagged<T>) {
    return view_access::from_slot<compact_view_of<T, S>>(f);
  } else if constexpr (!is_compact_fixed<T, S> && kind_of<T> == kind::floating) {
    return std::bit_cast<T>(static_cast<float_bits<T>>(float_at<sizeof(T)>(f.bytes(), S)));
  } else if constexpr (!is_compact_fixed<T, S>) {
    const std::byte* at = f.bytes();
    const std::uint64_t raw = take_varint(at);
    if constexpr (std::is_enum_v<T>) {
      if constexpr (std::is_signed_v<std::underlying_type_t<T>>) return static_cast<T>(unzigzag(raw));
      else return static_cast<T>(raw);
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(unzigzag(raw));
    } else {
      return static_cast<T>(raw);
    }
  } else {
    reader r{bytes_view{}};
    end_type previous = 0;
    T value{};
    read_slot<T>(r, f.bytes(), f.bytes(), previous, value, 0);
    return value;
  }
}

/// Decodes bytes that were validated before.
template <class T, encoding S>
[[nodiscard]] result<T> unpack_at(const indexed_ref& f) {
  return catch_bad_alloc([&]() -> result<T> {
    result<T> value{std::in_place};
    reader r{bytes_view{f.in.base, end_of<T, S>(f)}};
    stream in{f.bytes(), r.end};
    if (!compact_read<S, T>(r, in, *value, 0)) return r.why.failure();
    return value;
  });
}

} // namespace detail
}} // namespace ingot::INGOT_V1
