// SPDX-License-Identifier: Apache-2.0
// One of the three front ends of members.hpp: classes that list their members themselves. Classes
// with private members, constructors, or bases with members need this front end, because structured
// bindings can't bind their members.
//
//   class account : public item {
//     std::uint64_t id_; std::string name_;
//   public:
//     constexpr auto reflect(auto&& f) { return f(ingot::base<item>(*this), id_, name_); }
//   };
//
// or, inside the class or next to it:
//
//   INGOT_REFLECT(account, (item), id_, name_)
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/reflect/detail/bound_types.hpp>
#include <ingot/reflect/fixed_string.hpp>
#include <ingot/reflect/sentence.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Marks a base in the list of members that a `reflect` function passes. In the list, the base is
/// replaced by its members.
template <class Base>
struct base_ref {
  Base& object; ///< the base part of the object
};

/// Returns the `Base` part of `self`, for use in `reflect`.
template <class Base, class Self>
[[nodiscard]] INGOT_INLINE constexpr auto base(Self& self) noexcept {
  using part = std::conditional_t<std::is_const_v<Self>, const Base, Base>;
  static_assert(std::is_base_of_v<Base, std::remove_const_t<Self>>,
                "ingot::base names a class that is no base");
  // A C-style cast can convert to a private base, and static_cast can't. The cast is allowed: only
  // the class itself calls this function, and a class may use its private bases.
  return base_ref<part>{(part&)self};
}

namespace detail {

/// Marks a wrong name in the list of INGOT_REFLECT. In this case, the function that the macro
/// defines returns this type for the argument `accept_members`.
struct misspelt_names {};

/// A function object that accepts any members. `has_reflect_function` calls `reflect` with this
/// object, to test whether a class has a `reflect` function. A `reflect` function must accept any
/// function object.
struct accept_members {
  template <class... Ms>
  constexpr int operator()(Ms&&...) const noexcept {
    return 0;
  }
};

template <class T>
concept has_reflect_function =
    std::is_class_v<T> && requires(T& object) { object.reflect(accept_members{}); };

template <class T>
concept has_macro_member = std::is_class_v<T> && requires(T& object) {
  object.ingot_reflect(std::type_identity<T>{}, object, accept_members{});
};

template <class T>
concept has_macro_function = std::is_class_v<T> && requires(T& object) {
  ingot_reflect(std::type_identity<T>{}, object, accept_members{});
};

/// True if INGOT_REFLECT lists a wrong name. The macro already causes an error. To avoid more
/// errors, the type then counts as a type without members.
template <class T>
concept misspelt = (has_macro_member<T> && requires(T& object) {
                     {
                       object.ingot_reflect(std::type_identity<T>{}, object, accept_members{})
                     } -> std::same_as<misspelt_names>;
                   }) || (has_macro_function<T> && requires(T& object) {
                     {
                       ingot_reflect(std::type_identity<T>{}, object, accept_members{})
                     } -> std::same_as<misspelt_names>;
                   });

template <class T>
concept described = has_reflect_function<T> || has_macro_member<T> || has_macro_function<T>;

/// Returns the name at `index` of a list of names, written as in a call of INGOT_REFLECT.
constexpr std::string_view name_in_list(std::string_view list, std::size_t index) noexcept {
  while (index-- > 0) list.remove_prefix(list.find(',') + 1);
  list = list.substr(0, list.find(','));
  while (list.starts_with(' ')) list.remove_prefix(1);
  return list;
}
/// Fails to compile. The error names the first of `Names` that is no member. `Answers` has a value
/// for each name: true if a reference to the member with this name can be formed.
template <class T, fixed_string Names, bool... Answers>
consteval void check_names() {
  constexpr std::size_t wrong = [] {
    std::size_t index = 0;
    static_cast<void>(((Answers && (++index, true)) && ...));
    return index;
  }();
  constexpr std::string_view name = name_in_list(Names.view(), wrong);
  complain<misuse::misspelt_member, std::remove_const_t<T>, fixed_string<name.size() + 1>(name)>();
}

/// A type such as std::array. Such a type may be an aggregate, but its elements are stored, and not
/// its members.
template <class T>
concept is_stored_as_elements = requires { std::tuple_size<T>::value; };

/// Calls `f` with the members that a described class lists, including `base_ref`s. A class needs no
/// second `reflect` for const objects: `reflect` only forms references. If the object is const,
/// this function makes the references const.
template <class T, class F>
INGOT_INLINE constexpr decltype(auto) describe_members(T& object, F&& f) {
  using plain = std::remove_const_t<T>;
  if constexpr (has_macro_member<plain>) {
    return const_cast<plain&>(object).ingot_reflect(std::type_identity<plain>{}, object, std::forward<F>(f));
  } else if constexpr (has_macro_function<plain>) {
    return ingot_reflect(std::type_identity<plain>{}, object, std::forward<F>(f));
  } else {
    constexpr auto as = []<class M>(M&& member) INGOT_INLINE_LAMBDA -> decltype(auto) {
      if constexpr (requires { []<class B>(const base_ref<B>&) {}(member); }) {
        using base_type = std::remove_reference_t<decltype((member.object))>;
        using wanted =
            std::conditional_t<std::is_const_v<T>, const base_type, std::remove_const_t<base_type>>;
        return base_ref<wanted>{const_cast<wanted&>(member.object)};
      } else {
        using declared = std::remove_reference_t<M>; // const only if the member itself is const
        using wanted = std::conditional_t<std::is_const_v<T>, const declared, declared>;
        return static_cast<wanted&>(member);
      }
    };
    return const_cast<plain&>(object).reflect(
        [&](auto&&... members) INGOT_INLINE_LAMBDA -> decltype(auto) { return f(as(members)...); });
  }
}

} // namespace detail
}} // namespace ingot::INGOT_V1

