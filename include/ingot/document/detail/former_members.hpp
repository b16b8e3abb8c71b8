// SPDX-License-Identifier: Apache-2.0
// Members of objects that were written by an older version of their record, under the names that they had then.
#pragma once

#include <ingot/document/detail/keys.hpp>
#include <ingot/document/format.hpp>
#include <ingot/document/key.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/members.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
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
