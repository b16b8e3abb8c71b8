// SPDX-License-Identifier: Apache-2.0
// The tree of the ordered containers: search, insertion and erasure. Everything that can fail is
// done first: nodes for splits are allocated, then the new entry is constructed in its final slot,
// then the tree changes. Copying is in btree_copy.hpp, validation of untrusted bytes in
// btree_validator.hpp.
#pragma once

#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/btree_entry.hpp>
#include <ingot/live/detail/btree_growth.hpp>
#include <ingot/live/detail/btree_iterator.hpp>
#include <ingot/live/detail/btree_lean.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// With `Multi`, keys may repeat.
template <class K, class V, block_policy P, bool Multi>
class INGOT_DEBUG_TYPE btree {
protected:
  using node = btree_node<K, V, P>;
  using walk = btree_walk<node>;
  using entries = btree_entry<node>;
  using position = btree_position;
  using block_type = block_ref<P>;
  using offset_type = typename P::offset_type;
  using growth = btree_growth<node, P>;
  using raw = typename node::raw;

  static constexpr std::size_t max_entries = static_cast<offset_type>(-1) / 2;

  /// Returns a key in the form in which it is compared: a number for a plain key.
  template <class Q>
  [[nodiscard]] static INGOT_INLINE decltype(auto) query(const Q& key) noexcept {
    if constexpr (node::is_plain()) require_no_rounding<Q>();
    if constexpr (!node::is_plain()) return (key);
    else if constexpr (std::is_same_v<Q, K>) return raw_key(key);
    else return raw_key(static_cast<K>(key));
  }

  /// Returns the position of an entry with the queried key, or the position where such an entry
  /// would be inserted. Among equal keys, this is the position of the first key or, if `Upper`, the
  /// position after the last key. The rank may be past the last entry of the leaf.
  template <bool Upper, class S>
  [[nodiscard]] static INGOT_INLINE position descend(std::byte* at, const S& query) {
    // If keys are unique and the first keys of the children are the separators, a key that equals a
    // separator is in the child that begins with this key.
    constexpr bool to_last = Upper || (!Multi && !node::is_plain());
    position found;
    const std::size_t height = node::meta(at).level;
    for (std::size_t l = height; l != 0; --l) {
      const unsigned child = node::template find_child<to_last>(at, l, query);
      found.path |= std::uint64_t{child} << 4 * (l - 1);
      at = node::child(at, child);
    }
    found.leaf = at;
    found.rank = node::template find_rank<Upper>(at, query, height != 0);
    return found;
  }
  /// Returns the position of a key. If the key is absent, the position has no leaf.
  template <class S>
  [[nodiscard]] INGOT_INLINE position find_position(const S& query) const {
    if (size_ == 0) return {};
    std::byte* const root = at_.data();
    position found = descend<false>(root, query);
    if constexpr (Multi) {
      found.rank = node::template complete_rank<false>(found.leaf, found.rank, query);
      if (found.rank >= node::meta(found.leaf).count) walk::settle(root, found);
      if (found.leaf == nullptr) return {};
    }
    return node::holds(found.leaf, found.rank, query) ? found : position{};
  }
  template <bool Upper, class S>
  [[nodiscard]] position bound_position(const S& query) const {
    if (size_ == 0) return {};
    std::byte* const root = at_.data();
    position found = descend<Upper>(root, query);
    found.rank = node::template complete_rank<Upper>(found.leaf, found.rank, query);
    if (found.rank >= node::meta(found.leaf).count) walk::settle(root, found);
    return found;
  }
  [[nodiscard]] INGOT_INLINE position first_position() const noexcept {
    return size_ == 0 ? position{} : walk::first(at_.data());
  }

  /// Adds an entry, and returns its position and true. If there is an entry with the key, returns
  /// the position of that entry and false. If memory runs out, the position has no leaf.
  template <class Q, class... A>
  INGOT_INLINE std::pair<position, bool> add(Q&& key, A&&... arguments) {
    if (!at_.bound()) [[unlikely]]
      return {};
    std::byte* const root = at_.data();
    const auto number = [&] {
      if constexpr (node::is_plain()) return query(key);
      else return raw{};
    }();
    position at;
    if constexpr (node::is_plain()) at = descend<Multi>(root, number);
    else at = descend<Multi>(root, key);
    if constexpr (!Multi) {
      bool there = false;
      if constexpr (node::is_plain()) there = node::holds(at.leaf, at.rank, number);
      else there = node::holds(at.leaf, at.rank, key);
      if (there) return {at, false};
    }
    const node_meta& head = node::meta(at.leaf);
    if (head.count == head.capacity) [[unlikely]] {
      // `add_growing` searches for a plain key again, so that this function doesn't have to keep
      // the position.
      return add_growing(node::is_plain() ? position{} : at, number, std::forward<Q>(key),
                         std::forward<A>(arguments)...);
    }
    const bool full_size = head.capacity == node::fanout;
    const std::uint64_t order = node::order(at.leaf);
    const unsigned slot = full_size ? slot_order::last(order) : slot_order::slot(order, head.count);
    if (!entries::make(at.leaf, slot, block_type::of(root), std::forward<Q>(key),
                       std::forward<A>(arguments)...)) [[unlikely]]
      return {};
    INGOT_NOTE(root, 1, inserted);
    if (full_size) [[likely]]
      node::enter_last(at.leaf, at.rank, number);
    else node::enter(at.leaf, at.rank, number);
    ++size_;
    return {at, true};
  }

