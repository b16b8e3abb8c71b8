// SPDX-License-Identifier: Apache-2.0
// Converts a slot to a view. Views turn offsets into pointers only in this file.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/pack/detail/keys.hpp>
#include <ingot/pack/detail/lists.hpp>
#include <ingot/pack/detail/view_access.hpp>
#include <ingot/pack/layout.hpp>
#include <ingot/pack/pack.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

template <class T>
class record_view;
template <class T>
class list_view;
template <class T>
class tagged_view;

namespace detail {

inline constexpr std::size_t no_leaf = static_cast<std::size_t>(-1);

/// Returns the position, within the slot of a `T`, of the end offset of the last variable field.
template <class T>
consteval std::size_t compute_last_leaf() {
  if constexpr (is_fixed<T>) return no_leaf;
  else if constexpr (is_variable_leaf<T>) return 0;
  else if constexpr (kind_of<T> == kind::adapted) return compute_last_leaf<adapted_t<T>>();
  else if constexpr (kind_of<T> == kind::array) {
    if constexpr (array_size<T> == 0) return no_leaf;
    else return (array_size<T> - 1) * slot_size<element_t<T>> + compute_last_leaf<element_t<T>>();
  } else {
    std::size_t last = no_leaf;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!parts<T>::template skipped<J>) {
          constexpr std::size_t inner = compute_last_leaf<typename parts<T>::template type<J>>();
          if (inner != no_leaf) last = part_offsets<T>[J] + inner;
        }
      };
      (one(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<parts<T>::count>{});
    return last;
  }
}
template <class T>
inline constexpr std::size_t last_leaf = compute_last_leaf<T>();

/// Position of the end offset of the last variable field among the first `I` parts of `T`. One
/// table for all `I` compiles faster: a fold for each `I` would take O(n^2) time for a view of n
/// members.
template <class T>
inline constexpr auto last_leaves = []<std::size_t... I>(std::index_sequence<I...>) {
  std::array<std::size_t, sizeof...(I) + 1> last{};
  last[0] = no_leaf;
  [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
    last[J + 1] = last[J];
    if constexpr (!parts<T>::template skipped<J>) {
      constexpr std::size_t inner = compute_last_leaf<typename parts<T>::template type<J>>();
      if (inner != no_leaf) last[J + 1] = part_offsets<T>[J] + inner;
    }
  };
  (one(std::integral_constant<std::size_t, I>{}), ...);
  return last;
}(std::make_index_sequence<parts<T>::count>{});
template <class T, std::size_t Count>
inline constexpr std::size_t last_leaf_before = last_leaves<T>[Count];

template <class T>
consteval auto compute_view() {
  if constexpr (kind_of<T> == kind::adapted) return compute_view<adapted_t<T>>();
  else if constexpr (kind_of<T> == kind::path) return std::type_identity<std::string_view>{};
  else if constexpr (is_text<T>) {
    using char_type = typename T::value_type;
    if constexpr (sizeof(char_type) == 1) return std::type_identity<std::basic_string_view<char_type>>{};
    else return std::type_identity<list_view<T>>{}; // a string_view would need aligned characters
  } else if constexpr (kind_of<T> == kind::array || is_list<T>) return std::type_identity<list_view<T>>{};
  else if constexpr (has_parts<T>) return std::type_identity<record_view<T>>{};
  else if constexpr (is_tagged<T>) return std::type_identity<tagged_view<T>>{};
  else return std::type_identity<T>{};
}
template <class T>
using view_of = typename decltype(compute_view<std::remove_const_t<T>>())::type;

/// Returns a view of a variable field's payload.
template <class T>
INGOT_INLINE constexpr view_of<T> view_payload(const std::byte* from, std::size_t size) noexcept {
  if constexpr (kind_of<T> == kind::adapted) {
    return view_payload<adapted_t<T>>(from, size);
  } else if constexpr (is_text<T> && !is_specialization<view_of<T>, list_view>) {
    using text = view_of<T>;
    return text(reinterpret_cast<const typename text::value_type*>(from), size);
  } else {
    return view_access::from_payload<view_of<T>>(from, size);
  }
}

/// Returns a view of the field whose slot is at `f.at`. The bytes are validated or trusted.
template <class T>
INGOT_INLINE constexpr view_of<T> view_field(const field_ref& f) noexcept {
  if constexpr (kind_of<T> == kind::adapted) {
    return view_field<adapted_t<T>>(f);
  } else if constexpr (is_variable_leaf<T>) {
    return view_payload<T>(f.tail + f.begin, load_le<end_type>(f.at) - f.begin);
  } else if constexpr (kind_of<T> == kind::array || has_parts<T> || is_tagged<T>) {
    return view_access::from_slot<view_of<T>>(f);
  } else {
    reader r{bytes_view{}};
    end_type previous = f.begin;
    T value{};
    read_slot<T>(r, f.at, f.tail, previous, value, 0);
    return value;
  }
}

/// Validates the whole of `bytes` and returns a view. For types with slots, the checks are those of
/// `read_whole`. But the first level (level.hpp) is checked before a `reader` is created, which
/// saves noticeable time for small messages.
template <class T>
[[nodiscard]] constexpr result<view_of<T>> open_view(bytes_view bytes, bool trailing_allowed) {
  constexpr bool in_slots = kind_of<T> != kind::adapted && !is_variable_leaf<T>;
  const std::byte* const from = bytes.data();
  const auto validate = [&](reader& r) INGOT_INLINE_LAMBDA {
    validate_only nowhere;
    if constexpr (in_slots) {
      end_type previous = 0;
      return read_slot<T>(r, from, from + fixed_part<T>, previous, nowhere, 0);
    } else {
      return read_whole<T>(r, from, bytes.size(), nowhere, 0);
    }
  };
  if constexpr (in_slots) {
    if (!level_fits<T>(from, bytes.size(), trailing_allowed)) [[unlikely]] {
      reader r{bytes};
      explain_fit<T>(r, from, bytes.size());
      return r.why.failure();
    }
  } else if (bytes.size() > std::numeric_limits<end_type>::max()) [[unlikely]] {
    reader r{bytes};
    r.fail(errc::too_large, r.base, "a message of less than 4 GiB", bytes.size());
    return r.why.failure();
  }
  return catch_bad_alloc([&]() -> result<view_of<T>> { // checks of hooks and limits create objects
    reader r{bytes};
    r.trailing_allowed = trailing_allowed;
    if (!validate(r)) [[unlikely]]
      return r.why.failure();
    return view_access::from_payload<view_of<T>>(from, bytes.size());
  });
}

} // namespace detail
}} // namespace ingot::INGOT_V1
