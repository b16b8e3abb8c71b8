// SPDX-License-Identifier: Apache-2.0
// Finds members of objects that were written by another version of their record. Such objects may
// have members under former names, or lack members.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/document/detail/keys.hpp>
#include <ingot/document/format.hpp>
#include <ingot/document/key.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/detail/pointer_list.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>
#include <ingot/schema/detail/former_names.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

template <class T>
inline constexpr std::size_t read_member_count = []<std::size_t... I>(std::index_sequence<I...>) {
  return (std::size_t{!member_has<T, I, skip_t>} + ... + 0);
}(std::make_index_sequence<member_count<T>>());
/// Returns true for an optional or a box without a `default_value`. Such a member is not written if
/// it is empty.
template <class T, std::size_t I>
[[nodiscard]] consteval bool is_nothing_where_missing() {
  constexpr kind k = kind_of<std::remove_cv_t<member_type<T, I>>>;
  return (k == kind::optional || k == kind::box) && !member_has<T, I, default_value_t>;
}
/// Matches the members of a record with the members of an object. The members of the object may
/// have former names. The rule is the same as for packed values, see `name_matcher`. A member is
/// read under a former name if the object does not have its present name. This holds even if the
/// former name is the present name of another member.
template <class T>
class previous_members {
  static constexpr std::size_t count = read_member_count<T>;
  static_assert(require_clear_former_names<T>());

public:
  /// Looks for all members in an object. Must be called once, before `find`.
  void match(const key_columns& keys) {
    if constexpr (renames_members<T>) {
      std::array<std::size_t, count + 1> pending{};
      std::size_t waiting = 0;
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (find_own<I>(keys, pending, waiting), ...);
      }(std::make_index_sequence<member_count<T>>());
      for (std::size_t i = 0; i < waiting; ++i) {
        const std::size_t loser = find_former(keys, pending[i]);
        if (loser != count) pending[waiting++] = loser; // has space: a member loses its name once
      }
    }
    is_matched_ = true;
  }
  [[nodiscard]] bool is_matched() const noexcept { return is_matched_; }
  /// Returns the index in the object of the record's member `I`; `npos` if there is none.
  template <std::size_t I>
  [[nodiscard]] uint32_t find([[maybe_unused]] const key_columns& keys) const {
    if constexpr (renames_members<T>) {
      return indices_[number_of<I>];
    } else {
      constexpr document_key key(member_name<T, I>);
      return keys.find(key);
    }
  }

private:
  /// Number of members before the member `I`, not counting members that are annotated `skip`.
  /// Readers do not set such members.
  template <std::size_t I>
  static constexpr std::size_t number_of = []<std::size_t... J>(std::index_sequence<J...>) {
    return (std::size_t{!member_has<T, J, skip_t>} + ... + 0);
  }(std::make_index_sequence<I>());

  template <std::size_t I>
  void find_own(const key_columns& keys, std::array<std::size_t, count + 1>& pending, std::size_t& waiting) {
    if constexpr (!member_has<T, I, skip_t>) {
      constexpr document_key key(member_name<T, I>);
      indices_[number_of<I>] = keys.find(key);
      if (indices_[number_of<I>] == npos && member_has<T, I, renamed_from_t>)
        pending[waiting++] = number_of<I>;
    }
  }
  /// Finds a member under a former name. If another member was found under this name, that member
  /// loses the name, and its number is returned. Otherwise returns `count`.
  std::size_t find_former(const key_columns& keys, std::size_t member) {
    std::size_t loser = count;
    for (const std::string_view name : stored_former_names<T>[member]) {
      const uint32_t index = keys.find(document_key(name));
      if (index == npos) continue;
      std::size_t holder = 0;
      while (holder < count && indices_[holder] != index) ++holder;
      if (holder == count) {
        indices_[member] = index;
        return count;
      }
      if (loser == count && stored_member_names<T>[holder] == name) loser = holder;
    }
    if (loser != count) indices_[member] = std::exchange(indices_[loser], npos);
    return loser;
  }

  std::array<uint32_t, renames_members<T> ? count : 0> indices_;
  bool is_matched_ = false;
};