  /// Removes an entry and moves `at` to the next entry.
  void remove(position& at) noexcept {
    std::byte* const leaf = at.leaf;
    std::byte* const root = at_.data();
    const std::size_t n = node::meta(leaf).count;
    INGOT_NOTE(root, 1, erased);
    if constexpr (holds_offsets<K> || holds_offsets<typename node::value>)
      entries::destroy(leaf, at.rank, block_type::of(root));
    node::take_out(leaf, at.rank);
    --size_;
    if (n <= node::quarter && leaf != root) [[unlikely]]
      tidy(at);
    else if (at.rank == n - 1) walk::settle(root, at);
  }

  /// Removes the entry with the key. Returns false if there is none.
  template <class S>
  INGOT_INLINE bool remove_key(const S& query) {
    position at = find_position(query);
    if (at.leaf == nullptr) return false;
    if constexpr (node::is_plain() && !entries::holds_any()) {
      if (node::meta(at.leaf).count > node::quarter) [[likely]] {
        INGOT_NOTE(at_.data(), 1, erased);
        node::take_out(at.leaf, at.rank);
        --size_;
      } else {
        remove_from_few(query);
      }
    } else {
      remove(at);
    }
    return true;
  }

  void clear_tree() noexcept {
    if (!at_.bound()) return;
    std::byte* const root = at_.data();
    const block_type block = block_type::of(root);
    if (block_type::capacity_of(root) == 0) return;
    size_ = 0;
    at_.point_at(block.sentinel());
    entries::destroy_tree(root, block);
  }
  anchor<P> at_;
  offset_type size_ = 0;

private:
  template <class Q, class... A>
  [[nodiscard]] INGOT_NOINLINE std::pair<position, bool> add_growing(position at, raw number, Q&& key,
                                                                     A&&... arguments) {
    if (size_ >= max_entries) return {};
    std::byte* const root = at_.data();
    const block_type block = block_type::of(root);
    if constexpr (node::is_plain()) {
      at = descend<Multi>(root, number);
      at.rank = node::template complete_rank<Multi>(at.leaf, at.rank, number);
    }
    growth grow(at_);
    const std::size_t height = node::meta(root).level;
    const std::size_t capacity = node::meta(root).capacity;
    if (height == 0 && capacity < node::fanout) {
      if (!add_to_larger(at, grow, std::forward<Q>(key), std::forward<A>(arguments)...)) return {};
      node::enter(at.leaf, at.rank, number);
    } else if (const auto plan = find_neighbour(root, at); plan.neighbour != nullptr) {
      if (!entries::make(plan.neighbour, plan.slot(), block, std::forward<Q>(key),
                         std::forward<A>(arguments)...)) {
        return {};
      }
      plan.carry_out(at, number);
    } else {
      btree_spares<node> fresh(block);
      if (!grow.prepare(at, fresh)) return {};
      // The entry is constructed in a leaf that is not yet part of the tree. Its slot follows the
      // slots of the entries that will be moved there.
      const unsigned slot = node::fanout - growth::stay(at_.data(), at);
      if (!entries::make(fresh.leaf(), slot, block, std::forward<Q>(key), std::forward<A>(arguments)...))
        return {};
      grow.split(at, fresh, number);
    }
    // Records nothing for an empty tree: its root is the sentinel of all empty containers.
    INGOT_NOTE(root, size_ != 0 ? 1 : 0, inserted);
    ++size_;
    return {at, true};
  }
  INGOT_NOINLINE void remove_from_few(const raw number) noexcept {
    position at = find_position(number);
    remove(at);
  }
  [[nodiscard]] static btree_lean<node> find_neighbour(std::byte* root, const position& at) noexcept {
    if (node::meta(root).level == 0 || growth::stay(root, at) == node::fanout) return {};
    return btree_lean<node>::find(root, at);
  }
  /// Constructs the parts of an entry in the first free slot of a larger root leaf, extended in
  /// place or newly allocated.
  template <class Q, class... A>
  [[nodiscard]] bool add_to_larger(position& at, growth& grow, Q&& key, A&&... arguments) {
    const std::size_t capacity = node::meta(at.leaf).capacity;
    const std::size_t wanted = growth::next_capacity(capacity);
    const block_type block = block_type::of(at.leaf);
    if (grow.extend_leaf(wanted)) {
      if constexpr (node::is_plain() && node::has_values) {
        V* const added = reinterpret_cast<V*>(at.leaf + node::values_at(wanted)) + capacity;
        if (!construct(added, block, std::forward<A>(arguments)...)) return false;
      }
      grow.spread_leaf(at.leaf, wanted);
      return true;
    }
    btree_spares<node> fresh(block);
    std::size_t got = wanted;
    if (!fresh.add_root(node::leaf_size(wanted))) {
      got = capacity + 1;
      if (!fresh.add_root(node::leaf_size(got))) return false;
    }
    node::begin_leaf(fresh.root(), got);
    if (!entries::make(fresh.root(), capacity, block, std::forward<Q>(key), std::forward<A>(arguments)...))
      return false;
    grow.move_leaf(at, fresh.take_root());
    return true;
  }

