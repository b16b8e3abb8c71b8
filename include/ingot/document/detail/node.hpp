// SPDX-License-Identifier: Apache-2.0
// Nodes of a document. In bytes that were not validated, a reference is used only if its target is
// within the bytes, and the parts of the target are within the target. These checks take a few
// comparisons for each node, and fewer if keys.hpp finds a member. Validated bytes need no such
// comparisons. All other code is the same for validated bytes and for other bytes.
//
//   narrow   kind, 0, size / 8 (2 bytes), count (2), heap (2)            | columns ... gap ... heap
//   wide     kind, 0, 0, 0, size / 8 (4 bytes), count (4), heap (4)      |
//
// The columns are the cells and, if there are keys, their hashes of 2 bytes each. Before its
// columns, a shaped object has the position of its shape, and a shape has the number of objects
// that use it. The heap grows from the end of the node towards the columns. It contains values. In
// an object with its own keys, each value is after its key. The record of a key has the bytes of
// the key. If the hash of the key doesn't contain the length, a byte for the length or kind is
// before these bytes. In a shape, the heap contains only keys.
#pragma once

#include <ingot/document/format.hpp>
#include <ingot/document/key.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Bytes that may or may not be a document.
struct memory {
  const std::byte* start = nullptr;
  uint32_t size = 0;
};
/// Bytes that were validated, or written by this process. All references in them have valid
/// targets.
struct validated : memory {};

[[nodiscard]] constexpr bool has_keys(node_kind kind) noexcept {
  return kind == node_kind::object || kind == node_kind::shape;
}
[[nodiscard]] constexpr uint32_t head_size(node_kind kind, bool wide) noexcept {
  return (wide ? 16U : 8U) + (kind == node_kind::shaped || kind == node_kind::shape ? 4U : 0U);
}
/// Returns the size in bytes of the head and the columns of a node with `count` elements.
[[nodiscard]] INGOT_INLINE constexpr uint64_t columns_size(node_kind kind, bool wide,
                                                           uint32_t count) noexcept {
  return head_size(kind, wide) + uint64_t{(wide ? 4U : 2U) + (has_keys(kind) ? 2U : 0U)} * count;
}

/// Returns the size of a value in a heap of validated bytes, including its tag.
[[nodiscard]] INGOT_INLINE uint32_t size_in_heap(const std::byte* value) noexcept {
  const auto first = std::to_integer<uint32_t>(*value);
  if (const uint32_t size = tag_meanings[first].size; size != 0) [[likely]]
    return size;
  const auto length = std::to_integer<uint32_t>(value[1]);
  constexpr auto packed = static_cast<uint32_t>(tag::packed8);
  return 2 + (first >= packed ? length << (first - packed) : length);
}

/// The bytes of an element in the heap of its node.
struct element_bytes {
  const std::byte* value = nullptr; ///< null: the value is in the cell, or does not exist
  uint32_t left = 0;                ///< bytes of the heap, counted from the value
  uint32_t before = 0;              ///< size of the key's record before the value
};

/// Returns the size in bytes of the record of a key; 0 if the record is invalid.
[[nodiscard]] INGOT_INLINE uint32_t key_bytes(uint32_t hash, const std::byte* record) noexcept {
  const uint32_t short_length = length_in(hash);
  return short_length != 0 ? short_length : std::to_integer<uint32_t>(*record) & 0x7F;
}

/// Returns the size in bytes of the record of a key of `length` bytes. Requires that the key is
/// short enough for a heap.
[[nodiscard]] INGOT_INLINE constexpr uint32_t short_key_bytes(uint32_t hash, uint32_t length) noexcept {
  return length + static_cast<uint32_t>(length_in(hash) == 0);
}

/// A node. Its columns and its heap are within the bytes of the document.
struct node {
  const std::byte* at = nullptr;
  uint32_t position = 0;
  uint32_t bytes = 0;
  uint32_t count = 0;
  uint32_t heap = 0;
  node_kind kind = node_kind::array;
  bool wide = false;

