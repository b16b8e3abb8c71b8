// SPDX-License-Identifier: Apache-2.0
// The step to an entry of a map in the path of an error.
#pragma once

#include <ingot/core/error.hpp>

#include <cstddef>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Adds the key of an entry at the front of the path. A key of more than 48 bytes is cut in the
/// middle, so that the path has space for the names around it. Characters of UTF-8 stay whole.
inline void add_key(error& err, std::string_view key) noexcept {
  constexpr std::size_t max_size = 48;
  constexpr std::string_view mark = "...";
  if (key.size() <= max_size) {
    err.in_key(key);
    return;
  }
  const auto is_inside = [&](std::size_t at) { // inside a character
    return (static_cast<unsigned char>(key[at]) & 0xC0U) == 0x80U;
  };
  std::size_t first = max_size / 2 - mark.size();
  std::size_t last = key.size() - max_size / 2;
  for (int i = 0; i < 3 && is_inside(first); ++i) --first;
  for (int i = 0; i < 3 && is_inside(last); ++i) ++last;
  char text[max_size];
  std::size_t size = key.copy(text, first);
  size += mark.copy(text + size, mark.size());
  size += key.copy(text + size, key.size() - last, last);
  err.in_key({text, size});
}

}}} // namespace ingot::INGOT_V1::detail::dyn
