// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/peek_change.hpp. Functions of node_edit.hpp, which require validated nodes,
// are called only for nodes in the free bytes, or for a node whose elements these functions need
// not read. They follow no references but those to long keys, which are checked.
#pragma once

#include <ingot/document/detail/build.hpp>
#include <ingot/document/detail/heap_writer.hpp>
#include <ingot/document/detail/peek_change.hpp>
#include <ingot/document/detail/text_copy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

peek_change::no_owner::no_owner() noexcept
    : storage_owner{[](storage_owner&, core&, uint64_t, bool) noexcept { return false; },
                    [](const storage_owner&) noexcept { return out_of_space_reason::in_place; }} {}

peek_change::peek_change(std::byte* start, uint32_t used, uint32_t capacity) noexcept
    : start_(start), used_before_(used) {
  core_.lodge(start, used, capacity, owner_);
}
peek_change::~peek_change() {
  if (!done_) store(start_ + offsetof(document_header, used), used_before_);
}

outcome peek_change::damaged() noexcept {
  core_.unsupported_reason() = error{errc::bad_length}.with_expected("a node whose values are in its bytes");
  return outcome::rejected;
}

uint32_t peek_change::find_link(uint32_t position, uint32_t parent, uint32_t hint) const noexcept {
  constexpr uint32_t root_link = offsetof(document_header, root);
  if (parent == 0) return load<uint32_t>(start_ + root_link) == position ? root_link : 0;
  node n;
  if (parent == npos || !find_node(before(), parent, n) || n.kind == node_kind::shape) return 0;
  const auto refers = [&](uint32_t i) {
    const item value = n.value(i);
    return value.is == item::form::node && value.position() == position;
  };
  if (hint >= n.count || !refers(hint)) {
    for (hint = 0; hint < n.count && !refers(hint);) ++hint;
    if (hint == n.count) return 0;
  }
  return n.position + static_cast<uint32_t>(n.at_index(hint).value - n.at) + 1;
}

outcome peek_change::move(uint32_t link, uint32_t from, uint32_t to) noexcept {
  if (has_copied_keys_) {
    for (uint32_t i = 0; i < copied_keys_.count(); ++i) {
      uint32_t position = 0;
      bytes_node key;
      if (copied_keys_.long_key_position(i, position) &&
          find_bytes(before(), position, node_kind::long_key, key))
        store(start_ + position + 12, load<uint32_t>(key.at + 12) + 1);
    }
  }
  if (from != to) {
    // Views of values in the former node then find no node.
    std::memset(start_ + from, 0, 8);
    store(start_ + link, to);
  }
  return done();
}

bool peek_change::measure(const node& n, const key_columns* keys, bool own, uint32_t dropped,
                          uint64_t& bytes) const noexcept {
  uint64_t stored = 0; // bytes of the heap that the elements take
  bytes = 0;
  for (uint32_t i = 0; i < n.count; ++i) {
    const item value = n.value(i);
    if (value.kind == value_kind::absent) return false;
    stored += n.heap_bytes(i);
    uint32_t key = 0;
    if (keys != nullptr) {
      std::string_view text;
      if (!keys->text(i, text)) return false;
      key = keys->record_size(i);
    }
    if (i == dropped) continue;
    bytes += key + heap_size(value, own ? node_kind::object : n.kind, n.wide);
    // Keys of a shape that share bytes could be longer than the shape.
    if (bytes > max_bytes / 2) return false;
  }
  return stored <= n.heap; // otherwise, elements share bytes
}

