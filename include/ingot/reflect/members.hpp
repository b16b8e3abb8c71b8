// SPDX-License-Identifier: Apache-2.0
// The members of a class at compile time: one interface over three front ends (aggregates, classes
// that describe themselves, C++26 reflection). All higher layers use the declarations here.
//
// The members of bases come first, in the order of the bases, as if they were declared in the class
// itself.
#pragma once

#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/described.hpp>
#include <ingot/reflect/detail/annotation_rules.hpp>
#include <ingot/reflect/detail/member_annotations.hpp>
#include <ingot/reflect/detail/member_table.hpp>
#include <ingot/reflect/sentence.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// Checks that a `member<"...">` entry names a member. Otherwise an annotation with a misspelt
/// name, such as a limit, would have no effect.
template <class T, std::size_t K>
consteval void check_entry() {
  if constexpr (requires { entry_type<T, K>::name(); }) {
    constexpr std::string_view name = entry_type<T, K>::name();
    constexpr bool known = [&] {
      for (std::size_t i = 0; i < member_table<T>::count; ++i) {
        if (declared_name_table<T>[i] == name) return true;
      }
      return false;
    }();
    if constexpr (!known) complain<misuse::unknown_annotation, T, fixed_string<name.size() + 1>(name)>();
  }
}

/// Maximum size of a class whose `reflect` function lists all of its members. A base counts like
/// one member with the size of the base.
struct layout_bound {
  std::size_t size = 0;
  std::size_t alignment = 1;

  template <class M>
  constexpr void add() noexcept {
    if constexpr (is_base_ref<M>::value) {
      using base = std::remove_reference_t<decltype(std::declval<M&>().object)>;
      if constexpr (!std::is_empty_v<base>) add_block(sizeof(base), alignof(base));
    } else {
      add_block(sizeof(M), alignof(M));
    }
  }
  constexpr void add_block(std::size_t bytes, std::size_t aligned) noexcept {
    size = (size + aligned - 1) / aligned * aligned + bytes;
    if (alignment < aligned) alignment = aligned;
  }
};

/// Returns false if a `reflect` function omits members. Does not detect omitted members that fit
/// into padding.
template <class T>
consteval bool names_all_members() {
  if constexpr (!described<T> || std::is_polymorphic_v<T>) {
    return true;
  } else if constexpr (!std::is_same_v<std::remove_const_t<decltype(type_annotation<partial_t, T>)>,
                                       no_annotation>) {
    return true;
  } else {
    using bound = decltype(describe_members(std::declval<T&>(), []<class... Ms>(Ms&&...) {
      constexpr layout_bound all = [] {
        layout_bound sum;
        (sum.add<std::remove_cvref_t<Ms>>(), ...);
        return sum;
      }();
      return std::integer_sequence<std::size_t, all.size, all.alignment>{};
    }));
    return []<std::size_t Size, std::size_t Alignment>(std::integer_sequence<std::size_t, Size, Alignment>) {
      constexpr std::size_t step = alignof(T) > Alignment ? alignof(T) : Alignment;
      return Size + step > sizeof(T) || sizeof(T) == 1;
    }(bound{});
  }
}

template <class T, std::size_t I>
consteval std::string_view public_name() {
  if constexpr (std::is_same_v<std::remove_const_t<decltype(member_annotation<rename_t, T, I>)>,
                               no_annotation>) {
    return declared_name_table<T>[I];
  } else {
    return member_annotation<rename_t, T, I>.view();
  }
}
template <class T>
consteval auto public_names() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (annotated<T>) {
      return std::array<std::string_view, sizeof...(I)>{public_name<T, I>()...};
    } else {
      return std::array<std::string_view, sizeof...(I)>{declared_name_table<T>[I]...};
    }
  }(std::make_index_sequence<member_table<T>::count>{});
}
template <class T>
inline constexpr auto public_name_table = public_names<T>();

/// Returns the index of the first member to which `rename` gives the name of another member.
/// Returns the number of members if there is no such member.
template <class T>
consteval std::size_t repeated_name() {
  constexpr std::size_t count = member_table<T>::count;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (public_name_table<T>[i] == public_name_table<T>[j] &&
          declared_name_table<T>[i] != declared_name_table<T>[j]) {
        return i;
      }
    }
  }
  return count;
}

template <class T>
consteval void check_description() {
  if constexpr (has_packed_members<T>(typename member_table<T>::slots{}))
    complain<misuse::packed_member, T>();
  if constexpr (described<T> && !misspelt<T>) {
    if constexpr (!names_all_members<T>()) complain<misuse::missing_member, T>();
    if constexpr (!lists_own_members<T>) complain<misuse::not_a_member, T>();
  }
  if constexpr (annotated_with<T, rename_t>) {
    constexpr std::size_t repeated = repeated_name<T>();
    if constexpr (repeated < member_table<T>::count) {
      constexpr std::string_view name = declared_name_table<T>[repeated];
      complain<misuse::repeated_name, T, fixed_string<name.size() + 1>(name)>();
    }
  }
  [[maybe_unused]] constexpr auto entries = []<std::size_t... K>(std::index_sequence<K...>) {
    (check_entry<T, K>(), ...);
  };
  entries(std::make_index_sequence<entry_count<T>>{});
  check_annotations<T>();
}

