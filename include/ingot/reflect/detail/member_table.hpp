// SPDX-License-Identifier: Apache-2.0
// The members of a class and their names. They come from structured bindings of an aggregate, from
// the class's own list, or from C++26 reflection.
#pragma once

#include <ingot/reflect/described.hpp>
#include <ingot/reflect/detail/aggregate.hpp>
#include <ingot/reflect/detail/names.hpp>
#include <ingot/reflect/detail/pointer_list.hpp>
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

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A member: its type, and the class that declares the member: the class itself or one of its
/// bases.
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

/// Has the alignment that a member of type `M` has in a class that is not packed. (On 32-bit
/// machines, a double by itself may have another alignment than a member of type double.)
template <class M>
struct aligned_member {
  M member;
};
/// True if `Origin` is smaller than its member of type `M`. Clang gives a class this size after an
/// error in the class, such as a member of a type that was not declared.
template <class M, class Origin>
consteval bool is_too_small() {
  if constexpr (std::is_object_v<M> && !std::is_unbounded_array_v<M>) return sizeof(M) > sizeof(Origin);
  else return false;
}
template <class M, class Origin>
consteval bool is_packed_member() {
  if constexpr (std::is_object_v<M> && !std::is_unbounded_array_v<M>)
    return alignof(aligned_member<M>) > alignof(Origin) && !is_too_small<M, Origin>();
  else return false;
}
template <class T, class... Slots>
consteval bool has_packed_members(slot_list<Slots...>) {
  return (is_packed_member<typename Slots::type, typename Slots::origin>() || ...);
}

template <class T>
struct is_base_ref : std::false_type {};
template <class B>
struct is_base_ref<base_ref<B>> : std::true_type {};

template <class T, class F>
INGOT_INLINE constexpr decltype(auto) visit_flat(T& object, F&& f);

/// Returns one member, or all members of a base, as a tuple of references.
template <class M>
INGOT_INLINE constexpr auto flat_references(M& member) {
  if constexpr (is_base_ref<std::remove_const_t<M>>::value) {
    return visit_flat(member.object, [](auto&... ms) INGOT_INLINE_LAMBDA { return std::tie(ms...); });
  } else {
    return std::tie(member);
  }
}

/// Calls `f` with the members that a class lists. Each base in the list is replaced by its members.
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

/// True if a base in a list of members can be replaced by its own members. False for a container, a
/// text or an array, because these are stored as a whole.
template <class B>
concept open_base =
#if INGOT_REFLECTION
    meta_open_base<B>;
#else
    described<B> || (bindable_aggregate<B> && !is_stored_as_elements<B>);
#endif

/// True if `B` is a virtual base of `T`: a pointer to `B` can't be cast to `T`.
template <class T, class B>
concept virtual_base_of = std::is_convertible_v<T*, B*> && !requires(B* base) { static_cast<T*>(base); };

template <class T, class M>
constexpr auto slots_of_member() {
  if constexpr (is_base_ref<std::remove_cvref_t<M>>::value) {
    using base = std::remove_const_t<std::remove_reference_t<decltype((std::declval<M&>().object))>>;
    if constexpr (virtual_base_of<T, base>) {
      complain<misuse::virtual_base, T>();
      return slot_list<>{};
    } else if constexpr (!open_base<base>) {
      complain<misuse::opaque_base, T>();
      return slot_list<>{};
    } else {
      return slots_of<base>();
    }
  } else {
    return slot_list<member_slot<std::remove_reference_t<M>, T>>{};
  }
}
template <class T, bool Referable, class... Ms>
constexpr auto slots_of_types(bound_types_if<Referable, Ms...>) {
  using slots = slot_list<member_slot<Ms, T>...>;
  constexpr bool was_rejected = (is_too_small<Ms, T>() || ...); // the compiler reports the error
  if constexpr (!Referable && !was_rejected)
    complain<has_packed_members<T>(slots{}) ? misuse::packed_member : misuse::bit_field, T>();
  return slots{};
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

/// Finds the `I`-th slot of a list without a recursion over the list. A `slot_index` derives from
/// an `indexed_slot` for each slot, and overload resolution of `slot_at<I>` selects the base with
/// index `I`. std::tuple_element compiles slowly over long lists.
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
/// Returns the addresses of the members of a described class. The `reflect` of such a class passes
/// references to the members, so no structured bindings are needed.
template <class T>
constexpr auto member_pointers() {
  return visit_flat(const_cast<T&>(name_source<T>.value),
                    [](auto&... members) { return pointers_to(members...); });
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
template <class T>
consteval std::string_view spell_described();
/// Returns true if all `count` pointers in `list` point into `name_source`. `list` is the text that
/// the compiler prints for the pointers. A pointer to a static member or a global variable does not
/// point into `name_source`.
constexpr bool are_inside(std::string_view list, std::size_t count) noexcept {
  constexpr std::string_view source = "name_source";
  for (; count > 0; --count) {
    const std::size_t found = list.find(source);
    if (found == std::string_view::npos) return false;
    list.remove_prefix(found + source.size());
  }
  return true;
}
template <class T>
concept lists_own_members = requires { typename std::bool_constant<(member_pointers<T>(), true)>; } &&
                            are_inside(signature_arguments(spell_described<T>()), member_table<T>::count);

template <class T>
consteval std::string_view spell_described() {
  constexpr auto pointers = member_pointers<T>();
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return signature_of_values<pointer_at<I>(pointers)...>();
  }(std::make_index_sequence<member_table<T>::count>{});
}
template <class... Slots>
consteval bool any_reference(slot_list<Slots...>) {
  return (std::is_reference_v<typename Slots::type> || ...);
}
/// Returns `member_1`, `member_2` and so on as the names of the members. Used for a type that has
/// references as members. Names of members are read from addresses, and a reference has no address.
/// Such a type is rejected, and the error message needs names.
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
    if constexpr (lists_own_members<T>) {
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

}}} // namespace ingot::INGOT_V1::detail
