// SPDX-License-Identifier: Apache-2.0
// Reports the bytes that belong to a container of a validated live block but not to its elements:
// anchors and counts, prefixes of storages, nodes of trees, columns of hash tables, and unused
// bytes.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/dynamic/byte_visitor.hpp>
#include <ingot/dynamic/detail/cursor.hpp>
#include <ingot/dynamic/detail/memory.hpp>
#include <ingot/dynamic/detail/nested.hpp>
#include <ingot/live/detail/slot_order.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns true for scalars: their values have no parts, and have the size of their type.
[[nodiscard]] constexpr bool is_scalar(dynamic_kind kind) noexcept {
  return static_cast<unsigned>(kind) >= static_cast<unsigned>(dynamic_kind::boolean) &&
         static_cast<unsigned>(kind) <= static_cast<unsigned>(dynamic_kind::complex);
}

class storage_emitter : protected byte_map_emitter {
protected:
  storage_emitter(const memory& in, byte_visitor& to)
      : byte_map_emitter(to), in_(in), tables_(*in.in), marks_(in.used) {}

  void begin_storages(std::uint64_t end) { marks_.mark(0, end); }
  /// Reports the prefix of a storage, and marks its bytes as used. `data` is the position after the
  /// prefix.
  void begin_storage(std::uint64_t data) {
    const std::uint64_t prefix = 2 * std::uint64_t{tables_.offset};
    marks_.mark(data - prefix, prefix + in_.capacity(data));
    tell_prefix(data);
  }
  void tell_holes() {
    marks_.for_each_hole([&](std::uint64_t from, std::uint64_t length) {
      say(from, length, byte_use::hole, "in no storage");
    });
  }

  /// Reports those bytes of an object that are before `limit_`.
  void clip(std::uint64_t at, std::uint64_t length, byte_use use, std::string_view what,
            byte_number is = byte_number::none, std::uint64_t number = 0) {
    if (at >= limit_ || length == 0) return;
    if (length <= limit_ - at) return say(at, length, use, what, is, number);
    say(at, limit_ - at, use, "with the parts after it in the same bytes");
  }
  /// Reports the elements of an array of scalars, up to `limit_`. An element that crosses `limit_`
  /// is cut.
  void tell_elements(std::uint64_t at, std::uint64_t size, std::uint64_t count) {
    const std::uint64_t left = at < limit_ ? limit_ - at : 0;
    const std::uint64_t whole = std::min(count, left / size);
    say_elements(at, whole * size, 0, whole);
    if (whole != count) clip(at + whole * size, size, byte_use::value, {});
  }
  void tell_anchor(std::uint64_t position) {
    const std::uint64_t target = in_.target(position);
    clip(position, tables_.offset, byte_use::place,
         target == sentinel_position ? "to the sentinel: no storage" : "to the storage", byte_number::place,
         target);
  }

  void tell_text(const type& of, std::uint64_t at) {
    using enum byte_use;
    const unsigned offset = tables_.offset;
    const std::uint64_t last = at + 4 * std::uint64_t{offset} - 1;
    const std::uint8_t mark = in_.byte(last);
    const text_run text = in_.text(of, at);
    tell_anchor(at);
    if ((mark & 0x80) == 0) {
      clip(text.position, text.bytes(), stored(), {});
      clip(text.position + text.bytes(), last - text.position - text.bytes(), spare,
           "space for text in place");
      clip(last, 1, count, "how many more characters would fit", byte_number::natural, mark);
      return;
    }
    clip(at + offset, offset, count, "length of the text", byte_number::natural, text.units);
    clip(at + 2 * std::uint64_t{offset}, last - at - 2 * std::uint64_t{offset}, spare,
         "space for text in place");
    clip(last, 1, tag, "the text is in a storage", byte_number::natural, mark);
    begin_storage(text.position);
    const std::uint64_t end = text.position + text.bytes();
    say(text.position, text.bytes(), stored(), {});
    say(end, text.width, storage, "the zero after text");
    emit_spare(end + text.width, text.position + in_.capacity(text.position));
  }