/// If `f` returns bool, the expression `(f(...), proceed{})` has the result of `f`. Otherwise the
/// expression converts to true. A helper function would need an instantiation for each member; the
/// expression needs none.
struct proceed {
  constexpr explicit operator bool() const noexcept { return true; }
};
template <std::same_as<bool> B>
constexpr bool operator,(B returned, proceed) noexcept {
  return returned;
}

/// True for classes of the standard library that would pass the tests for aggregates, but are not
/// records.
template <class T>
inline constexpr bool never_a_record = false;

} // namespace detail

/// A class whose members ingot can list. The types of the members are not tested here: each
/// representation reports its own compile errors for members that it can't store.
template <class T>
concept record = std::is_class_v<T> && !detail::never_a_record<std::remove_const_t<T>> &&
                 (detail::described<std::remove_const_t<T>> ||
#if INGOT_REFLECTION
                  detail::meta_record<std::remove_const_t<T>>
#else
                  detail::bindable_aggregate<std::remove_const_t<T>>
#endif
                 );

/// The number of members of `T`, including those of its bases.
template <class T>
inline constexpr std::size_t member_count = [] {
  detail::check_description<T>();
  return detail::member_table<T>::count;
}();

/// The declared type of the `I`-th member.
template <class T, std::size_t I>
using member_type = typename detail::member_table<T>::template slot<I>::type;

/// The class that declares the `I`-th member: `T` or one of its bases.
template <class T, std::size_t I>
using member_origin = typename detail::member_table<T>::template slot<I>::origin;

/// The name of the `I`-th member, after `rename`.
template <class T, std::size_t I>
inline constexpr std::string_view member_name = detail::public_name_table<T>[I];

/// Calls `f` with a reference to every member of `object`.
template <record T, class F>
INGOT_INLINE constexpr decltype(auto) visit_members(T& object, F&& f) {
  return detail::visit_flat(object, std::forward<F>(f));
}

/// Calls `f(index, member)` for every member in order; `index` is a `std::integral_constant`. If
/// `f` returns bool, the first false ends the walk. Returns true if the walk reached the end.
template <record T, class F>
INGOT_INLINE constexpr bool for_each_member(T& object, F&& f) {
  return visit_members(object, [&](auto&... members) INGOT_INLINE_LAMBDA {
    return [&]<std::size_t... I>(std::index_sequence<I...>) INGOT_INLINE_LAMBDA {
      return (static_cast<bool>((f(std::integral_constant<std::size_t, I>{}, members), detail::proceed{})) &&
              ...);
    }(std::make_index_sequence<sizeof...(members)>{});
  });
}

/// True if the `I`-th member has the annotation `A` (`ingot::skip_t`, ...).
template <class T, std::size_t I, class A>
inline constexpr bool member_has = false;
template <class T, std::size_t I, class A>
  requires detail::annotated_with<T, A>
inline constexpr bool member_has<T, I, A> =
    !std::is_same_v<std::remove_const_t<decltype(detail::member_annotation<A, T, I>)>, detail::no_annotation>;
/// The annotation `A` of the `I`-th member; ill-formed if the member does not have this annotation.
template <class T, std::size_t I, class A>
  requires member_has<T, I, A>
inline constexpr auto member_get = detail::member_annotation<A, T, I>;

/// True if the type has the annotation `A` (`ingot::evolvable_t`, ...).
template <class T, class A>
inline constexpr bool type_has =
    !std::is_same_v<std::remove_const_t<decltype(detail::type_annotation<A, T>)>, detail::no_annotation>;
template <class T, class A>
  requires type_has<T, A>
inline constexpr auto type_get = detail::type_annotation<A, T>;

/// Returns the index of the member with this name, or `member_count<T>` if there is none.
template <class T>
[[nodiscard]] consteval std::size_t member_index(std::string_view name) {
  for (std::size_t i = 0; i < member_count<T>; ++i) {
    if (detail::public_name_table<T>[i] == name) return i;
  }
  return member_count<T>;
}

namespace detail {

/// Returns true if `name` is the name of two members. A member of the derived class, or of another
/// base, may hide a member of a base.
template <class T>
[[nodiscard]] consteval bool names_two_members(std::string_view name) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < member_count<T>; ++i) found += public_name_table<T>[i] == name ? 1 : 0;
  return found > 1;
}

} // namespace detail

}} // namespace ingot::INGOT_V1
