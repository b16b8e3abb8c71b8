// SPDX-License-Identifier: Apache-2.0
// Classifies types, for all writers, readers, views, schemas and text formats. Types are recognised
// by their interface, not by name. So ingot recognises its own containers and those of users like
// the containers of the standard library. It also needs no standard header of a type that the
// program does not use.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/reflect/detail/derived.hpp>
#include <ingot/reflect/enums.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/members.hpp>
#include <ingot/reflect/platform_form.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 {

/// The kinds of types.
enum class kind : std::uint8_t {
  none, ///< ingot can't store the type: see `unsupported_reason_of<T>`
  boolean,
  integer,
  floating,
  character,
  byte,
  enumeration,
  duration,   ///< std::chrono::duration, stored as its count
  time_point, ///< std::chrono::time_point, stored as the time since the epoch
  complex,    ///< two floats
  bitset,     ///< a fixed number of bits
  string,
  path, ///< std::filesystem::path: as UTF-8 text
  sequence,
  array, ///< C array or std::array
  set,
  unordered_set,
  map,
  unordered_map,
  optional,
  box, ///< std::unique_ptr to one object
  variant,
  expected,
  tuple, ///< std::pair and std::tuple
  record,
  adapted, ///< stored as `adapted_t<T>`
};

/// The reason why a type can't be stored.
enum class unsupported_reason : std::uint8_t {
  none,
  raw_pointer,
  reference,
  function,
  long_double,
  union_type,
  volatile_type,
  const_member,
  shared_pointer,
  wide_character,
  unknown_class,
  unsized_array,   ///< std::unique_ptr<T[]> and arrays of unknown bound
  polymorphic_box, ///< std::unique_ptr to a class with virtual functions that is not final
  unknown_enum,    ///< a closed enum for which no enumerator was found
  derived_class,   ///< a class that adds members to a container, a text and so on
  wide_integer,    ///< __int128 and _BitInt
  extended_float,  ///< std::float16_t and others that are neither float nor double
  null_pointer,    ///< std::nullptr_t
  atomic,
  calendar,       ///< std::chrono::year_month_day and similar types
  standard_class, ///< another class of the standard library, unknown to ingot
};

