// SPDX-License-Identifier: Apache-2.0
// Validates that untrusted bytes are a tree in which searches agree with iteration. Each node is
// claimed, and its level fits its depth; all leaves have the same depth. The order stored in a leaf
// names each slot once. Unused slots for keys and separators hold the largest number. Keys ascend
// over the whole tree, and each separator is between the leaves that it separates. The validation
// is one pass in the canonical order; see btree_copy.hpp.
#pragma once

#include <ingot/live/detail/btree_node.hpp>
#include <ingot/live/detail/canonical_check.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if a part of `T` is a container that is validated later. A key must have no such
/// part: a key is compared as soon as it is validated.
template <class T>
consteval bool has_recursive_part() {
  if constexpr (live_container<T>) {
    if constexpr (contains_itself<T>) return true;
    else
      return []<class... Parts>(type_pack<Parts...>) {
        return (has_recursive_part<std::remove_cv_t<Parts>>() || ...);
      }(typename T::live_parts{});
  } else if constexpr (is_array_like<T>) {
    return has_recursive_part<std::remove_cv_t<element_t<T>>>();
  } else if constexpr (is_specialization<T, std::pair>) {
    return has_recursive_part<typename T::first_type>() || has_recursive_part<typename T::second_type>();
  } else if constexpr (kind_of<T> == kind::record) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (has_recursive_part<std::remove_cv_t<member_type<T, I>>>() || ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}

template <class Node, block_policy P, bool Multi, class Validator>
class btree_validator {
  using key_type = typename Node::key_type;
  using raw = typename Node::raw;

public:
  explicit btree_validator(Validator& validator) noexcept : validator_(validator) {}

  [[nodiscard]] bool run(const anchor<P>& at, std::size_t size) {
    static_assert(!has_recursive_part<key_type>(),
                  "ingot: a key can't hold containers that hold others of their type");
    const std::byte* const root =
        validator_.claim(at, size == 0 ? 0 : sizeof(node_meta), Node::leaf_alignment());
    if (root == nullptr) return false;
    if (root == validator_.start() + sentinel_position) return true;
    const node_meta head = Node::meta(root);
    if (!check_root(root, head)) return false;
    if (head.level == 0) return check_leaf(root) && check_size(at, size);
    return check_inner(root, head.level) && check_size(at, size);
  }

private:
  [[nodiscard]] bool check_size(const anchor<P>& at, std::size_t size) {
    return size == seen_ || validator_.reject(errc::bad_length, &at, "a size that is the number of entries");
  }
  [[nodiscard]] bool check_root(const std::byte* root, const node_meta& head) {
    const std::size_t bytes = block_ref<P>::capacity_of(const_cast<std::byte*>(root));
    if (!is_clean(head) || head.level > Node::highest)
      return validator_.reject(errc::bad_padding, root, "a root of up to 16 levels");
    const bool fits =
        head.level == 0
            ? head.capacity >= 1 && head.capacity <= Node::fanout && Node::leaf_size(head.capacity) <= bytes
            : head.capacity >= 4 && head.capacity <= Node::fanout && head.capacity % 4 == 0 &&
                  Node::inner_size(head.capacity) <= bytes && head.count >= 1;
    return (fits && head.count <= head.capacity) ||
           validator_.reject(errc::bad_length, root, "a root whose entries fit into its storage");
  }
  [[nodiscard]] static bool is_clean(const node_meta& head) noexcept {
    return head.zero == std::array<std::uint8_t, 5>{};
  }

  /// Validates everything below an inner root.
  [[nodiscard]] bool check_inner(const std::byte* root, std::size_t height) {
    struct step {
      const std::byte* node;
      std::size_t next;
    };
    std::array<step, Node::highest + 1> path;
    std::size_t level = height;
    if (!check_filling(root)) return false;
    path[level] = {root, 0};
    for (;;) {
      step& at = path[level];
      if (at.next == Node::meta(at.node).count) {
        if (level == height) return true;
        ++level;
        continue;
      }
      const std::size_t i = at.next++;
      if constexpr (Node::is_plain() && Validator::asks != asking::positions) {
        if (i != 0 && !pass_separator(at.node, i - 1)) return false;
      }
      const std::byte* const child = claim_child(at.node, i, level - 1);
      if (child == nullptr) return false;
      if (level == 1) {
        if (!check_leaf(child)) return false;
      } else {
        if (!check_filling(child)) return false;
        path[--level] = {child, 0};
      }
    }
  }
  [[nodiscard]] const std::byte* claim_child(const std::byte* parent, std::size_t i, std::size_t level) {
    const std::byte* const link = Node::link_position(const_cast<std::byte*>(parent), i);
    const std::size_t front = level == 0 ? Node::front() : 0;
    // A position before the block wraps to a huge number, which is rejected because it exceeds the
    // block.
    const std::size_t position = static_cast<std::size_t>(parent - validator_.start()) +
                                 static_cast<std::size_t>(static_cast<std::intptr_t>(Node::link(parent, i))) -
                                 front;
    if ((position + front) % (level == 0 ? Node::leaf_alignment() : 8) != 0) {
      return validator_.reject(errc::misaligned, link, "an aligned node"), nullptr;
    }
    const std::byte* const run = validator_.claim_run(position, Node::run_size(level), link);
    if (run == nullptr) return nullptr;
    if constexpr (Node::front() != 0) {
      if (level == 0 && !check_prefix(run, position)) return nullptr;
    }
    const std::byte* const child = run + front;
    const node_meta head = Node::meta(child);
    if (!is_clean(head) || head.level != level || head.capacity != Node::fanout || head.count < 1 ||
        head.count > Node::fanout) {
      return validator_.reject(errc::bad_length, child, "a node of 1 to 16 on its level"), nullptr;
    }
    return child;
  }
  [[nodiscard]] bool check_prefix(const std::byte* run, std::size_t position) {
    storage_prefix<typename P::offset_type> prefix;
    std::memcpy(&prefix, run, sizeof prefix);
    return (prefix.distance == position && prefix.capacity == Node::run_size(0) - sizeof prefix) ||
           validator_.reject(errc::bad_length, run, "a node that knows where it is");
  }

  /// Checks the unused positions after the last separator of a node. With plain keys, each must
  /// hold the largest number.
  [[nodiscard]] bool check_filling(const std::byte* inner) {
    if constexpr (Node::is_plain()) {
      const node_meta& head = Node::meta(inner);
      for (std::size_t i = head.count - 1U; i < head.capacity; ++i) {
        if (Node::separator(inner, i) != Node::largest)
          return validator_.reject(errc::bad_padding, inner, "the largest key as filling");
      }
    }
    return true;
  }
  /// Checks that the separator between two leaves is not below the last key of the first leaf. Then
  /// stores the separator as the last key, so that the next key is compared with the separator.
  [[nodiscard]] bool pass_separator(const std::byte* inner, std::size_t i) {
    const raw between = Node::separator(inner, i);
    if (between < last_)
      return validator_.reject(errc::unsorted_keys, inner, "a separator not below the keys in front of it");
    last_ = between;
    return true;
  }

  [[nodiscard]] bool check_leaf(const std::byte* leaf) {
    const node_meta& head = Node::meta(leaf);
    if constexpr (Validator::asks == asking::positions) {
      return check_entries(leaf, head.count);
    }
    if (!slot_order::is_valid(Node::order(leaf), head.capacity)) {
      return validator_.reject(errc::bad_padding, leaf + sizeof(node_meta),
                               "an order that names each slot once");
    }
    if constexpr (Node::is_plain()) {
      if (!check_numbers(leaf, head)) return false;
    }
    return check_entries(leaf, head.count);
  }
  [[nodiscard]] bool check_entries(const std::byte* leaf, std::size_t count) {
    if constexpr (supports_edge_claims<Validator> && has_canonical_check<key_type>() && !Node::is_plain()) {
      if (validator_.claims().are_edited()) return check_entries_by<edge_run<Validator>>(leaf, count);
    }
    return check_entries_by<order_run<Validator>>(leaf, count);
  }
  template <class Run>
  [[nodiscard]] bool check_entries_by(const std::byte* leaf, std::size_t count) {
    Run run(validator_);
    for (std::size_t i = 0; i < count; ++i) {
      if (!check_entry(leaf, i, run)) return validator_.in_element(seen_ + i);
    }
    seen_ += count;
    return run.end();
  }
  [[nodiscard]] bool check_numbers(const std::byte* leaf, const node_meta& head) {
    for (std::size_t i = 0; i < head.count; ++i) {
      const raw number = Node::raw_at(leaf, Node::keys_at(), i);
      if (!is_next(number)) {
        static_cast<void>(number == last_
                              ? validator_.reject(errc::duplicate_key, leaf, "each key once")
                              : validator_.reject(errc::unsorted_keys, leaf, "keys in ascending order"));
        return validator_.in_element(seen_ + i);
      }
      last_ = number;
      begun_ = true;
    }
    for (std::size_t i = head.count; i < head.capacity; ++i) {
      if (Node::raw_at(leaf, Node::keys_at(), i) != Node::largest) {
        return validator_.reject(errc::bad_padding, leaf, "the largest key as filling");
      }
    }
    return true;
  }
  [[nodiscard]] bool is_next(raw number) const noexcept {
    if constexpr (Multi) return !begun_ || number >= last_;
    else return !begun_ || number > last_;
  }

  /// Returns a key in the form in which it is compared with the next key.
  [[nodiscard]] static INGOT_INLINE auto noted(const key_type& key) noexcept {
    if constexpr (text_key<key_type>) return container_access::steady_view(key);
    else return &key;
  }
  using noted_key = decltype(noted(std::declval<const key_type&>()));
  [[nodiscard]] static INGOT_INLINE int compare_noted(noted_key a, noted_key b) {
    if constexpr (text_key<key_type>) return compare_text(a, b);
    else return compare_keys(*a, *b);
  }

  template <class Run>
  [[nodiscard]] INGOT_INLINE bool check_entry(const std::byte* leaf, std::size_t i, Run& run) {
    const key_type& key = Node::key(leaf, i);
    if (!run.check(key)) return false;
    if constexpr (!Node::is_plain() && Validator::asks != asking::positions) {
      if (!is_normal_key(key))
        return validator_.reject(errc::not_canonical, &key, "a key without NaN and negative zero");
      const auto here = noted(key);
      if (begun_) {
        const int order = compare_noted(last_key_, here);
        if (order > 0) return validator_.reject(errc::unsorted_keys, &key, "keys in ascending order");
        if (order == 0 && !Multi) return validator_.reject(errc::duplicate_key, &key, "each key once");
      }
      last_key_ = here;
      begun_ = true;
    }
    if constexpr (Node::has_values) {
      return run.check(Node::mapped(const_cast<std::byte*>(leaf), i));
    } else {
      return true;
    }
  }

  Validator& validator_;
  std::size_t seen_ = 0;
  raw last_{};
  bool begun_ = false;
  noted_key last_key_{};
};

}}} // namespace ingot::INGOT_V1::detail
