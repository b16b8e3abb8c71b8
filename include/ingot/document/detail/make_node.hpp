// SPDX-License-Identifier: Apache-2.0
// Makes nodes of exact size in one step. All values must be known, and keys must be sorted.
#pragma once

#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/document/detail/copy.hpp>
#include <ingot/document/detail/tree.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Progress polls count each member as this number of bytes, so a poll is due after 4,096 members.
inline constexpr uint64_t member_cost = 64;

/// Makes a node for `count` elements that the caller writes afterwards. `size(i, wide)` returns the
/// size of an element in the heap in bytes. Returns false if there is no space, or if cancelled.
template <class Size>
[[nodiscard]] bool make_frame(core& in, node_kind kind, uint32_t count, const Size& size, node& created,
                              progress_poll& poll) noexcept {
  const auto heap_of = [&](bool wide) {
    uint64_t heap = 0;
    for (uint32_t i = 0; i < count && !poll.stopped();) {
      for (const auto due = static_cast<uint32_t>(poll.run_end(i, count, member_cost)); i < due; ++i)
        heap += size(i, wide);
      if (i < count && !poll.should_continue_now()) break;
    }
    return heap;
  };
  uint64_t heap = heap_of(false);
  const uint64_t wide_heap = heap_of(true);
  if (poll.stopped()) return false;
  const bool wide = canonically_wide(kind, count, heap, wide_heap);
  if (wide) heap = wide_heap;
  const uint64_t columns = columns_size(kind, wide, count);
  uint64_t bytes = node_size(columns + heap);
  const uint32_t position = in.allocate(bytes);
  if (position == 0) return false;
  std::byte* const at = in.start() + position;
  // The cells are invalid (0) until they are written.
  std::memset(at, 0, static_cast<std::size_t>(columns));
  write_head(at, kind, wide, static_cast<uint32_t>(bytes), count, 0);
  return find_node(in.mem(), position, created);
}
/// Makes an array of the values that `value(i)` returns, or an object whose shape the caller writes
/// afterwards. Returns the position of the node; 0 if there is no space.
template <class Value>
[[nodiscard]] uint32_t make_plain_node(core& in, node_kind kind, uint32_t count,
                                       const Value& value) noexcept {
  node created;
  const auto size = [&](uint32_t i, bool wide) { return cell_heap_size(value(i), wide); };
  progress_poll no_callback;
  if (!make_frame(in, kind, count, size, created, no_callback)) return 0;
  heap_writer heap(in.start() + created.position, kind, created.wide, created.bytes);
  for (uint32_t i = 0; i < count; ++i) heap.put(i, nullptr, 0, value(i));
  heap.finish();
  return created.position;
}

/// A key that is to be stored, with its hash.
struct hashed_key {
  std::string_view text;
  uint16_t hash;
  /// Returns the key as a heap stores it. For a long key, the caller must write the position of its
  /// node after the first byte.
  [[nodiscard]] stored_key stored() const noexcept {
    static constexpr std::array<std::byte, 4> nowhere{};
    if (text.size() > short_key) return {hash, long_key_mark, nowhere.data()};
    return stored_key::of(hash, text);
  }
};
/// Guard of the node that `make_keyed_node` writes. Its destructor releases the node unless
/// `finish` was called. `finish` is not called if there is no space, if the call is cancelled, or
/// if the poll throws.
class unfinished_node {
public:
  unfinished_node(core& in, const node& created, heap_writer& heap) noexcept
      : in_(in), node_(created), heap_(heap) {}
  unfinished_node(const unfinished_node&) = delete;
  unfinished_node& operator=(const unfinished_node&) = delete;
  ~unfinished_node() {
    if (node_.position == 0) return;
    heap_.finish();
    // Updates `node_`, since the head now has the size of the heap.
    static_cast<void>(find_node(in_.mem(), node_.position, node_));
    release_long_keys(in_, key_columns(in_.mem(), node_));
    in_.release(node_.position, node_.bytes);
  }
  [[nodiscard]] uint32_t finish() noexcept {
    heap_.finish();
    return std::exchange(node_.position, 0);
  }

private:
  core& in_;
  node node_;
  heap_writer& heap_;
};

/// Makes an object with its own keys, or a shape that no object uses yet. `key(i)` returns the keys
/// in order, and `value(i)` the values. For a shape, `value` is not called. `long_key(i, key)`
/// returns the position of a long key; 0 if there is no space. Returns the position of the node. If
/// there is no space or if cancelled, returns 0, and the caller still owns the values.
template <class Key, class Long, class Value>
[[nodiscard]] uint32_t make_keyed_node(core& in, node_kind kind, uint32_t count, const Key& key,
                                       const Long& long_key, const Value& value,
                                       progress_poll& poll) noexcept {
  const auto key_size = [&](uint32_t i) { return key(i).stored().size(); };
  const auto size = [&](uint32_t i, bool) {
    return key_size(i) + (kind == node_kind::object ? value_size(value(i)) : 0);
  };
  node created;
  if (!make_frame(in, kind, count, size, created, poll)) return 0;
  std::byte* const start = in.start() + created.position;
  std::byte* const hashes = start + head_size(kind, created.wide) + std::size_t{created.word()} * count;
  heap_writer heap(start, kind, created.wide, created.bytes);
  unfinished_node unfinished(in, created, heap);
  for (uint32_t i = 0; i < count;) {
    for (const auto due = static_cast<uint32_t>(poll.run_end(i, count, member_cost)); i < due; ++i) {
      const hashed_key each = key(i);
      std::byte* const to = heap.reserve(i, size(i, created.wide));
      store(hashes + std::size_t{2} * i, each.hash);
      if (kind == node_kind::object) write_value(to + key_size(i), value(i));
      each.stored().write(to);
      if (each.text.size() > short_key) {
        const uint32_t stored = long_key(i, each);
        store(to + 1, stored);
        if (stored == 0) return 0;
      }
    }
    if (i < count && !poll.should_continue_now()) return 0;
  }
  return unfinished.finish();
}
/// Sets the shape of a shaped object, and counts one more use of the shape.
inline void use_shape(core& in, uint32_t object, uint32_t position) noexcept {
  node shaped;
  node shape;
  if (!find_node(in.mem(), object, shaped) || !find_node(in.mem(), position, shape)) return;
  write_extra(in.start() + object, shaped.wide, position);
  write_extra(in.start() + position, shape.wide, shape.extra() + 1);
}

/// Makes the node of a long key. The node's count of uses is 1. Returns 0 if there is no space.
[[nodiscard]] inline uint32_t make_long_key(core& in, const document_key& key) noexcept {
  std::array<std::byte, 4> link{};
  stored_key stored;
  return store_key(in, key, link, stored) ? load<uint32_t>(link.data()) : 0;
}
inline void use_long_key(core& in, uint32_t position) noexcept {
  std::byte* const users = in.start() + position + 12;
  store(users, load<uint32_t>(users) + 1);
}

}}} // namespace ingot::INGOT_V1::detail::doc