  [[nodiscard]] INGOT_INLINE uint32_t word() const noexcept { return wide ? 4 : 2; }
  [[nodiscard]] INGOT_INLINE const std::byte* cells() const noexcept { return at + head_size(kind, wide); }
  [[nodiscard]] INGOT_INLINE uint32_t cell(uint32_t index) const noexcept {
    return wide ? load<uint32_t>(cells() + std::size_t{4} * index)
                : load<uint16_t>(cells() + std::size_t{2} * index);
  }
  [[nodiscard]] INGOT_INLINE const std::byte* end() const noexcept { return at + bytes; }
  /// Returns the hashes of a node with keys.
  [[nodiscard]] INGOT_INLINE const std::byte* hashes() const noexcept {
    return cells() + std::size_t{word()} * count;
  }
  /// If the node is a shaped object, returns the position of its shape. If the node is a shape,
  /// returns the number of objects that use it.
  [[nodiscard]] uint32_t extra() const noexcept { return load<uint32_t>(at + (wide ? 16 : 8)); }
  [[nodiscard]] bool is_object() const noexcept {
    return kind == node_kind::object || kind == node_kind::shaped;
  }
  [[nodiscard]] bool is_array() const noexcept {
    return kind == node_kind::array || kind == node_kind::single;
  }
  [[nodiscard]] bool is_container() const noexcept { return is_object() || kind == node_kind::array; }

  /// Returns the bytes of the element `index`. Requires that `index` is less than `count`.
  [[nodiscard]] INGOT_INLINE element_bytes at_index(uint32_t index) const noexcept {
    const uint32_t c = cell(index);
    if (c - 1 >= heap) return {}; // the cell is 0, or contains the value, or is invalid
    const std::byte* const from = end() - c;
    if (!has_keys(kind)) return {from, c, 0};
    const uint32_t key = key_bytes(load<uint16_t>(hashes() + std::size_t{2} * index), from);
    if (key - 1 >= c) [[unlikely]]
      return {};
    return {from + key, c - key, key};
  }
  /// Returns the value of the element `index`; absent if the bytes of the element are no value.
  /// Requires that `index` is less than `count`. Sets `size` to the number of bytes that the value
  /// takes in the heap, without its key.
  [[nodiscard]] INGOT_INLINE item value(uint32_t index, uint32_t& size) const noexcept {
    size = 0;
    const element_bytes here = at_index(index);
    if (here.left != 0) return read_value(here.value, here.left, size);
    return has_keys(kind) ? item{} : immediate(cell(index));
  }
  [[nodiscard]] INGOT_INLINE item value(uint32_t index) const noexcept {
    uint32_t size = 0;
    return value(index, size);
  }
  /// Returns the number of bytes that an element takes in the heap, including its key.
  [[nodiscard]] INGOT_INLINE uint32_t heap_bytes(uint32_t index) const noexcept {
    const element_bytes here = at_index(index);
    uint32_t size = 0;
    if (here.left != 0 && kind != node_kind::shape)
      static_cast<void>(read_value(here.value, here.left, size));
    return here.before + size;
  }

private:
  [[nodiscard]] INGOT_INLINE item immediate(uint32_t c) const noexcept {
    if (c == 0 || c >= cell_bits(wide).immediate()) return read_immediate(c, wide);
    return {};
  }
};

/// A quick lookup in unvalidated bytes counts positions of values from here: 16 bytes after the
/// header. Such a lookup only checks that accesses are within the document. A value can be before
/// this position only in an object with a single short key.
inline constexpr uint32_t first_quick_value = first_node + 16;
/// Returns the number of bytes after `first_quick_value`; negative if the document ends before this
/// position.
[[nodiscard]] INGOT_INLINE std::int64_t last_quick_position(memory in) noexcept {
  return std::int64_t{in.size} - first_quick_value;
}
/// Returns true if a position is after the header and at least 16 bytes before the end. One
/// comparison is enough, because the difference wraps to a huge number for a position in the
/// header.
[[nodiscard]] INGOT_INLINE bool may_be_head(memory in, uint32_t position) noexcept {
  return std::int64_t{position - first_node} <= last_quick_position(in);
}
[[nodiscard]] INGOT_INLINE bool may_be_head(validated, uint32_t position) noexcept {
  return position >= first_node;
}
/// Returns true if a position is a multiple of eight, after the header and at least 16 bytes before
/// the end. One comparison is enough, because the calculation gives a huge number for all other
/// positions.
[[nodiscard]] INGOT_INLINE bool may_be_node(memory in, uint32_t position) noexcept {
  return uint64_t{std::rotr(position - first_node, 3)} + (first_node + 16) / 8 <= in.size / 8;
}

