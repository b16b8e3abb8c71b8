// SPDX-License-Identifier: Apache-2.0
// Growth of a tree: a root leaf becomes larger; full leaves are split, and so are full nodes above
// them. The memory is allocated before anything changes.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/live/detail/btree_iterator.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Nodes allocated for a change. The destructor releases the nodes that were not taken.
template <class Node>
class btree_spares {
public:
  using block_type = typename Node::block_type;

  explicit btree_spares(block_type block) noexcept : block_(block) {}
  btree_spares(const btree_spares&) = delete;
  btree_spares& operator=(const btree_spares&) = delete;
  ~btree_spares() { give_back(); }

  void give_back() noexcept {
    if (root_ != nullptr) block_.release(take_root());
    while (inner_count_ != 0) Node::release(block_, take_inner(), 1);
    while (leaf_count_ != 0) Node::release(block_, take_leaf(), 0);
  }

  [[nodiscard]] bool add_root(std::size_t bytes) noexcept {
    root_ = block_.allocate(bytes, Node::leaf_alignment());
    return root_ != nullptr;
  }
  [[nodiscard]] bool add_leaf() noexcept {
    std::byte* const node = Node::allocate(block_, 0);
    if (node == nullptr) return false;
    Node::begin_leaf(node, Node::fanout);
    leaves_[leaf_count_++] = node;
    return true;
  }
  [[nodiscard]] bool add_inner(std::size_t level) noexcept {
    std::byte* const node = Node::allocate(block_, level);
    if (node == nullptr) return false;
    Node::begin_inner(node, Node::fanout, level);
    inner_[inner_count_++] = node;
    return true;
  }

  [[nodiscard]] std::byte* root() const noexcept { return root_; }
  [[nodiscard]] std::byte* take_root() noexcept { return std::exchange(root_, nullptr); }
  /// Returns the leaf added last.
  [[nodiscard]] std::byte* leaf() const noexcept { return leaves_[leaf_count_ - 1]; }
  [[nodiscard]] std::byte* take_leaf() noexcept { return leaves_[--leaf_count_]; }
  /// Returns the inner node added last.
  [[nodiscard]] std::byte* take_inner() noexcept { return inner_[--inner_count_]; }

private:
  block_type block_;
  std::byte* root_ = nullptr;
  std::array<std::byte*, 2> leaves_;
  std::array<std::byte*, Node::highest + 1> inner_;
  std::size_t leaf_count_ = 0;
  std::size_t inner_count_ = 0;
};

/// Grows the tree that an anchor points to.
template <class Node, block_policy P>
class btree_growth {
  using node = Node;
  using walk = btree_walk<Node>;
  using position = btree_position;
  using block_type = block_ref<P>;
  using spares = btree_spares<Node>;
  using raw = typename Node::raw;

public:
  explicit btree_growth(anchor<P>& at) noexcept : at_(at) {}

  /// Returns the capacity to which a root leaf below full size grows from `capacity`.
  [[nodiscard]] static constexpr std::size_t next_capacity(std::size_t capacity) noexcept {
    constexpr std::size_t first = node::leaf_size(4) <= 256 ? 4 : 1;
    return capacity == 0 ? first : std::min<std::size_t>(node::fanout, 2 * capacity);
  }
  /// Returns true if the root leaf's storage is large enough; extends the storage if necessary. The
  /// entries stay as they are. Only for plain keys: other keys are in slots, and new slots would
  /// overlap the values.
  [[nodiscard]] bool extend_leaf(std::size_t capacity) const noexcept {
    if constexpr (!node::is_plain()) return false;
    std::byte* const root = at_.data();
    const std::size_t there = block_type::capacity_of(root);
    if (there == 0) return false;
    return there >= node::leaf_size(capacity) || block_type::of(root).extend(root, node::leaf_size(capacity));
  }
  /// Moves the values of an extended leaf to their new positions. The value of the new entry is
  /// already at its final position.
  void spread_leaf(std::byte* leaf, std::size_t capacity) const noexcept {
    const std::size_t n = node::meta(leaf).capacity;
    const std::size_t first_free = node::keys_at() + n * sizeof(raw);
    if constexpr (node::has_values) {
      auto* const from = node::value_position(leaf, 0);
      node::meta(leaf).capacity = static_cast<std::uint8_t>(capacity);
      relocate(node::value_position(leaf, 0), from, n);
      std::memset(leaf + first_free, 0, node::values_at(capacity) - first_free);
    }
    node::meta(leaf).capacity = static_cast<std::uint8_t>(capacity);
    node::fill(leaf, node::keys_at(), n, capacity);
  }
  /// Moves all entries to a larger leaf. The parts of the new entry are already in the larger leaf,
  /// but the entry has no rank yet.
  void move_leaf(position& at, std::byte* larger) const noexcept {
    std::byte* const old = at.leaf;
    node::move_entries(larger, old, 0, node::meta(old).count);
    at_.point_at(larger);
    block_type::of(larger).release(old); // does nothing for the sentinel
    at.leaf = larger;
  }

