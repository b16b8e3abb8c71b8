// SPDX-License-Identifier: Apache-2.0
// Reads values for which no object exists yet. A type without a default constructor is constructed
// from the parts that were read: an adapted class from its stored form, a record from its members,
// an array or a tuple from its elements.
#pragma once

#include <ingot/document/detail/reading.hpp>
#include <ingot/reflect/detail/new_elements.hpp>
#include <ingot/reflect/detail/temporary.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns true if reading a `T` never allocates memory. The stored form of an adapted class may
/// allocate.
template <class T>
consteval bool is_read_without_memory() {
  if constexpr (!std::is_trivially_copyable_v<T> || !std::is_default_constructible_v<T> ||
                sizeof(T) > max_stack_size || kind_of<T> == kind::adapted) {
    return false;
  } else if constexpr (std::is_array_v<T> || kind_of<T> == kind::array) {
    return is_read_without_memory<element_t<T>>();
  } else if constexpr (kind_of<T> == kind::optional) {
    return is_read_without_memory<typename T::value_type>();
  } else if constexpr (kind_of<T> == kind::record) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (is_read_without_memory<member_type<T, I>>() && ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return kind_of<T> != kind::variant && kind_of<T> != kind::expected && kind_of<T> != kind::tuple;
  }
}
template <class T>
inline constexpr bool reads_without_memory = is_read_without_memory<T>();

/// Storage for the members of a record. The record is constructed from these members when all of
/// them are read.
template <class T, class = std::make_index_sequence<member_count<T>>>
struct record_parts;
template <class T, std::size_t... I>
struct record_parts<T, std::index_sequence<I...>> {
  static_assert(!(std::is_array_v<member_type<T, I>> || ...),
                "ingot: a record with a C array needs a default constructor: use std::array");
  static_assert(((std::is_default_constructible_v<member_type<T, I>> || !member_has<T, I, skip_t>) && ...),
                "ingot: a skipped member needs a default constructor");
  static_assert(
      (std::is_array_v<member_type<T, I>> || ...) || requires { T{std::declval<member_type<T, I>>()...}; },
      "ingot: a class without a default constructor is made of its members: give it a constructor of "
      "these, a default constructor, or specialise ingot::adapt");

  std::tuple<std::optional<member_type<T, I>>...> members;
  std::optional<T> upgraded; ///< the record, if it was upgraded from an earlier version

  template <class Use>
  [[nodiscard]] bool make(Use&& use) {
    return make_new<T>(use, std::move(*std::get<I>(members))...);
  }
};

/// Calls `f(index, slot)` for each member of a record. If `to` is a `record_parts`, the slots are
/// its parts.
template <class T, class To, class F>
INGOT_INLINE bool for_each_slot(To& to, F&& f) {
  if constexpr (std::is_same_v<T, To>) {
    return for_each_member(to, std::forward<F>(f));
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (f(std::integral_constant<std::size_t, I>{}, std::get<I>(to.members)) && ...);
    }(std::make_index_sequence<member_count<T>>{});
  }
}

template <class T>
[[nodiscard]] bool is_accepted(reading& r, T& object);
template <class T, class To>
[[nodiscard]] bool read_object(reading& r, const item& from, To& to);
template <class T, class Take>
[[nodiscard]] bool read_new(reading& r, const item& from, Take&& take);

/// Reads a record, and passes it to `take`.
template <class T, class Take>
[[nodiscard]] bool read_new_record(reading& r, const item& from, Take&& take) {
  scratch_value<record_parts<T>> storage;
  record_parts<T>& parts = *storage;
  if (!read_object<T>(r, from, parts)) return false;
  if (parts.upgraded) return take(std::move(*parts.upgraded));
  return parts.make([&](T& object) { return is_accepted(r, object) && take(std::move(object)); });
}
/// Reads the elements of an array or a tuple. Passes the array or tuple to `take`.
template <class T, class Take>
[[nodiscard]] bool read_new_elements(reading& r, const item& from, Take&& take) {
  scratch_value<element_parts<T>> storage;
  element_parts<T>& parts = *storage;
  std::size_t count = 0;
  const bool all = for_each_element(r, from, [&](uint32_t i, const item& each) {
    if (i >= std::tuple_size_v<T>) return r.reject(errc::too_long, "no more elements than the type has");
    ++count;
    return parts.read_element(i, [&]<class E>(std::optional<E>& slot) {
      return read_new<E>(r, each, [&slot](auto&& element) {
        return slot.emplace(std::forward<decltype(element)>(element)), true;
      });
    });
  });
  if (!all) return false;
  if (count != std::tuple_size_v<T>) return r.reject(errc::bad_length, "as many elements as the type has");
  return parts.make([&take](T& object) { return take(std::move(object)); });
}
/// Reads the stored form of an adapted class. Constructs the object from this form, and passes the
/// object to `take`.
template <class T, class Take>
[[nodiscard]] bool read_adapted(reading& r, const item& from, Take&& take) {
  if (r.depth == r.whole_depth) ++r.whole_depth; // the stored form is then the outermost value
  return read_new<adapted_t<T>>(r, from, [&](auto&& stored) {
    auto adapted_value = adapt_from<T>(std::forward<decltype(stored)>(stored));
    if (!adapted_value) return r.why = adapted_value.error(), false;
    return take(std::move(*adapted_value));
  });
}

/// Reads a value, and passes it to `take`. `take` returns false to reject the value.
template <class T, class Take>
[[nodiscard]] bool read_new(reading& r, const item& from, Take&& take) {
  if constexpr (std::is_default_constructible_v<T>) {
    scratch_value<T> object;
    return read_as(r, from, *object) && take(std::move(*object));
  } else {
    static_assert(
        kind_of<T> == kind::adapted || kind_of<T> == kind::record || kind_of<T> == kind::array ||
            kind_of<T> == kind::tuple,
        "ingot: documents are read as types that have a default constructor, or are records, arrays, "
        "tuples or ingot::adapt: give the type a default constructor, or hold it in a std::optional");
    // This limit protects the call stack: the types below may contain themselves, so that values
    // may nest to any depth.
    if (r.depth == reading::depth_limit) return r.reject(errc::too_deep, "no more than 128 levels");
    ++r.depth;
    struct leaving {
      reading& r;
      ~leaving() { --r.depth; }
    } leave{r};
    if constexpr (kind_of<T> == kind::adapted) return read_adapted<T>(r, from, take);
    else if constexpr (kind_of<T> == kind::record) return read_new_record<T>(r, from, take);
    else return read_new_elements<T>(r, from, take);
  }
}
/// Reads a value and returns it; nothing if it is rejected.
template <class T>
[[nodiscard]] std::optional<T> read_object_value(reading& r, const item& from) {
  std::optional<T> object;
  if (!read_new<T>(r, from, [&object](auto&& value) {
        return object.emplace(std::forward<decltype(value)>(value)), true;
      }))
    object.reset();
  return object;
}

}}} // namespace ingot::INGOT_V1::detail::doc