  void emit_value(std::uint64_t position) {
    tell_anchor(position);
    clip(position + tables_.offset, tables_.offset, byte_use::count, "bytes of it that are holes",
         byte_number::natural, in_.offset(position + tables_.offset));
    const std::uint64_t data = in_.target(position);
    if (data == sentinel_position) return;
    begin_storage(data);
    const std::uint64_t end = data + document_at(in_, position).size;
    say(data, end - data, stored(), "a document");
    emit_spare(end, data + in_.capacity(data));
  }

  /// Reports a counted container, except for its elements. Returns true if it has elements to
  /// visit.
  [[nodiscard]] bool tell_container(const type& of, std::uint64_t position) {
    const std::uint64_t data = in_.target(position);
    const std::uint64_t size = in_.count(position);
    tell_anchor(position);
    clip(position + tables_.offset, tables_.offset, byte_use::count,
         of.kind == dynamic_kind::pool ? "slots" : "how many", byte_number::natural, size);
    if (data == sentinel_position) return false;
    begin_storage(data);
    const std::uint64_t end = data + in_.capacity(data);
    switch (of.kind) {
    case dynamic_kind::vector: {
      const type& element = tables_.part_type(of, 0);
      emit_spare(data + size * element.size, end);
      if (!is_scalar(element.kind)) return size != 0;
      say_elements(data, size * element.size, 0, size);
      return false;
    }
    case dynamic_kind::queue: tell_queue(of, data, size, end); return size != 0;
    case dynamic_kind::pool: tell_pool(of, data, size, end); return true;
    case dynamic_kind::flat_map:
    case dynamic_kind::flat_set: {
      const flat_shape shape = flat_of(tables_, of);
      const std::uint64_t max_entries = shape.capacity_for(end - data);
      const std::uint64_t values = data + shape.values_at(max_entries);
      if (shape.value == nullptr) {
        emit_spare(data + size * shape.key->size, end);
      } else {
        emit_spare(data + size * shape.key->size, data + max_entries * shape.key->size);
        say(data + max_entries * shape.key->size, values - data - max_entries * shape.key->size,
            byte_use::padding, "in front of the values");
        emit_spare(values + size * shape.value->size, end);
      }
      return size != 0;
    }
    case dynamic_kind::hash_map:
    case dynamic_kind::hash_set: tell_table(of, data, end); return size != 0;
    default: emit_tree(of, data, end); return size != 0;
    }
  }

  const memory& in_;
  const tables& tables_;
  std::uint64_t limit_ = 0; ///< end of the bytes that belong only to the current object

private:
  void tell_prefix(std::uint64_t data) {
    const unsigned offset = tables_.offset;
    const std::uint64_t prefix = data - 2 * std::uint64_t{offset};
    say(prefix, offset, byte_use::storage, "capacity of the storage", byte_number::natural,
        in_.offset(prefix));
    say(prefix + offset, offset, byte_use::storage, "where the storage begins", byte_number::place,
        in_.offset(prefix + offset));
  }
  void emit_spare(std::uint64_t from, std::uint64_t to) {
    if (from < to) say(from, to - from, byte_use::spare, "unused space in the storage");
  }

  void tell_queue(const type& of, std::uint64_t data, std::uint64_t size, std::uint64_t end) {
    const type& element = tables_.part_type(of, 0);
    const queue_shape shape = queue_of(tables_, element);
    const unsigned offset = tables_.offset;
    const std::uint64_t first = in_.offset(data);
    const std::uint64_t ring_slots = in_.offset(data + offset);
    const std::uint64_t begin = data + shape.head;
    say(data, offset, byte_use::storage, "place of the first element", byte_number::natural, first);
    say(data + offset, offset, byte_use::storage, "places in the ring", byte_number::natural, ring_slots);
    say(data + 2 * std::uint64_t{offset}, shape.head - 2 * std::uint64_t{offset}, byte_use::padding,
        "in front of the elements");
    // Free slots follow the last element, and continue at the beginning of the ring.
    const std::uint64_t till_end = std::min(size, ring_slots - first);
    const std::uint64_t around = size - till_end;
    if (around != 0 || till_end == ring_slots - first) {
      emit_spare(begin + around * element.size, begin + first * element.size);
    } else {
      emit_spare(begin, begin + first * element.size);
      emit_spare(begin + (first + size) * element.size, begin + ring_slots * element.size);
    }
    emit_spare(begin + ring_slots * element.size, end);
  }