/// Finds the node with cells or keys at `position`. Returns false if no such node is within the
/// bytes.
[[nodiscard]] INGOT_INLINE bool find_node(memory in, uint32_t position, node& found) noexcept {
  if (!may_be_node(in, position)) [[unlikely]]
    return false;
  const std::byte* const at = in.start + position;
  const auto first = std::to_integer<uint8_t>(*at);
  if (first > 15) [[unlikely]]
    return false;
  found.at = at;
  found.position = position;
  found.kind = static_cast<node_kind>(first & 7);
  found.wide = (first & wide_bit) != 0;
  uint64_t bytes = 0;
  if (found.wide) {
    bytes = uint64_t{8} * load<uint32_t>(at + 4);
    found.count = load<uint32_t>(at + 8);
    found.heap = load<uint32_t>(at + 12);
  } else {
    bytes = uint64_t{8} * load<uint16_t>(at + 2);
    found.count = load<uint16_t>(at + 4);
    found.heap = load<uint16_t>(at + 6);
  }
  if ((first & 7) == 0 || found.kind == node_kind::blob || found.kind == node_kind::long_key) [[unlikely]]
    return false;
  if (bytes > in.size - position || bytes < 16 || found.heap > bytes) [[unlikely]]
    return false;
  found.bytes = static_cast<uint32_t>(bytes);
  if (found.count > found.bytes) [[unlikely]] // before the multiplication, which could overflow
    return false;
  return columns_size(found.kind, found.wide, found.count) <= found.bytes - found.heap;
}

/// Reads the node at `position`. Requires that a node is there.
[[nodiscard]] INGOT_INLINE bool find_node(validated in, uint32_t position, node& found) noexcept {
  const std::byte* const at = in.start + position;
  const auto first = std::to_integer<uint8_t>(*at);
  found.at = at;
  found.position = position;
  found.kind = static_cast<node_kind>(first & 7);
  found.wide = (first & wide_bit) != 0;
  if (found.wide) [[unlikely]] {
    found.bytes = 8 * load<uint32_t>(at + 4);
    found.count = load<uint32_t>(at + 8);
    found.heap = load<uint32_t>(at + 12);
  } else {
    found.bytes = uint32_t{8} * load<uint16_t>(at + 2);
    found.count = load<uint16_t>(at + 4);
    found.heap = load<uint16_t>(at + 6);
  }
  return true;
}

/// A node that consists of bytes: a blob or a long key.
struct bytes_node {
  const std::byte* at = nullptr;
  uint32_t bytes = 0;
  uint32_t length = 0;
  const std::byte* data = nullptr;
  [[nodiscard]] std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(data), length};
  }
};
[[nodiscard]] INGOT_INLINE bool find_bytes(memory in, uint32_t position, node_kind kind,
                                           bytes_node& found) noexcept {
  if (!may_be_node(in, position)) return false;
  const std::byte* const at = in.start + position;
  if (std::to_integer<uint8_t>(*at) != static_cast<uint8_t>(kind)) return false;
  const uint64_t bytes = uint64_t{8} * load<uint32_t>(at + 4);
  const uint32_t head = kind == node_kind::blob ? blob_head : long_key_head;
  if (bytes > in.size - position || bytes < 16) return false;
  found.at = at;
  found.bytes = static_cast<uint32_t>(bytes);
  found.length = load<uint32_t>(at + 8);
  found.data = at + head;
  return found.length <= found.bytes - head;
}

/// Returns the text or bytes of a value, which are in a heap or in a blob. The address is null if
/// the value has no text or bytes.
[[nodiscard]] INGOT_INLINE std::string_view text_of(memory in, const item& value) noexcept {
  if (value.is == item::form::plain) return {reinterpret_cast<const char*>(value.bytes), value.length};
  bytes_node found;
  if (value.is != item::form::blob || !find_bytes(in, value.position(), node_kind::blob, found)) return {};
  return found.text();
}

/// The numbers in the head of a narrow node.
struct narrow_head {
  uint32_t bytes;
  uint32_t count;
  uint32_t heap;
  INGOT_INLINE explicit narrow_head(const std::byte* at) noexcept
      : bytes(uint32_t{8} * load<uint16_t>(at + 2)), count(load<uint16_t>(at + 4)),
        heap(load<uint16_t>(at + 6)) {}
};

}}} // namespace ingot::INGOT_V1::detail::doc
