// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/tree.hpp.
#pragma once

#include <ingot/document/detail/node_edit.hpp>
#include <ingot/document/detail/nodes.hpp>
#include <ingot/document/detail/text_copy.hpp>
#include <ingot/document/detail/tree.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns the position of the reference to a node. The reference is in the node `parent`, or in
/// the header if `parent` is 0. Returns 0 if the reference is not there.
[[nodiscard]] inline uint32_t find_link(validated in, uint32_t position, uint32_t parent,
                                        uint32_t hint) noexcept {
  constexpr uint32_t root_link = offsetof(document_header, root);
  if (parent == 0) return load<uint32_t>(in.start + root_link) == position ? root_link : 0;
  node n;
  if (parent == npos || !find_node(in, parent, n)) return 0;
  const auto leads = [&](uint32_t i) {
    const item value = n.value(i);
    return value.is == item::form::node && value.position() == position;
  };
  if (hint >= n.count || !leads(hint)) {
    for (hint = 0; hint < n.count && !leads(hint);) ++hint;
    if (hint == n.count) return 0;
  }
  return n.position + static_cast<uint32_t>(n.at_index(hint).value - n.at) + 1;
}

outcome tree::write(location& at, const item& new_value) noexcept {
  text_copy copy;
  const item value = copy.of(in_.mem(), new_value);
  if (at.none()) return outcome::absent;
  if (at.position == 0) return write_root(value);
  if (at.packed != 0) {
    const item packed = read(in_.mem(), {at.position, at.index, 0, 0, 0});
    if (packed.is != item::form::packed || at.packed > packed.length) return outcome::absent;
    if (value.kind == value_kind::integer && fits_signed(value.integer(), 8U << packed.shift)) {
      const std::size_t offset = std::size_t{at.packed - 1} << packed.shift;
      store_packed(in_.start() + (packed.bytes - in_.start()) + offset, value.integer(), packed.shift);
      return outcome::done;
    }
    location array{at.position, at.index, at.parent, at.parent_index, 0};
    uint32_t node = 0;
    if (const outcome o = open_container(array, value_kind::array, node); o != outcome::done) return o;
    at = {node, at.packed - 1, array.position, array.index, 0};
  }
  node n;
  if (!find_node(in_.mem(), at.position, n) || at.index >= n.count || n.kind == node_kind::shape)
    return outcome::absent;
  const item old = n.value(at.index);
  const put_result put = put_here(in_.start() + at.position, n, at.index, value);
  // If the old value was a packed array, handles to its elements point to its former bytes. These
  // handles must find their elements again.
  if (put == put_result::moved || (put == put_result::stayed && old.is == item::form::packed)) {
    in_.changes().note_values();
  } else if (put == put_result::no_space) {
    const uint32_t link = find_link(in_.mem(), at.position, at.parent, at.parent_index);
    if (link == 0) return outcome::absent;
    uint32_t position = at.position;
    if (!put_anywhere(in_, position, at.index, value)) return outcome::no_space;
    moved(link, at, position);
  }
  release_owned(in_, old);
  return outcome::done;
}
outcome tree::open_container(location& at, value_kind kind, uint32_t& position) noexcept {
  const item value = read(in_.mem(), at);
  if (value.kind == value_kind::absent) return outcome::absent;
  if (value.kind != kind && value.kind != value_kind::null) return outcome::wrong_kind;
  if (value.is == item::form::node) {
    position = value.position();
    return outcome::done;
  }
  const uint32_t new_container = make_container(value, kind);
  if (new_container == 0) return outcome::no_space;
  const outcome o = write(at, item::at_node(kind, new_container));
  if (o != outcome::done) in_.release(new_container, size_of(new_container));
  position = new_container;
  return o;
}
outcome tree::not_opened(location& at, value_kind before) noexcept {
  if (before != value_kind::null) return outcome::no_space;
  const outcome undone = write(at, item::null());
  return undone == outcome::done ? outcome::no_space : undone;
}
outcome tree::insert(location& at, uint32_t& index, const item& new_value) noexcept {
  text_copy copy;
  const item value = copy.of(in_.mem(), new_value);
  container found;
  const item there = read(in_.mem(), at);
  if (there.kind == value_kind::absent) return outcome::absent;
  if (there.kind != value_kind::null) {
    if (there.kind != value_kind::array) return outcome::wrong_kind;
    if (!find_container(in_.mem(), there, found)) return outcome::absent;
  }
  if (index == npos) index = found.count();
  if (index > found.count()) return outcome::out_of_range;
  uint32_t position = 0;
  if (const outcome o = open_container(at, value_kind::array, position); o != outcome::done) return o;
  const uint32_t link = find_link(in_.mem(), position, at.position, at.index);
  if (link == 0) return outcome::absent;
  if (!insert_element(in_, position, index, value)) return not_opened(at, there.kind);
  store(in_.start() + link, position);
  return outcome::done;
}
outcome tree::set(location& at, const document_key& new_key, const item& new_value,
                  location& member) noexcept {
  member = find_member(in_.mem(), at, new_key);
  if (!member.none()) return write(member, new_value);
  text_copy copy;
  text_copy key_copy;
  const item value = copy.of(in_.mem(), new_value);
  document_key key = new_key;
  if (!key_copy.of(in_.mem(), key)) return outcome::no_space;
  uint32_t position = 0;
  const value_kind before = read(in_.mem(), at).kind;
  if (const outcome o = open_container(at, value_kind::object, position); o != outcome::done) return o;
  const uint32_t link = find_link(in_.mem(), position, at.position, at.index);
  if (link == 0) return outcome::absent;
  const uint32_t index = insert_member(in_, position, key, value);
  if (index == npos) return not_opened(at, before);
  store(in_.start() + link, position);
  member = {position, index, at.position, at.index, 0};
  return outcome::done;
}
outcome tree::erase(location& at, uint32_t index) noexcept {
  container found;
  const item there = read(in_.mem(), at);
  if (there.kind == value_kind::absent) return outcome::absent;
  if (!find_container(in_.mem(), there, found)) return outcome::wrong_kind;
  if (index >= found.count()) return outcome::out_of_range;
  uint32_t position = 0;
  if (const outcome o = open_container(at, there.kind, position); o != outcome::done) return o;
  const uint32_t link = find_link(in_.mem(), position, at.position, at.index);
  node n;
  if (link == 0 || !find_node(in_.mem(), position, n)) return outcome::absent;
  const item old = n.value(index);
  if (!erase_at(in_, position, index)) return outcome::no_space;
  store(in_.start() + link, position);
  release_owned(in_, old);
  return outcome::done;
}
outcome tree::rename(location& at, uint32_t index, const document_key& new_key) noexcept {
  text_copy key_copy;
  document_key key = new_key;
  if (!key_copy.of(in_.mem(), key)) return outcome::no_space;
  container found;
  if (!find_container(in_.mem(), read(in_.mem(), at), found) || !found.has_node || !found.n.is_object())
    return outcome::wrong_kind;
  if (index >= found.n.count) return outcome::out_of_range;
  key_columns keys;
  if (!key_columns::of_object(in_.mem(), found.n, keys)) return outcome::absent;
  if (keys.text(index) == key.text()) return outcome::done;
  if (keys.find(key) != npos) return outcome::exists;
  const uint32_t link = find_link(in_.mem(), found.n.position, at.position, at.index);
  if (link == 0) return outcome::absent;
  // First inserts the new member with the value, then erases the old member. Only the new member
  // owns the value.
  uint32_t position = found.n.position;
  text_copy value_copy;
  const item value = value_copy.of(in_.mem(), found.n.value(index));
  const uint32_t inserted = insert_member(in_, position, key, value);
  if (inserted == npos) return outcome::no_space;
  store(in_.start() + link, position);
  // Insertion gave the object its own keys, so the old member can be erased.
  static_cast<void>(erase_at(in_, position, inserted <= index ? index + 1 : index));
  return outcome::done;
}
void tree::moved(uint32_t link, location& at, uint32_t position) noexcept {
  if (position == at.position) return;
  store(in_.start() + link, position);
  at.position = position;
}
outcome tree::write_root(const item& value) noexcept {
  const item old = read_root(in_.mem());
  const uint32_t old_root = in_.root();
  node n;
  const bool single =
      old_root >= first_node && find_node(in_.mem(), old_root, n) && n.kind == node_kind::single;
  if (value.kind == value_kind::null || value.kind == value_kind::array || value.kind == value_kind::object) {
    uint32_t root = value.kind == value_kind::null    ? root_null
                    : value.is == item::form::node    ? value.position()
                    : value.kind == value_kind::array ? root_empty_array
                                                      : root_empty_object;
    if (value.is == item::form::packed) { // elements of an array at the root are in a node
      root = make_container(value, value_kind::array);
      if (root == 0) return outcome::no_space;
    }
    in_.set_root(root);
  } else if (single) {
    uint32_t position = old_root;
    in_.changes().note_values();
    if (put_here(in_.start() + position, n, 0, value) == put_result::no_space) {
      if (!put_anywhere(in_, position, 0, value)) return outcome::no_space;
      in_.set_root(position);
    }
    release_owned(in_, old);
    return outcome::done;
  } else {
    const uint32_t new_single = make_single(value);
    if (new_single == 0) return outcome::no_space;
    in_.set_root(new_single);
  }
  release_owned(in_, old);
  if (single) {
    in_.release(old_root, n.bytes);
    in_.changes().note_end(old_root);
  }
  return outcome::done;
}
uint32_t tree::size_of(uint32_t position) const noexcept {
  node n;
  return find_node(in_.mem(), position, n) ? n.bytes : 0;
}
uint32_t tree::make_container(const item& from, value_kind kind) noexcept {
  const uint32_t count = from.is == item::form::packed ? from.length : 0;
  const auto in_node = kind == value_kind::array ? node_kind::array : node_kind::object;
  uint64_t bytes = 32;
  if (count != 0) {
    bytes = columns_size(in_node, false, count);
    for (uint32_t i = 0; i < count; ++i) bytes += cell_heap_size(packed_at(from, i), false);
    bytes = node_size(bytes + bytes / 8);
  }
  const uint32_t node_position = in_.allocate(bytes);
  if (node_position == 0) return 0;
  std::byte* const start = in_.start() + node_position;
  write_head(start, in_node, false, static_cast<uint32_t>(bytes), count, 0);
  for (uint32_t i = 0; i < count; ++i) {
    node n;
    static_cast<void>(find_node(in_.mem(), node_position, n));
    write_cell(start, in_node, false, i, store_value(start, n, nullptr, packed_at(from, i)));
  }
  return node_position;
}
uint32_t tree::make_single(const item& value) noexcept {
  uint64_t bytes = node_size(columns_size(node_kind::single, false, 1) + cell_heap_size(value, false));
  const uint32_t node_position = in_.allocate(bytes);
  if (node_position == 0) return 0;
  std::byte* const start = in_.start() + node_position;
  write_head(start, node_kind::single, false, static_cast<uint32_t>(bytes), 1, 0);
  node n;
  static_cast<void>(find_node(in_.mem(), node_position, n));
  write_cell(start, node_kind::single, false, 0, store_value(start, n, nullptr, value));
  return node_position;
}

}}} // namespace ingot::INGOT_V1::detail::doc
