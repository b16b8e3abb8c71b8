// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/item_view.hpp.
#pragma once

#include <ingot/document/detail/item_view.hpp>
#include <ingot/document/detail/text_lookup.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Finds a member of an object whose keys are in a shape. The result is as in `find_fast`.
template <bool Wide>
[[nodiscard]] INGOT_INLINE uint32_t find_shared(memory in, uint32_t position, const document_key& key,
                                                item& found) noexcept {
  using object_columns = columns_of<node_kind::shaped, Wide>;
  using narrow_shape = columns_of<node_kind::shape, false>;
  using wide_shape = columns_of<node_kind::shape, true>;
  visited_object object;
  visited_object shape;
  value_range key_end;
  uint32_t index = lookup_unresolved;
  if (!meet_object<object_columns>(in, position, object)) return index;
  const auto shape_position = load<uint32_t>(object.at + object_columns::head - 4);
  if (meet_object<narrow_shape>(in, shape_position, shape)) [[likely]] {
    if (shape.count == object.count) index = find_among<narrow_shape>(shape, key, key_end);
  } else if (meet_object<wide_shape>(in, shape_position, shape)) {
    if (shape.count == object.count) index = find_among<wide_shape>(shape, key, key_end);
  }
  if (index < lookup_unresolved && !read_element<object_columns>(object, index, found)) [[unlikely]]
    return lookup_unresolved;
  return index;
}
template <bool Wide>
[[nodiscard]] INGOT_INLINE uint32_t find_own(memory in, uint32_t position, const document_key& key,
                                             item& found) noexcept {
  using columns = columns_of<node_kind::object, Wide>;
  visited_object object;
  if (!meet_object<columns>(in, position, object)) return lookup_unresolved;
  value_range range;
  const uint32_t index = find_among<columns>(object, key, range);
  uint32_t taken = 0;
  if (index < lookup_unresolved) found = read_value(object.first + range.begin, range, taken);
  return index;
}

text_member shared_lookup::in_node(memory in, uint32_t position, std::size_t n, const char* text,
                                   twice_hash hash) noexcept {
  using object_columns = columns_of<node_kind::shaped, false>;
  using shape_columns = columns_of<node_kind::shape, false>;
  constexpr text_member unresolved{nullptr, lookup_unresolved};
  visited_object object;
  visited_object shape;
  if (length_in(hash.both) == 0 || !meet_object<object_columns>(in, position, object)) return unresolved;
  const auto shape_position = load<uint32_t>(object.at + object_columns::head - 4);
  if (!meet_object<shape_columns>(in, shape_position, shape) || shape.count != object.count)
    return unresolved;
  value_range range;
  const uint32_t index = find_among<shape_columns>(shape, hashed_text(text, n, hash), range);
  if (index >= lookup_unresolved) return {nullptr, index};
  const uint32_t cell = object_columns::cell(object.at, index);
  if (!object_columns::is_in_heap(cell)) return {nullptr, index | in_cell, cell};
  const auto begin =
      static_cast<uint64_t>(object.position - 16 + object_columns::stored_bytes(object.at) - cell);
  if (begin >= object.position_count) [[unlikely]]
    return unresolved;
  return {object.first + begin, index};
}

found_value find_other_value(memory in, location at, uint32_t position, document_key key) noexcept {
  if (!may_be_head(in, position)) [[unlikely]]
    return {};
  found_value found;
  uint32_t index = lookup_unresolved;
  switch (std::to_integer<uint8_t>(in.start[position])) {
  case columns_of<node_kind::shaped, false>::first_byte:
    index = find_shared<false>(in, position, key, found.is);
    break;
  case columns_of<node_kind::shaped, true>::first_byte:
    index = find_shared<true>(in, position, key, found.is);
    break;
  case columns_of<node_kind::object, true>::first_byte:
    index = find_own<true>(in, position, key, found.is);
    break;
  default: break;
  }
  if (index == lookup_unresolved) {
    node object;
    key_columns keys;
    if (!find_node(in, position, object) || !key_columns::of_object(in, object, keys)) return {};
    index = keys.find(key);
    if (index != npos) found.is = object.value(index);
  }
  if (index == npos) return {};
  found.at = {position, index, at.position, at.index, 0};
  return found;
}
found_value find_other_value(validated in, location at, uint32_t position, document_key key) noexcept {
  if (position < first_node) return {};
  const std::string_view text = key.text();
  const other_member found =
      slow_lookup::in_node(in.start, position, text.size(), text.data(), key_access::hash_twice(key));
  if (found.position == 0) return {};
  const location where{position, found.index, at.position, at.index, 0};
  if (found.value == nullptr) return {where, read(in, where)};
  uint32_t taken = 0;
  return {where, read_value(found.value, 0xFFFFU, taken)};
}

}}} // namespace ingot::INGOT_V1::detail::doc
