// SPDX-License-Identifier: Apache-2.0
// Members of objects that were written by another version of their record: under the names that they had then, or not at all.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/document/detail/keys.hpp>
#include <ingot/document/format.hpp>
#include <ingot/document/key.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/detail/pointer_list.hpp>
#include <ingot/reflect/kind.hpp>
#include <ingot/reflect/members.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot::inline v1::detail::doc {

/// Whether a member that is read has the name now.
template <class T>
[[nodiscard]] constexpr bool is_member_name(std::string_view name) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((!member_has<T, I, skip_t> && member_name<T, I> == name) || ...);
  }(std::make_index_sequence<member_count<T>>());
}
template <class T>
inline constexpr std::size_t read_member_count = []<std::size_t... I>(std::index_sequence<I...>) {
  return (std::size_t{!member_has<T, I, skip_t>} + ... + 0);
}(std::make_index_sequence<member_count<T>>());
/// An optional that is nothing is not written, unless its annotation says what else a missing one is.
template <class T, std::size_t I>
[[nodiscard]] consteval bool is_nothing_where_missing() {
  constexpr kind k = kind_of<std::remove_cv_t<member_type<T, I>>>;
  return (k == kind::optional || k == kind::box) && !member_has<T, I, default_value_t>;
}
template <class T>
inline constexpr std::size_t renamed_member_count = []<std::size_t... I>(std::index_sequence<I...>) {
  return (std::size_t{member_has<T, I, renamed_from_t>} + ... + 0);
}(std::make_index_sequence<member_count<T>>());

/// Members of an object that were found by the names that members of the record had. As in evolution of packed values, each is of one member:
/// of the one that has the name, else of the first that had it.
template <class T>
class former_members {
public:
  /// The place of the record's `I`th, or `npos`.
  template <std::size_t I>
  [[nodiscard]] uint32_t find([[maybe_unused]] const key_columns& keys) {
    if constexpr (member_has<T, I, renamed_from_t>) {
      constexpr auto& names = member_get<T, I, renamed_from_t>.names;
      constexpr auto is_anothers = [] {
        std::array<bool, std::size(member_get<T, I, renamed_from_t>.names)> all{};
        for (std::size_t i = 0; i < all.size(); ++i)
          all[i] = is_member_name<T>(member_get<T, I, renamed_from_t>.names[i].view());
        return all;
      }();
      for (std::size_t i = 0; i < std::size(names); ++i) {
        if (is_anothers[i]) continue;
        const uint32_t index = keys.find(document_key(names[i].view()));
        const uint32_t* const end = taken_.data() + count_;
        if (index == npos || std::find<const uint32_t*>(taken_.data(), end, index) != end) continue;
        return taken_[count_++] = index;
      }
    }
    return npos;
  }

private:
  std::array<uint32_t, renamed_member_count<T>> taken_;
  std::size_t count_ = 0;
};

/// Gives the members that an object lacks their defaults. Those are the record's own: what holds the record may have initialised it otherwise.
template <class T>
INGOT_COLD void give_defaults(bool has_keys, const key_columns& keys, T& to) {
  former_members<T> formers;
  const auto give = [&]<class I, class M>(I, M& member, [[maybe_unused]] auto usual) {
    if constexpr (!member_has<T, I::value, skip_t>) {
      constexpr document_key key(member_name<T, I::value>);
      if (has_keys && (keys.find(key) != npos || formers.template find<I::value>(keys) != npos)) return;
      if constexpr (is_nothing_where_missing<T, I::value>()) {
        return; // it is already; asked for all the same, as of a former name the first has it
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

} // namespace ingot::inline v1::detail::doc
