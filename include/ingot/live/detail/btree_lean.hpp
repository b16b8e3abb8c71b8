// SPDX-License-Identifier: Apache-2.0
// Moves entries of a full leaf to a neighbour that has free slots, instead of a split. Leaves are
// then four fifths full on average; with splits alone they are two thirds full.
#pragma once

#include <ingot/live/detail/btree_iterator.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A planned move, computed before anything changes.
template <class Node>
struct btree_lean {
  using raw = typename Node::raw;

  std::byte* parent = nullptr;
  std::byte* neighbour = nullptr; ///< null if neither neighbour has enough free slots
  unsigned moves = 0;             ///< number of entries to move
  bool to_right = false;

  /// Plans to move entries from the full leaf at `at` to a neighbour. Requires that the root is an
  /// inner node.
  static btree_lean find(std::byte* root, const btree_position& at) noexcept {
    btree_lean plan;
    plan.parent = btree_walk<Node>::node_at(root, 1, at);
    const unsigned child = at.taken(1);
    unsigned min_count = enough;
    if (child + 1U < Node::meta(plan.parent).count) plan.consider(child + 1U, true, min_count);
    if (child > 0) plan.consider(child - 1U, false, min_count);
    // Both leaves have about the same number of entries afterwards, and the new entry has a slot.
    if (plan.neighbour != nullptr) plan.moves = (Node::fanout - min_count + 1) / 2;
    return plan;
  }

  /// Returns the neighbour's slot for the new entry. No moved entry takes this slot.
  [[nodiscard]] unsigned slot() const noexcept {
    return slot_order::slot(Node::order(neighbour), Node::fanout - 1);
  }

  /// Moves the entries. Then enters the new entry, which is in `slot()`, at its rank in one of the
  /// two leaves.
  void carry_out(btree_position& at, raw number) const noexcept {
    std::byte* const leaf = at.leaf;
    const unsigned from = slot();
    const unsigned child = at.taken(1);
    bool stays = false;
    if (to_right) {
      const unsigned left = Node::fanout - moves;
      for (unsigned i = 0; i < moves; ++i) move_to_front(leaf, Node::fanout - 1 - i);
      Node::drop_entries(leaf, left);
      stays = at.rank <= left;
      if (!stays) at.rank -= left;
    } else {
      const unsigned before = Node::meta(neighbour).count;
      Node::move_entries(neighbour, leaf, 0, moves);
      drop_front(leaf);
      stays = at.rank >= moves;
      at.rank = stays ? at.rank - moves : at.rank + before;
    }
    if (stays) {
      const unsigned to = slot_order::slot(Node::order(leaf), Node::meta(leaf).count);
      if constexpr (!Node::is_plain())
        relocate(Node::key_position(leaf, to), Node::key_position(neighbour, from), 1);
      if constexpr (Node::has_values)
        relocate(Node::value_position(leaf, to), Node::value_position(neighbour, from), 1);
      Node::scrub_slot(neighbour, from);
    } else {
      const std::size_t count = Node::meta(neighbour).count;
      Node::set_order(neighbour, slot_order::exchanged(Node::order(neighbour), count, Node::fanout - 1));
      at.leaf = neighbour;
      at.take(1, to_right ? child + 1U : child - 1U);
    }
    Node::enter(at.leaf, at.rank, number);
    if constexpr (Node::is_plain()) {
      std::byte* const left = to_right ? leaf : neighbour;
      const raw last = Node::raw_at(left, Node::keys_at(), Node::meta(left).count - 1U);
      Node::set_separator(parent, to_right ? child : child - 1U, last);
    }
  }

private:
  /// If both neighbours have this many entries or more, a split is better.
  static constexpr unsigned enough = Node::fanout - 2;

  void consider(unsigned child, bool right, unsigned& min_count) noexcept {
    std::byte* const there = Node::child(parent, child);
    const unsigned count = Node::meta(there).count;
    if (count >= min_count) return;
    min_count = count;
    neighbour = there;
    to_right = right;
  }
  void move_to_front(std::byte* leaf, unsigned rank) const noexcept {
    const unsigned from = slot_order::slot(Node::order(leaf), rank);
    const unsigned to = slot_order::slot(Node::order(neighbour), Node::meta(neighbour).count);
    raw number{};
    if constexpr (Node::is_plain()) number = Node::raw_at(leaf, Node::keys_at(), rank);
    else relocate(Node::key_position(neighbour, to), Node::key_position(leaf, from), 1);
    if constexpr (Node::has_values)
      relocate(Node::value_position(neighbour, to), Node::value_position(leaf, from), 1);
    Node::enter(neighbour, 0, number);
  }
  void drop_front(std::byte* leaf) const noexcept {
    for (unsigned i = 0; i < moves; ++i) {
      const std::size_t n = Node::fanout - i;
      Node::scrub_slot(leaf, slot_order::slot(Node::order(leaf), 0));
      Node::set_order(leaf, slot_order::erased(Node::order(leaf), 0, n));
      if constexpr (Node::is_plain()) Node::erase_raw(leaf, Node::keys_at(), 0, n);
    }
    Node::meta(leaf).count = static_cast<std::uint8_t>(Node::fanout - moves);
  }
};

}}} // namespace ingot::INGOT_V1::detail