outcome peek_change::make_space(const node& n, const growth& more, bool may_extend,
                                uint32_t& position) noexcept {
  const node_kind kind = more.own_keys ? node_kind::object : n.kind;
  key_columns keys;
  const bool has_key_records = kind == node_kind::object;
  if (has_key_records && !key_columns::of_object(before(), n, keys)) return damaged();
  uint64_t live = 0;
  if (!measure(n, has_key_records ? &keys : nullptr, more.own_keys, more.dropped, live)) return damaged();
  const uint64_t count = uint64_t{n.count} + more.count;
  if (count > max_bytes / 4) return outcome::no_space;
  const auto count_of_all = static_cast<uint32_t>(count);
  if (const uint64_t heap = n.heap + more.heap; may_extend && kind == n.kind &&
                                                (n.wide || fits_narrow(count, heap)) &&
                                                n.position + n.bytes == core_.used()) {
    const uint64_t needed = columns_size(kind, n.wide, count_of_all) + heap;
    if (needed > max_bytes / 2) return outcome::no_space;
    uint64_t bytes = node_size(needed + spare_for(needed));
    bool is_longer = core_.extend(n.position, n.bytes, bytes);
    if (!is_longer) is_longer = core_.extend(n.position, n.bytes, bytes = node_size(needed));
    if (is_longer) {
      std::byte* const at = start_ + n.position;
      const auto added = static_cast<std::size_t>(bytes - n.bytes);
      std::memmove(at + bytes - n.heap, at + n.bytes - n.heap, n.heap);
      std::memset(at + n.bytes - n.heap, 0, added < n.heap ? added : n.heap);
      write_size(at, n.wide, static_cast<uint32_t>(bytes));
      position = n.position;
      return outcome::done;
    }
  }
  const bool wide = n.wide || !fits_narrow(count, live + more.heap);
  const uint64_t needed = columns_size(kind, wide, count_of_all) + live + more.heap;
  if (needed > max_bytes / 2) return outcome::no_space;
  // The former bytes are not used again. Half of the size as spare bytes makes their sum, after any
  // number of changes, a small multiple of the node.
  uint64_t bytes = 0;
  position = 0;
  for (const uint64_t spare : {needed / 2, spare_for(needed), uint64_t{0}}) {
    bytes = node_size(needed + spare);
    position = core_.allocate(bytes);
    if (position != 0) break;
  }
  if (position == 0) return outcome::no_space;
  std::byte* const at = start_ + position;
  write_head(at, kind, wide, static_cast<uint32_t>(bytes), n.count, 0);
  if (kind == node_kind::shaped) write_extra(at, wide, n.extra());
  if (has_key_records)
    std::memcpy(at + head_size(kind, wide) + std::size_t{wide ? 4U : 2U} * n.count, keys.hashes(),
                std::size_t{2} * n.count);
  heap_writer to(at, kind, wide, static_cast<uint32_t>(bytes));
  const auto put = [&](uint32_t i, const item& value) {
    to.put(i, has_key_records ? keys.record(i) : nullptr, has_key_records ? keys.record_size(i) : 0, value);
  };
  for (uint32_t i = 0; i < n.count; ++i) {
    if (i != more.dropped) put(i, n.value(i));
  }
  if (more.dropped < n.count) put(more.dropped, item::null());
  to.finish();
  if (more.own_keys) {
    copied_keys_ = keys;
    has_copied_keys_ = true;
  }
  return outcome::done;
}

uint32_t peek_change::make_array(const item& from) noexcept {
  const uint32_t count = from.is == item::form::packed ? from.length : 0;
  node_builder to(core_, value_kind::array, std::size_t{count} + 1);
  for (uint32_t i = 0; i < count; ++i) {
    const std::byte* const element = from.bytes + (std::size_t{i} << from.shift);
    if (!to.append(item::of(load_packed(element, from.shift)))) return 0;
  }
  return to.finish().position();
}

outcome peek_change::write_root(const item& value) noexcept {
  constexpr uint32_t root_link = offsetof(document_header, root);
  const auto old = load<uint32_t>(start_ + root_link);
  node n;
  const bool is_scalar =
      value.kind != value_kind::null && value.kind != value_kind::array && value.kind != value_kind::object;
  if (is_scalar && find_node(before(), old, n) && n.kind == node_kind::single && n.count == 1 &&
      n.value(0).kind != value_kind::absent && put_here(start_ + old, n, 0, value) != put_result::no_space)
    return done();
  // Without an old root, `tree` reads nothing that was in the document before.
  core_.set_root(root_null);
  location root;
  const outcome o = tree(core_).write(root, value);
  if (o == outcome::done) return done();
  core_.set_root(old);
  return o;
}