/// Rejects a type in which an optional member has a former name that is now another member's name.
/// An empty member is not written, so a reader could not tell whether the other member was written,
/// or the optional member under its former name.
template <class T>
[[nodiscard]] consteval bool require_clear_nothings() {
  if constexpr (reuses_names<T>) {
    constexpr bool is_clear = []<std::size_t... I>(std::index_sequence<I...>) {
      std::array<bool, member_count<T>> may_be_absent{
          (!member_has<T, I, skip_t> && is_nothing_where_missing<T, I>())...};
      bool clear = true;
      std::size_t numbers[member_count<T>]{};
      std::size_t n = 0;
      ((member_has<T, I, skip_t> ? void() : void(numbers[n++] = I)), ...);
      each_reused_name(stored_member_names<T>, stored_former_names<T>,
                       [&](std::size_t i, std::size_t) { clear = clear && !may_be_absent[numbers[i]]; });
      return clear;
    }(std::make_index_sequence<member_count<T>>());
    static_assert(
        is_clear,
        "ingot: documents leave out a member that is nothing, so its former name can't be another member's "
        "name today: give it a default_value, with which it is written, or the type a version and a "
        "previous");
  }
  return true;
}

/// Finds an enumerator by a former name. Documents contain only names, so a former name must not be
/// the present name of another enumerator.
template <class E>
[[nodiscard]] bool find_former_enumerator([[maybe_unused]] std::string_view name, [[maybe_unused]] E& to) {
  if constexpr (has_former_enumerators<E>) {
    static_assert(require_clear_enumerators<E>());
    static_assert(!any_name_is_reused(present_enumerators<E>, former_enumerators<E>),
                  "ingot: a former name of an enumerator is another one's name today, which documents can't "
                  "tell apart");
    for (std::size_t i = 0; i < former_enumerators<E>.size(); ++i) {
      for (const std::string_view former : former_enumerators<E>[i]) {
        if (former == name) return to = enumerators<E>[i].value, true;
      }
    }
  }
  return false;
}

/// Sets the members that the document's object lacks to the defaults of `T`. Before this call,
/// these members may have other values, because a class with a member of type `T` may initialise
/// this member differently.
template <class T>
INGOT_COLD void give_defaults(bool has_keys, const key_columns& keys, T& to) {
  previous_members<T> formers;
  if (has_keys) formers.match(keys);
  const auto give = [&]<class I, class M>(I, M& member, [[maybe_unused]] auto usual) {
    if constexpr (!member_has<T, I::value, skip_t>) {
      if (has_keys && formers.template find<I::value>(keys) != npos) return;
      if constexpr (is_nothing_where_missing<T, I::value>()) {
        return; // the member is already empty
      } else if constexpr (member_has<T, I::value, default_value_t>) {
        constexpr auto& annotated = member_get<T, I::value, default_value_t>.value;
        if constexpr (requires { annotated.view(); }) member = M(annotated.view());
        else member = static_cast<M>(annotated);
      } else if constexpr (!std::is_same_v<decltype(usual), std::nullptr_t>) {
        M& from = *pointer_at<I::value>(usual);
        if constexpr (std::is_array_v<M>) std::swap(member, from);
        else if constexpr (std::is_move_assignable_v<M>) member = std::move(from);
      }
    }
  };
  const auto all = [&](auto usual) {
    for_each_member(to, [&]<class I, class M>(I at, M& member) { give(at, member, usual); });
  };
  if constexpr (std::is_default_constructible_v<T>) {
    T fresh{};
    all(visit_members(fresh, [](auto&... members) { return pointers_to(members...); }));
  } else {
    all(nullptr);
  }
}

}}} // namespace ingot::INGOT_V1::detail::doc