/// \cond
#define INGOT_DETAIL_PARENS ()
#define INGOT_DETAIL_EXPAND(...)                                                                             \
  INGOT_DETAIL_EXPAND4(INGOT_DETAIL_EXPAND4(INGOT_DETAIL_EXPAND4(INGOT_DETAIL_EXPAND4(__VA_ARGS__))))
#define INGOT_DETAIL_EXPAND4(...)                                                                            \
  INGOT_DETAIL_EXPAND3(INGOT_DETAIL_EXPAND3(INGOT_DETAIL_EXPAND3(INGOT_DETAIL_EXPAND3(__VA_ARGS__))))
#define INGOT_DETAIL_EXPAND3(...)                                                                            \
  INGOT_DETAIL_EXPAND2(INGOT_DETAIL_EXPAND2(INGOT_DETAIL_EXPAND2(INGOT_DETAIL_EXPAND2(__VA_ARGS__))))
#define INGOT_DETAIL_EXPAND2(...)                                                                            \
  INGOT_DETAIL_EXPAND1(INGOT_DETAIL_EXPAND1(INGOT_DETAIL_EXPAND1(INGOT_DETAIL_EXPAND1(__VA_ARGS__))))
#define INGOT_DETAIL_EXPAND1(...) __VA_ARGS__
#define INGOT_DETAIL_MEMBERS(first, ...)                                                                     \
  , ingot_self.first __VA_OPT__(INGOT_DETAIL_MEMBERS_AGAIN INGOT_DETAIL_PARENS(__VA_ARGS__))
#define INGOT_DETAIL_MEMBERS_AGAIN() INGOT_DETAIL_MEMBERS
#define INGOT_DETAIL_BASES(first, ...)                                                                       \
  , ::ingot::base<first>(ingot_self) __VA_OPT__(INGOT_DETAIL_BASES_AGAIN INGOT_DETAIL_PARENS(__VA_ARGS__))