outcome peek_change::write(location& at, const item& new_value) noexcept {
  text_copy copy;
  const item value = copy.of(before(), new_value);
  if (at.none()) return outcome::absent;
  if (at.position == 0) return write_root(value);
  node n;
  if (!find_node(before(), at.position, n) || at.index >= n.count || n.kind == node_kind::shape)
    return outcome::absent;
  if (at.packed != 0) {
    const item packed = n.value(at.index);
    if (packed.is != item::form::packed || at.packed > packed.length) return outcome::absent;
    const uint32_t index = at.packed - 1;
    if (value.kind == value_kind::integer && fits_signed(value.integer(), 8U << packed.shift)) {
      const std::size_t offset = std::size_t{index} << packed.shift;
      store_packed(start_ + (packed.bytes - start_) + offset, value.integer(), packed.shift);
      return done();
    }
    uint32_t position = make_array(packed);
    if (position == 0 || !put_anywhere(core_, position, index, value)) return outcome::no_space;
    location array{at.position, at.index, at.parent, at.parent_index, 0};
    const outcome o = write(array, item::at_node(value_kind::array, position));
    if (o == outcome::done) at = {position, index, array.position, array.index, 0};
    return o;
  }
  if (n.value(at.index).kind == value_kind::absent) return outcome::absent;
  if (put_here(start_ + n.position, n, at.index, value) != put_result::no_space) return done();
  const uint32_t link = find_link(n.position, at.parent, at.parent_index);
  if (link == 0) return outcome::absent;
  const uint64_t heap = uint64_t{n.at_index(at.index).before} + heap_size(value, n.kind, n.wide);
  uint32_t position = 0;
  if (const outcome o = make_space(n, {.heap = heap, .dropped = at.index}, true, position);
      o != outcome::done)
    return o;
  if (!put_anywhere(core_, position, at.index, value)) return outcome::no_space;
  at.position = position;
  return move(link, n.position, position);
}

bool peek_change::overwrite_blob(const location& at, value_kind kind, const void* data,
                                 std::size_t size) noexcept {
  const item old = read(before(), at);
  bytes_node blob;
  if (old.is != item::form::blob || old.kind != kind ||
      !find_bytes(before(), old.position(), node_kind::blob, blob) || size > blob.bytes - blob_head)
    return false;
  std::byte* const to = start_ + old.position() + blob_head;
  std::memmove(to, data, size);
  if (size < blob.length) std::memset(to + size, 0, blob.length - size);
  store(start_ + old.position() + 8, static_cast<uint32_t>(size));
  static_cast<void>(done());
  return true;
}

outcome peek_change::insert(location& at, uint32_t index, const item& new_value) noexcept {
  text_copy copy;
  const item value = copy.of(before(), new_value);
  const item there = read(before(), at);
  container found;
  if (there.kind == value_kind::absent) return outcome::absent;
  if (there.kind != value_kind::null) {
    if (there.kind != value_kind::array) return outcome::wrong_kind;
    if (!find_container(before(), there, found)) return damaged();
  }
  if (index == npos) index = found.count();
  if (index > found.count()) return outcome::out_of_range;
  if (!found.has_node) {
    uint32_t position = make_array(there);
    if (position == 0 || !insert_element(core_, position, index, value)) return outcome::no_space;
    return write(at, item::at_node(value_kind::array, position));
  }
  const node& n = found.n;
  const uint64_t heap = cell_heap_size(value, false);
  uint32_t position = n.position;
  uint32_t link = 0;
  if (!has_space(n, 1, heap)) {
    link = find_link(n.position, at.position, at.index);
    if (link == 0) return outcome::absent;
    if (const outcome o = make_space(n, {.count = 1, .heap = heap}, true, position); o != outcome::done)
      return o;
  }
  if (!insert_element(core_, position, index, value)) return outcome::no_space;
  return move(link, n.position, position);
}

