// SPDX-License-Identifier: Apache-2.0
// The text in an array of characters. The array need not end with a NUL.
#pragma once

#include <ingot/reflect/kind.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns the text in an array of characters, such as a string literal: all its characters except
/// for the NULs at its end.
template <class T>
  requires is_text_array<T>
[[nodiscard]] std::string_view text_in_array(const T& from) noexcept {
  std::size_t size = 0;
  if constexpr (std::is_array_v<T>) size = sizeof from / sizeof from[0];
  else size = from.size();
  while (size != 0 && from[size - 1] == 0) --size;
  return size == 0 ? std::string_view() : std::string_view(reinterpret_cast<const char*>(&from[0]), size);
}

}}} // namespace ingot::INGOT_V1::detail::doc
