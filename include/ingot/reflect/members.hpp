// SPDX-License-Identifier: Apache-2.0
// The members of a class at compile time: one interface over three front ends (aggregates, classes that
// describe themselves, C++26 reflection). Everything above stands on what is declared here.
//
// Members of bases come first, in the order of the bases, as if they were declared in the class itself.
#pragma once

#include <ingot/reflect/aggregate.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/described.hpp>
#include <ingot/reflect/names.hpp>
#include <ingot/reflect/sentence.hpp>
#if INGOT_REFLECTION
#include <ingot/reflect/meta.hpp>
#endif

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ingot::inline v1 {

namespace detail {

/// A member: its type, the class that declares it (a base, for flattened ones).
template <class T, class Origin>
struct member_slot {
  using type = T;
  using origin = Origin;
};
template <class... Slots>
struct slot_list {
  static constexpr std::size_t size = sizeof...(Slots);
};
constexpr slot_list<> join() noexcept { return {}; }
template <class... A>
constexpr slot_list<A...> join(slot_list<A...>) noexcept {
  return {};
}
template <class... A, class... B, class... Rest>
constexpr auto join(slot_list<A...>, slot_list<B...>, Rest... rest) {
  return join(slot_list<A..., B...>{}, rest...);
}

template <class T>
struct is_base_ref : std::false_type {};
template <class B>
struct is_base_ref<base_ref<B>> : std::true_type {};

template <class T, class F>
INGOT_INLINE constexpr decltype(auto) visit_flat(T& object, F&& f);

/// One member, or all members of a base, as a tuple of references.
template <class M>
INGOT_INLINE constexpr auto flat_references(M& member) {
  if constexpr (is_base_ref<std::remove_const_t<M>>::value) {
    return visit_flat(member.object, [](auto&... ms) INGOT_INLINE_LAMBDA { return std::tie(ms...); });
  } else {
    return std::tie(member);
  }
}

/// Calls `f` with what a class names, bases replaced by their members.
template <class F>
struct flattening {
  F& f;
  template <class... Ms>
  INGOT_INLINE constexpr decltype(auto) operator()(Ms&&... ms) const {
    if constexpr ((is_base_ref<std::remove_cvref_t<Ms>>::value || ...)) {
      return std::apply(f, std::tuple_cat(flat_references(ms)...));
    } else {
      return f(ms...);
    }
  }
};
template <class T, class F>
INGOT_INLINE constexpr decltype(auto) visit_flat(T& object, F&& f) {
  if constexpr (described<std::remove_const_t<T>>) {
    return describe_members(object, flattening<std::remove_reference_t<F>>{f});
  } else {
#if INGOT_REFLECTION
    return meta_visit(object, flattening<std::remove_reference_t<F>>{f});
#else
    return bind_members(object, std::forward<F>(f));
#endif
  }
}

template <class T>
constexpr auto slots_of();

template <class T, class M>
constexpr auto slots_of_member() {
  if constexpr (is_base_ref<std::remove_cvref_t<M>>::value) {
    return slots_of<std::remove_const_t<std::remove_reference_t<decltype((std::declval<M&>().object))>>>();
  } else {
    return slot_list<member_slot<std::remove_reference_t<M>, T>>{};
  }
}
template <class T, bool Referable, class... Ms>
constexpr auto slots_of_types(bound_types_if<Referable, Ms...>) {
  if constexpr (!Referable) complain<misuse::bit_field, T>();
  return slot_list<member_slot<Ms, T>...>{};
}
template <class T>
constexpr auto slots_of() {
  if constexpr (described<T>) {
    using found = decltype(describe_members(
        std::declval<T&>(), []<class... Ms>(Ms&&...) { return join(slots_of_member<T, Ms>()...); }));
    return found{};
  } else {
#if INGOT_REFLECTION
    return meta_slots<T>();
#else
    check_bases<T>();
    return slots_of_types<T>(decltype(bound_types(std::declval<T&>())){});
#endif
  }
}

/// std::tuple_element compiles slowly over long lists; this is one overload resolution for all members.
template <std::size_t I, class Slot>
struct indexed_slot {};
template <class Indices, class List>
struct slot_index;
template <std::size_t... I, class... Slots>
struct slot_index<std::index_sequence<I...>, slot_list<Slots...>> : indexed_slot<I, Slots>... {};
template <std::size_t I, class Slot>
Slot slot_at(const indexed_slot<I, Slot>&);

template <class T>
struct member_table {
  using slots = decltype(slots_of<T>());
  static constexpr std::size_t count = slots::size;
  using index = slot_index<std::make_index_sequence<count>, slots>;
  template <std::size_t I>
  using slot = decltype(slot_at<I>(std::declval<const index&>()));
};

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template" // addresses only: see name_source
#endif
/// Addresses of the members of a described class, which hands out references and not bindings.
template <class T>
constexpr auto member_pointers() {
  return visit_flat(const_cast<T&>(name_source<T>.value),
                    [](auto&... members) { return std::tuple{__builtin_addressof(members)...}; });
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
template <class T>
concept names_its_own = requires { typename std::bool_constant<(member_pointers<T>(), true)>; };

template <class T>
consteval std::string_view spell_described() {
  constexpr auto pointers = member_pointers<T>();
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return signature_of_values<std::get<I>(pointers)...>();
  }(std::make_index_sequence<member_table<T>::count>{});
}
template <class... Slots>
consteval bool any_reference(slot_list<Slots...>) {
  return (std::is_reference_v<typename Slots::type> || ...);
}
/// References have no address of their own to name. Such a type is refused, and the sentence needs a name.
template <std::size_t... I>
consteval std::array<std::string_view, sizeof...(I)> numbered_names(std::index_sequence<I...>) {
  return {std::string_view{numbered<I + 1>.chars, sizeof(numbered<I + 1>.chars)}...};
}
template <class T>
consteval auto declared_names();
#if INGOT_REFLECTION
template <class T>
consteval auto meta_names() {
  return []<std::size_t... B>(std::index_sequence<B...>) {
    std::array<std::string_view, member_table<T>::count> names{};
    std::size_t n = 0;
    [[maybe_unused]] const auto append = [&](const auto& more) {
      for (const std::string_view name : more) names[n++] = name;
    };
    (append(declared_names<own_base<T, B>>()), ...);
    append(own_names<T>());
    return names;
  }(own_base_indices<T>{});
}
#endif
template <class T>
consteval auto declared_names() {
  constexpr std::size_t count = member_table<T>::count;
  if constexpr (described<T>) {
    if constexpr (names_its_own<T>) {
      return split_identifiers<count>(signature_arguments(spell_described<T>()));
    } else {
      complain<misuse::not_a_member, T>();
      return numbered_names(std::make_index_sequence<count>{});
    }
  } else {
#if INGOT_REFLECTION
    return meta_names<T>();
#else
    if constexpr (any_reference(typename member_table<T>::slots{})) {
      return numbered_names(std::make_index_sequence<count>{});
    } else {
      return split_identifiers<count>(signature_arguments(spell_members<T>()));
    }
#endif
  }
}

template <class T>
inline constexpr auto declared_name_table = [] {
  constexpr auto names = declared_names<T>();
  return make_name_table<total_length(names)>(names);
}();

template <class T>
inline constexpr std::size_t entry_count = std::tuple_size_v<decltype(annotations<T>.entries)>;
template <class T, std::size_t K>
using entry_type = std::remove_cvref_t<decltype(std::get<K>(annotations<T>.entries))>;
template <class A, class T, std::size_t K>
consteval auto annotation_in_entry() {
  return std::apply([](const auto&... items) { return pick<A>(items...); },
                    std::get<K>(annotations<T>.entries).items);
}
template <class Entry>
consteval bool entry_names([[maybe_unused]] std::string_view name) {
  if constexpr (requires { Entry::name(); }) {
    return Entry::name() == name;
  } else {
    return false;
  }
}

/// The annotation `A` that `annotations<Annotated>` gives the `I`-th member of `T`, or `no_annotation`.
template <class A, class T, std::size_t I, class Annotated, std::size_t K = 0>
consteval auto annotation_from() {
  if constexpr (K == entry_count<Annotated>) {
    return no_annotation{};
  } else if constexpr (entry_names<entry_type<Annotated, K>>(declared_name_table<T>[I])) {
    if constexpr (std::is_same_v<decltype(annotation_in_entry<A, Annotated, K>()), no_annotation>) {
      return annotation_from<A, T, I, Annotated, K + 1>();
    } else {
      return annotation_in_entry<A, Annotated, K>();
    }
  } else {
    return annotation_from<A, T, I, Annotated, K + 1>();
  }
}
/// Whether members of `T` may carry annotations: most types have none, and their members need no search.
template <class... Slots>
consteval bool any_annotations(slot_list<Slots...>) {
#if INGOT_REFLECTION
  if ((meta_annotated<typename Slots::origin> || ...)) return true;
#endif
  return ((entry_count<typename Slots::origin> > 0) || ...);
}
template <class T>
concept annotated = entry_count<T> > 0 || any_annotations(typename member_table<T>::slots{});

template <class A, class T, std::size_t I>
consteval auto find_member_annotation() {
  using origin = typename member_table<T>::template slot<I>::origin;
  using own = decltype(annotation_from<A, T, I, T>());
  if constexpr (!std::is_same_v<own, no_annotation>) {
    return annotation_from<A, T, I, T>();
  } else {
    using inherited = decltype(annotation_from<A, T, I, origin>());
    if constexpr (!std::is_same_v<inherited, no_annotation>) {
      return annotation_from<A, T, I, origin>();
    } else {
#if INGOT_REFLECTION
      constexpr std::string_view name = declared_name_table<T>[I];
      return meta_member_annotation<A, origin, fixed_string<name.size() + 1>(name)>();
#else
      return no_annotation{};
#endif
    }
  }
}
template <class Entry>
inline constexpr bool is_type_entry = false;
template <class... Items>
inline constexpr bool is_type_entry<type_entry<Items...>> = true;

template <class A, class T, std::size_t K = 0>
consteval auto find_type_annotation() {
  if constexpr (K == entry_count<T>) {
#if INGOT_REFLECTION
    return meta_type_annotation<A, T>();
#else
    return no_annotation{};
#endif
  } else if constexpr (!is_type_entry<entry_type<T, K>>) {
    return find_type_annotation<A, T, K + 1>();
  } else if constexpr (std::is_same_v<decltype(annotation_in_entry<A, T, K>()), no_annotation>) {
    return find_type_annotation<A, T, K + 1>();
  } else {
    return annotation_in_entry<A, T, K>();
  }
}
template <class A, class T, std::size_t I>
inline constexpr auto member_annotation = no_annotation{};
template <class A, annotated T, std::size_t I>
inline constexpr auto member_annotation<A, T, I> = find_member_annotation<A, T, I>();
template <class A, class T>
inline constexpr auto type_annotation = find_type_annotation<A, T>();

/// Every `member<"...">` entry must name a member, or a misspelt limit would never be checked.
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

/// What a described class would measure if it held only what it names, at most: each base a block of its own.
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

/// Tells a `reflect` that misses members, unless they hide in padding.
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

template <class T>
consteval void check_description() {
  if constexpr (described<T>) {
    if constexpr (!names_all_members<T>()) complain<misuse::missing_member, T>();
    if constexpr (!names_its_own<T>) complain<misuse::not_a_member, T>();
  }
  [[maybe_unused]] constexpr auto entries = []<std::size_t... K>(std::index_sequence<K...>) {
    (check_entry<T, K>(), ...);
  };
  entries(std::make_index_sequence<entry_count<T>>{});
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

/// `(f(...), proceed{})` is what `f` returned where that is bool, and true otherwise: one expression a member,
/// where a helper would cost an instantiation a member.
struct proceed {
  constexpr explicit operator bool() const noexcept { return true; }
};
template <std::same_as<bool> B>
constexpr bool operator,(B returned, proceed) noexcept {
  return returned;
}

/// Class templates of the standard library that are aggregates or look like one, but are not records.
template <class T>
inline constexpr bool never_a_record = false;

} // namespace detail

/// A class whose members ingot can name. Whether they can all be stored is another question, which each
/// representation asks with a sentence of its own.
template <class T>
concept record = std::is_class_v<T> && !detail::never_a_record<std::remove_const_t<T>> &&
                 (detail::described<std::remove_const_t<T>> ||
#if INGOT_REFLECTION
                  detail::meta_record<std::remove_const_t<T>>
#else
                  detail::bindable_aggregate<std::remove_const_t<T>>
#endif
                 );

/// How many members `T` has, those of its bases included.
template <class T>
inline constexpr std::size_t member_count = [] {
  detail::check_description<T>();
  return detail::member_table<T>::count;
}();

/// The declared type of the `I`-th member.
template <class T, std::size_t I>
using member_type = typename detail::member_table<T>::template slot<I>::type;

/// The class that declares the `I`-th member: `T` or a base.
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

/// Calls `f(index, member)` for every member in order, `index` a `std::integral_constant`. When `f` returns bool,
/// the first false ends the walk; returns whether it reached the end.
template <record T, class F>
INGOT_INLINE constexpr bool for_each_member(T& object, F&& f) {
  return visit_members(object, [&](auto&... members) INGOT_INLINE_LAMBDA {
    return [&]<std::size_t... I>(std::index_sequence<I...>) INGOT_INLINE_LAMBDA {
      return (static_cast<bool>((f(std::integral_constant<std::size_t, I>{}, members), detail::proceed{})) &&
              ...);
    }(std::make_index_sequence<sizeof...(members)>{});
  });
}

/// Whether the `I`-th member carries the annotation `A` (`ingot::skip_t`, ...).
template <class T, std::size_t I, class A>
inline constexpr bool member_has = false;
template <detail::annotated T, std::size_t I, class A>
inline constexpr bool member_has<T, I, A> =
    !std::is_same_v<std::remove_const_t<decltype(detail::member_annotation<A, T, I>)>, detail::no_annotation>;
/// The annotation itself; ill-formed without it.
template <class T, std::size_t I, class A>
  requires member_has<T, I, A>
inline constexpr auto member_get = detail::member_annotation<A, T, I>;

/// Whether the type carries the annotation `A` (`ingot::evolvable_t`, ...).
template <class T, class A>
inline constexpr bool type_has =
    !std::is_same_v<std::remove_const_t<decltype(detail::type_annotation<A, T>)>, detail::no_annotation>;
template <class T, class A>
  requires type_has<T, A>
inline constexpr auto type_get = detail::type_annotation<A, T>;

/// The index of the member called `name`, or `member_count<T>`.
template <class T>
[[nodiscard]] consteval std::size_t member_index(std::string_view name) {
  for (std::size_t i = 0; i < member_count<T>; ++i) {
    if (detail::public_name_table<T>[i] == name) return i;
  }
  return member_count<T>;
}

} // namespace ingot::inline v1
