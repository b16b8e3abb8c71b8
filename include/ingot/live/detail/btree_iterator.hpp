// SPDX-License-Identifier: Apache-2.0
// Positions in a tree, and the iterators. Nodes refer to neither parent nor sibling. A position
// stores which child was taken on each level, in four bits per level. So the leaf after the current
// one is found without comparing keys.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/btree_node.hpp>
#include <ingot/live/detail/iterator_origin.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The position of an entry: its leaf, its rank there, and the path to the leaf. The end has no
/// leaf.
struct btree_position {
  std::byte* leaf = nullptr;
  std::uint64_t path = 0;
  std::uint32_t rank = 0;

  /// Returns the child taken in the inner node of `level`, which counts from 1.
  [[nodiscard]] INGOT_INLINE unsigned taken(std::size_t level) const noexcept {
    return static_cast<unsigned>(path >> 4 * (level - 1) & 15);
  }
  INGOT_INLINE void take(std::size_t level, std::size_t child) noexcept {
    const std::size_t by = 4 * (level - 1);
    path = (path & ~(std::uint64_t{15} << by)) | std::uint64_t{child} << by;
  }
  /// Sets the path below `level` to the first child of each node, and the rank to 0.
  INGOT_INLINE void restart_below(std::size_t level) noexcept {
    path = level > 16 ? 0 : path & ~((std::uint64_t{1} << 4 * (level - 1)) - 1);
    rank = 0;
  }
  friend INGOT_INLINE bool operator==(const btree_position& a, const btree_position& b) noexcept {
    return a.leaf == b.leaf && a.rank == b.rank;
  }
};

/// Moves positions in a tree whose root holds at least one entry. All functions are O(height).
template <class Node>
struct btree_walk {
  [[nodiscard]] static std::byte* node_at(std::byte* root, std::size_t level,
                                          const btree_position& position) noexcept {
    for (std::size_t l = Node::meta(root).level; l > level; --l) root = Node::child(root, position.taken(l));
    return root;
  }

  [[nodiscard]] static btree_position first(std::byte* root) noexcept {
    for (std::size_t l = Node::meta(root).level; l != 0; --l) root = Node::child(root, 0);
    return {root, 0, 0};
  }
  [[nodiscard]] static btree_position last(std::byte* root) noexcept {
    btree_position position;
    descend_last(root, Node::meta(root).level, position);
    return position;
  }
  /// Moves to the last entry under `node`.
  static void descend_last(std::byte* node, std::size_t level, btree_position& position) noexcept {
    for (; level != 0; --level) {
      const unsigned child = Node::meta(node).count - 1U;
      position.take(level, child);
      node = Node::child(node, child);
    }
    position.leaf = node;
    position.rank = Node::meta(node).count - 1U;
  }

  /// Sets the leaf from the path. If a number of the path is past the last child of its node, or
  /// the rank is past the last entry of the leaf, moves to the next entry, or to the end.
  static void settle(std::byte* root, btree_position& position) noexcept {
    const std::size_t height = Node::meta(root).level;
    std::size_t branch_level = height + 1; // lowest level with a child after the taken child
    std::byte* after = nullptr;
    std::byte* node = root;
    for (std::size_t l = height; l != 0; --l) {
      const unsigned child = position.taken(l);
      const unsigned count = Node::meta(node).count;
      if (child >= count) return advance(after, branch_level, position);
      if (child + 1 < count) {
        branch_level = l;
        after = node;
      }
      node = Node::child(node, child);
    }
    if (position.rank >= Node::meta(node).count) return advance(after, branch_level, position);
    position.leaf = node;
  }
  /// Moves from the first entry of a leaf to the previous entry, or from the end to the last entry.
  static void retreat(std::byte* root, btree_position& position) noexcept {
    if (position.leaf == nullptr) {
      position = last(root);
      return;
    }
    std::size_t l = 1;
    while (position.taken(l) == 0) ++l; // a previous entry exists, so the loop ends
    position.take(l, position.taken(l) - 1U);
    descend_last(Node::child(node_at(root, l, position), position.taken(l)), l - 1, position);
  }

private:
  static void advance(std::byte* node, std::size_t level, btree_position& position) noexcept {
    if (node == nullptr) {
      position = {};
      return;
    }
    const unsigned child = position.taken(level) + 1;
    position.restart_below(level);
    position.take(level, child);
    node = Node::child(node, child);
    for (--level; level != 0; --level) node = Node::child(node, 0);
    position.leaf = node;
  }
};

/// The result of `->` of iterators that create references on demand. Holds such a reference.
template <class Reference>
struct arrow_proxy {
  Reference reference;
  [[nodiscard]] Reference* operator->() noexcept { return std::addressof(reference); }
};

template <class Node, bool Const>
struct btree_reference {
  using type =
      std::pair<const typename Node::key_type&,
                std::conditional_t<Const, const typename Node::mapped_type&, typename Node::mapped_type&>>;
  using entry = std::pair<typename Node::key_type, typename Node::mapped_type>;
  // The value type of the iterators: `entry` if the standard library finds a common reference of
  // `type` and `entry`, otherwise `type`.
  using value = std::conditional_t<std::common_reference_with<type&&, entry&>, entry, type>;
};
template <class Node, bool Const>
  requires(!Node::has_values)
