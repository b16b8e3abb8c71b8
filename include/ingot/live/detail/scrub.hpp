// SPDX-License-Identifier: Apache-2.0
// Clears padding: the bytes of objects that belong to no member.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/detail/element.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Zeroes the padding of one object and of its members. The elements of containers are not
/// included: a walk over the block passes each of these elements to this class separately.
struct scrub_padding {
  template <class T>
  void operator()(const T& object) const noexcept {
    if constexpr (has_padding<T>) clean(const_cast<T&>(object));
  }

private:
  template <class T>
  static void clean(T& object) noexcept {
    if constexpr (is_array_like<T> && array_size<T> == 0) {
      std::memset(static_cast<void*>(&object), 0, sizeof(T));
    } else if constexpr (is_array_like<T>) {
      for (auto& each : object) clean(each);
    } else if constexpr (is_specialization<T, std::pair>) {
      clean_between(object, object.first, object.second);
    } else if constexpr (kind_of<T> == kind::record) {
      visit_members(object, [&](auto&... members) { clean_between(object, members...); });
    }
  }
  template <class T, class... Ms>
  static void clean_between(T& object, Ms&... members) noexcept {
    struct extent {
      std::size_t begin;
      std::size_t end;
    };
    auto* const first = reinterpret_cast<std::byte*>(&object);
    [[maybe_unused]] const auto extent_of = [first](auto& member) {
      const auto at = static_cast<std::size_t>(reinterpret_cast<std::byte*>(&member) - first);
      return extent{at, at + sizeof(member)};
    };
    std::array<extent, sizeof...(Ms)> extents{extent_of(members)...};
    for (std::size_t i = 1; i < extents.size(); ++i) { // usually sorted, except for bases
      for (std::size_t j = i; j > 0 && extents[j].begin < extents[j - 1].begin; --j)
        std::swap(extents[j], extents[j - 1]);
    }
    std::size_t covered = 0;
    for (const extent& each : extents) {
      if (each.begin > covered) std::memset(first + covered, 0, each.begin - covered);
      covered = std::max(covered, each.end);
    }
    if (covered < sizeof(T)) std::memset(first + covered, 0, sizeof(T) - covered);
    (clean(members), ...);
  }
};

/// Like scrub_padding for an object that was copied into a block as a whole, including the padding
/// of its source.
template <class T>
INGOT_INLINE void clear_padding(T& object) noexcept {
  if constexpr (has_padding<T>) {
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
    if constexpr (std::is_trivially_copyable_v<T>) {
      __builtin_clear_padding(const_cast<std::remove_const_t<T>*>(std::addressof(object)));
      return;
    }
#endif
#endif
    scrub_padding{}(object);
  }
}

}}} // namespace ingot::INGOT_V1::detail
