// SPDX-License-Identifier: Apache-2.0
// Arrays and tuples of elements that can't be made before they are read.
#pragma once

#include <ingot/json/detail/read_value.hpp>
#include <ingot/reflect/detail/new_elements.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace ingot::inline INGOT_V1::json::detail {

/// Error for an array that has not the number of elements that memory has.
[[nodiscard]] bool wrong_count(text_reader& reader, std::size_t wanted, std::size_t found, bool more);

/// Reads the elements of an array or a tuple without a default and hands it to `take`.
template <class T, class Take>
[[nodiscard]] bool read_new_elements(text_reader& reader, Take&& take) {
  using parts = ingot::detail::element_parts<T>;
  ingot::detail::scratch_value<parts> made;
  step next = reader.open_array();
  std::size_t index = 0;
  for (; next == step::value; ++index, next = reader.next_element()) {
    if (index == parts::size) return wrong_count(reader, parts::size, index, true);
    const bool good = (*made).read_element(index, [&]<class E>(std::optional<E>& slot) {
      return read_new<E>(reader, [&slot](E&& value) { slot.emplace(std::move(value)); });
    });
    if (!good) {
      reader.error().in_element(index);
      return false;
    }
  }
  if (next == step::error) return false;
  if (index != parts::size) return wrong_count(reader, parts::size, index, false);
  return (*made).make([&take](T& value) {
    std::forward<Take>(take)(std::move(value));
    return true;
  });
}

} // namespace ingot::inline INGOT_V1::json::detail
