// SPDX-License-Identifier: Apache-2.0
// Members of objects that were written by another version of their record: under the names that they had then, or not at all.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/document/detail/keys.hpp>
#include <ingot/document/format.hpp>
#include <ingot/document/key.hpp>
#include <ingot/reflect/annotations.hpp>
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

/// Gives a member that no object has its default. That is the record's own: what holds the record may have initialised it otherwise. An optional is
/// nothing, as one that is nothing is not written, unless its annotation says more.
template <class T, std::size_t I, class M>
INGOT_COLD void give_default(M& member) {
  if constexpr (member_has<T, I, default_value_t>) {
    constexpr auto& annotated = member_get<T, I, default_value_t>.value;
    if constexpr (requires { annotated.view(); }) member = M(annotated.view());
    else member = static_cast<M>(annotated);
  } else if constexpr (kind_of<std::remove_cv_t<M>> == kind::optional ||
                       kind_of<std::remove_cv_t<M>> == kind::box) {
    member.reset();
  } else if constexpr (std::is_default_constructible_v<T>) {
    T fresh{};
    for_each_member(fresh, [&]<class J, class N>(J, N& usual) {
      if constexpr (J::value == I && std::is_array_v<N>) std::swap(member, usual);
      else if constexpr (J::value == I && std::is_move_assignable_v<N>) member = std::move(usual);
      return J::value != I;
    });
  }
}

/// Whether a member that is read has the name now.
template <class T>
[[nodiscard]] constexpr bool is_member_name(std::string_view name) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((!member_has<T, I, skip_t> && member_name<T, I> == name) || ...);
  }(std::make_index_sequence<member_count<T>>());
}
template <class T>
inline constexpr bool reads_members = []<std::size_t... I>(std::index_sequence<I...>) {
  return (!member_has<T, I, skip_t> || ...);
}(std::make_index_sequence<member_count<T>>());
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

} // namespace ingot::inline v1::detail::doc