#define INGOT_DETAIL_BASES_AGAIN() INGOT_DETAIL_BASES
// Every list of arguments begins with a comma, so that a list can be empty. This macro drops that
// comma.
#define INGOT_DETAIL_TAIL(unused, ...) __VA_ARGS__
#define INGOT_DETAIL_CALL(function, ...) function(INGOT_DETAIL_TAIL(__VA_ARGS__))
#define INGOT_DETAIL_BASE_LIST(...) __VA_OPT__(INGOT_DETAIL_EXPAND(INGOT_DETAIL_BASES(__VA_ARGS__)))
#define INGOT_DETAIL_MEMBER_LIST(...) __VA_OPT__(INGOT_DETAIL_EXPAND(INGOT_DETAIL_MEMBERS(__VA_ARGS__)))
// Expands to template arguments: for each name, true if it names a member.
#define INGOT_DETAIL_ANSWERS(first, ...)                                                                     \
  , requires {                                                                                               \
    ::ingot::detail::refer_to(ingot_self.first);                                                             \
  } __VA_OPT__(INGOT_DETAIL_ANSWERS_AGAIN INGOT_DETAIL_PARENS(__VA_ARGS__))
#define INGOT_DETAIL_ANSWERS_AGAIN() INGOT_DETAIL_ANSWERS
#define INGOT_DETAIL_ANSWER_LIST(...) __VA_OPT__(INGOT_DETAIL_EXPAND(INGOT_DETAIL_ANSWERS(__VA_ARGS__)))
// INGOT_DETAIL_HAS_BASES expands to 1 if a list begins with bases in parentheses, else to 0. The
// macro puts INGOT_DETAIL_SEES_BASES before the list. Before `(...)`, INGOT_DETAIL_SEES_BASES
// expands to two arguments, and the second is 1. Before a name, it is not expanded, and the second
// argument is 0.
#define INGOT_DETAIL_SEES_BASES(...) ~, 1
#define INGOT_DETAIL_SECOND(first, second, ...) second
#define INGOT_DETAIL_PICK(...) INGOT_DETAIL_SECOND(__VA_ARGS__)
#define INGOT_DETAIL_HAS_BASES(first, ...) INGOT_DETAIL_PICK(INGOT_DETAIL_SEES_BASES first, 0, ~)
#define INGOT_DETAIL_JOIN(a, b) INGOT_DETAIL_JOIN_AGAIN(a, b)
#define INGOT_DETAIL_JOIN_AGAIN(a, b) a##b
#define INGOT_DETAIL_REFLECT0(type, ...) INGOT_DETAIL_REFLECT1(type, (), __VA_ARGS__)
#define INGOT_DETAIL_REFLECT1(type, bases, ...)                                                              \
  template <class IngotSelf, class IngotVisit>                                                               \
  [[gnu::always_inline]] inline constexpr decltype(auto) ingot_reflect(                                      \
      ::std::type_identity<type>, [[maybe_unused]] IngotSelf& ingot_self, IngotVisit&& ingot_visit) {        \
    if constexpr (requires {                                                                                 \
                    INGOT_DETAIL_CALL(::ingot::detail::refer_to, _ INGOT_DETAIL_MEMBER_LIST(__VA_ARGS__));   \
                  }) {                                                                                       \
      return INGOT_DETAIL_CALL(ingot_visit,                                                                  \
                               _ INGOT_DETAIL_BASE_LIST bases INGOT_DETAIL_MEMBER_LIST(__VA_ARGS__));        \
    } else {                                                                                                 \
      ::ingot::detail::check_names<IngotSelf, #__VA_ARGS__ INGOT_DETAIL_ANSWER_LIST(__VA_ARGS__)>();         \
      if constexpr (::std::is_same_v<IngotVisit, ::ingot::detail::accept_members>) {                         \
        return ::ingot::detail::misspelt_names{};                                                            \
      } else {                                                                                               \
        return ingot_visit();                                                                                \
      }                                                                                                      \
    }                                                                                                        \
  }
/// \endcond

/// INGOT_REFLECT(type, (bases...), members...) lists up to 128 members, and the bases, of a class.
/// A class without bases may omit the parentheses. Write the macro in the public part of the class,
/// where it can use private members, or in the namespace of the class.
#define INGOT_REFLECT(type, ...)                                                                             \
  INGOT_DETAIL_JOIN(INGOT_DETAIL_REFLECT, INGOT_DETAIL_HAS_BASES(__VA_ARGS__))(type, __VA_ARGS__)