  /// Returns how many entries stay in a full leaf when the leaf is split. If the leaf is the last
  /// leaf and the new entry comes at its end, all entries stay, so that ascending keys fill their
  /// leaves.
  [[nodiscard]] static unsigned stay(std::byte* root, const position& at) noexcept {
    if (at.rank != node::fanout) return node::fanout / 2;
    for (std::size_t l = node::meta(root).level; l != 0; --l) {
      if (at.taken(l) + 1U != node::meta(root).count) return node::fanout / 2;
      root = node::child(root, at.taken(l));
    }
    return node::fanout;
  }

  /// Allocates everything that an insertion into a full leaf needs.
  [[nodiscard]] bool prepare(const position& at, spares& fresh) const noexcept {
    std::byte* const root = at_.data();
    const std::size_t height = node::meta(root).level;
    if (height == 0) {
      if (extend_for_lift()) return fresh.add_leaf();
      if (fresh.add_root(node::inner_size(4)) && fresh.add_leaf() && fresh.add_leaf()) {
        node::begin_inner(fresh.root(), 4, 1);
        return true;
      }
      // Free bytes after the root can't extend the root while they are in fastbins. Merges the
      // fastbins and tries again.
      fresh.give_back();
      const block_type block = block_type::of(root);
      return block.attached() && block.allocator().consolidate() && extend_for_lift() && fresh.add_leaf();
    }
    const std::size_t full = full_levels(at);
    // The node that was added last is taken first, and splits begin at the highest level. So the
    // node of the lowest level is added first.
    for (std::size_t l = 1; l <= full && l < height; ++l) {
      if (!fresh.add_inner(l)) return false;
    }
    if (full == height) {
      const std::size_t capacity = node::meta(root).capacity;
      if (capacity < node::fanout) {
        const std::size_t more = std::min<std::size_t>(node::fanout, 2 * capacity);
        if (!fresh.add_root(node::inner_size(more))) return false;
        node::begin_inner(fresh.root(), more, height);
      } else {
        if (height == node::highest) return false;
        if (!fresh.add_inner(height) || !fresh.add_inner(height)) return false;
      }
    }
    return fresh.add_leaf();
  }
  /// Splits a full leaf and the full nodes above it. The new entry is in the spare leaf, after the
  /// slots of the entries that will be moved there.
  void split(position& at, spares& fresh, raw number) noexcept {
    std::byte* const old_root = at_.data();
    const unsigned stays = stay(old_root, at);
    std::byte* const right = fresh.take_leaf();
    if (node::meta(old_root).level == 0) {
      if (fresh.root() == nullptr) lift_in_place(at);
      else lift_leaf(at, fresh);
    } else {
      split_inner(at, fresh, stays == node::fanout);
    }
    std::byte* const left = at.leaf;
    node::move_entries(right, left, stays, node::fanout - stays);
    node::drop_entries(left, stays);
    std::byte* const parent = walk::node_at(at_.data(), 1, at);
    const unsigned child = at.taken(1);
    if (at.rank > stays || stays == node::fanout) {
      at.rank -= stays;
      at.leaf = right;
      at.take(1, child + 1U);
      node::enter(right, at.rank, number);
    } else {
      const unsigned from = slot_order::slot(node::order(right), node::meta(right).count);
      const unsigned to = slot_order::slot(node::order(left), node::meta(left).count);
      if constexpr (!node::is_plain())
        relocate(node::key_position(left, to), node::key_position(right, from), 1);
      if constexpr (node::has_values)
        relocate(node::value_position(left, to), node::value_position(right, from), 1);
      node::scrub_slot(right, from);
      node::enter(left, at.rank, number);
    }
    raw between{};
    if constexpr (node::is_plain())
      between = node::raw_at(left, node::keys_at(), node::meta(left).count - 1U);
    node::insert_child(parent, child, between, right);
  }

private:
  /// Returns the number of full inner nodes directly above a leaf. The next node above them, if
  /// any, has space for another child.
  [[nodiscard]] std::size_t full_levels(const position& at) const noexcept {
    std::byte* const root = at_.data();
    const std::size_t height = node::meta(root).level;
    std::size_t full = 0;
    for (; full < height; ++full) {
      const node_meta& head = node::meta(walk::node_at(root, full + 1, at));
      if (head.count < head.capacity) break;
    }
    return full;
  }

