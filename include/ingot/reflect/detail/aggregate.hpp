// SPDX-License-Identifier: Apache-2.0
// One of the three front ends of members.hpp: aggregates, for which the user writes nothing.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/reflect/detail/bound_types.hpp>
#include <ingot/reflect/detail/names.hpp>
#include <ingot/reflect/sentence.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#if !INGOT_BINDING_PACKS
#include <ingot/reflect/detail/arity_table.hpp>
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// An initialiser that converts only to bases of `T`. It shows which initialisers are for bases,
/// and which are for members. Types that declare `stands_for_an_initialiser` exist only for such
/// tests. If a class of ingot can be created from values of many types, as `basic_optional` can, a
/// constraint must exclude these types.
template <class T>
struct to_base_of {
  using stands_for_an_initialiser = void;
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<std::remove_cv_t<Base>, T>)
  operator Base() const;
};
template <class T>
struct to_nonempty_base_of {
  using stands_for_an_initialiser = void;
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<std::remove_cv_t<Base>, T> &&
             !std::is_empty_v<Base>)
  operator Base() const;
};
/// Converts to anything, for members that `{}` can't initialise.
struct to_anything {
  using stands_for_an_initialiser = void;
  template <class U>
  operator U&() const&;
  template <class U>
  operator U&&() const&&;
};

/// Returns true if an `X` initialises the part of `T` (base or member) after the first `N` parts,
/// which `{}` initialises. The initialisers are in parentheses. In braces, an `X` could also be for
/// a base of the first member or of its first element, because nested aggregates may omit braces.
template <class T, class X, std::size_t N>
constexpr bool is_initialiser() {
  if constexpr (N == 0) return requires { T(X{}); };
  else if constexpr (N == 1) return requires { T({}, X{}); };
  else if constexpr (N == 2) return requires { T({}, {}, X{}); };
  else if constexpr (N == 3) return requires { T({}, {}, {}, X{}); };
  else if constexpr (N == 4) return requires { T({}, {}, {}, {}, X{}); };
  else if constexpr (N == 5) return requires { T({}, {}, {}, {}, {}, X{}); };
  else if constexpr (N == 6) return requires { T({}, {}, {}, {}, {}, {}, X{}); };
  else if constexpr (N == 7) return requires { T({}, {}, {}, {}, {}, {}, {}, X{}); };
  else return false;
}
/// Returns true if one of the first eight bases of `T` is not empty.
template <class T, std::size_t N = 0>
constexpr bool has_nonempty_base() {
  if constexpr (is_initialiser<T, to_nonempty_base_of<T>, N>()) return true;
  else if constexpr (is_initialiser<T, to_base_of<T>, N>()) return has_nonempty_base<T, N + 1>();
  else return false;
}

#if INGOT_BINDING_PACKS

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored                                                                             \
    "-Wc++26-extensions" // packs in structured bindings, enabled by their feature macro
#pragma clang diagnostic ignored "-Wundefined-var-template" // addresses only: see name_source
#endif
template <class T, class F>
INGOT_INLINE constexpr decltype(auto) bind_members(T& object, F&& f) {
  auto& [... members] = object;
  return f(members...);
}
template <class T>
auto bound_types(T& object) {
  auto& [... members] = object;
  return bound_types_if<requires { refer_to(members...); }, decltype(members)...>{};
}
template <class T>
consteval std::string_view spell_members() {
  auto& [... members] = const_cast<T&>(name_source<T>.value);
  return signature_of_values<__builtin_addressof(members)...>();
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#else

/// Maximum number of members that are bound. A type with more members is always an error, so the
/// limit never changes a result, and files with different limits may be linked.
inline constexpr std::size_t arity_limit = INGOT_MAX_MEMBERS > 64 ? 128 : INGOT_MAX_MEMBERS > 32 ? 64 : 32;
/// Maximum number of bases that are counted in addition to `arity_limit` members; see
/// scripts/generate_arity_table.py.
inline constexpr std::size_t arity_beyond = 8;

/// Returns the greatest N in [Low, High] such that a `T` can be initialised with N times `{}`, here
/// written T{ {} x N }. T{ {} x N } is also well-formed for every smaller N.
template <class T, std::size_t Low = 0, std::size_t High = arity_limit + arity_beyond>
constexpr std::size_t count_braces() {
  if constexpr (Low == High) {
    return Low;
  } else if constexpr (constexpr std::size_t middle = Low + (High - Low + 1) / 2;
                       braces<middle>::template fit<T>) {
    return count_braces<T, middle, High>();
  } else {
    return count_braces<T, Low, middle - 1>();
  }
}
template <class T, std::size_t... I>
constexpr bool fits_anything(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), to_anything{})...}; };
}
/// Counts the initialisers of a type whose members have no default: each member takes one
/// initialiser that converts to anything. A C array counts as one member for each of its elements.
/// With a C array, the result is therefore too great, and the compiler reports that it can't bind
/// the type.
template <class T, std::size_t N = 128 + arity_beyond>
constexpr std::size_t count_conversions() {
  if constexpr (N == 0 || fits_anything<T>(std::make_index_sequence<N>{})) {
    return N;
  } else {
    return count_conversions<T, N - 1>();
  }
}
template <class T, std::size_t N = 0>
constexpr std::size_t count_bases() {
  if constexpr (is_initialiser<T, to_base_of<T>, N>()) return count_bases<T, N + 1>();
  else return N;
}
template <class T>
constexpr std::size_t count_initialisers() {
  if constexpr (braces<0>::template fit<T>) {
    constexpr std::size_t n = count_braces<T>();
    if constexpr (n == arity_limit + arity_beyond || !braces<n>::template fit<T, to_anything>) {
      return n;
      // `{}` can't initialise the member after the first n, so `count_braces` stopped there. But
      // there are more members, and `count_conversions` counts all of them.
    } else {
      return count_conversions<T>();
    }
  } else {
    return count_conversions<T>();
  }
}
template <class T>
constexpr std::size_t count_members() {
  constexpr std::size_t n = count_initialisers<T>();
  if constexpr (n > arity_limit && n > arity_limit + count_bases<T>()) {
    complain<misuse::too_many_members, T>();
    return 0; // one error is enough, so the type counts as a type without members
  } else if constexpr (n != 0 && n == count_bases<T>() && !std::is_empty_v<T> && !has_nonempty_base<T>()) {
    // The first member counted as a base, because a base of `T` converts to it, as to a variant
    // that may hold one. With more members the compiler can't bind this number of them.
    complain<misuse::base_with_members, T>();
    return 0;
  } else {
    return n - count_bases<T>();
  }
}
template <class T, class F>
INGOT_INLINE constexpr decltype(auto) bind_members(T& object, F&& f) {
  return bindings<count_members<std::remove_const_t<T>>()>::visit(object, std::forward<F>(f));
}
template <class T>
auto bound_types(T& object) {
  return bindings<count_members<std::remove_const_t<T>>()>::types_of(object);
}
template <class T>
consteval std::string_view spell_members() {
  return bindings<count_members<T>()>::template spell<T>();
}

#endif

/// Rejects an aggregate whose bases have members. Called once for each type, before its members are
/// bound, so that ingot's error comes before the compiler's own errors.
template <class T>
consteval void check_bases() {
  if constexpr (has_nonempty_base<T>()) complain<misuse::base_with_members, T>();
}

/// An aggregate class whose members structured bindings can bind.
template <class T>
concept bindable_aggregate = std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_union_v<T>;

}}} // namespace ingot::INGOT_V1::detail
