// SPDX-License-Identifier: Apache-2.0
// Reports every byte of a validated document, once. The stack of the walk is on the heap, so deep
// documents need no recursion.
#pragma once

#include <ingot/document/detail/keys.hpp>
#include <ingot/document/detail/node.hpp>
#include <ingot/document/value.hpp>
#include <ingot/dynamic/byte_visitor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

class document_byte_walk : private byte_map_emitter {
public:
  document_byte_walk(validated in, const value& root, byte_visitor& to)
      : byte_map_emitter(to), in_(in), marks_(in.size) {
    about_.plain = root;
  }

  /// Reports all bytes. Throws `std::bad_alloc`.
  void run() {
    emit_header();
    marks_.mark(0, first_node);
    const auto root = load<uint32_t>(in_.start + offsetof(document_header, root));
    if (root >= first_node) enter_node(about_.plain, root, false);
    while (!frames_.empty()) step();
    about_.plain = {};
    marks_.for_each_hole(
        [&](uint64_t from, uint64_t length) { say(from, length, byte_use::hole, "in no node"); });
  }

private:
  struct frame {
    value whole;
    uint32_t position;
    uint32_t next = 0;
    bool named;
  };
  [[nodiscard]] node node_at(uint32_t position) const noexcept {
    node n;
    static_cast<void>(find_node(in_, position, n));
    return n;
  }
  [[nodiscard]] uint32_t position_of(const std::byte* at) const noexcept {
    return static_cast<uint32_t>(at - in_.start);
  }

  void emit_header() {
    using enum byte_use;
    say(0, 4, header, "magic: a document", byte_number::text);
    say(4, 1, header, "version of the format", byte_number::natural, std::to_integer<uint8_t>(in_.start[4]));
    say(5, 1, header, "flags: 1 big-endian", byte_number::natural, std::to_integer<uint8_t>(in_.start[5]));
    say(6, 2, header, "zero");
    say(8, 4, header, "length of the document", byte_number::natural, load<uint32_t>(in_.start + 8));
    const auto root = load<uint32_t>(in_.start + offsetof(document_header, root));
    if (root >= first_node) say(12, 4, header, "the root", byte_number::place, root);
    else say(12, 4, header, "the root: 0 null, 1 [], 2 {}", byte_number::natural, root);
  }

  /// Reports a node with cells: its kind, length, count, size of its heap and further words, then
  /// its unused bytes.
  void emit_node(const node& n, std::string_view kind) {
    using enum byte_use;
    const uint32_t word = n.wide ? 4 : 2;
    const uint32_t at = n.position;
    marks_.mark(at, n.bytes);
    say(at, 1, storage, kind, byte_number::natural, std::to_integer<uint8_t>(*n.at));
    say(at + 1, word - 1, padding, "zero");
    say(at + word, word, storage, "length of the node in units of 8", byte_number::natural, n.bytes / 8);
    say(at + 2 * word, word, count, "how many", byte_number::natural, n.count);
    say(at + 3 * word, word, storage, "bytes of the heap", byte_number::natural, n.heap);
    if (n.kind == node_kind::shaped)
      say(at + 4 * word, 4, place, "to the shape", byte_number::place, n.extra());
    if (n.kind == node_kind::shape)
      say(at + 4 * word, 4, count, "objects of this shape", byte_number::natural, n.extra());
    const auto columns = static_cast<uint32_t>(columns_size(n.kind, n.wide, n.count));
    say(at + columns, n.bytes - n.heap - columns, spare, "between columns and heap");
    tell_gaps(n);
  }
  /// Reports the bytes of the heap that belong to no element.
  void tell_gaps(const node& n) {
    taken_.clear();
    const uint32_t begin = n.bytes - n.heap;
    for (uint32_t i = 0; i < n.count; ++i) {
      const uint32_t size = n.heap_bytes(i);
      if (size != 0) taken_.emplace_back(n.bytes - n.cell(i), size);
    }
    std::sort(taken_.begin(), taken_.end());
    uint32_t at = begin;
    for (const auto& [from, size] : taken_) {
      say(n.position + at, from - at, byte_use::spare, "in no element of the heap");
      at = from + size;
    }
    say(n.position + at, n.bytes - at, byte_use::spare, "in no element of the heap");
  }

