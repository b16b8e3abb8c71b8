// SPDX-License-Identifier: Apache-2.0
// Code of the program that the walks over a block's objects call: constructors, conversions,
// assignments, comparisons and iterators. Such code may call the library and start another walk. So
// `call_user` hides the current walks of the thread while the code runs (see `walks_aside` in
// recursion.hpp). For types without such code, the calls are direct.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/container.hpp>
#include <ingot/live/detail/recursion.hpp>
#include <ingot/reflect/detail/names.hpp>
#include <ingot/reflect/kind.hpp>

#include <cstddef>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if the name of the class is in namespace std. Returns false for classes of
/// std::ranges: a view may compute its elements by code of the program.
template <class Type>
consteval bool is_named_std() {
  const std::string_view text = from_argument(INGOT_SIGNATURE, "Type = ", "is_named_std<");
  return text.starts_with("std::") && !text.starts_with("std::ranges::");
}
/// Returns true for a container of a block, and for a class of the standard library that runs no
/// code of the program when it is read.
template <class T>
consteval bool is_library_class() {
  if constexpr (live_container<T>) return true;
  else if constexpr (kind_of<T> == kind::duration) return std::is_arithmetic_v<typename T::rep>;
  else if constexpr (kind_of<T> == kind::time_point) return std::is_arithmetic_v<typename T::rep>;
  else return is_named_std<T>();
}
/// Returns true if no code of the program runs when a container becomes a copy of a `U`, except
/// code of the elements.
template <class U>
consteval bool is_silent_source() {
  if constexpr (std::is_class_v<U> || std::is_union_v<U>) return is_library_class<U>();
  else return true;
}

template <class T, class U>
consteval bool assigns_silently() {
  using source = std::remove_cvref_t<U>;
  if constexpr (std::is_trivially_assignable_v<T&, U> || (std::is_scalar_v<T> && std::is_scalar_v<source>))
    return true;
  else if constexpr (std::is_class_v<T> && is_silent_source<source>()) return is_library_class<T>();
  else return false;
}
template <class T, class U>
consteval bool compares_silently() {
  return (std::is_scalar_v<T> || is_library_class<T>()) && (std::is_scalar_v<U> || is_library_class<U>());
}

template <class T>
concept has_constant_default = requires { typename std::bool_constant<(static_cast<void>(T{}), true)>; };
/// Returns true if `T{}` needs no `call_user`. Returns false for large objects, because compilers
/// take long to evaluate such a `T{}`. For large objects, the time of `call_user` hardly matters.
template <class T>
consteval bool defaults_silently() {
  if constexpr (std::is_trivially_default_constructible_v<T> || live_container<T>) return true;
  else if constexpr (sizeof(T) > 1024) return false;
  else return has_constant_default<T>;
}
template <class T>
consteval bool has_scalar_members() {
  if constexpr (std::is_scalar_v<T>) {
    return true;
  } else if constexpr (is_specialization<T, std::pair>) {
    return std::is_scalar_v<typename T::first_type> && std::is_scalar_v<typename T::second_type>;
  } else if constexpr (std::is_aggregate_v<T> && !is_array_like<T> && kind_of<T> == kind::record) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (std::is_scalar_v<member_type<T, I>> && ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}
template <class T, class... A>
consteval bool constructs_silently() {
  if constexpr (std::is_trivially_constructible_v<T, A...>) return true;
  else if constexpr ((std::is_scalar_v<std::remove_cvref_t<A>> && ...))
    return has_scalar_members<T>() || (std::is_class_v<T> && is_library_class<T>());
  else if constexpr (sizeof...(A) == 1) return std::is_class_v<T> && (assigns_silently<T, A>() && ...);
  else return false;
}

/// Calls `call` by `call_user`, or directly if `Silent`. `Silent` means that `call` runs no code of
/// the program.
template <bool Silent, class F>
INGOT_INLINE decltype(auto) call_user_unless(F&& call) {
  if constexpr (Silent) return std::forward<F>(call)();
  else return call_user(std::forward<F>(call));
}
/// Constructs a `T{}` at `at`, by `call_user` unless `defaults_silently` is true.
template <class T>
INGOT_INLINE void make_default(T* at) noexcept(noexcept(T{})) {
  call_user_unless<defaults_silently<T>()>([at]()
                                               INGOT_INLINE_LAMBDA { ::new (static_cast<void*>(at)) T{}; });
}
/// A `T{}` whose constructor and destructor may be code of the program, and are called by
/// `call_user`.
template <class T>
class user_default {
public:
  user_default() {
    call_user([this] { std::construct_at(std::addressof(object_)); });
  }
  user_default(const user_default&) = delete;
  user_default& operator=(const user_default&) = delete;
  ~user_default() {
    call_user([this] { std::destroy_at(std::addressof(object_)); });
  }
  [[nodiscard]] const T& operator*() const noexcept { return object_; }

private:
  union {
    T object_;
  };
};

}}} // namespace ingot::INGOT_V1::detail
