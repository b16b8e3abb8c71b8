// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/node_ownership.hpp.
#pragma once

#include <ingot/document/detail/copy.hpp>
#include <ingot/document/detail/defragment.hpp>
#include <ingot/document/detail/node_edit.hpp>
#include <ingot/document/detail/node_ownership.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

uint32_t make_blob(core& to, const void* data, std::size_t length) noexcept {
  if (length > max_bytes / 2) return 0;
  uint64_t bytes = node_size(uint64_t{blob_head} + length);
  const uint32_t position = to.allocate(bytes);
  if (position == 0) return 0;
  std::byte* const at = to.start() + position;
  at[0] = static_cast<std::byte>(node_kind::blob);
  store(at + 4, static_cast<uint32_t>(bytes / 8));
  store(at + 8, static_cast<uint32_t>(length));
  std::memcpy(at + blob_head, data, length);
  return position;
}

bool copy_owned(core& to, memory from, item& value, std::byte* buffer) noexcept {
  if (!value.owns_node()) return true;
  return copier(to, from).copy_owned(value, buffer);
}

// Trees are released without memory for a stack: on the way down, each reference to a child is
// replaced by a reference to the parent. (Schorr and Waite, "An efficient machine-independent
// procedure for garbage collection", 1967.)

void release_blob(core& in, uint32_t position) noexcept {
  bytes_node blob;
  if (position != 0 && find_bytes(in.mem(), position, node_kind::blob, blob))
    in.release(position, blob.bytes);
}

/// Converts an object that is being released to an array of its values, without keys. The position
/// of the hashes depends on the count, which decreases during the release. Without the hashes, the
/// ends of the keys would be unknown.
inline void forget_keys(core& in, node& n) noexcept {
  release_long_keys(in, key_columns(in.mem(), n));
  std::byte* const at = in.start() + n.position;
  for (uint32_t i = 0; i < n.count; ++i) write_cell(at, n.kind, n.wide, i, n.at_index(i).left);
  n.kind = node_kind::array;
  at[0] = static_cast<std::byte>(static_cast<unsigned>(n.kind) | (n.wide ? unsigned{wide_bit} : 0U));
}

void release_tree(core& in, uint32_t position) noexcept {
  uint32_t parent = 0;
  bool arrived = true;
  while (position != 0) {
    node n;
    if (!find_node(in.mem(), position, n)) return; // can't happen in a validated document
    std::byte* const at = in.start() + position;
    if (arrived) {
      if (n.kind == node_kind::object) forget_keys(in, n);
      else if (n.kind == node_kind::shaped) release_shape(in, n.extra());
    } else { // returned from a child; the reference to the child is now a reference to the parent
      const std::byte* const link = n.at_index(n.count - 1).value + 1;
      parent = load<uint32_t>(link);
      --n.count;
    }
    arrived = false;
    while (n.count != 0) {
      const item value = n.value(n.count - 1);
      if (value.is == item::form::blob) release_blob(in, value.position());
      if (value.is == item::form::node && value.position() != 0) {
        store(at + (n.at_index(n.count - 1).value - n.at) + 1, parent);
        parent = position;
        position = value.position();
        arrived = true;
        break;
      }
      --n.count;
    }
    write_count(at, n.wide, n.count);
    if (arrived) continue;
    in.release(position, n.bytes);
    in.changes().note_end(position);
    position = parent;
  }
}

void settle(core& in) noexcept {
  defragmenter all(in);
  if (!all.settle()) in.leave_unsettled(all.moves(), all.looked_at());
}

}}} // namespace ingot::INGOT_V1::detail::doc