  void enter_node(const value& whole, uint32_t position, bool named) {
    const node n = node_at(position);
    about_.plain = whole;
    emit_node(n, n.kind == node_kind::array    ? "an array's node"
                 : n.kind == node_kind::object ? "an object's node"
                 : n.kind == node_kind::shaped ? "the node of an object whose keys are a shape's"
                                               : "the node of one value");
    if (n.kind == node_kind::shaped && !marks_.is_marked(n.extra())) tell_shape(node_at(n.extra()));
    frames_.push_back({whole, position, 0, named});
  }
  void tell_shape(const node& shape) {
    emit_node(shape, "a shape: the keys of several objects");
    const key_columns keys(in_, shape);
    for (uint32_t i = 0; i < shape.count; ++i) {
      emit_cell(shape, i);
      tell_hash(shape, i);
      emit_key(shape, keys, i);
    }
  }
  void emit_cell(const node& n, uint32_t i) {
    const uint32_t from = position_of(n.cells()) + n.word() * i;
    const uint32_t cell = n.cell(i);
    if (has_keys(n.kind) || cell - 1 < n.heap)
      say(from, n.word(), byte_use::place, "to the element in the heap", byte_number::place,
          n.position + n.bytes - cell);
    else say(from, n.word(), byte_use::value, "in its cell");
  }
  void tell_hash(const node& n, uint32_t i) {
    const uint32_t from = position_of(n.cells()) + n.word() * n.count + 2 * i;
    say(from, 2, byte_use::index, "hash and length of the key", byte_number::natural,
        load<uint16_t>(in_.start + from));
  }
  void emit_key(const node& n, const key_columns& keys, uint32_t i) {
    const std::byte* const record = keys.record(i);
    const uint32_t at = position_of(record);
    uint32_t position = 0;
    if (!keys.long_key_position(i, position)) {
      const uint32_t size = keys.record_size(i);
      const uint32_t length_bytes = length_in(keys.hash(i)) != 0 ? 0 : 1;
      if (length_bytes != 0)
        say(at, 1, byte_use::count, "1 and the length of the key", byte_number::natural, size);
      if (size != length_bytes)
        say(at + length_bytes, size - length_bytes, byte_use::key, "key", byte_number::text);
      return;
    }
    say(at, 1, byte_use::tag, "a key that is too long for the heap", byte_number::natural, long_key_mark);
    say(at + 1, 4, byte_use::place, "to the long key", byte_number::place, position);
    if (marks_.is_marked(position)) return;
    bytes_node key;
    static_cast<void>(find_bytes(in_, position, node_kind::long_key, key));
    static_cast<void>(n);
    marks_.mark(position, key.bytes);
    say(position, 1, byte_use::storage, "a long key", byte_number::natural, 6);
    say(position + 1, 1, byte_use::padding, "zero");
    say(position + 2, 2, byte_use::index, "hash of the key", byte_number::natural,
        load<uint16_t>(key.at + 2));
    tell_bytes_node(position, key, long_key_head, byte_use::key);
  }
  /// Reports the bytes of a node, beginning with its length.
  void tell_bytes_node(uint32_t position, const bytes_node& n, uint32_t head, byte_use use) {
    say(position + 4, 4, byte_use::storage, "length of the node in units of 8", byte_number::natural,
        n.bytes / 8);
    say(position + 8, 4, byte_use::count, "length of the text", byte_number::natural, n.length);
    if (head == long_key_head)
      say(position + 12, 4, byte_use::count, "how many refer to it", byte_number::natural,
          load<uint32_t>(n.at + 12));
    if (use == byte_use::key) {
      if (n.length != 0) say(position + head, n.length, use, "key", byte_number::text);
    } else {
      say(position + head, n.length, use, {});
    }
    say(position + head + n.length, n.bytes - head - n.length, byte_use::spare, "after the text");
  }

