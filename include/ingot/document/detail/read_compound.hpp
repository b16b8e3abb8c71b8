// SPDX-License-Identifier: Apache-2.0
// Reads optionals, boxes, variants, expecteds, bitsets, arrays and tuples. Their forms are the same
// as in JSON. So a document made from the JSON text of a value reads as this value.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/read_new.hpp>
#include <ingot/document/detail/reading.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/schema/detail/former_names.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Reads the content of an optional or a box. If the content may itself be null, it is in an array
/// of one element.
template <class T, class Holder>
[[nodiscard]] bool read_inner(reading& r, const item& from, Holder& to) {
  const auto read = [&](const item& each) {
    if constexpr (std::is_default_constructible_v<T> && kind_of<Holder> == kind::box) {
      to.reset(new T{});
      return read_as(r, each, *to);
    } else if constexpr (std::is_default_constructible_v<T>) {
      return read_as(r, each, to.emplace());
    } else if constexpr (kind_of<Holder> == kind::box) {
      return read_new<T>(r, each, [&to](auto&& content) {
        return to.reset(new T(std::forward<decltype(content)>(content))), true;
      });
    } else {
      return read_new<T>(r, each, [&to](auto&& content) {
        return to.emplace(std::forward<decltype(content)>(content)), true;
      });
    }
  };
  if constexpr (!may_be_null<T>()) {
    return read(from);
  } else {
    std::size_t count = 0;
    const bool all = for_each_element(r, from, [&](uint32_t, const item& each) {
      if (++count == 2) return r.reject(errc::too_long, "an array of one element");
      return read(each);
    });
    return all && (count == 1 || r.reject(errc::bad_length, "an array of one element"));
  }
}

/// Returns true if `T` is an optional or a box that holds a `std::byte`. A list of such elements
/// may be stored as bytes, because its elements were plain bytes in an earlier version.
template <class T>
consteval bool wraps_bytes() {
  if constexpr (kind_of<T> == kind::optional || kind_of<T> == kind::box) {
    using inner = std::remove_cvref_t<decltype(*std::declval<T&>())>;
    return std::is_same_v<inner, std::byte> || wraps_bytes<inner>();
  } else {
    return false;
  }
}
template <class T>
[[nodiscard]] bool read_wrapped_bytes(reading& r, const item& from, T& to) {
  std::size_t i = 0;
  for (const char each : text_of(r.in, from)) {
    if (!has_capacity(r, to)) return r.why->in_element(i), false;
    if (!read_as(r, item::of(std::int64_t{static_cast<unsigned char>(each)}), to.emplace_back()))
      return r.why->in_element(i), false;
    ++i;
  }
  return true;
}

