// SPDX-License-Identifier: Apache-2.0
// Classes derived from a container, a text, a duration and so on. They are stored like their base.
// Classes that add members are rejected, because these members would be lost.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/reflect/detail/names.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns a text that contains the compiler's name of the type. Types are compared by this text,
/// because g++ 12 with its sanitizers can't compare addresses of two variables at compile time.
template <class T>
constexpr std::string_view type_tag() noexcept {
  return INGOT_SIGNATURE;
}

/// True if `T` is declared in namespace std.
template <class T>
consteval bool is_standard() {
  return from_argument(type_tag<T>(), "T = ", "type_tag<").starts_with("std::");
}

/// Deduces the class that declares a const member function.
template <class Class, class Returned>
std::type_identity<Class> declares(Returned (Class::*)() const);
template <class Class, class Returned>
std::type_identity<Class> declares(Returned (Class::*)() const&);

/// Returns the public base of `T` that declares the functions from which ingot derives the kind of
/// `T`. Returns `T` if there is no such base. A class that hides all of these functions of its base
/// has its own kind.
template <class T>
consteval auto shape_owner() {
  constexpr auto is_base = []<class Class>(std::type_identity<Class>) {
    return !std::is_same_v<Class, T> && std::is_convertible_v<T*, Class*>;
  };
  // clang-format off
#define INGOT_ASK(function)                                                                                  \
  if constexpr (requires { requires is_base(decltype(declares(&T::function)){}); })                          \
    return decltype(declares(&T::function)){};                                                               \
  else
  // `begin` is tested before `size`. libstdc++'s checked containers declare their own `begin`, but
  // inherit `size` from a base, whose objects have another size in bytes.
  INGOT_ASK(begin) INGOT_ASK(end) INGOT_ASK(size) INGOT_ASK(native) // containers, texts, paths
  // durations, time points, bitsets, complex numbers
  INGOT_ASK(count) INGOT_ASK(time_since_epoch) INGOT_ASK(real)
  INGOT_ASK(value) INGOT_ASK(has_value) INGOT_ASK(get)              // optional, expected, box
  return std::type_identity<T>{};
#undef INGOT_ASK
  // clang-format on
}

template <class Class, std::size_t N>
struct tail_probe : Class {
  char more[N];
};
/// Returns the number of bytes at the end of a `Class` that members of a derived class can use.
template <class Class, std::size_t N = 1>
consteval std::size_t tail_padding() {
  if constexpr (std::is_final_v<Class>) return 0;
  else if constexpr (N >= alignof(Class) || sizeof(tail_probe<Class, N>) > sizeof(Class)) return N - 1;
  else return tail_padding<Class, N + 1>();
}
template <class Class>
struct with_virtual_functions : Class {
  virtual void ingot_function();
};
/// Returns true if `Derived` has members that `Base` does not have. Such members make the class
/// larger, or take a part of the padding at its end.
template <class Derived, class Base>
consteval bool adds_members() {
  if constexpr (std::is_polymorphic_v<Derived> && !std::is_polymorphic_v<Base>)
    return adds_members<Derived, with_virtual_functions<Base>>();
  else return sizeof(Derived) != sizeof(Base) || tail_padding<Derived>() != tail_padding<Base>();
}

}}} // namespace ingot::INGOT_V1::detail