  /// Called after an erasure that leaves few entries in a leaf: merges nodes with a neighbour,
  /// removes empty nodes, and lowers the root.
  INGOT_NOINLINE void tidy(position& at) noexcept {
    std::byte* const root = at_.data();
    const block_type block = block_type::of(root);
    const std::size_t height = node::meta(root).level;
    for (std::size_t l = 0; l < height; ++l) {
      std::byte* const parent = walk::node_at(root, l + 1, at);
      const unsigned child = at.taken(l + 1);
      std::byte* const underfull = node::child(parent, child);
      const unsigned n = node::meta(underfull).count;
      if (n >= node::quarter) break;
      const unsigned siblings = node::meta(parent).count;
      const auto fits = [&](unsigned neighbour) {
        return n + node::meta(node::child(parent, neighbour)).count <= node::fanout * 3 / 4;
      };
      if (n == 0) {
        node::erase_child(parent, child, child + 1U < siblings ? child : child - 1U);
        node::release(block, underfull, l);
        at.restart_below(l + 1);
      } else if (child + 1U < siblings && fits(child + 1U)) {
        join(parent, child, l, block);
      } else if (child > 0 && fits(child - 1U)) {
        const unsigned before = node::meta(node::child(parent, child - 1U)).count;
        if (l == 0) at.rank += before;
        else at.take(l, at.taken(l) + before);
        at.take(l + 1, child - 1U);
        join(parent, child - 1U, l, block);
      } else {
        break;
      }
    }
    if (node::meta(root).count == 0) {
      at_.point_at(block.sentinel());
      block.release(root);
      at = {};
      return;
    }
    walk::settle(root, at);
    lower_root();
    if (at.leaf != nullptr) walk::settle(at_.data(), at);
  }
  /// Moves the content of child `i + 1` to child `i`.
  static void join(std::byte* parent, std::size_t i, std::size_t level, block_type block) noexcept {
    std::byte* const left = node::child(parent, i);
    std::byte* const right = node::child(parent, i + 1);
    if (level == 0) {
      node::move_entries(left, right, 0, node::meta(right).count);
    } else {
      if constexpr (node::is_plain()) {
        node::set_separator(left, node::meta(left).count - 1U, node::separator(parent, i));
      }
      node::move_children(left, right, 0, node::meta(right).count);
    }
    node::erase_child(parent, i + 1, i);
    node::release(block, right, level);
  }
  /// Replaces a root that has only one child by this child. Repeats this until the root has more
  /// children or is a leaf, or memory runs out.
  void lower_root() noexcept {
    for (;;) {
      std::byte* const root = at_.data();
      const node_meta head = node::meta(root);
      if (head.level == 0 || head.count != 1) return;
      const block_type block = block_type::of(root);
      std::byte* const child = node::child(root, 0);
      const std::size_t count = node::meta(child).count;
      if (head.level == 1) {
        const std::size_t capacity = count <= node::fanout / 2 ? node::fanout / 2 : node::fanout;
        std::byte* const leaf = block.allocate(node::leaf_size(capacity), node::leaf_alignment());
        if (leaf == nullptr) return;
        node::begin_leaf(leaf, capacity);
        node::move_entries(leaf, child, 0, count);
        at_.point_at(leaf);
        node::release(block, child, 0);
        block.release(root);
        return;
      }
      if (count <= head.capacity) {
        node::drop_children(root, 0);
        node::meta(root).level = static_cast<std::uint8_t>(head.level - 1);
        node::move_children(root, child, 0, count);
      } else {
        const std::size_t capacity = node::round_children(count);
        std::byte* const wider = block.allocate(node::inner_size(capacity), 8);
        if (wider == nullptr) return;
        node::begin_inner(wider, capacity, head.level - 1U);
        node::move_children(wider, child, 0, count);
        at_.point_at(wider);
        block.release(root);
      }
      node::release(block, child, head.level - 1U);
    }
  }
};

}}} // namespace ingot::INGOT_V1::detail