struct btree_reference<Node, Const> {
  using type = const typename Node::key_type&;
  using value = typename Node::key_type;
};

/// Bidirectional iterator. Valid until the next insertion into or erasure from its container, like
/// an iterator of std::flat_map. `++` and `--` are O(1), but about one call in sixteen is
/// O(height).
template <class Node, bool Const>
class INGOT_DEBUG_TYPE btree_iterator {
  using walk = btree_walk<Node>;

public:
  using reference = typename btree_reference<Node, Const>::type;
  using value_type = typename btree_reference<Node, Const>::value;
  using difference_type = std::ptrdiff_t;
  using pointer = std::conditional_t<std::is_reference_v<reference>, std::add_pointer_t<reference>,
                                     arrow_proxy<reference>>;
  using iterator_concept = std::bidirectional_iterator_tag;
  // Bidirectional, because std::prev requires this category. For this category, the standard also
  // requires that `*` returns a real reference. Here, `*` creates its result. Iterators of
  // std::vector<bool> break this rule, too.
  using iterator_category = std::bidirectional_iterator_tag;

  btree_iterator() = default;
#if INGOT_HARDENING_MODE >= INGOT_HARDENING_DEBUG
  btree_iterator(const iterator_origin& origin, std::byte* root, const btree_position& position) noexcept
      : root_(root), position_(position), origin_(origin) {}
#else
  btree_iterator(std::byte* root, const btree_position& position) noexcept
      : root_(root), position_(position) {}
#endif
  template <bool Other>
    requires(Const && !Other)
  btree_iterator(const btree_iterator<Node, Other>&
                     other) noexcept // NOLINT(google-explicit-constructor): as of any container
      : root_(other.root()), position_(other.position()) INGOT_IN_DEBUG(, origin_(other.origin())) {}

  [[nodiscard]] INGOT_CHECKED INGOT_INLINE reference operator*() const noexcept {
    require_entry("* of end()");
    if constexpr (Node::has_values) {
      return reference(Node::key(position_.leaf, position_.rank),
                       Node::mapped(position_.leaf, position_.rank));
    } else {
      return Node::key(position_.leaf, position_.rank);
    }
  }
  [[nodiscard]] INGOT_CHECKED INGOT_INLINE pointer operator->() const noexcept {
    if constexpr (Node::has_values) return pointer{**this};
    else return std::addressof(**this);
  }

  INGOT_CHECKED INGOT_INLINE btree_iterator& operator++() noexcept {
    require_entry("++ of end()");
    if (++position_.rank >= Node::meta(position_.leaf).count) [[unlikely]]
      walk::settle(root_, position_);
    return *this;
  }
  INGOT_CHECKED INGOT_INLINE btree_iterator& operator--() noexcept {
    INGOT_IN_DEBUG(origin_.require_fresh(nullptr);)
    if (position_.rank != 0) [[likely]] {
      --position_.rank;
    } else {
      INGOT_REQUIRE(has_entry_before(), broken_access(name(), "-- of begin()", 0));
      walk::retreat(root_, position_);
    }
    return *this;
  }
  INGOT_CHECKED btree_iterator operator++(int) noexcept {
    btree_iterator before = *this;
    ++*this;
    return before;
  }
  INGOT_CHECKED btree_iterator operator--(int) noexcept {
    btree_iterator before = *this;
    --*this;
    return before;
  }
  INGOT_CHECKED friend INGOT_INLINE bool operator==(const btree_iterator& a,
                                                    const btree_iterator& b) noexcept {
    INGOT_IN_DEBUG(a.origin_.require_fresh(nullptr);)
    INGOT_IN_DEBUG(b.origin_.require_fresh(nullptr);)
    INGOT_REQUIRE_EXTENSIVE(a.root_ == b.root_,
                            broken_access(name(), "iterators of two containers are compared"));
    return a.position_ == b.position_;
  }

  // Used by the containers.
  [[nodiscard]] std::byte* root() const noexcept { return root_; }
  [[nodiscard]] const btree_position& position() const noexcept { return position_; }
  INGOT_IN_DEBUG([[nodiscard]] const iterator_origin& origin() const noexcept { return origin_; })

  /// Returns the name of the container in messages.
  [[nodiscard]] static constexpr const char* name() noexcept {
    return Node::has_values ? "ingot::map" : "ingot::set";
  }

private:
  INGOT_CHECKED INGOT_INLINE void require_entry([[maybe_unused]] const char* call) const noexcept {
    INGOT_IN_DEBUG(origin_.require_fresh(nullptr);)
    INGOT_REQUIRE(position_.leaf != nullptr, broken_access(name(), call));
  }
  /// Returns true if an entry precedes the position. Call this only if the position is the first
  /// entry of a leaf, or the end.
  [[nodiscard]] bool has_entry_before() const noexcept {
    if (root_ == nullptr) return false;
    return position_.leaf != nullptr ? position_.path != 0 : Node::meta(root_).count != 0;
  }

  std::byte* root_ = nullptr;
  btree_position position_;
  INGOT_IN_DEBUG(iterator_origin origin_;)
};

}}} // namespace ingot::INGOT_V1::detail
