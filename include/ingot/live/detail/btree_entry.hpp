// SPDX-License-Identifier: Apache-2.0
// Construction and destruction of entries in the leaves of a tree, and destruction of whole trees.
#pragma once

#include <ingot/live/detail/btree_node.hpp>

#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class Node>
struct btree_entry {
  using key_type = typename Node::key_type;
  using value = typename Node::value;
  using block_type = typename Node::block_type;

  static consteval bool holds_any() { return holds_offsets<key_type> || holds_offsets<value>; }

  /// Constructs key and value in a free slot. But a plain key, which is a number, is not stored
  /// here: the caller stores this key when the entry gets its rank. The arguments may refer to
  /// other entries. If this returns false, nothing is constructed.
  template <class Q, class... A>
  [[nodiscard]] static INGOT_INLINE bool make(std::byte* leaf, std::size_t slot, block_type block, Q&& key,
                                              A&&... arguments) {
    if constexpr (Node::is_plain()) {
      if constexpr (Node::has_values)
        return construct(Node::value_position(leaf, slot), block, std::forward<A>(arguments)...);
      else return true;
    } else {
      key_type* const key_at = Node::key_position(leaf, slot);
      if (!construct(key_at, block, std::forward<Q>(key))) return false;
      normalize_key(*key_at);
      if constexpr (Node::has_values) {
        key_without_value guard(key_at, block);
        if (!construct(Node::value_position(leaf, slot), block, std::forward<A>(arguments)...)) return false;
        guard.key = nullptr;
      }
      return true;
    }
  }
  /// Destroys what an entry holds; the entry's bytes stay.
  static void destroy(std::byte* leaf, std::size_t rank, block_type block) noexcept {
    if constexpr (holds_offsets<key_type>)
      detail::destroy(const_cast<key_type&>(Node::key(leaf, rank)), block);
    if constexpr (holds_offsets<value>) detail::destroy(Node::mapped(leaf, rank), block);
  }

  static void destroy_tree(std::byte* root, block_type block) noexcept {
    if (block_type::capacity_of(root) == 0) return; // the sentinel
    empty(root, Node::meta(root).level, block);
    block.release(root);
  }

private:
  /// The destructor destroys the key if the value could not be constructed.
  struct key_without_value {
    key_type* key;
    block_type block;
    key_without_value(key_type* constructed, block_type in) noexcept : key(constructed), block(in) {}
    key_without_value(const key_without_value&) = delete;
    key_without_value& operator=(const key_without_value&) = delete;
    INGOT_INLINE ~key_without_value() {
      if (key == nullptr) [[likely]]
        return;
      detail::destroy(*key, block);
      scrub(key, 1);
    }
  };

  /// Destroys everything below a node, but not the node.
  static void empty(std::byte* at, std::size_t level, block_type block) noexcept {
    const std::size_t count = Node::meta(at).count;
    if (level == 0) {
      if constexpr (holds_any()) {
        for (std::size_t i = 0; i < count; ++i) destroy(at, i, block);
      }
      return;
    }
    for (std::size_t i = 0; i < count; ++i) { // recursion as deep as the tree is high
      std::byte* const child = Node::child(at, i);
      empty(child, level - 1, block);
      Node::release(block, child, level - 1);
    }
  }
};

}}} // namespace ingot::INGOT_V1::detail