  void tell_pool(const type& of, std::uint64_t data, std::uint64_t slots, std::uint64_t end) {
    using enum byte_use;
    const type& object = tables_.part_type(of, 0);
    const pool_shape shape = pool_of(object);
    say(data, 4, count, "objects that are alive", byte_number::natural, in_.load<std::uint32_t>(data));
    say(data + 4, 4, index, "first free slot, from 1", byte_number::natural,
        in_.load<std::uint32_t>(data + 4));
    say(data + 8, shape.head - 8, padding, "in front of the slots");
    for (std::uint64_t i = 0; i < slots; ++i) {
      const std::uint64_t slot = data + shape.head + i * shape.stride;
      const auto generation = in_.load<std::uint32_t>(slot + shape.generation);
      if (generation % 2 != 0) {
        say(slot + object.size, shape.generation - object.size, padding, "after the object");
      } else {
        say(slot, 4, index, "next free slot, from 1", byte_number::natural, in_.load<std::uint32_t>(slot));
        say(slot + 4, shape.generation - 4, spare, "a free slot");
      }
      say(slot + shape.generation, 4, tag, "generation: odd while an object is there", byte_number::natural,
          generation);
      say(slot + shape.generation + 4, shape.stride - shape.generation - 4, padding, "after the slot");
    }
    emit_spare(data + shape.head + slots * shape.stride, end);
  }

  void tell_table(const type& of, std::uint64_t data, std::uint64_t end) {
    using enum byte_use;
    const hash_table table = hash_table::of(in_, hash_of(tables_, of), data);
    const hash_shape& shape = table.shape;
    const unsigned offset = tables_.offset;
    const std::uint64_t tags = data + shape.head;
    const std::uint64_t steps = tags + table.slots + 16;
    const std::uint64_t entries = data + shape.entries_at(table.slots);
    say(data, 8, index, "seed of the table's hash", byte_number::id, table.seed());
    say(data + 8, offset, count, "homes", byte_number::natural, table.home_count);
    say(data + 8 + offset, offset, index, "sum of all steps", byte_number::natural,
        table.total_displacement());
    say(tags, table.slots, index, "a tag for each slot");
    say(tags + table.slots, 16, index, "no tags after the last slot");
    say(steps, table.slots, index, "a step for each slot");
    say(steps + table.slots, entries - steps - table.slots, padding, "in front of the entries");
    const std::uint64_t size = shape.entry->size;
    for (std::uint64_t slot = 0; slot < table.slots;) {
      const std::uint64_t at = table.entry(slot);
      if (table.tag(slot) == 0) {
        const std::uint64_t next = table.full_from(slot);
        say(at, (next - slot) * size, spare, "slots without entries");
        slot = next;
        continue;
      }
      if (of.kind == dynamic_kind::hash_map) {
        const std::uint64_t entry_end = shape.value_at + tables_.part_type(of, 1).size;
        say(at + shape.key->size, shape.value_at - shape.key->size, padding, "between key and value");
        say(at + entry_end, size - entry_end, padding, "after the value");
      }
      ++slot;
    }
    emit_spare(entries + table.slots * size, end);
  }

  // Trees.

