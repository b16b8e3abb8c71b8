// SPDX-License-Identifier: Apache-2.0
// Sorts keys without moving them: the keys stay in the order of the input and are numbered in that
// order. A balanced tree holds the numbers in the order of the keys. The tree stays balanced, and
// accesses stay within its arrays, even if the program's comparison gives inconsistent results.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/owned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// An AVL tree that sorts keys without containing them. The keys are numbered from 0, and the tree
/// holds these numbers in the order of the keys. Callers compare the keys. Each number takes 12
/// bytes. An input has less than 2^32 - 1 keys, because each key takes a byte and messages have at
/// most 4 GiB.
class key_index {
public:
  static constexpr std::uint32_t none = 0xFFFF'FFFF;
  /// Bytes for each number: in the tree, and in the result of `order`.
  static constexpr std::size_t cost = 16;

  /// Creates the tree of the numbers below `count`. Requires that the keys of these numbers ascend.
  /// O(count), without comparisons.
  void build(std::size_t count) {
    if (count > capacity_) move_to(new node[count], count);
    size_ = count;
    root_ = balanced(0, static_cast<std::uint32_t>(count));
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Allocates memory for `count` numbers. `build` and `insert` don't throw while there are at most
  /// `count` numbers. Returns false if there is no memory, or if there are too many numbers.
  [[nodiscard]] bool try_reserve(std::size_t count) noexcept {
    if (count <= capacity_) return true;
    if (count >= none) return false;
    const std::size_t wanted = std::max(count, 2 * capacity_);
    node* const larger = new (std::nothrow) node[wanted];
    if (larger != nullptr) move_to(larger, wanted);
    return larger != nullptr;
  }
  /// Finds the position of a key. `belongs_after(number)` returns true if the key belongs after the
  /// key with that number. O(log n) calls. If a call throws, nothing has changed.
  template <class BelongsAfter>
  void descend(BelongsAfter&& belongs_after) {
    depth_ = 0;
    for (std::uint32_t at = root_; at != none;) {
      const bool right = belongs_after(at);
      path_[depth_++] = {at, right};
      at = right ? nodes_[at].right : nodes_[at].left;
    }
  }
  /// Adds the next number at the position that `descend` found. O(log n).
  void insert() {
    if (size_ == capacity_) {
      const std::size_t wanted = std::max<std::size_t>(8, 2 * capacity_);
      move_to(new node[wanted], wanted);
    }
    auto child = static_cast<std::uint32_t>(size_);
    nodes_[size_++] = {none, none, 1};
    for (std::size_t depth = depth_; depth-- > 0;) {
      const auto [parent, right] = path_[depth];
      (right ? nodes_[parent].right : nodes_[parent].left) = child;
      child = rebalanced(parent);
    }
    root_ = child;
  }
  /// Returns the numbers in the order of their keys. O(n).
  [[nodiscard]] std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> sorted;
    sorted.reserve(size_);
    walk([&](std::uint32_t number) { sorted.push_back(number); });
    return sorted;
  }
  /// Sorts objects in place. For each cycle of the permutation, calls `take(i)`, then `move(to,
  /// from)` for the cycle's other objects, then `put(i)` with the new position of the taken object.
  /// O(n). The index is empty afterwards.
  template <class Take, class Move, class Put>
  void arrange(Take&& take, Move&& move, Put&& put) {
    std::uint32_t rank = 0;
    // `height` is no longer needed: it now holds, for each new position, the number of the object
    // that belongs there
    walk([&](std::uint32_t number) { nodes_[rank++].height = number; });
    for (std::uint32_t start = 0; start < rank; ++start) {
      if (nodes_[start].height == start) continue;
      take(start);
      std::uint32_t at = start;
      for (std::uint32_t next = nodes_[at].height; next != start; next = nodes_[at].height) {
        move(at, next);
        nodes_[at].height = at;
        at = next;
      }
      put(at);
      nodes_[at].height = at;
    }
    size_ = 0;
    root_ = none;
  }

private:
  struct node {
    std::uint32_t left;
    std::uint32_t right;
    std::uint32_t height;
  };
  struct step {
    std::uint32_t at;
    bool right;
  };
  /// an AVL tree of 2^32 nodes has less than 47 levels
  static constexpr std::size_t max_height = 48;

  void move_to(node* larger, std::size_t capacity) noexcept {
    std::copy(nodes_.get(), nodes_.get() + size_, larger);
    nodes_.reset(larger);
    capacity_ = capacity;
  }
  /// Calls `visit` with the numbers in the order of their keys.
  template <class Visit>
  void walk(Visit&& visit) const {
    std::array<std::uint32_t, max_height> stack;
    std::size_t depth = 0;
    for (std::uint32_t at = root_; at != none || depth != 0;) {
      for (; at != none; at = nodes_[at].left) stack[depth++] = at;
      at = stack[--depth];
      visit(at);
      at = nodes_[at].right;
    }
  }
  [[nodiscard]] std::uint32_t height(std::uint32_t at) const noexcept {
    return at == none ? 0 : nodes_[at].height;
  }
  void set_height(std::uint32_t at) noexcept {
    const std::uint32_t left = height(nodes_[at].left);
    const std::uint32_t right = height(nodes_[at].right);
    nodes_[at].height = (left < right ? right : left) + 1;
  }
  /// Returns the root of a balanced tree of the numbers from `first` to `end`. Recursive: depth
  /// O(log n).
  std::uint32_t balanced(std::uint32_t first, std::uint32_t end) noexcept {
    if (first == end) return none;
    const std::uint32_t middle = first + (end - first) / 2;
    nodes_[middle].left = balanced(first, middle);
    nodes_[middle].right = balanced(middle + 1, end);
    set_height(middle);
    return middle;
  }
  [[nodiscard]] std::uint32_t rotated_left(std::uint32_t at) noexcept {
    const std::uint32_t top = nodes_[at].right;
    nodes_[at].right = nodes_[top].left;
    nodes_[top].left = at;
    set_height(at);
    set_height(top);
    return top;
  }
  [[nodiscard]] std::uint32_t rotated_right(std::uint32_t at) noexcept {
    const std::uint32_t top = nodes_[at].left;
    nodes_[at].left = nodes_[top].right;
    nodes_[top].right = at;
    set_height(at);
    set_height(top);
    return top;
  }
  /// Balances a subtree whose children's heights differ by at most 2. Returns the root of the
  /// result.
  [[nodiscard]] std::uint32_t rebalanced(std::uint32_t at) noexcept {
    const std::uint32_t left = nodes_[at].left;
    const std::uint32_t right = nodes_[at].right;
    if (height(left) > height(right) + 1) {
      if (height(nodes_[left].left) < height(nodes_[left].right)) nodes_[at].left = rotated_left(left);
      return rotated_right(at);
    }
    if (height(right) > height(left) + 1) {
      if (height(nodes_[right].right) < height(nodes_[right].left)) nodes_[at].right = rotated_right(right);
      return rotated_left(at);
    }
    set_height(at);
    return at;
  }

  owned<node[]> nodes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::uint32_t root_ = none;
  std::size_t depth_ = 0;
  std::array<step, max_height> path_;
};

}}} // namespace ingot::INGOT_V1::detail