  /// Returns true if a root leaf can become an inner root with a leaf directly after it. Extends
  /// the root's storage for both.
  [[nodiscard]] bool extend_for_lift() const noexcept {
    std::byte* const root = at_.data();
    constexpr std::size_t lifted = node::inner_size(4) + node::run_size(0);
    if (node::front() != 0 || node::run_size(0) != node::leaf_size(node::fanout)) return false;
    const std::size_t there = block_type::capacity_of(root);
    // The root is already this large if an earlier insertion has extended it and then ran out of
    // memory.
    if (there != node::run_size(0)) return there == lifted;
    return block_type::of(root).extend(root, lifted);
  }
  void lift_in_place(position& at) noexcept {
    constexpr std::size_t before = node::inner_size(4);
    std::byte* const root = at_.data();
    std::byte* const leaf = root + before;
    std::memmove(leaf, root, node::leaf_size(node::fanout));
    if constexpr (!node::is_plain())
      shift(node::key_position(leaf, 0), reinterpret_cast<std::byte*>(node::key_position(leaf, 0)) - before,
            node::fanout);
    if constexpr (node::has_values)
      shift(node::value_position(leaf, 0),
            reinterpret_cast<std::byte*>(node::value_position(leaf, 0)) - before, node::fanout);
    std::memset(root, 0, before);
    node::begin_inner(root, 4, 1);
    block_type::prefix_of(root).capacity = static_cast<typename P::offset_type>(before);
    node::set_child(root, 0, leaf);
    node::meta(root).count = 1;
    at.leaf = leaf;
    at.path = 0;
  }
  /// Moves the entries of a root leaf to the only child of a new inner root.
  void lift_leaf(position& at, spares& fresh) noexcept {
    std::byte* const old = at.leaf;
    std::byte* const leaf = fresh.take_leaf();
    node::move_entries(leaf, old, 0, node::fanout);
    std::byte* const root = fresh.take_root();
    node::set_child(root, 0, leaf);
    node::meta(root).count = 1;
    at_.point_at(root);
    block_type::of(root).release(old);
    at.leaf = leaf;
    at.path = 0;
  }
  /// Splits full inner nodes from the highest to the lowest.
  void split_inner(position& at, spares& fresh, bool at_end) noexcept {
    std::size_t full = full_levels(at);
    if (full == node::meta(at_.data()).level) {
      if (fresh.root() != nullptr) widen_root(fresh.take_root());
      --full;
      if (node::meta(at_.data()).count == node::fanout) raise_root(at, fresh, at_end);
    }
    for (std::size_t l = full; l != 0; --l) {
      std::byte* const parent = walk::node_at(at_.data(), l + 1, at);
      std::byte* const left = node::child(parent, at.taken(l + 1));
      halve(parent, at, l, left, fresh.take_inner(), at_end);
    }
  }
  void widen_root(std::byte* wider) noexcept {
    std::byte* const old = at_.data();
    node::move_children(wider, old, 0, node::meta(old).count);
    at_.point_at(wider);
    block_type::of(wider).release(old);
  }
  /// Moves the root's children to two nodes below it.
  void raise_root(position& at, spares& fresh, bool at_end) noexcept {
    std::byte* const root = at_.data();
    const std::size_t height = node::meta(root).level;
    std::byte* const left = fresh.take_inner();
    node::move_children(left, root, 0, node::fanout);
    node::drop_children(root, 0);
    node::meta(root).level = static_cast<std::uint8_t>(height + 1);
    node::set_child(root, 0, left);
    node::meta(root).count = 1;
    at.take(height + 1, 0);
    halve(root, at, height, left, fresh.take_inner(), at_end);
  }
  /// Moves the last children of a full node of `level` to a new node after it.
  static void halve(std::byte* parent, position& at, std::size_t level, std::byte* left, std::byte* right,
                    bool at_end) noexcept {
    const unsigned stays = at_end ? node::fanout - 1 : node::fanout / 2;
    raw between{};
    if constexpr (node::is_plain()) between = node::separator(left, stays - 1);
    node::move_children(right, left, stays, node::fanout - stays);
    node::drop_children(left, stays);
    const unsigned child = at.taken(level + 1);
    node::insert_child(parent, child, between, right);
    if (at.taken(level) >= stays) {
      at.take(level, at.taken(level) - stays);
      at.take(level + 1, child + 1U);
    }
  }

  anchor<P>& at_;
};

}}} // namespace ingot::INGOT_V1::detail
