// SPDX-License-Identifier: Apache-2.0
// Reads arrays, and arrays and tuples of elements without a default constructor.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/json/detail/read_container.hpp>
#include <ingot/json/detail/read_value.hpp>
#include <ingot/reflect/detail/new_elements.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Reads an array or a tuple whose elements have no default constructor, and passes it to `take`.
template <class T, class Take>
[[nodiscard]] bool read_new_elements(text_reader& reader, Take&& take) {
  using parts = ingot::detail::element_parts<T>;
  ingot::detail::scratch_value<parts> storage;
  step next = reader.open_array();
  std::size_t index = 0;
  for (; next == step::value; ++index, next = reader.next_element()) {
    if (index == parts::size) return wrong_count(reader, parts::size, index, true);
    const bool good = (*storage).read_element(index, [&]<class E>(std::optional<E>& slot) {
      return read_new<E>(reader, [&slot](E&& value) { slot.emplace(std::move(value)); });
    });
    if (!good) {
      reader.error().in_element(index);
      return false;
    }
  }
  if (next == step::error) return false;
  if (index != parts::size) return wrong_count(reader, parts::size, index, false);
  return (*storage).make([&take](T& value) {
    std::forward<Take>(take)(std::move(value));
    return true;
  });
}

/// Reads a string into an array of `size` characters. Characters of the array after the string
/// become NULs.
[[nodiscard]] bool read_text_array(text_reader& reader, char* to, std::size_t size);

template <class T>
struct reader_of<T, kind::array> {
  static constexpr std::size_t size = array_size<T>;

  static bool read(text_reader& reader, T& out) {
    if constexpr (is_text_array<T>) {
      return read_text_array(reader, reinterpret_cast<char*>(std::data(out)), size);
    } else {
      step next = reader.open_array();
      std::size_t index = 0;
      for (; next == step::value; ++index, next = reader.next_element()) {
        if (index == size) return wrong_count(reader, size, index, true);
        if constexpr (size != 0) {
          if (!read_element(reader, out[index], index)) return false;
        }
      }
      if (next == step::error) return false;
      return index == size || wrong_count(reader, size, index, false);
    }
  }
  template <class Take>
  static bool read_new(text_reader& reader, Take&& take) {
    return read_new_elements<T>(reader, std::forward<Take>(take));
  }
};

}}} // namespace ingot::INGOT_V1::json::detail
