// SPDX-License-Identifier: Apache-2.0
// Copies values within a document and between documents. Copies have the canonical form: nodes in
// depth-first order, no gaps, values in the order of their index, arrays of small integers packed.
// Compaction copies the whole document to new memory, and also decides which objects share a shape,
// see shape_planner.hpp.
#pragma once

#include <ingot/document/detail/node_edit.hpp>
#include <ingot/document/detail/node_ownership.hpp>
#include <ingot/document/detail/position_map.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// The objects that get a shape when a whole document is copied.
class shape_plan {
public:
  /// Returns the object that stands for all objects with the same keys; 0 if the object keeps its
  /// own keys.
  [[nodiscard]] uint32_t representative(uint32_t object) const noexcept { return objects.find(object); }
  /// Returns the long key that stands for all long keys with the same text; `position` if there is
  /// only one.
  [[nodiscard]] uint32_t long_key(uint32_t position) const noexcept {
    const uint32_t same = long_keys.find(position);
    return same == 0 ? position : same;
  }
  position_map objects;
  position_map long_keys;
};

class copier {
public:
  /// A `plan` may be passed only if a whole document is copied to an empty target.
  copier(core& to, memory from, const shape_plan* plan = nullptr) noexcept
      : to_(to), from_(from), plan_(plan), same_(to.start() == from.start), each_(to.filling()) {}

  /// Copies the container at `position` and everything in it. Returns the position of the copy. If
  /// there is no space or memory, or if cancelled, returns 0 and leaves nothing in the target.
  [[nodiscard]] uint32_t copy(uint32_t position) noexcept {
    const uint32_t copied = copy_node(position);
    if (copied == 0) return 0;
    while (!pending_.empty()) {
      const pending next = pending_.pop();
      const uint32_t child = copy_node(next.from);
      if (child == 0) {
        release_tree(to_, copied);
        pending_.clear();
        return 0;
      }
      store(to_.start() + next.link, child);
    }
    return copied;
  }
  /// Copies the nodes that a value owns. Numbers of a packed array and short text are copied to
  /// `buffer`, which has packed_bytes + 2 bytes. Returns false if there is no space.
  [[nodiscard]] bool copy_owned(item& value, std::byte* buffer) noexcept {
    if (!value.owns_node()) return true;
    scratch storage;
    const item simple = canonical(value, storage);
    if (!simple.owns_node()) {
      value = simple;
      const bool is_packed = simple.is == item::form::packed;
      if (is_packed || simple.length != 0) { // if not packed: text that was in a blob of the source
        std::memcpy(buffer, simple.bytes, std::size_t{simple.length} << (is_packed ? simple.shift : 0));
        value.bytes = buffer;
      }
      return true;
    }
    const uint32_t copied =
        simple.is == item::form::blob ? copy_blob(simple.position()) : copy(simple.position());
    value = item::at_node(value.kind, copied, value.is == item::form::blob);
    return copied != 0;
  }
  /// Memory for the result of `canonical`. The result points into this memory or into the source.
  /// It is the value in the form of a canonical node, but with the positions that nodes have in the
  /// source.
  struct scratch {
    std::array<std::byte, packed_bytes + 2> bytes;
  };
  [[nodiscard]] item canonical(const item& value, scratch& storage) const noexcept {
    if (value.is == item::form::blob) {
      const auto text = text_of(from_, value);
      return text.size() > short_text
                 ? value
                 : item::text(value.kind, text.data(), static_cast<uint32_t>(text.size()));
    }
    if (value.is == item::form::packed) {
      node none;
      return pack(none, value, storage);
    }
    node child;
    if (value.is != item::form::node || !find_node(from_, value.position(), child)) return value;
    if (child.count == 0) return item::of(value.kind, 0);
    return value.kind == value_kind::array ? pack(child, value, storage) : value;
  }

private:
  struct pending {
    uint32_t from;
    uint32_t link; ///< position, in the target, of the reference to the copy
  };

  [[nodiscard]] static std::int64_t element(const node& array, const item& packed, uint32_t i,
                                            bool& whole) noexcept {
    if (packed.is == item::form::packed)
      return load_packed(packed.bytes + (std::size_t{i} << packed.shift), packed.shift);
    const item value = array.value(i);
    whole = whole && value.kind == value_kind::integer;
    return value.integer();
  }
  /// Packs the integers of an array. Returns `value` if the array can't be packed.
  [[nodiscard]] static item pack(const node& array, const item& value, scratch& storage) noexcept {
    const uint32_t count = value.is == item::form::packed ? value.length : array.count;
    if (count > packed_bytes) return value;
    std::int64_t smallest = 0;
    std::int64_t largest = 0;
    bool whole = true;
    for (uint32_t i = 0; i < count && whole; ++i) {
      const std::int64_t n = element(array, value, i, whole);
      smallest = std::min(smallest, n);
      largest = std::max(largest, n);
    }
    const uint8_t shift = packed_shift(smallest, largest);
    if (!whole || count << shift > packed_bytes) return value;
    for (uint32_t i = 0; i < count; ++i)
      store_packed(storage.bytes.data() + (std::size_t{i} << shift), element(array, value, i, whole), shift);
    item packed_item = item::text(value_kind::array, storage.bytes.data(), count);
    packed_item.is = item::form::packed;
    packed_item.shift = shift;
    return packed_item;
  }

