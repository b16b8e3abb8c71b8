// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/text_lookup.hpp.
#pragma once

#include <ingot/document/detail/text_lookup.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns the element `index` of a node without keys of its own.
template <class Columns>
[[nodiscard]] INGOT_INLINE text_member element_in(const std::byte* at, std::size_t index) noexcept {
  const uint32_t cell = Columns::cell(at, index);
  const auto i = static_cast<uint32_t>(index);
  if (!Columns::is_in_heap(cell)) return {nullptr, i | in_cell};
  return {at + Columns::bytes(at) - cell, i};
}
/// Finds a key by its hash. The result is as in `find_fast`.
template <class Columns>
[[nodiscard]] INGOT_INLINE uint32_t find_in_columns(const std::byte* at, const document_key& key,
                                                    const std::byte*& value) noexcept {
  const std::size_t n = Columns::count(at);
  return find_among<Columns>(at, at + Columns::head + Columns::element * n, n, key, value);
}
/// Finds a member of an object whose keys are in a shape.
template <bool Wide>
[[nodiscard]] INGOT_INLINE text_member find_shared(const std::byte* at, const std::byte* start,
                                                   const document_key& key) noexcept {
  using narrow_shape = columns_of<node_kind::shape, false>;
  using object = columns_of<node_kind::shaped, Wide>;
  const std::byte* const shape = start + load<uint32_t>(at + object::head - 4);
  const std::byte* key_end = nullptr;
  const uint32_t index = std::to_integer<uint8_t>(*shape) == narrow_shape::first_byte
                             ? find_in_columns<narrow_shape>(shape, key, key_end)
                             : find_in_columns<columns_of<node_kind::shape, true>>(shape, key, key_end);
  if (index >= lookup_unresolved) [[unlikely]]
    return {nullptr, index};
  return element_in<object>(at, index);
}
/// Finds a member by a search that handles all keys: long keys, and keys with equal hashes.
[[nodiscard]] INGOT_NOINLINE inline text_member find_slowly(const std::byte* at, const std::byte* start,
                                                            document_key key) noexcept {
  // Any size will do, since all references in these bytes have valid targets. The header has the
  // size only after a call of `document::bytes`.
  const validated in{{start, static_cast<uint32_t>(max_bytes)}};
  node object;
  key_columns keys;
  if (!find_node(in, static_cast<uint32_t>(at - start), object) || !key_columns::of_object(in, object, keys))
    return {nullptr, npos};
  const uint32_t index = keys.find(key);
  if (index == npos) return {nullptr, npos};
  const std::byte* const value = object.at_index(index).value;
  return {value, value != nullptr ? index : index | in_cell};
}
[[nodiscard]] INGOT_INLINE text_member find_other(const std::byte* at, const std::byte* start,
                                                  const document_key& key) noexcept {
  using wide_object = columns_of<node_kind::object, true>;
  text_member found{nullptr, lookup_unresolved};
  switch (std::to_integer<uint8_t>(*at)) {
  case columns_of<node_kind::shaped, false>::first_byte: found = find_shared<false>(at, start, key); break;
  case columns_of<node_kind::shaped, true>::first_byte: found = find_shared<true>(at, start, key); break;
  case narrow_object::first_byte: found.index = find_in_columns<narrow_object>(at, key, found.value); break;
  case wide_object::first_byte: found.index = find_in_columns<wide_object>(at, key, found.value); break;
  default: return {nullptr, npos};
  }
  if (found.index == lookup_unresolved) [[unlikely]]
    return find_slowly(at, start, key);
  return found;
}

text_member find_other_text(const std::byte* at, std::size_t n, const char* text,
                            const std::byte* start) noexcept {
  if (!std::in_range<uint32_t>(n)) [[unlikely]] // documents have no such long keys
    return {nullptr, npos};
  return find_other(at, start, document_key(std::string_view(text, n)));
}
text_member find_other_key(const std::byte* at, const std::byte* start, document_key key) noexcept {
  return find_other(at, start, key);
}
text_member find_other_element(const std::byte* at, std::size_t index) noexcept {
  using wide_array = columns_of<node_kind::array, true>;
  using shaped = columns_of<node_kind::shaped, false>;
  const auto first = std::to_integer<uint8_t>(*at);
  if (first == wide_array::first_byte) {
    if (index < wide_array::count(at)) [[likely]]
      return element_in<wide_array>(at, index);
    return {nullptr, npos};
  }
  if (first == shaped::first_byte) {
    if (index < shaped::count(at)) [[likely]]
      return element_in<shaped>(at, index);
    return {nullptr, npos};
  }
  node of;
  if (!find_node(validated{{at, 0}}, 0, of) || !of.is_container() || index >= of.count)
    return {nullptr, npos};
  const auto i = static_cast<uint32_t>(index);
  const std::byte* const value = of.at_index(i).value;
  return {value, value != nullptr ? i : i | in_cell};
}

}}} // namespace ingot::INGOT_V1::detail::doc
