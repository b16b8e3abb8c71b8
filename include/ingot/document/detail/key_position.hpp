// SPDX-License-Identifier: Apache-2.0
// The position at which the last lookup of a key found it: an index among the keys of an object, or
// a shape and an index in it. Each use compares the bytes at the position with the key, so that a
// position never finds a member with another key, also after changes and in other documents. The
// addresses of these comparisons do not depend on each other, so a processor makes them at once.
// A search is a chain of loads.
#pragma once

#include <ingot/document/detail/item_view.hpp>
#include <ingot/document/detail/keys.hpp>
#include <ingot/document/detail/text_lookup.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

class key_position {
  using object_columns = columns_of<node_kind::object, false>;
  using shaped_columns = columns_of<node_kind::shaped, false>;
  using shape_columns = columns_of<node_kind::shape, false>;
  static_assert(shaped_columns::head == shape_columns::head);

public:
  /// Finds the key in the object at `position` of validated bytes. The result is as in
  /// `slow_lookup::element`. The index is `lookup_unresolved` if the key is not at the position
  /// that was learned.
  [[nodiscard]] INGOT_INLINE text_member find(const std::byte* start, std::size_t position,
                                              const document_key& key) const noexcept {
    const std::byte* const at = start + position;
    const auto first = std::to_integer<uint8_t>(*at);
    if (first == shaped_columns::first_byte) [[likely]] {
      if (load<uint32_t>(at + shaped_columns::head - 4) != shape_ || !is_in_shape(start, key)) [[unlikely]]
        return {nullptr, lookup_unresolved};
      const uint32_t cell = load<uint16_t>(at + cell_at_);
      if (!shaped_columns::is_in_heap(cell)) return {nullptr, index_ | in_cell};
      return {at + shaped_columns::bytes(at) - cell, index_};
    }
    if (first != object_columns::first_byte) return {nullptr, lookup_unresolved};
    const std::size_t n = object_columns::count(at);
    if (index_ >= n || load<uint16_t>(own_hash(at, n)) != key.hash()) return {nullptr, lookup_unresolved};
    const std::byte* const record = at + object_columns::bytes(at) - object_columns::cell(at, index_);
    if (!key.is_at(record)) return {nullptr, lookup_unresolved};
    return {record + key.length(), index_};
  }
  /// Finds the key in the object at `position` of bytes that were not validated. Sets `value`.
  /// Returns the index, or `lookup_unresolved`.
  [[nodiscard]] INGOT_INLINE uint32_t find(memory in, uint32_t position, const document_key& key,
                                           item& value) const noexcept {
    visited_object object;
    if (meet_object<shaped_columns>(in, position, object)) [[likely]] {
      if (load<uint32_t>(object.at + shaped_columns::head - 4) != shape_ || object.count != count_ ||
          in.size < needed_ || !is_in_shape(in.start, key) ||
          !read_element<shaped_columns>(object, index_, value)) [[unlikely]]
        return lookup_unresolved;
      return index_;
    }
    if (!meet_object(in, position, object) || index_ >= object.count ||
        load<uint16_t>(own_hash(object.at, object.count)) != key.hash())
      return lookup_unresolved;
    value_range range;
    uint32_t taken = 0;
    if (!find_value_at(object, index_, key, range)) [[unlikely]]
      return lookup_unresolved;
    value = read_value(object.first + range.begin, range, taken);
    return index_;
  }
  [[nodiscard]] INGOT_INLINE uint32_t find(validated in, uint32_t position, const document_key& key,
                                           item& value) const noexcept {
    if (position < first_node) [[unlikely]]
      return lookup_unresolved;
    const text_member found = find(in.start, position, key);
    if (found.index >= in_cell) {
      if (found.index == lookup_unresolved) return lookup_unresolved;
      value = read_cell(load<uint16_t>(in.start + position + cell_at_));
      return index_;
    }
    uint32_t taken = 0;
    value = read_value(found.value, 0xFFFFU, taken);
    return found.index;
  }

  /// Learns that the key is member `index` of the object at `position`. Requires that a lookup in
  /// these bytes has found it there. O(1).
  INGOT_COMPILED void learn(memory in, uint32_t position, uint32_t index, const document_key& key) noexcept;

private:
  [[nodiscard]] INGOT_INLINE const std::byte* own_hash(const std::byte* at, std::size_t n) const noexcept {
    return at + object_columns::head + object_columns::word * n + std::size_t{2} * index_;
  }
  /// Returns true if the key is still at the position in the shape. Requires that there is a shape
  /// at this position in validated bytes, or that there are at least `needed_` bytes.
  [[nodiscard]] INGOT_INLINE bool is_in_shape(const std::byte* start,
                                              const document_key& key) const noexcept {
    const std::byte* const shape = start + shape_;
    // An equal head has an equal size and count, so the columns are in the shape.
    return load<uint64_t>(shape) == head_ && load<uint16_t>(shape + cell_at_) == cell_ &&
           load<uint16_t>(shape + hash_at_) == key.hash() &&
           key.is_between(shape + record_, shape + record_end_);
  }

  uint64_t head_ = 0;       ///< first eight bytes of the shape
  uint32_t shape_ = 0;      ///< position of the shape; 0 if the key was found in no shape
  uint32_t index_ = npos;   ///< index of the key; npos if nothing was learned
  uint32_t cell_at_ = 0;    ///< from the beginning of the shape, and of an object with this shape
  uint32_t hash_at_ = 0;    ///< from the beginning of the shape, as the next two
  uint32_t record_ = 0;     ///< beginning of the key
  uint32_t record_end_ = 0; ///< end of the key
  uint32_t count_ = 0;
  uint32_t needed_ = npos; ///< size of bytes that contain all that is compared
  uint16_t cell_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/key_position.hpp>
#endif