  void step() {
    frame& f = frames_.back();
    const node n = node_at(f.position);
    if (f.next == n.count) {
      const bool named = f.named;
      frames_.pop_back();
      if (named) to_.leave();
      return;
    }
    const uint32_t i = f.next++;
    const bool is_single = n.kind == node_kind::single;
    const value element = is_single ? f.whole : f.whole[std::size_t{i}];
    byte_step to;
    to.index = i;
    to.is = byte_step::kind::element;
    key_columns keys;
    if (n.is_object() && key_columns::of_object(in_, n, keys)) {
      to.is = byte_step::kind::member;
      to.name = keys.text(i);
    }
    if (!is_single) to_.enter(to);
    about_.plain = element;
    emit_cell(n, i);
    if (n.kind == node_kind::object) {
      tell_hash(n, i);
      emit_key(n, keys, i);
    }
    const element_bytes here = n.at_index(i);
    const bool descended = here.left != 0 && emit_value(element, here);
    if (!is_single && !descended) to_.leave();
  }
  /// Reports a value in a heap. If the value is a container with a node, pushes a frame for it and
  /// returns true.
  [[nodiscard]] bool emit_value(const value& element, const element_bytes& here) {
    uint32_t size = 0;
    const item what = read_value(here.value, here.left, size);
    const uint32_t at = position_of(here.value);
    const auto tag = std::to_integer<uint8_t>(*here.value);
    const auto emit_tag = [&](std::string_view kind) {
      say(at, 1, byte_use::tag, kind, byte_number::natural, tag);
    };
    if (size == 1 && what.kind != value_kind::text) {
      say(at, 1, byte_use::value, "in its tag");
      return false;
    }
    if (what.owns_node()) {
      emit_tag(what.kind == value_kind::array    ? "an array in a node of its own"
               : what.kind == value_kind::object ? "an object in a node of its own"
               : what.kind == value_kind::text   ? "text in a node of its own"
                                                 : "bytes in a node of their own");
      say(at + 1, 4, byte_use::place, "to the node", byte_number::place, what.position());
      if (what.is == item::form::node) {
        enter_node(element, what.position(), true);
        return true;
      }
      tell_blob(what.position());
      return false;
    }
    switch (what.kind) {
    case value_kind::text: emit_tag("text: 128 and its length"); break;
    case value_kind::binary: emit_tag("bytes"); break;
    case value_kind::array: emit_tag("an array of integers of one width"); break;
    case value_kind::integer: emit_tag("an integer of so many bytes"); break;
    case value_kind::large_integer: emit_tag("an integer of 2^63 or more"); break;
    default: emit_tag(size == 5 ? "a double that is a float" : "a double"); break;
    }
    uint32_t from = at + 1;
    if (what.kind == value_kind::binary || what.kind == value_kind::array) {
      say(from, 1, byte_use::count, what.kind == value_kind::array ? "how many" : "length of the bytes",
          byte_number::natural, what.length);
      ++from;
    }
    if (what.is == item::form::packed) say_elements(from, at + size - from, 0, what.length);
    else say(from, at + size - from, byte_use::value, {});
    return false;
  }
  void tell_blob(uint32_t position) {
    bytes_node blob;
    static_cast<void>(find_bytes(in_, position, node_kind::blob, blob));
    marks_.mark(position, blob.bytes);
    say(position, 1, byte_use::storage, "text or bytes that are too long for a heap", byte_number::natural,
        5);
    say(position + 1, 3, byte_use::padding, "zero");
    tell_bytes_node(position, blob, blob_head, byte_use::value);
  }

  validated in_;
  byte_marks marks_;
  std::vector<frame> frames_;
  /// Elements of a heap: position in the node, and length in bytes.
  std::vector<std::pair<uint32_t, uint32_t>> taken_;
};

}}} // namespace ingot::INGOT_V1::detail::doc
