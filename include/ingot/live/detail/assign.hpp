// SPDX-License-Identifier: Apache-2.0
// Assigns to an object in a block from a value of the same type, in this block or another, or from
// its twin with `std::` members (twin.hpp). Types that hold containers are assigned member by
// member. Each container then copies its own contents.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/detail/element.hpp>
#include <ingot/live/detail/scrub.hpp>
#include <ingot/reflect/sentence.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true for two records whose members have the same names in the same order: a struct and
/// its twin.
template <class T, class U>
consteval bool are_twins() {
  if constexpr (kind_of<T> != kind::record || kind_of<U> != kind::record) {
    return false;
  } else if constexpr (member_count<T> != member_count<U>) {
    return false;
  } else {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((member_name<T, I> == member_name<U, I>) && ...);
    }(std::make_index_sequence<member_count<T>>{});
  }
}

template <class T>
constexpr auto member_references(T& object) {
  return visit_members(object, [](auto&... members) { return std::tie(members...); });
}

/// True if the copy is deferred: added to a work list (see recursion.hpp). This is necessary if
/// values of the container's own type may be nested in the source to any depth. An assignment that
/// moves is not deferred: the container takes over the contents of the source at once. A source
/// whose class is defined by the program is also copied at once. Its iterators may run any code,
/// which must not run while the work list is processed.
template <class T, class U>
inline constexpr bool is_recursive_source = false;
template <class T, class U>
  requires(live_container<T> && std::is_lvalue_reference_v<U>)
inline constexpr bool is_recursive_source<T, U> =
    contains_itself<T> && is_silent_source<std::remove_cvref_t<U>>();

template <class T, class U>
[[nodiscard]] bool assign_value(T& to, U&& from);

template <class T, class U, std::size_t... I>
bool assign_members(T& to, U&& from, std::index_sequence<I...>) {
  const auto targets = member_references(to);
  const auto sources = member_references(from);
  const auto pass = [](auto& source) -> decltype(auto) {
    if constexpr (std::is_lvalue_reference_v<U>) return (source);
    else return std::move(source);
  };
  return (assign_value(std::get<I>(targets), pass(std::get<I>(sources))) && ...);
}

/// Returns true if `Source` is a standard type for which blocks have no container of the same kind.
/// A path is assigned as text in UTF-8, and an `expected` as a variant of value and error. A tuple
/// is assigned as a pair or as a record with the same number of members.
template <class T, class Source>
consteval bool is_assigned_by_form() {
  if constexpr (live_container<T>) {
    return (kind_of<Source> == kind::path && T::container_kind == live_container_kind::string) ||
           (kind_of<Source> == kind::expected && T::container_kind == live_container_kind::variant);
  } else {
    return kind_of<Source> == kind::tuple && !is_specialization<Source, std::pair> &&
           (is_specialization<T, std::pair> || kind_of<T> == kind::record);
  }
}
template <class T, class U>
[[nodiscard]] bool assign_by_form(T& to, U&& from) {
  using source = std::remove_cvref_t<U>;
  if constexpr (kind_of<source> == kind::path) {
    using character = typename T::value_type;
    static_assert(sizeof(character) == 1,
                  "ingot: a path becomes text in UTF-8: ingot::string or ingot::u8string");
    const auto text = from.u8string();
    return to.try_assign(
        std::basic_string_view<character>(reinterpret_cast<const character*>(text.data()), text.size()));
  } else if constexpr (kind_of<source> == kind::expected) {
    static_assert(std::variant_size_v<T> == 2, "ingot: an expected becomes a variant of value and error");
    if (!from.has_value()) return to.template try_emplace<1>(std::forward<U>(from).error()) != nullptr;
    if constexpr (std::is_void_v<typename source::value_type>) return to.template try_emplace<0>() != nullptr;
    else return to.template try_emplace<0>(*std::forward<U>(from)) != nullptr;
  } else {
    constexpr std::size_t count = std::tuple_size_v<source>;
    const auto members = [&] {
      if constexpr (is_specialization<T, std::pair>) return std::tie(to.first, to.second);
      else return member_references(to);
    }();
    static_assert(std::tuple_size_v<decltype(members)> == count,
                  "ingot: a tuple becomes a pair or a record with as many members");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (assign_value(std::get<I>(members), std::get<I>(std::forward<U>(from))) && ...);
    }(std::make_index_sequence<count>{});
  }
}

template <class T, class U>
INGOT_INLINE void assign_directly(T& to, U&& from) {
  call_user_unless<assigns_silently<T, U>()>([&]() INGOT_INLINE_LAMBDA { to = std::forward<U>(from); });
}

