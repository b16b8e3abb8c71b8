// SPDX-License-Identifier: Apache-2.0
// Builds a packed tree from sorted entries. Allocates its storages in the order in which they are
// validated later (the canonical order): the root, then each child with all its descendants, from
// the first child to the last. The storages that the entries of a leaf hold follow the leaf: for
// each entry, the storages of the key come first. All nodes except the last node of each level are
// full. A tree of up to 16 entries is one leaf, whose capacity is the number of entries.
#pragma once

#include <ingot/live/detail/btree_entry.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if sorted, distinct keys of type `Q` are also sorted and distinct after conversion
/// to `K`.
template <class K, class Q>
consteval bool keeps_order() {
  if constexpr (std::is_same_v<K, Q>) {
    return true;
  } else if constexpr (text_key<K>) {
    return text_key<Q>;
  } else if constexpr (is_array_like<K> && is_array_like<Q>) {
    return keeps_order<std::remove_cv_t<element_t<K>>, std::remove_cv_t<element_t<Q>>>();
  } else if constexpr (is_specialization<K, std::pair> && is_specialization<Q, std::pair>) {
    return keeps_order<typename K::first_type, typename Q::first_type>() &&
           keeps_order<typename K::second_type, typename Q::second_type>();
  } else if constexpr (kind_of<K> == kind::sequence && kind_of<Q> == kind::sequence) {
    return keeps_order<element_t<K>, element_t<Q>>();
  } else if constexpr (are_twins<K, Q>()) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (keeps_order<std::remove_cv_t<member_type<K, I>>, std::remove_cv_t<member_type<Q, I>>>() && ...);
    }(std::make_index_sequence<member_count<K>>{});
  } else {
    return false;
  }
}

/// Builds a tree from entries in ascending order. Their number must be at most the number that was
/// passed to `begin`. The destructor destroys the tree unless `take` was called.
template <class Node>
class btree_builder {
  using block_type = typename Node::block_type;
  using entries = btree_entry<Node>;

public:
  explicit btree_builder(block_type block) noexcept : block_(block) {}
  btree_builder(const btree_builder&) = delete;
  btree_builder& operator=(const btree_builder&) = delete;
  ~btree_builder() {
    if (root_ != nullptr) entries::destroy_tree(root_, block_);
  }

  /// Prepares for `count` entries, at least 1. Returns false if memory runs out.
  [[nodiscard]] bool begin(std::size_t count) noexcept {
    std::size_t children = (count + Node::fanout - 1) / Node::fanout;
    height_ = children > 1 ? 1 : 0;
    for (; children > Node::fanout; ++height_) children = (children + Node::fanout - 1) / Node::fanout;
    if (height_ > Node::highest) return false;
    const std::size_t capacity = height_ == 0 ? count : Node::round_children(children);
    const std::size_t bytes = height_ == 0 ? Node::leaf_size(capacity) : Node::inner_size(capacity);
    root_ = block_.allocate(bytes, Node::leaf_alignment());
    if (root_ == nullptr) return false;
    if (height_ == 0) Node::begin_leaf(root_, capacity);
    else Node::begin_inner(root_, capacity, height_);
    path_[height_] = root_;
    return true;
  }
  template <class Q, class... A>
  [[nodiscard]] bool add(Q&& key, A&&... arguments) {
    if (is_full(0) && !open_leaf()) return false;
    std::byte* const leaf = path_[0];
    const std::size_t rank = Node::meta(leaf).count;
    if constexpr (Node::is_plain()) last_ = raw_key(static_cast<const typename Node::key_type&>(key));
    if (!entries::make(leaf, rank, block_, std::forward<Q>(key), std::forward<A>(arguments)...)) return false;
    if constexpr (Node::is_plain()) Node::set_raw(leaf, Node::keys_at(), rank, last_);
    ++Node::meta(leaf).count;
    ++size_;
    return true;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::byte* take() noexcept { return std::exchange(root_, nullptr); }

private:
  [[nodiscard]] bool is_full(std::size_t level) const noexcept {
    return path_[level] == nullptr || Node::meta(path_[level]).count == Node::meta(path_[level]).capacity;
  }
  /// Adds the next leaf and the inner nodes that it needs, parents before children.
  [[nodiscard]] INGOT_NOINLINE bool open_leaf() noexcept {
    std::size_t level = 1;
    while (level <= height_ && is_full(level)) ++level;
    if (level > height_) return false; // more entries than `begin` has prepared for
    for (; level != 0; --level) {
      std::byte* const parent = path_[level];
      std::byte* const fresh = Node::allocate(block_, level - 1);
      if (fresh == nullptr) return false;
      if (level == 1) Node::begin_leaf(fresh, Node::fanout);
      else Node::begin_inner(fresh, Node::fanout, level - 1);
      const std::size_t count = Node::meta(parent).count;
      if constexpr (Node::is_plain()) {
        if (count != 0) Node::set_separator(parent, count - 1, last_);
      }
      Node::set_child(parent, count, fresh);
      ++Node::meta(parent).count;
      path_[level - 1] = fresh;
    }
    return true;
  }

  block_type block_;
  std::byte* root_ = nullptr;
  std::size_t height_ = 0;
  std::size_t size_ = 0;
  typename Node::raw last_{};
  std::array<std::byte*, Node::highest + 1> path_{};
};

}}} // namespace ingot::INGOT_V1::detail
