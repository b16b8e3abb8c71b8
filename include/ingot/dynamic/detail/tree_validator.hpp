// SPDX-License-Identifier: Apache-2.0
// Validates a tree in untrusted bytes, by the types of its keys and values at run time. Makes the
// checks of live/detail/btree_validator.hpp.
#pragma once

#include <ingot/dynamic/detail/claims.hpp>
#include <ingot/dynamic/detail/keys.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Validates nodes and their order. The caller must validate each entry, unless its key and value
/// are numbers.
class tree_validator : public block_claims {
public:
  using block_claims::block_claims;

protected:
  /// State of a walk over a tree.
  struct tree_walk {
    struct level {
      std::uint64_t node;
      unsigned next;
    };
    std::array<level, tree_shape::highest + 1> levels;
    std::uint64_t root;
    unsigned height;
    unsigned at;
    std::uint64_t leaf;
    unsigned rank;
    std::uint64_t seen;
    std::uint64_t last; ///< lower bound of the next key
    bool begun;
    std::uint64_t last_key; ///< position of the previous key; 0: none, or keys are numbers
  };

  /// Saved state of a walk in the middle of a leaf. The walk continues after the containers in the
  /// current entry are validated.
  struct saved_tree {
    std::uint64_t path; ///< a nibble with the child for each level; the lowest is for level 1
    std::uint64_t last; ///< position of the previous key, if keys are not numbers
    std::uint64_t seen;
    std::uint64_t rank;
  };
  [[nodiscard]] static saved_tree save(const tree_shape& shape, const tree_walk& t) noexcept {
    std::uint64_t path = 0;
    for (unsigned level = t.height; level != 0; --level) path = path << 4 | (t.levels[level].next - 1);
    return {path, shape.is_plain() ? t.last : t.last_key, t.seen, t.rank};
  }
  /// Restores a walk. O(height). Requires that the nodes on the path are validated.
  void load(const tree_shape& shape, std::uint64_t root, const saved_tree& from,
            tree_walk& t) const noexcept {
    tree_node node{&in_, &shape, root};
    t.root = root;
    t.height = node.level();
    for (unsigned level = t.height; level != 0; --level) {
      const auto child = static_cast<unsigned>(from.path >> 4 * (level - 1) & 15);
      t.levels[level] = {node.position, child + 1};
      node = node.child(child);
    }
    t.at = t.height == 0 ? 0 : 1;
    t.leaf = node.position;
    t.rank = static_cast<unsigned>(from.rank);
    t.seen = from.seen;
    t.last = t.last_key = from.last;
    t.begun = true;
  }