/// Copies `from` to `to`. Returns false if memory ran out; `to` then holds a part of the value.
template <class T, class U>
bool assign_value(T& to, U&& from) {
  using source = std::remove_cvref_t<U>;
  if constexpr (is_assigned_by_form<T, source>()) {
    return assign_by_form(to, std::forward<U>(from));
  } else if constexpr (live_container<T>) {
    if constexpr (is_recursive_source<T, U>) {
      const assign_entry entry{[](const assign_entry& one) {
                                 return static_cast<T*>(one.to)->try_assign(
                                     *static_cast<std::remove_reference_t<U>*>(const_cast<void*>(one.from)));
                               },
                               std::addressof(to), std::addressof(from)};
      return walk_later(entry);
    } else {
      return call_user_unless<is_silent_source<source>()>(
          [&]() INGOT_INLINE_LAMBDA { return to.try_assign(std::forward<U>(from)); });
    }
  } else if constexpr (is_array_like<T>) {
    static_assert(is_array_like<source> && array_size<T> == array_size<source>,
                  "ingot: an array is assigned from an array of the same length");
    bool done = true;
    for (std::size_t i = 0; i < array_size<T> && done; ++i)
      done = assign_value(to[i], std::forward<U>(from)[i]);
    return done;
  } else if constexpr (!holds_offsets<T> && std::is_same_v<T, source> && !has_padding<T>) {
    assign_directly(to, from);
    return true;
  } else if constexpr (is_specialization<T, std::pair> && is_specialization<source, std::pair>) {
    return assign_value(to.first, std::forward<U>(from).first) &&
           assign_value(to.second, std::forward<U>(from).second);
  } else if constexpr (kind_of<T> == kind::record && kind_of<source> == kind::record) {
    if constexpr (std::is_same_v<T, source> || are_twins<T, source>()) {
      return assign_members(to, std::forward<U>(from), std::make_index_sequence<member_count<T>>{});
    } else {
      static_assert(
          std::is_assignable_v<T&, U>,
          "ingot: a record is assigned from the same type or from a twin with the same member names");
      assign_directly(to, std::forward<U>(from));
      clear_padding(to);
      return true;
    }
  } else if constexpr (std::is_assignable_v<T&, U>) {
    assign_directly(to, std::forward<U>(from));
    clear_padding(to);
    return true;
  } else {
    static_assert(std::is_constructible_v<T, U>, "ingot: the element can't be made from this");
    call_user([&] { to = T(std::forward<U>(from)); });
    clear_padding(to);
    return true;
  }
}

/// Assigns the member defaults of the original struct to `to`, a new twin. Throws `out_of_space`.
template <class T>
void assign_defaults(T& to) {
  const user_default<typename default_source<T>::type> fresh;
  if (!assign_value(to, *fresh)) throw_out_of_space(out_of_space_reason::full);
}

template <class T, std::size_t... I, class... A>
bool assign_leading(T& to, std::index_sequence<I...>, A&&... arguments) {
  const auto targets = member_references(to);
  return (assign_value(std::get<I>(targets), std::forward<A>(arguments)) && ...);
}

/// True if a single argument is the value of the whole `T`, not of its first member.
template <class T, class U>
inline constexpr bool assigns_whole =
    live_container<T> || is_array_like<T> || std::is_same_v<T, std::remove_cvref_t<U>> ||
    are_twins<T, std::remove_cvref_t<U>>() || is_assigned_by_form<T, std::remove_cvref_t<U>>() ||
    (is_specialization<T, std::pair> && is_specialization<std::remove_cvref_t<U>, std::pair>);

template <class T, class... A>
consteval bool leaves_members_out() {
  if constexpr (std::is_aggregate_v<T> && kind_of<T> == kind::record) {
    if constexpr (sizeof...(A) == 1) return member_count<T> > 1 && !(assigns_whole<T, A> && ...);
    else return sizeof...(A) < member_count<T>;
  } else {
    return false;
  }
}
/// True if `T(arguments...)` initializes all members. Otherwise compilers warn about the members
/// that keep their defaults.
template <class T, class... A>
concept initializes_all_members = std::is_constructible_v<T, A...> && !leaves_members_out<T, A...>();

