// SPDX-License-Identifier: Apache-2.0
// Reads values of a document as C++ types. No information is lost silently: it is an error, with a
// path, if a type can't hold a number, if a member is missing or unknown, or if there are too few
// elements.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/document/detail/read_compound.hpp>
#include <ingot/document/detail/read_keyed.hpp>
#include <ingot/document/detail/read_new.hpp>
#include <ingot/document/detail/read_record.hpp>
#include <ingot/document/detail/read_wrapped.hpp>
#include <ingot/document/detail/reading.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/detail/temporary.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

template <class T>
struct access_for;

/// Converts a number without a fraction, up to 2^53, to an integer. Returns false for other
/// numbers.
[[nodiscard]] INGOT_COLD inline bool find_whole(const item& from, std::int64_t& to) noexcept {
  constexpr double largest = 9'007'199'254'740'992;
  const double number = from.real();
  if (!is_finite(number) || number < -largest || number > largest) return false;
  to = static_cast<std::int64_t>(number);
  return std::bit_cast<uint64_t>(static_cast<double>(to)) == from.number; // -0.0 is not accepted
}
template <class N>
[[nodiscard]] bool read_integer(reading& r, const item& from, N& to) {
  if (from.kind == value_kind::integer && std::in_range<N>(from.integer())) {
    to = static_cast<N>(from.integer());
    return true;
  }
  if (from.kind == value_kind::large_integer && std::in_range<N>(from.number)) {
    to = static_cast<N>(from.number);
    return true;
  }
  if (from.kind == value_kind::integer || from.kind == value_kind::large_integer)
    return r.reject_integer(from, sizeof(N), std::is_signed_v<N>);
  if (from.kind == value_kind::object) {
    item found;
    if (!read_wrapped_number(r, from, false, found)) return false;
    if (found.kind != value_kind::number) return read_integer(r, found, to);
    return r.reject_integer(found, sizeof(N), std::is_signed_v<N>);
  }
  if (std::int64_t whole = 0; from.kind == value_kind::number && find_whole(from, whole)) {
    if (r.how.whole_reals) return read_integer(r, item::of(whole), to);
    return r.mismatch("an integer: see conversion_options::whole_reals", from.kind);
  }
  return r.mismatch("an integer", from.kind);
}
/// Returns true if a double can hold `magnitude` exactly. Counts the significant bits, because a
/// conversion to double and back could use a register with more digits than a double.
[[nodiscard]] constexpr bool is_exact_double(uint64_t magnitude) noexcept {
  return magnitude == 0 || static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <=
                               std::numeric_limits<double>::digits;
}
/// Reads a float. Accepts an integer even if `N` can only hold the nearest number. The reason: the
/// JSON text of a float has only the digits that distinguish it from other floats. So a document
/// made from this text may contain an integer that differs slightly from the float.
template <class N>
[[nodiscard]] bool read_floating(reading& r, const item& from, N& to) {
  double d = 0;
  if (from.kind == value_kind::number) {
    d = from.real();
  } else if (from.kind == value_kind::integer || from.kind == value_kind::large_integer) {
    const bool negative = from.kind == value_kind::integer && from.integer() < 0;
    const uint64_t magnitude = negative ? 0 - from.number : from.number;
    if (!is_exact_double(magnitude)) {
      r.why = error{errc::out_of_range}
                  .with_expected("an integer that a double holds exactly")
                  .with_found(decimal_text(magnitude, negative).view());
      return false;
    }
    d = with_sign(static_cast<double>(magnitude), negative);
  } else if (item found; from.kind == value_kind::object && read_wrapped_number(r, from, true, found)) {
    return read_floating(r, found, to);
  } else {
    return from.kind != value_kind::object && r.mismatch("a number", from.kind);
  }
  to = nearest_float<N>(d);
  if (sizeof(N) < sizeof(double) && !is_finite(to) && is_finite(d)) return r.reject_float(d);
  return true;
}
template <class E>
[[nodiscard]] bool read_name(reading& r, const item& from, E& to) {
  const auto name = text_of(r.in, from);
  for (const auto& each : enumerators<E>) {
    if (each.name != name) continue;
    to = each.value;
    return true;
  }
  if (r.evolves && find_former_enumerator(std::string_view(name), to)) return true;
  return r.reject(errc::unknown_enumerator, enum_is_flags<E> ? "the name of a flag" : "an enumerator");
}
/// Reads a combination of flags, which is an array of their names.
template <class E>
[[nodiscard]] bool read_flags(reading& r, const item& from, E& to) {
  using number = std::underlying_type_t<E>;
  to = E{};
  return for_each_element(r, from, [&](uint32_t, const item& each) {
    E flag{};
    if (each.kind != value_kind::text) return r.mismatch("the name of a flag", each.kind);
    if (!read_name(r, each, flag)) return false;
    to = static_cast<E>(static_cast<number>(std::to_underlying(to) | std::to_underlying(flag)));
    return true;
  });
}
template <class E>
[[nodiscard]] bool read_enumerator(reading& r, const item& from, E& to) {
  if (from.kind == value_kind::text) return read_name(r, from, to);
  if constexpr (enum_is_flags<E>) {
    if (from.kind == value_kind::array) return read_flags(r, from, to);
  }
  std::underlying_type_t<E> number{}; // may be a character type or bool
  if (!read_as(r, from, number)) return false;
  to = static_cast<E>(number);
  if (enum_valid(to)) return true;
  r.why = bad_enumerator(to);
  return false;
}