  [[nodiscard]] uint32_t copy_blob(uint32_t position) noexcept {
    bytes_node blob;
    if (!find_bytes(from_, position, node_kind::blob, blob)) return 0;
    return make_blob(to_, blob.data, blob.length);
  }
  /// Returns the target's long key with the same text as the long key at `position` in the source,
  /// and counts a use of the returned key. Returns 0 if there is no space.
  [[nodiscard]] uint32_t copy_long_key(uint32_t position) noexcept {
    if (plan_ != nullptr) position = plan_->long_key(position);
    const uint32_t copied_key = same_ ? position : long_keys_.find(position);
    if (copied_key != 0) {
      store(to_.start() + copied_key + 12, load<uint32_t>(to_.start() + copied_key + 12) + 1);
      return copied_key;
    }
    bytes_node key;
    if (!find_bytes(from_, position, node_kind::long_key, key)) return 0;
    const document_key again(key.text());
    std::array<std::byte, 4> link{};
    stored_key stored;
    if (!store_key(to_, again, link, stored)) return 0;
    const auto stored_at = load<uint32_t>(link.data());
    if (!long_keys_.set(position, stored_at)) {
      release_long_key(to_, stored_at);
      return 0;
    }
    return stored_at;
  }
  /// Copies the record of a key. In the record of a long key, stores the position of this key in
  /// the target. If there is no space, the position is 0 and `all` becomes false.
  void copy_key(const key_columns& from, uint32_t i, std::byte* to, bool& all) noexcept {
    const std::byte* const record = from.record(i);
    move_bytes(to, record, from.record_size(i));
    uint32_t position = 0;
    if (!from.long_key_position(i, position)) return;
    position = all ? copy_long_key(position) : 0;
    store(to + 1, position);
    all = all && position != 0;
  }
  static void copy_hashes(const key_columns& from, std::byte* at, node_kind kind, bool wide) noexcept {
    move_bytes(at + head_size(kind, wide) + std::size_t{wide ? 4U : 2U} * from.count(), from.hashes(),
               std::size_t{2} * from.count());
  }
  [[nodiscard]] uint32_t make_shape(const key_columns& keys) noexcept {
    uint64_t heap = 0;
    for (uint32_t i = 0; i < keys.count(); ++i) {
      if (keys.record(i) == nullptr) return 0;
      heap += keys.record_size(i);
    }
    const bool wide = !fits_narrow(keys.count(), heap);
    uint64_t bytes = node_size(columns_size(node_kind::shape, wide, keys.count()) + heap);
    const uint32_t position = to_.allocate(bytes);
    if (position == 0) return 0;
    std::byte* const at = to_.start() + position;
    write_head(at, node_kind::shape, wide, static_cast<uint32_t>(bytes), keys.count(), 0);
    write_extra(at, wide, 1);
    copy_hashes(keys, at, node_kind::shape, wide);
    heap_writer filled(at, node_kind::shape, wide, static_cast<uint32_t>(bytes));
    bool all = true;
    for (uint32_t i = 0; i < keys.count(); ++i)
      copy_key(keys, i, filled.reserve(i, keys.record_size(i)), all);
    filled.finish();
    if (all) return position;
    release_shape(to_, position);
    return 0;
  }
  /// Returns the target's shape for the keys of an object, and counts a use of this shape.
  /// `representative` identifies the keys.
  [[nodiscard]] uint32_t shape_for(uint32_t representative, const key_columns& keys) noexcept {
    const uint32_t known = same_ ? representative : shapes_.find(representative);
    if (known != 0) {
      node shape;
      if (!find_node(to_.mem(), known, shape)) return 0;
      write_extra(to_.start() + known, shape.wide, shape.extra() + 1);
      return known;
    }
    const uint32_t new_shape = make_shape(keys);
    if (new_shape != 0 && !shapes_.set(representative, new_shape)) {
      release_shape(to_, new_shape);
      return 0;
    }
    return new_shape;
  }