outcome peek_change::set(location& at, const document_key& new_key, const item& new_value,
                         location& member) noexcept {
  text_copy copy;
  text_copy key_copy;
  const item value = copy.of(before(), new_value);
  document_key key = new_key;
  if (!key_copy.of(before(), key)) return outcome::no_space;
  const item there = read(before(), at);
  container found;
  if (there.kind == value_kind::absent) return outcome::absent;
  if (there.kind != value_kind::null) {
    if (there.kind != value_kind::object) return outcome::wrong_kind;
    if (!find_container(before(), there, found)) return damaged();
  }
  if (!found.has_node) {
    node_builder to(core_, value_kind::object, 1, key.text().size());
    if (!to.insert(key, value)) return outcome::no_space;
    const uint32_t position = to.finish().position();
    const outcome o = write(at, item::at_node(value_kind::object, position));
    member = {position, 0, at.position, at.index, 0};
    return o;
  }
  const node& n = found.n;
  key_columns keys;
  if (!key_columns::of_object(before(), n, keys)) return damaged();
  if (const uint32_t index = keys.find(key); index != npos) {
    member = {n.position, index, at.position, at.index, 0};
    return write(member, value);
  }
  const bool is_long = key.text().size() > short_key; // its record is a byte and a position
  const uint32_t key_size =
      is_long ? 1 + uint32_t{sizeof(uint32_t)} : stored_key::of(key.hash(), key.text()).size();
  const uint64_t heap = uint64_t{key_size} + value_size(value);
  const bool own_keys = n.kind == node_kind::shaped;
  uint32_t position = n.position;
  uint32_t link = 0;
  if (own_keys || !has_space(n, 1, heap)) {
    link = find_link(n.position, at.position, at.index);
    if (link == 0) return outcome::absent;
    // The node of a long key is made later, and then there might be no space for it.
    if (const outcome o = make_space(n, {.count = 1, .heap = heap, .own_keys = own_keys}, !is_long, position);
        o != outcome::done)
      return o;
  }
  const uint32_t index = insert_member(core_, position, key, value);
  if (index == npos) return outcome::no_space;
  member = {position, index, at.position, at.index, 0};
  return move(link, n.position, position);
}

outcome peek_change::erase(location& at, uint32_t index) noexcept {
  const item there = read(before(), at);
  container found;
  if (there.kind == value_kind::absent) return outcome::absent;
  if (there.kind != value_kind::array && there.kind != value_kind::object) return outcome::wrong_kind;
  if (!find_container(before(), there, found)) return damaged();
  if (index >= found.count()) return outcome::out_of_range;
  if (!found.has_node) {
    std::array<std::byte, packed_bytes> bytes;
    const std::size_t element = std::size_t{1} << there.shift;
    const std::size_t first = index * element;
    const std::size_t left = (there.length - 1 - index) * element;
    std::memcpy(bytes.data(), there.bytes, first);
    std::memcpy(bytes.data() + first, there.bytes + first + element, left);
    item shorter = item::of(value_kind::array, 0);
    if (there.length != 1) {
      shorter = there;
      shorter.length = there.length - 1;
      shorter.bytes = bytes.data();
    }
    return write(at, shorter);
  }
  const node& n = found.n;
  if (n.value(index).kind == value_kind::absent) return damaged(); // its size could be any number
  uint32_t position = n.position;
  uint32_t link = 0;
  if (n.kind == node_kind::shaped) {
    link = find_link(n.position, at.position, at.index);
    if (link == 0) return outcome::absent;
    if (const outcome o = make_space(n, {.own_keys = true}, false, position); o != outcome::done) return o;
  }
  // The use of a long key remains counted: the key could be in bytes that others use.
  if (!erase_at(core_, position, index, true)) return outcome::no_space;
  return move(link, n.position, position);
}

}}} // namespace ingot::INGOT_V1::detail::doc