  /// Validates the root. Sets `t.root` to 0 for an empty tree without a storage.
  [[nodiscard]] bool begin_tree(const type& of, std::uint64_t position, tree_walk& t) {
    const tree_shape shape = tree_of(tables_, of);
    const std::uint64_t size = in_.count(position);
    const std::uint64_t root = claim(position, size == 0 ? 0 : 8, shape.leaf_alignment());
    if (root == nowhere) return false;
    t.root = 0;
    if (root == sentinel_position) return true;
    const tree_node node{&in_, &shape, root};
    const std::uint64_t bytes = in_.capacity(root);
    if (!is_clean(root) || node.level() > tree_shape::highest)
      return reject(errc::bad_padding, root, "a root of up to 16 levels");
    const unsigned node_capacity = node.capacity();
    const bool fits = node.level() == 0 ? node_capacity >= 1 && node_capacity <= tree_shape::fanout &&
                                              shape.leaf_size(node_capacity) <= bytes
                                        : node_capacity >= 4 && node_capacity <= tree_shape::fanout &&
                                              node_capacity % 4 == 0 &&
                                              shape.inner_size(node_capacity) <= bytes && node.count() >= 1;
    if (!fits || node.count() > node_capacity)
      return reject(errc::bad_length, root, "a root whose entries fit into its storage");
    t = {};
    t.root = root;
    t.height = t.at = node.level();
    t.leaf = nowhere;
    if (t.height == 0) {
      t.leaf = root;
      return check_leaf(node, t);
    }
    t.levels[t.height] = {root, 0};
    return check_filling(node);
  }
  /// Checks that a key follows the previous key in order. Requires that the key is validated.
  [[nodiscard]] bool check_key(const tree_shape& shape, tree_walk& t, std::uint64_t key) {
    if (shape.is_plain()) return true; // `check_leaf` has already checked such keys
    if (!is_normal(in_, key, *shape.key))
      return reject(errc::not_canonical, key, "a key without NaN and negative zero");
    if (t.last_key != 0) {
      const int order = compare(in_, t.last_key, in_, key, *shape.key);
      if (order > 0) return reject(errc::unsorted_keys, key, "keys in ascending order");
      if (order == 0 && !shape.multi) return reject(errc::duplicate_key, key, "each key once");
    }
    t.last_key = key;
    return true;
  }
  /// Advances to the next leaf. Sets `more` to false if there is no next leaf.
  [[nodiscard]] bool next_leaf(const tree_shape& shape, tree_walk& t, bool& more) {
    while (t.height != 0) {
      auto& at = t.levels[t.at];
      const tree_node node{&in_, &shape, at.node};
      if (at.next == node.count()) {
        if (t.at == t.height) return true;
        ++t.at;
        continue;
      }
      const unsigned i = at.next++;
      if (shape.is_plain() && i != 0) {
        const std::uint64_t between = node.separator(i - 1);
        if (between < t.last)
          return reject(errc::unsorted_keys, at.node, "a separator not below the keys in front of it");
        t.last = between;
      }
      const std::uint64_t child = claim_child(node, i, t.at - 1);
      if (child == nowhere) return false;
      const tree_node below{&in_, &shape, child};
      if (t.at == 1) {
        if (!check_leaf(below, t)) return false;
        t.leaf = child;
        t.rank = 0;
        more = true;
        return true;
      }
      if (!check_filling(below)) return false;
      t.levels[--t.at] = {child, 0};
    }
    return true;
  }
  [[nodiscard]] std::uint64_t claim_child(const tree_node& parent, unsigned i, unsigned level) {
    const tree_shape& shape = *parent.shape;
    const std::uint64_t link = parent.link_at(i);
    const std::uint64_t child = parent.child(i).position;
    const std::uint64_t front = level == 0 ? shape.front() : 0;
    const std::uint64_t run = child - front;
    const std::uint64_t bytes = shape.run_size(level);
    if (child % (level == 0 ? shape.leaf_alignment() : 8) != 0)
      return reject(errc::misaligned, link, "an aligned node"), nowhere;
    if (!claim_run(run, bytes, link)) return nowhere;
    if (front != 0 && (in_.offset(run + tables_.offset) != run || in_.offset(run) != bytes - front))
      return reject(errc::bad_length, run, "a node that knows where it is"), nowhere;
    const tree_node child_node{&in_, &shape, child};
    if (!is_clean(child) || child_node.level() != level || child_node.capacity() != tree_shape::fanout ||
        child_node.count() < 1 || child_node.count() > tree_shape::fanout)
      return reject(errc::bad_length, child, "a node of 1 to 16 on its level"), nowhere;
    return child;
  }
  [[nodiscard]] bool is_clean(std::uint64_t node) const noexcept { return all_zero(node + 3, 5); }
  [[nodiscard]] bool check_filling(const tree_node& inner) {
    if (!inner.shape->is_plain()) return true;
    for (unsigned i = inner.count() - 1; i < inner.capacity(); ++i) {
      if (inner.separator(i) != memory::largest(*inner.shape->key))
        return reject(errc::bad_padding, inner.position, "the largest key as filling");
    }
    return true;
  }
  /// Checks the slot order of a leaf. If the keys are numbers, also checks their order, and that
  /// unused keys contain the largest number.
  [[nodiscard]] bool check_leaf(const tree_node& leaf, tree_walk& t) {
    if (!slot_order::is_valid(leaf.order(), leaf.capacity()))
      return reject(errc::bad_padding, leaf.position + 8, "an order that names each slot once");
    if (!leaf.shape->is_plain()) return true;
    for (unsigned i = 0; i < leaf.capacity(); ++i) {
      const std::uint64_t number = in_.ordered(*leaf.shape->key, leaf.key(i));
      if (i >= leaf.count()) {
        if (number != memory::largest(*leaf.shape->key))
          return reject(errc::bad_padding, leaf.position, "the largest key as filling");
        continue;
      }
      if (t.begun && (leaf.shape->multi ? number < t.last : number <= t.last)) {
        static_cast<void>(number == t.last
                              ? reject(errc::duplicate_key, leaf.position, "each key once")
                              : reject(errc::unsorted_keys, leaf.position, "keys in ascending order"));
        why_->in_element(t.seen + i);
        return false;
      }
      t.last = number;
      t.begun = true;
    }
    return true;
  }
};

}}} // namespace ingot::INGOT_V1::detail::dyn