namespace detail {

template <class T, template <class...> class Template>
inline constexpr bool is_specialization = false;
template <template <class...> class Template, class... Args>
inline constexpr bool is_specialization<Template<Args...>, Template> = true;

template <class T>
inline constexpr bool is_array_like = std::is_bounded_array_v<T>;
template <class T, std::size_t N>
inline constexpr bool is_array_like<std::array<T, N>> = true;

template <class T>
inline constexpr bool is_character = std::is_same_v<T, char> || std::is_same_v<T, char8_t> ||
                                     std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

template <class T>
concept duration_like = requires(const T& d) {
  typename T::rep;
  typename T::period;
  d.count();
};
template <class T>
concept time_point_like = requires(const T& t) {
  typename T::clock;
  typename T::duration;
  t.time_since_epoch();
};
template <class T>
concept complex_like = requires(T& c, typename T::value_type v) {
  c.real(v);
  c.imag(v);
  { c.real() } -> std::same_as<typename T::value_type>;
} && std::is_floating_point_v<typename T::value_type>;
template <class T>
concept bitset_like = requires(T& b, const T& c) {
  b.flip();
  { c.test(std::size_t{}) } -> std::same_as<bool>;
  c.to_ullong();
  c.count();
};
template <class T>
concept path_like = requires(const T& p) {
  typename T::string_type;
  p.lexically_normal();
  p.generic_u8string();
};
template <class T>
concept string_like = requires(const T& s) {
  typename T::traits_type;
  typename T::value_type;
  s.data();
  s.size();
  s.substr();
} && is_character<typename T::value_type>;
template <class T>
concept owning_string = string_like<T> && requires(T& s) { s.resize(std::size_t{}); };
template <class T>
concept span_like = requires(const T& s) {
  typename T::element_type;
  s.data();
  s.size();
  s.subspan(std::size_t{});
};
template <class T>
concept container_like = requires(const T& c) {
  typename T::value_type;
  typename T::size_type;
  c.begin();
  c.end();
  c.size();
} && !string_like<T> && !path_like<T> && !is_array_like<T>;
template <class T>
concept keyed = container_like<T> && requires { typename T::key_type; };
template <class T>
concept hashed = keyed<T> && requires { typename T::hasher; };
template <class T>
concept mapping = keyed<T> && requires { typename T::mapped_type; };
template <class T>
concept sequence_like = container_like<T> && !keyed<T> && requires(T& c) { c.clear(); };
template <class T>
concept optional_like = requires(T& o, const T& c) {
  typename T::value_type;
  o.reset();
  { c.has_value() } -> std::same_as<bool>;
  *c;
} && !requires { typename T::error_type; };
template <class T>
concept expected_like = requires(const T& e) {
  typename T::value_type;
  typename T::error_type;
  { e.has_value() } -> std::same_as<bool>;
  e.error();
};
template <class T>
concept box_like = requires(T& b) {
  typename T::element_type;
  typename T::deleter_type;
  b.release();
  b.get();
};
/// Returns true if a box, such as a std::unique_ptr, owns one object that can be stored. Returns
/// false for a box of an array, because the length of the array is unknown. Returns false for a box
/// of a base class, because objects of derived classes would be sliced.
template <class T>
consteval bool owns_one_object() {
  if constexpr (!requires(const T& b) { *b; }) return false;
  else return !std::is_polymorphic_v<typename T::element_type> || std::is_final_v<typename T::element_type>;
}
template <class T>
concept shared_like = requires(const T& p) {
  typename T::element_type;
  p.use_count();
};
/// A type that holds a value of any kind: a document, or a value in a live struct. Such a type has
/// its own form in schemas, text and blocks. In packed bytes it is stored as `adapted_t<T>`.
template <class T>
concept document_like = requires { typename T::whole_value; };
/// True for variants. A layer that has its own variants specialises this variable.
template <class T>
inline constexpr bool is_variant = is_specialization<T, std::variant>;
template <class T>
concept tuple_shape = is_specialization<T, std::pair> || is_specialization<T, std::tuple>;

/// The standard integers, without bool and characters. Other integer types are not portable:
/// compilers give them different names and widths.
template <class T>
inline constexpr bool is_integer = [] {
  return []<class... Is>(std::type_identity<Is>...) {
    return (std::is_same_v<T, Is> || ...);
  }(std::type_identity<signed char>{}, std::type_identity<unsigned char>{}, std::type_identity<short>{},
         std::type_identity<unsigned short>{}, std::type_identity<int>{}, std::type_identity<unsigned>{},
         std::type_identity<long>{}, std::type_identity<unsigned long>{}, std::type_identity<long long>{},
         std::type_identity<unsigned long long>{});
}();
/// Returns true if `T` is derived from a class that is stored as a whole, and has additional
/// members. These members would be lost.
template <class T>
consteval bool loses_own_members();

/// Returns the kind of a type by its interface. If `InMemory` is true, a type with a platform form
/// (platform_form.hpp) has the kind of its C++ type, not `adapted`.
template <class T, bool InMemory = false>
consteval kind classify_shape() {
  if constexpr (std::is_volatile_v<T>) return kind::none;
  else if constexpr (is_adapted<T> && !(InMemory && has_platform_form<T>)) return kind::adapted;
  else if constexpr (std::is_same_v<T, bool>) return kind::boolean;
  else if constexpr (is_character<T>) return kind::character;
  else if constexpr (std::is_same_v<T, std::byte>) return kind::byte;
  else if constexpr (is_integer<T>) return kind::integer;
  else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return kind::floating;
  else if constexpr (std::is_enum_v<T>) return kind::enumeration;
  else if constexpr (is_array_like<T>) return kind::array;
  else if constexpr (!std::is_class_v<T>) return kind::none;
  else if constexpr (described<T>) return kind::record;
  else if constexpr (shared_like<T>) return kind::none;
  else if constexpr (box_like<T>) return owns_one_object<T>() ? kind::box : kind::none;
  else if constexpr (tuple_shape<T>) return kind::tuple;
  else if constexpr (is_variant<T>) return kind::variant;
  else if constexpr (time_point_like<T>) return kind::time_point;
  else if constexpr (duration_like<T>) return kind::duration;
  else if constexpr (path_like<T>) return kind::path;
  else if constexpr (string_like<T>) return kind::string;
  else if constexpr (span_like<T>) return kind::sequence;
  else if constexpr (mapping<T>) return hashed<T> ? kind::unordered_map : kind::map;
  else if constexpr (keyed<T>) return hashed<T> ? kind::unordered_set : kind::set;
  else if constexpr (sequence_like<T>) return kind::sequence;
  else if constexpr (expected_like<T>) return kind::expected;
  else if constexpr (optional_like<T>) return kind::optional;
  else if constexpr (bitset_like<T>) return kind::bitset;
  else if constexpr (complex_like<T>) return kind::complex;
  else if constexpr (record<T>) return kind::record;
  else return kind::none;
}
template <class T, bool InMemory = false>
consteval kind classify() {
  constexpr kind shape = classify_shape<T, InMemory>();
  if constexpr (shape == kind::none || shape == kind::record || !std::is_class_v<T>) return shape;
  else return loses_own_members<T>() ? kind::none : shape;
}
template <class T>
consteval bool loses_own_members() {
  if constexpr (std::is_class_v<T> && (!is_adapted<T> || document_like<T>)) {
    using owner = typename decltype(shape_owner<T>())::type;
    if constexpr (!std::is_same_v<owner, T>) {
      constexpr kind shape = classify_shape<owner>();
      if constexpr (shape != kind::none && shape != kind::record && adds_members<T, owner>()) {
        // Classes of the standard library have no members that could be lost, even if the library
        // derives them from other classes, as it may in builds with checks.
        return !is_standard<T>() &&
               std::is_same_v<std::remove_const_t<decltype(type_annotation<partial_t, T>)>, no_annotation>;
      }
    }
  }
  return false;
}

template <class T>
concept atomic_like = requires(const T& a) {
  typename T::value_type;
  a.is_lock_free();
  a.load();
};
template <class T>
consteval unsupported_reason classify_class_refusal() {
  if constexpr (loses_own_members<T>()) return unsupported_reason::derived_class;
  else if constexpr (shared_like<T>) return unsupported_reason::shared_pointer;
  else if constexpr (box_like<T>) {
    return std::is_array_v<typename T::element_type> || requires(T& b) {
      b[0];
    } ? unsupported_reason::unsized_array : unsupported_reason::polymorphic_box;
  } else if constexpr (atomic_like<T>) return unsupported_reason::atomic;
  else if constexpr (is_standard<T>()) {
    return type_tag<T>().find("chrono::") != std::string_view::npos ? unsupported_reason::calendar
                                                                    : unsupported_reason::standard_class;
  } else return unsupported_reason::unknown_class;
}

template <class T>
consteval unsupported_reason classify_refusal() {
  if constexpr (std::is_reference_v<T>) return unsupported_reason::reference;
  else if constexpr (std::is_volatile_v<T>) return unsupported_reason::volatile_type;
  else if constexpr (std::is_const_v<T>) return unsupported_reason::const_member;
  else if constexpr (classify<T>() == kind::enumeration) {
    // readers would reject every value of an enum without enumerators
    if constexpr (enum_is_open<T>) return unsupported_reason::none;
    else return enumerators<T>.empty() ? unsupported_reason::unknown_enum : unsupported_reason::none;
  } else if constexpr (classify<T>() != kind::none) {
    return unsupported_reason::none;
  } else if constexpr (std::is_function_v<T> || std::is_member_pointer_v<T>)
    return unsupported_reason::function;
  else if constexpr (std::is_pointer_v<T>) {
    return std::is_function_v<std::remove_pointer_t<T>> ? unsupported_reason::function
                                                        : unsupported_reason::raw_pointer;
  } else if constexpr (std::is_same_v<T, long double>) return unsupported_reason::long_double;
  else if constexpr (std::is_null_pointer_v<T>) return unsupported_reason::null_pointer;
  else if constexpr (std::is_union_v<T>) return unsupported_reason::union_type;
  else if constexpr (std::is_same_v<T, wchar_t>) return unsupported_reason::wide_character;
  else if constexpr (std::is_unbounded_array_v<T>) return unsupported_reason::unsized_array;
  else if constexpr (std::is_class_v<T>) return classify_class_refusal<T>();
  else if constexpr (requires(T n) { n % n; }) return unsupported_reason::wide_integer;
  else if constexpr (requires(T n) { n / n; }) return unsupported_reason::extended_float;
  else return unsupported_reason::unknown_class;
}

template <class T>
struct element_of {};
template <class T>
  requires requires { typename T::value_type; }
struct element_of<T> {
  using type = typename T::value_type;
};
template <class T, std::size_t N>
struct element_of<T[N]> {
  using type = T;
};

template <class T>
inline constexpr std::size_t array_size = 0;
template <class T, std::size_t N>
inline constexpr std::size_t array_size<T[N]> = N;
template <class T, std::size_t N>
inline constexpr std::size_t array_size<std::array<T, N>> = N;

} // namespace detail

