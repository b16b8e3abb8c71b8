// SPDX-License-Identifier: Apache-2.0
// The order of keys, the same in every container and on every machine. Integers, enums and times
// are ordered by value, characters and text by unsigned code units, floats by value without NaN and
// with one zero. Everything made of these is ordered member by member.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/live/detail/assign.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#if INGOT_EXCEPTIONS
#include <stdexcept>
#else
#include <cstdio>
#include <cstdlib>
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if keys of type `K` are stored and compared as one number each.
template <class K>
consteval bool is_plain_key() {
  constexpr kind what = memory_kind_of<K>;
  if constexpr (what == kind::duration)
    return std::is_integral_v<typename K::rep> && sizeof(K) == sizeof(typename K::rep);
  else if constexpr (what == kind::time_point) return is_plain_key<typename K::duration>();
  else
    return what == kind::boolean || what == kind::integer || what == kind::character || what == kind::byte ||
           what == kind::enumeration;
}

/// Returns a value of the integer type in which a plain key is stored. This type has the size and
/// the bytes of the key.
template <class K>
consteval auto raw_key_of() {
  if constexpr (memory_kind_of<K> == kind::enumeration) return raw_key_of<std::underlying_type_t<K>>();
  else if constexpr (memory_kind_of<K> == kind::duration) return typename K::rep{};
  else if constexpr (memory_kind_of<K> == kind::time_point) return typename K::rep{};
  else if constexpr (memory_kind_of<K> == kind::integer) return K{};
  else if constexpr (sizeof(K) == 1) return std::uint8_t{}; // char may be signed or unsigned
  else if constexpr (sizeof(K) == 2) return std::uint16_t{};
  else return std::uint32_t{};
}
template <class K>
using raw_key_t = decltype(raw_key_of<K>());

template <class K>
[[nodiscard]] INGOT_INLINE raw_key_t<K> raw_key(const K& key) noexcept {
  return std::bit_cast<raw_key_t<K>>(key);
}

/// Text of any kind: an ingot or standard string, a view or a literal.
template <class T>
concept text_key =
    std::convertible_to<const T&, std::string_view> || std::convertible_to<const T&, std::u8string_view> ||
    std::convertible_to<const T&, std::u16string_view> || std::convertible_to<const T&, std::u32string_view>;

template <text_key T>
[[nodiscard]] INGOT_INLINE auto key_view(const T& text) noexcept {
  if constexpr (std::convertible_to<const T&, std::string_view>) return static_cast<std::string_view>(text);
  else if constexpr (std::convertible_to<const T&, std::u8string_view>)
    return static_cast<std::u8string_view>(text);
  else if constexpr (std::convertible_to<const T&, std::u16string_view>)
    return static_cast<std::u16string_view>(text);
  else return static_cast<std::u32string_view>(text);
}

/// Compares texts. Most texts differ in their first eight bytes. These are compared as numbers,
/// without a loop and without a branch on the position.
template <class Char>
[[nodiscard]] INGOT_INLINE int compare_text(std::basic_string_view<Char> a,
                                            std::basic_string_view<Char> b) noexcept {
  if constexpr (sizeof(Char) == 1) {
    if (a.size() >= 8 && b.size() >= 8) {
      const auto first = std::byteswap(load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(a.data())));
      const auto second = std::byteswap(load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(b.data())));
      if (first != second) [[likely]]
        return first < second ? -1 : 1;
    }
  }
  return a.compare(b);
}

template <class N>
[[nodiscard]] INGOT_INLINE int compare_numbers(N a, N b) noexcept {
  return static_cast<int>(a > b) - static_cast<int>(a < b);
}

/// A number that would have to be rounded before it is compared: a `long double` with more digits
/// than a `double`.
template <class Q>
concept wider_than_keys = std::floating_point<Q> && sizeof(Q) > sizeof(double);

/// Rejects look-ups by such a number.
template <class Q>
consteval void require_no_rounding() {
  static_assert(!wider_than_keys<Q>,
                "ingot: a long double would be rounded to find a key, and find one that it does not equal: "
                "convert it to the type of the keys");
}