/// Reads an object with one member. The key of the member is the tag, and its value is `value`.
[[nodiscard]] inline bool read_tagged(reading& r, const item& from, std::string_view& tag, item& value) {
  container object;
  key_columns keys;
  if (!read_keys(r, from, object, keys)) return false;
  if (object.count() != 1) return r.reject(errc::bad_variant, "an object with one member");
  tag = keys.text(0);
  value = object.n.value(0);
  return true;
}
template <std::size_t I, class T>
[[nodiscard]] bool read_alternative(reading& r, const item& value, T& to) {
  using alternative = std::variant_alternative_t<I, T>;
  if constexpr (std::is_default_constructible_v<alternative>) {
    return read_as(r, value, to.template emplace<I>());
  } else {
    return read_new<alternative>(r, value, [&to](auto&& content) {
      return to.template emplace<I>(std::forward<decltype(content)>(content)), true;
    });
  }
}
template <class T>
[[nodiscard]] bool read_former_alternative(reading& r, const item& value, std::size_t index, T& to) {
  bool good = false;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(((I == index && (good = read_alternative<I>(r, value, to), true)) || ...));
  }(std::make_index_sequence<std::variant_size_v<T>>());
  if (!good) r.why->in_member(variant_tag<T>(index));
  return good;
}
template <class T>
[[nodiscard]] bool read_variant(reading& r, const item& from, T& to) {
  constexpr std::size_t n = std::variant_size_v<T>;
  std::string_view tag;
  item value;
  if (!read_tagged(r, from, tag, value)) return false;
  bool good = false;
  const bool found = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((variant_tags<T>[I] == tag && (good = read_alternative<I>(r, value, to), true)) || ...);
  }(std::make_index_sequence<n>{});
  if (!found) {
    // In older documents, the tag may be a former name of an alternative's class.
    if (r.evolves && has_former_alternatives<T>) {
      for (std::size_t i = 0; i < n; ++i) {
        for (const std::string_view former : former_alternatives<T>[i]) {
          if (former == tag) return read_former_alternative(r, value, i, to);
        }
      }
    }
    r.why =
        error{errc::bad_variant}.with_expected(expected_tags(tag, n, variant_tag<T>).view()).with_found(tag);
    return false;
  }
  if (!good) r.why->in_member(tag);
  return good;
}
template <class T>
[[nodiscard]] bool read_expected(reading& r, const item& from, T& to) {
  std::string_view tag;
  item value;
  if (!read_tagged(r, from, tag, value)) return false;
  bool good = false;
  if (tag == "value") {
    if constexpr (std::is_void_v<typename T::value_type>) {
      good = value.kind == value_kind::null || r.mismatch("null", value.kind);
      if (good) to.emplace();
    } else {
      good = read_new<typename T::value_type>(r, value, [&to](auto&& content) {
        return to = T(std::in_place, std::forward<decltype(content)>(content)), true;
      });
    }
  } else if (tag == "error") {
    good = read_new<typename T::error_type>(r, value, [&to](auto&& content) {
      return to = typename T::unexpected_type(std::forward<decltype(content)>(content)), true;
    });
  } else {
    return r.reject(errc::bad_variant, "value or error");
  }
  if (!good) r.why->in_member(tag);
  return good;
}

/// Reads a text of digits 0 and 1, the highest bit first.
template <class T>
[[nodiscard]] bool read_bits(reading& r, const item& from, T& to) {
  if (from.kind != value_kind::text) return r.mismatch("a string", from.kind);
  const auto digits = text_of(r.in, from);
  // An older version of the type may have fewer bits; the missing high bits are then 0.
  if (digits.size() > to.size() || (digits.size() < to.size() && !r.evolves))
    return r.reject(errc::bad_length, "a digit for each bit");
  for (std::size_t i = digits.size(); i < to.size(); ++i) to.set(i, false);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] != '0' && digits[i] != '1') return r.reject(errc::bad_bool, "digits 0 and 1");
    to.set(digits.size() - 1 - i, digits[i] == '1');
  }
  return true;
}

/// Reads text into an array of characters. The characters after the text become zero.
template <class T>
[[nodiscard]] bool read_text_array(reading& r, const item& from, T& to) {
  if (from.kind != value_kind::text) return r.mismatch("a string", from.kind);
  const auto text = text_of(r.in, from);
  if (text.size() > std::size(to)) return r.reject(errc::too_long, "no more characters than the array has");
  std::size_t i = 0;
  for (const char c : text) to[i++] = static_cast<element_t<T>>(c);
  while (i < std::size(to)) to[i++] = element_t<T>{};
  return true;
}
template <class T>
[[nodiscard]] bool read_array(reading& r, const item& from, T& to) {
  std::size_t count = 0;
  const bool all = for_each_element(r, from, [&](uint32_t i, const item& each) {
    if (i >= std::size(to)) return r.reject(errc::too_long, "no more elements than the array has");
    ++count;
    return read_as(r, each, to[i]);
  });
  return all && (count == std::size(to) || r.reject(errc::bad_length, "as many elements as the array has"));
}
template <class T>
[[nodiscard]] bool read_tuple(reading& r, const item& from, T& to) {
  std::size_t count = 0;
  const bool all = for_each_element(r, from, [&](uint32_t i, const item& each) {
    ++count;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      bool good = i < sizeof...(I) || r.reject(errc::too_long, "no more elements than the tuple has");
      static_cast<void>(((I == i && ((good = read_as(r, each, std::get<I>(to))), true)) || ...));
      return good;
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  });
  return all &&
         (count == std::tuple_size_v<T> || r.reject(errc::bad_length, "as many elements as the tuple has"));
}

}}} // namespace ingot::INGOT_V1::detail::doc