/// Guards a construction that may still fail or throw: destroys the object at the end unless `keep`
/// is called.
template <class T, block_policy P>
class construct_guard {
public:
  construct_guard(T* at, block_ref<P> block) : at_(construct_default(at, block)), block_(block) {}
  construct_guard(const construct_guard&) = delete;
  construct_guard& operator=(const construct_guard&) = delete;
  INGOT_INLINE ~construct_guard() {
    if (at_ != nullptr) [[unlikely]]
      give_up();
  }
  bool keep() noexcept {
    at_ = nullptr;
    return true;
  }

private:
  INGOT_COLD void give_up() noexcept {
    destroy(*at_, block_);
    scrub(at_, 1);
  }

  T* at_;
  block_ref<P> block_;
};

/// Constructs an object at `at` from nothing, a value, a twin, or values for its members in order.
/// Returns false if memory ran out; then there is no object, and the bytes are zero.
template <class T, block_policy P, class... A>
[[nodiscard]] INGOT_INLINE bool construct(T* at, block_ref<P> block, A&&... arguments) {
  if constexpr (sizeof...(A) == 0) {
    construct_default(at, block);
    return true;
  } else if constexpr (!holds_offsets<T> && initializes_all_members<T, A...>) {
    const auto make = [&]() INGOT_INLINE_LAMBDA {
      ::new (static_cast<void*>(at)) T(std::forward<A>(arguments)...);
    };
    if constexpr (std::is_nothrow_constructible_v<T, A...>) {
      call_user_unless<constructs_silently<T, A...>()>(make);
    } else {
      emplace_guard<T> guard(at);
      call_user_unless<constructs_silently<T, A...>()>(make);
      guard.fill();
    }
    // The constructor may have copied the padding of its arguments. If the arguments are the two
    // values of a pair, this is the padding inside these values.
    if constexpr (is_specialization<T, std::pair> && sizeof...(A) == 2) {
      clear_padding(at->first);
      clear_padding(at->second);
    } else {
      clear_padding(*at);
    }
    return true;
  } else {
    construct_guard<T, P> guard(at, block);
    bool done = false;
    if constexpr (sizeof...(A) == 1 && (assigns_whole<T, A> && ...)) {
      done = assign_value(*at, std::forward<A>(arguments)...);
    } else if constexpr (live_container<T>) {
      done = at->try_assign(std::forward<A>(arguments)...);
    } else if constexpr (is_specialization<T, std::pair>) {
      static_assert(sizeof...(A) == 2, "ingot: a pair is made of two values");
      const std::tuple<A&&...> values(std::forward<A>(arguments)...);
      done = assign_value(at->first, std::get<0>(values)) && assign_value(at->second, std::get<1>(values));
    } else {
      static_assert(kind_of<T> == kind::record && sizeof...(A) <= member_count<T>,
                    "ingot: an element is made of a value of its type, of a twin, or of values for its "
                    "members in order");
      done = assign_leading(*at, std::index_sequence_for<A...>{}, std::forward<A>(arguments)...);
    }
    return done && guard.keep();
  }
}

/// Returns true if two objects, of one type or of twins, have the same value.
template <class T, class U>
[[nodiscard]] bool equal_values(const T& a, const U& b) {
  if constexpr (is_array_like<T>) {
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      if (!equal_values(a[i], b[i])) return false;
    }
    return true;
  } else if constexpr (is_specialization<T, std::pair>) {
    return equal_values(a.first, b.first) && equal_values(a.second, b.second);
  } else if constexpr (kind_of<T> == kind::record && kind_of<U> == kind::record && !live_container<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto left = member_references(a);
      [[maybe_unused]] const auto right = member_references(b);
      return (equal_values(std::get<I>(left), std::get<I>(right)) && ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else if constexpr (live_container<T> && std::is_same_v<T, U>) {
    if constexpr (contains_itself<T>) {
      const equal_entry entry{[](const equal_entry& one) {
                                return *static_cast<const T*>(one.a) == *static_cast<const T*>(one.b);
                              },
                              std::addressof(a), std::addressof(b)};
      return walk_later(entry);
    } else {
      return a == b;
    }
  } else if constexpr (kind_of<T> == kind::sequence && kind_of<U> == kind::sequence) { // twins
    auto i = a.begin();
    auto j = b.begin();
    for (; i != a.end() && j != b.end(); ++i, ++j) {
      if (!equal_values(*i, *j)) return false;
    }
    return i == a.end() && j == b.end();
  } else if constexpr (kind_of<T> == kind::enumeration && std::is_same_v<T, U>) {
    // Compares the numbers, as `compare_keys` does. The program's own operator is not called.
    return std::to_underlying(a) == std::to_underlying(b);
  } else {
    return call_user_unless<compares_silently<T, U>()>([&]() INGOT_INLINE_LAMBDA { return a == b; });
  }
}

}}} // namespace ingot::INGOT_V1::detail
