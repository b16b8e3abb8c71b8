// SPDX-License-Identifier: Apache-2.0
// std::rotate for values whose bytes may be copied, without <algorithm>.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Rotates a range, as `std::rotate` does. O(last - first). If one side of `middle` has at most 256
/// bytes, saves the items of this side and moves the other side as a whole. Otherwise reverses each
/// side, and then the whole range.
template <class T>
  requires std::is_trivially_copyable_v<T>
T* rotate_values(T* first, T* middle, T* last) noexcept {
  const auto lower = static_cast<std::size_t>(middle - first);
  const auto upper = static_cast<std::size_t>(last - middle);
  if (lower == 0 || upper == 0) return first + upper;
  constexpr std::size_t max_saved = sizeof(T) > 256 ? 1 : 256 / sizeof(T);
  alignas(T) std::byte saved[max_saved * sizeof(T)];
  if (upper <= max_saved) {
    std::memcpy(saved, static_cast<const void*>(middle), upper * sizeof(T));
    std::memmove(static_cast<void*>(first + upper), static_cast<const void*>(first), lower * sizeof(T));
    std::memcpy(static_cast<void*>(first), saved, upper * sizeof(T));
  } else if (lower <= max_saved) {
    std::memcpy(saved, static_cast<const void*>(first), lower * sizeof(T));
    std::memmove(static_cast<void*>(first), static_cast<const void*>(middle), upper * sizeof(T));
    std::memcpy(static_cast<void*>(first + upper), saved, lower * sizeof(T));
  } else {
    // The loop uses an index, because g++ 12 at -O2 for 32 bits miscompiles a loop with two
    // pointers that meet.
    const auto reverse = [&saved](T* from, std::size_t count) {
      for (std::size_t i = 0; i < count / 2; ++i) {
        std::memcpy(saved, static_cast<const void*>(from + i), sizeof(T));
        std::memcpy(static_cast<void*>(from + i), static_cast<const void*>(from + (count - 1 - i)),
                    sizeof(T));
        std::memcpy(static_cast<void*>(from + (count - 1 - i)), saved, sizeof(T));
      }
    };
    reverse(first, lower);
    reverse(middle, upper);
    reverse(first, lower + upper);
  }
  return first + upper;
}

}}} // namespace ingot::INGOT_V1::detail