template <class T>
bool read_as(reading& r, const item& from, T& to) {
  constexpr kind k = kind_of<T>;
  if constexpr (k == kind::boolean) {
    if (from.kind != value_kind::boolean) return r.mismatch("a boolean", from.kind);
    to = from.number != 0;
    return true;
  } else if constexpr (k == kind::character) {
    if (from.kind != value_kind::text) { // stored as its code unit
      std::make_unsigned_t<T> number{};
      if (!read_integer(r, from, number)) return false;
      to = static_cast<T>(number);
      return true;
    }
    const auto text = text_of(r.in, from);
    if (text.size() != 1 || static_cast<unsigned char>(text[0]) >= 0x80)
      return r.reject(errc::out_of_range, "one ASCII character");
    to = static_cast<T>(text[0]);
    return true;
  } else if constexpr (k == kind::integer) {
    return read_integer(r, from, to);
  } else if constexpr (k == kind::byte) {
    std::uint8_t number = 0;
    if (!read_integer(r, from, number)) return false;
    to = static_cast<std::byte>(number);
    return true;
  } else if constexpr (k == kind::floating) {
    return read_floating(r, from, to);
  } else if constexpr (k == kind::enumeration) {
    return read_enumerator(r, from, to);
  } else if constexpr (k == kind::duration) {
    if (may_be_time(from)) [[unlikely]]
      return read_time(r, from, to);
    typename T::rep count{};
    if (!read_as(r, from, count)) return false;
    to = T(count);
    return true;
  } else if constexpr (k == kind::time_point) {
    if (may_be_time(from)) [[unlikely]]
      return read_time(r, from, to);
    typename T::duration since{};
    if (!read_as(r, from, since)) return false;
    to = T(since);
    return true;
  } else if constexpr (k == kind::string) {
    static_assert(sizeof(typename T::value_type) == 1, "ingot: text in documents is of one-byte characters");
    if (from.kind != value_kind::text) {
      if (from.kind != value_kind::null) return r.mismatch("a string", from.kind);
      if (!r.how.null_as_empty)
        return r.mismatch("a string: see conversion_options::null_as_empty", from.kind);
      to = T();
      return true;
    }
    const auto text = text_of(r.in, from);
    if (!can_hold(to, text.size())) return r.reject(errc::too_long, within_capacity);
    to = T(reinterpret_cast<const typename T::value_type*>(text.data()), text.size());
    return true;
  } else if constexpr (is_text_array<T>) {
    return read_text_array(r, from, to);
  } else if constexpr (k == kind::path) {
    if (from.kind != value_kind::text) return r.mismatch("a string", from.kind);
    const auto text = text_of(r.in, from);
    to = T(std::u8string(reinterpret_cast<const char8_t*>(text.data()), text.size()));
    return true;
  } else if constexpr (k == kind::bitset) {
    return read_bits(r, from, to);
  } else {
    // This limit protects the call stack: the types below may contain themselves, so that values
    // may nest to any depth.
    if (r.depth == reading::depth_limit) return r.reject(errc::too_deep, "no more than 128 levels");
    ++r.depth;
    struct leaving { // a local struct: otherwise g++ 12 does not inline the function
      reading& r;
      ~leaving() { --r.depth; }
    } leave{r};
    if constexpr (k == kind::optional) {
      static_assert(!is_borrowed<T>, "ingot: an optional reference has nowhere to read a value to");
      to.reset();
      if (from.kind == value_kind::null) return true;
      return read_inner<typename T::value_type>(r, from, to);
    } else if constexpr (k == kind::box) {
      to.reset();
      if (from.kind == value_kind::null) return true;
      if (!take_memory(r, sizeof(typename T::element_type))) return false;
      return read_inner<typename T::element_type>(r, from, to);
    } else if constexpr (k == kind::variant) {
      return read_variant(r, from, to);
    } else if constexpr (k == kind::expected) {
      return read_expected(r, from, to);
    } else if constexpr (k == kind::complex) {
      std::array<typename T::value_type, 2> parts{};
      if (!read_as(r, from, parts)) return false;
      to = T(parts[0], parts[1]);
      return true;
    } else if constexpr (k == kind::record) {
      return read_object<T>(r, from, to);
    } else if constexpr (k == kind::map || k == kind::unordered_map) {
      if constexpr (is_member_map<T>()) return read_mapping(r, from, to);
      else return read_pairs(r, from, to);
    } else if constexpr (k == kind::array) {
      return read_array(r, from, to);
    } else if constexpr (k == kind::tuple) {
      return read_tuple(r, from, to);
    } else if constexpr (k == kind::sequence) {
      static_assert(!is_borrowed<T>, "ingot: a span has nowhere to read elements to");
      to.clear();
      if constexpr (std::is_same_v<element_t<T>, std::byte>) {
        if (from.kind == value_kind::binary) {
          const auto bytes = text_of(r.in, from);
          if (!can_hold(to, bytes.size())) return r.reject(errc::too_long, within_capacity);
          for (const char each : bytes) to.push_back(static_cast<std::byte>(each));
          return true;
        }
      } else if constexpr (wraps_bytes<element_t<T>>()) {
        if (from.kind == value_kind::binary && r.evolves) return read_wrapped_bytes(r, from, to);
      }
      return for_each_element(r, from, [&](uint32_t, const item& each) {
        if (!has_capacity(r, to)) return false;
        if constexpr (std::is_same_v<T, std::vector<bool>>) {
          bool b = false;
          if (!read_as(r, each, b)) return false;
          to.push_back(b);
          return true;
        } else if constexpr (std::is_default_constructible_v<element_t<T>>) {
          return read_as(r, each, to.emplace_back());
        } else {
          return read_new<element_t<T>>(r, each, [&to](auto&& value) {
            return to.push_back(std::forward<decltype(value)>(value)), true;
          });
        }
      });
    } else if constexpr (k == kind::set || k == kind::unordered_set) {
      return read_set(r, from, to);
    } else if constexpr (document_like<T>) {
      if (from.kind == value_kind::absent) return r.mismatch("a value", from.kind);
      return access_for<T>::put(to.root(), r.in, from) ||
             r.reject(errc::no_space, "free space in the document");
    } else if constexpr (k == kind::adapted) {
      return read_adapted<T>(r, from,
                             [&to](auto&& value) { return to = std::forward<decltype(value)>(value), true; });
    } else {
      static_assert(k == kind::record, "ingot: documents have no form for this type");
      return false;
    }
  }
}

}}} // namespace ingot::INGOT_V1::detail::doc
