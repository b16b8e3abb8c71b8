// SPDX-License-Identifier: Apache-2.0
// The text in an array of characters. The array need not end with a NUL.
#pragma once

#include <ingot/reflect/kind.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns the text in an array of characters, such as a string literal: all its characters except
/// for the NULs at its end.
template <class T>
  requires is_text_array<T>
[[nodiscard]] std::string_view text_in_array(const T& from) noexcept {
  std::size_t size = std::size(from);
  while (size != 0 && from[size - 1] == 0) --size;
  return {reinterpret_cast<const char*>(std::data(from)), size};
}

}}} // namespace ingot::INGOT_V1::detail::doc