  void emit_tree(const type& of, std::uint64_t data, std::uint64_t end) {
    const tree_shape shape = tree_of(tables_, of);
    const tree_node root{&in_, &shape, data};
    const unsigned level = root.level();
    emit_node(root, end);
    if (level != 0) tell_children(root, level);
  }
  /// Recurses to the height of the tree, at most 16.
  void tell_children(const tree_node& parent, unsigned level) {
    const tree_shape& shape = *parent.shape;
    const std::uint64_t front = level == 1 ? shape.front() : 0;
    for (unsigned i = 0; i < parent.count(); ++i) {
      const tree_node child = parent.child(i);
      const std::uint64_t run = child.position - front;
      const std::uint64_t end = run + shape.run_size(level - 1);
      marks_.mark(run, end - run);
      if (front != 0) tell_prefix(child.position);
      emit_node(child, end);
      if (level > 1) tell_children(child, level - 1);
    }
  }
  /// Reports a node that ends at `end`.
  void emit_node(const tree_node& node, std::uint64_t end) {
    using enum byte_use;
    const std::uint64_t at = node.position;
    say(at, 1, count, node.level() == 0 ? "entries in the leaf" : "children of the node",
        byte_number::natural, node.count());
    say(at + 1, 1, storage, "how many fit into the node", byte_number::natural, node.capacity());
    say(at + 2, 1, storage, "level: leaves are 0", byte_number::natural, node.level());
    say(at + 3, 5, padding, "zero");
    if (node.level() == 0) emit_leaf(node, end);
    else tell_inner(node, end);
  }
  void tell_inner(const tree_node& node, std::uint64_t end) {
    using enum byte_use;
    const tree_shape& shape = *node.shape;
    const std::uint64_t separators = node.position + 8;
    const std::uint64_t links = node.position + shape.links_at(node.capacity());
    if (shape.is_plain()) {
      const std::uint64_t taken = std::uint64_t{node.count() - 1U} * shape.key->raw;
      const std::uint64_t all = std::uint64_t{node.capacity()} * shape.key->raw;
      say(separators, taken, index, "keys that separate the children");
      say(separators + taken, all - taken, spare, "space for separators");
      say(separators + all, links - separators - all, padding, "in front of the links");
    }
    for (unsigned i = 0; i < node.count(); ++i) {
      const std::uint64_t link = node.link_at(i);
      say(link, shape.offset, place, "to a child of the node", byte_number::place, node.child(i).position);
    }
    const std::uint64_t free = links + std::uint64_t{node.count()} * shape.offset;
    const std::uint64_t links_end = links + std::uint64_t{node.capacity()} * shape.offset;
    say(free, links_end - free, spare, "space for links");
    emit_spare(links_end, end);
  }
  void emit_leaf(const tree_node& leaf, std::uint64_t end) {
    using enum byte_use;
    const tree_shape& shape = *leaf.shape;
    const std::uint64_t keys = leaf.position + shape.keys_at();
    const std::uint64_t values = leaf.position + shape.values_at(leaf.capacity());
    if (shape.has_order())
      say(leaf.position + 8, 8, index, "in which slots the entries lie", byte_number::id, leaf.order());
    std::uint32_t taken = 0;
    for (unsigned i = 0; i < leaf.count(); ++i) taken |= 1U << slot_order::slot(leaf.order(), i);
    for (unsigned i = 0; i < leaf.capacity(); ++i) {
      const bool is_key = shape.is_plain() ? i < leaf.count() : (taken >> i & 1) != 0;
      if (!is_key) say(keys + i * shape.key->size, shape.key->size, spare, "space for a key");
      if (shape.value != nullptr && (taken >> i & 1) == 0)
        say(values + i * shape.value->size, shape.value->size, spare, "space for a value");
    }
    const std::uint64_t keys_end = keys + std::uint64_t{leaf.capacity()} * shape.key->size;
    if (shape.value == nullptr) return emit_spare(keys_end, end);
    say(keys_end, values - keys_end, padding, "in front of the values");
    emit_spare(values + std::uint64_t{leaf.capacity()} * shape.value->size, end);
  }

protected:
  byte_marks marks_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