  [[nodiscard]] uint32_t copy_node(uint32_t position) noexcept {
    node n;
    key_columns keys;
    if (!find_node(from_, position, n)) return 0;
    node_kind kind = n.kind;
    uint32_t representative = 0;
    if (n.is_object()) {
      if (!key_columns::of_object(from_, n, keys)) return 0;
      representative = plan_ != nullptr              ? plan_->representative(position)
                       : n.kind == node_kind::shaped ? n.extra()
                                                     : 0;
      kind = representative != 0 ? node_kind::shaped : node_kind::object;
    }
    const bool own_keys = kind == node_kind::object;
    scratch storage;
    uint64_t heap = 0;
    uint64_t wide_heap = 0;
    const bool is_large = n.count >= growth_poll::often;
    for (uint32_t i = 0; i < n.count; ++i) {
      const item value = canonical(n.value(i), storage);
      if (own_keys && keys.record(i) == nullptr) return 0;
      const uint32_t key = own_keys ? keys.record_size(i) : 0;
      heap += key + heap_size(value, kind, false);
      wide_heap += key + heap_size(value, kind, true);
      if (is_large && !each_.step_should_continue()) return 0;
    }
    const bool wide = canonically_wide(kind, n.count, heap, wide_heap);
    if (wide) heap = wide_heap;
    const auto columns = static_cast<uint32_t>(columns_size(kind, wide, n.count));
    uint64_t bytes = node_size(columns + heap);
    const uint32_t copied = to_.allocate(bytes);
    if (copied == 0) return 0;
    std::byte* const at = to_.start() + copied;
    // Sets the columns to zero, so that an incomplete node can be released.
    std::memset(at, 0, columns);
    write_head(at, kind, wide, static_cast<uint32_t>(bytes), 0, 0);
    if (kind == node_kind::shaped) {
      const uint32_t shape = shape_for(representative, keys);
      if (shape == 0) return release_tree(to_, copied), 0;
      write_extra(at, wide, shape);
    }
    write_count(at, wide, n.count);
    if (own_keys) copy_hashes(keys, at, kind, wide);
    const std::size_t first_child = pending_.size();
    heap_writer filled(at, kind, wide, static_cast<uint32_t>(bytes));
    bool all = true;
    for (uint32_t i = 0; i < n.count && all; ++i) {
      if (is_large) all = each_.step_should_continue();
      item value = canonical(n.value(i), storage);
      const uint32_t child = value.owns_node() ? value.position() : 0;
      const bool blob = value.is == item::form::blob;
      if (child != 0) value = item::at_node(value.kind, 0, blob);
      const uint32_t key = own_keys ? keys.record_size(i) : 0;
      const uint32_t size = heap_size(value, kind, wide);
      if (key + size == 0) {
        filled.cell(i, immediate_cell(value, wide));
        continue;
      }
      std::byte* const to = filled.reserve(i, key + size);
      filled.finish();
      write_value(to + key, value);
      if (key != 0) copy_key(keys, i, to, all);
      if (child == 0 || !all) continue;
      std::byte* const link = to + key + 1;
      if (blob) {
        store(link, copy_blob(child));
        all = load<uint32_t>(link) != 0;
      } else {
        all = pending_.push({child, static_cast<uint32_t>(link - to_.start())});
      }
    }
    if (!all) return release_tree(to_, copied), pending_clear(first_child);
    // Reversed, since the child that was pushed last is copied next.
    std::reverse(pending_.begin() + first_child, pending_.end());
    return copied;
  }
  uint32_t pending_clear(std::size_t down_to) noexcept {
    while (pending_.size() > down_to) static_cast<void>(pending_.pop());
    return 0;
  }

  core& to_;
  memory from_;
  const shape_plan* plan_;
  bool same_;
  growth_poll each_;
  plain_list<pending> pending_;
  position_map shapes_;
  position_map long_keys_;
};

/// Copies the root of `from` to the root of `to`. Requires that `to` is empty. Returns false if
/// there is no space.
[[nodiscard]] inline bool copy_document(core& to, memory from, const shape_plan& plan) noexcept {
  const auto root = load<uint32_t>(from.start + offsetof(document_header, root));
  if (root < first_node) {
    to.set_root(root);
    return true;
  }
  node n;
  if (!find_node(from, root, n)) return false;
  copier all(to, from, &plan);
  if (n.count == 0) {
    to.set_root(n.is_object() ? root_empty_object : root_empty_array);
    return true;
  }
  const uint32_t new_root = all.copy(root);
  if (new_root == 0) return false;
  to.set_root(new_root);
  return true;
}

}}} // namespace ingot::INGOT_V1::detail::doc

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/nodes.hpp>
#endif