/// Returns a number below, equal to or above zero if `a` is less than, equal to or greater than
/// `b`. `b` may be a twin of `a`. NaN, which can't be a key, is greater than all numbers.
template <class A, class B>
[[nodiscard]] int compare_keys(const A& a, const B& b) {
  if constexpr (!text_key<A>) require_no_rounding<B>();
  if constexpr (text_key<A>) {
    static_assert(text_key<B>, "ingot: a key that is text is compared with text");
    return compare_text(key_view(a), key_view(b));
  } else if constexpr (is_plain_key<A>()) {
    if constexpr (std::is_same_v<A, B>) {
      return compare_numbers(raw_key(a), raw_key(b));
    } else if constexpr (memory_kind_of<A> == kind::integer && memory_kind_of<B> == kind::integer) {
      return static_cast<int>(std::cmp_greater(a, b)) - static_cast<int>(std::cmp_less(a, b));
    } else {
      return compare_numbers(raw_key(a), raw_key(static_cast<A>(b)));
    }
  } else if constexpr (std::is_floating_point_v<A>) {
    if constexpr (std::is_same_v<A, B>) return compare_floats(a, b);
    else if constexpr (std::is_floating_point_v<B>)
      return compare_floats<double>(float_to_double(a), float_to_double(b));
    else return compare_floats(a, static_cast<A>(b));
  } else if constexpr (is_array_like<A>) {
    static_assert(array_size<A> == array_size<B>,
                  "ingot: an array is compared with an array of the same length");
    for (std::size_t i = 0; i < array_size<A>; ++i) {
      if (const int order = compare_keys(a[i], b[i]); order != 0) return order;
    }
    return 0;
  } else if constexpr (is_specialization<A, std::pair>) {
    const int order = compare_keys(a.first, b.first);
    return order != 0 ? order : compare_keys(a.second, b.second);
  } else if constexpr (kind_of<A> == kind::sequence) {
    auto left = a.begin();
    auto right = b.begin();
    for (; left != a.end() && right != b.end(); ++left, ++right) {
      if (const int order = compare_keys(*left, *right); order != 0) return order;
    }
    return static_cast<int>(left != a.end()) - static_cast<int>(right != b.end());
  } else {
    static_assert(
        kind_of<A> == kind::record && kind_of<B> == kind::record && member_count<A> == member_count<B>,
        "ingot: keys are numbers, enums, times, text, and arrays, pairs, sequences and records of these");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto left = member_references(a);
      const auto right = member_references(b);
      int order = 0;
      static_cast<void>((((order = compare_keys(std::get<I>(left), std::get<I>(right))) == 0) && ...));
      return order;
    }(std::make_index_sequence<member_count<A>>{});
  }
}

/// Calls `search` with a function that returns true for keys that precede the query: that are less
/// than the query or, if `Upper`, not greater. The query is a key or, for plain keys, a raw key.
template <bool Upper, class K, class Q, class Search>
[[nodiscard]] INGOT_INLINE auto search_by(const Q& query, const Search& search) {
  if constexpr (is_plain_key<K>())
    return search([&](const K& here)
                      INGOT_INLINE_LAMBDA { return Upper ? raw_key(here) <= query : raw_key(here) < query; });
  else if constexpr (std::is_floating_point_v<K> && std::is_same_v<K, Q>) {
    if (is_ordered_by_operators(query)) [[likely]] // one comparison for each key
      return search([&](const K& here) INGOT_INLINE_LAMBDA { return Upper ? here <= query : here < query; });
  }
  if constexpr (!is_plain_key<K>())
    return search([&](const K& here) INGOT_INLINE_LAMBDA {
      return Upper ? compare_keys(here, query) <= 0 : compare_keys(here, query) < 0;
    });
}

/// Comparators of the containers: of keys with keys or queries, and of entries by their keys.
struct key_less {
  using is_transparent = void;
  template <class A, class B>
  [[nodiscard]] bool operator()(const A& a, const B& b) const {
    return compare_keys(a, b) < 0;
  }
};
struct entry_less {
  template <class A, class B>
  [[nodiscard]] bool operator()(const A& a, const B& b) const {
    return compare_keys(a.first, b.first) < 0;
  }
};
struct key_equal {
  using is_transparent = void;
  template <class A, class B>
  [[nodiscard]] bool operator()(const A& a, const B& b) const {
    return compare_keys(a, b) == 0;
  }
};

/// Calls `f` with each float in a key until `f` returns false. Returns true if `f` never returned
/// false.
template <class K, class F>
[[nodiscard]] bool each_float(K& key, F&& f) {
  using type = std::remove_const_t<K>;
  if constexpr (text_key<type> || is_plain_key<type>()) {
    return true;
  } else if constexpr (std::is_floating_point_v<type>) {
    return f(key);
  } else if constexpr (is_array_like<type> || kind_of<type> == kind::sequence) {
    for (auto& each : key) {
      if (!each_float(each, f)) return false;
    }
    return true;
  } else if constexpr (is_specialization<type, std::pair>) {
    return each_float(key.first, f) && each_float(key.second, f);
  } else if constexpr (kind_of<type> == kind::record) {
    return visit_members(key, [&](auto&... members) { return (each_float(members, f) && ...); });
  } else {
    return true;
  }
}

/// Returns true if `key` can be a key: it holds no NaN.
template <class K>
[[nodiscard]] INGOT_INLINE bool is_key(const K& key) {
  return each_float(key, [](const auto& number) { return !is_nan(number); });
}
/// Removes the sign of zeros.
template <class K>
INGOT_INLINE void normalize_key(K& key) {
  static_cast<void>(each_float(key, [](auto& number) {
    number = with_one_zero(number);
    return true;
  }));
}
/// Returns true if `key` can be a key and `normalize_key` would not change it.
template <class K>
[[nodiscard]] INGOT_INLINE bool is_normal_key(const K& key) {
  return each_float(key, [](const auto& number) { return is_normal_key_float(number); });
}

[[noreturn]] INGOT_COLD inline void throw_not_a_key() {
#if INGOT_EXCEPTIONS
  throw std::domain_error("ingot: NaN has no place in an order and can't be a key");
#else
  std::fputs(
      "ingot: NaN has no place in an order and can't be a key (without exceptions: use the try_ form)\n",
      stderr);
  std::abort();
#endif
}

}}} // namespace ingot::INGOT_V1::detail
