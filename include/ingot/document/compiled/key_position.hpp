// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/key_position.hpp.
#pragma once

#include <ingot/document/detail/key_position.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

void key_position::learn(memory in, uint32_t position, uint32_t index, const document_key& key) noexcept {
  *this = {};
  if (length_in(key.hash()) == 0) return; // then the length would have to be compared as well
  index_ = index;
  visited_object object;
  if (!meet_object<shaped_columns>(in, position, object)) return;
  visited_object shape;
  const auto shape_position = load<uint32_t>(object.at + shaped_columns::head - 4);
  value_range range;
  if (!meet_object<shape_columns>(in, shape_position, shape) || shape.count != object.count ||
      index >= shape.count || !find_value_at<shape_columns>(shape, index, key, range))
    return;
  // In bytes that were not validated, the key may also be before its shape, or far after it.
  const uint64_t record_end = range.begin + first_quick_value - shape_position;
  if (record_end < key.length() || record_end > max_bytes) return;
  cell_at_ = static_cast<uint32_t>(shape_columns::head + shape_columns::word * index);
  hash_at_ =
      static_cast<uint32_t>(shape_columns::head + shape_columns::word * shape.count + std::size_t{2} * index);
  if (load<uint16_t>(shape.at + hash_at_) != key.hash()) return;
  record_end_ = static_cast<uint32_t>(record_end);
  record_ = static_cast<uint32_t>(record_end - key.length());
  cell_ = static_cast<uint16_t>(shape_columns::cell(shape.at, index));
  count_ = static_cast<uint32_t>(shape.count);
  const auto columns_end = static_cast<uint32_t>(shape_columns::head + shape_columns::element * shape.count);
  needed_ = shape_position + (record_end_ > columns_end ? record_end_ : columns_end);
  head_ = load<uint64_t>(shape.at);
  shape_ = shape_position;
}

}}} // namespace ingot::INGOT_V1::detail::doc