/// The kind of `T`; `kind::none` if ingot can't store `T`.
template <class T>
inline constexpr kind kind_of = detail::classify<std::remove_const_t<T>>();

/// The kind of a type in a live block. A block is memory, so no type has a platform form in a
/// block: `long` is an integer, and a time point is a time point, on every platform.
template <class T>
inline constexpr kind memory_kind_of = detail::classify<std::remove_const_t<T>, true>();

/// The reason why `T` can't be stored; `none` if `T` can be stored.
template <class T>
inline constexpr unsupported_reason unsupported_reason_of = detail::classify_refusal<T>();

/// The element of a sequence, array or set (without const).
template <class T>
using element_t = std::remove_cv_t<typename detail::element_of<T>::type>;
/// The key of a set or map (without const).
template <class T>
using key_t = std::remove_const_t<typename T::key_type>;
/// The mapped value of a map.
template <class T>
using mapped_t = typename T::mapped_type;

/// True for multimaps and multisets, whose keys may repeat.
template <class T>
inline constexpr bool is_multi = requires(T& c, const typename T::value_type& v) {
  { c.insert(v) } -> std::same_as<typename T::iterator>;
};

namespace detail {

template <class T>
inline constexpr bool holds_a_reference = false;
template <template <class> class Optional, class T>
inline constexpr bool holds_a_reference<Optional<T&>> = true;

} // namespace detail

/// True for string_view, span and optional<T&>. These types are written like the object to which
/// they refer, and can be read only as views.
template <class T>
inline constexpr bool is_borrowed = (kind_of<T> == kind::optional && detail::holds_a_reference<T>) ||
                                    (kind_of<T> == kind::string && !detail::owning_string<T>) ||
                                    (detail::span_like<T> && !requires(T& c) { c.clear(); });

namespace detail {

/// Returns true if `null` may be a value of `T`. An optional `T` then needs another form for a
/// present value that is null.
template <class T>
consteval bool may_be_null() {
  if constexpr (document_like<T>) return true;
  else if constexpr (kind_of<T> == kind::adapted) return may_be_null<adapted_t<T>>();
  else return kind_of<T> == kind::optional || kind_of<T> == kind::box;
}

/// True for arrays of characters. They are text: their size in memory is fixed, and NULs at the end
/// are not written.
template <class T>
inline constexpr bool is_text_array = [] {
  if constexpr (kind_of<T> == kind::array) {
    return std::is_same_v<element_t<T>, char> || std::is_same_v<element_t<T>, char8_t>;
  } else {
    return false;
  }
}();

} // namespace detail
}} // namespace ingot::INGOT_V1
