// SPDX-License-Identifier: Apache-2.0
// An ordered map in a block. Keys may repeat. Entries with equal keys keep their insertion order. A
// multimap takes 8 bytes and is a B-tree; see btree_node.hpp.
#pragma once

#include <ingot/core/detail/iterator_pair.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/btree_container.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// A map with the interface of std::multimap. Order, complexity, invalidation and errors are those
/// of `basic_map`. Erasing a key erases all entries with this key.
template <class K, class V, block_policy P>
class basic_multimap : public detail::btree_container<K, V, P, true> {
  using base = detail::btree_container<K, V, P, true>;
  using base::at_;
  using base::size_;
  using typename base::position;

public:
  /// The types of keys and values.
  using live_parts = detail::type_pack<K, V>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::multimap;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using typename base::const_iterator;
  using typename base::iterator;
  using typename base::size_type;
  using reference = std::pair<const K&, V&>;
  using const_reference = std::pair<const K&, const V&>;
  /// The type of an entry in braces.
  using brace_value = std::pair<detail::brace_value_t<K>, detail::brace_value_t<V>>;

  basic_multimap() = default;
  basic_multimap(const basic_multimap&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_multimap(basic_multimap&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_multimap() = default;

  INGOT_NOTED basic_multimap& operator=(const basic_multimap& other) {
    return self_or_throw(try_assign(other));
  }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_multimap& operator=(basic_multimap&& other) {
    return self_or_throw(try_assign(std::move(other)));
  }
  INGOT_NOTED basic_multimap& operator=(std::initializer_list<brace_value> list) {
    return self_or_throw(try_assign(list));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_multimap>)
  INGOT_NOTED basic_multimap& operator=(R&& range) {
    return self_or_throw(try_assign(std::forward<R>(range)));
  }

  using base::empty;

  /// Inserts an entry after the entries with an equal key. Returns `end()` if the block cannot grow
  /// or the key holds a NaN. The arguments may refer to entries of this map.
  template <class Q, class... A>
  [[nodiscard]] iterator try_insert(Q&& key, A&&... arguments) {
    const auto added = base::add_entry(std::forward<Q>(key), std::forward<A>(arguments)...);
    // The iterator is created after the insertion, because the insertion may create a new root.
    return base::iterator_to(added.first);
  }
  /// Same as in std::multimap. Throws `out_of_space` if the block cannot grow.
  template <class Q, class... A>
  iterator emplace(Q&& key, A&&... arguments) {
    if constexpr (sizeof...(A) == 0) {
      return insert(std::forward<Q>(key));
    } else {
      base::require_key(key);
      return base::iterator_or_throw(
          base::add_entry(std::forward<Q>(key), std::forward<A>(arguments)...).first);
    }
  }
  /// Same as `emplace`. The hint is ignored.
  template <class... A>
  iterator emplace_hint(const_iterator, A&&... arguments) {
    return emplace(std::forward<A>(arguments)...);
  }
  iterator insert(const brace_value& entry) { return emplace(entry.first, entry.second); }
  template <class E>
  iterator insert(E&& entry) {
    return emplace(std::get<0>(std::forward<E>(entry)), std::get<1>(std::forward<E>(entry)));
  }
  template <class E>
    requires requires(E&& entry) { std::get<1>(entry); }
  iterator insert(const_iterator, E&& entry) {
    return insert(std::forward<E>(entry));
  }
  iterator insert(const_iterator, const brace_value& entry) { return insert(entry); }
  template <std::input_iterator I>
  INGOT_NOTED void insert(I first, I last) {
    insert_range(detail::iterator_pair{std::move(first), std::move(last)});
  }
  INGOT_NOTED void insert(std::initializer_list<brace_value> list) { insert_range(list); }
  /// Inserts the entries in order. If the block cannot grow, throws `out_of_space`; the entries
  /// inserted so far remain.
  template <std::ranges::input_range R>
  INGOT_NOTED void insert_range(R&& range) {
    for (auto&& entry : range) insert(std::forward<decltype(entry)>(entry));
  }

  /// Assigns a copy of a map or of a range of pairs. Returns false if the block cannot grow; the
  /// map is then unchanged. Sorted input is stored densely, in O(n).
  template <std::ranges::input_range R>
  [[nodiscard]] INGOT_NOTED bool try_assign(R&& range) {
    if constexpr (std::same_as<std::remove_cvref_t<R>, basic_multimap>) {
      if (this == &range) return true;
      if constexpr (std::is_rvalue_reference_v<R&&>) {
        if (base::shares_block(range)) return swap(range), true;
      }
      return base::assign_all(static_cast<const base&>(range));
    } else {
      return base::assign_all(range);
    }
  }

  /// Swaps the contents. O(1). Both maps must be in one block, or both empty; otherwise throws
  /// `out_of_space`.
  INGOT_NOTED void swap(basic_multimap& other) {
    if (base::shares_block(other)) detail::swap_objects(*this, other);
    else if (!empty() || !other.empty()) at_.throw_apart(other.at_);
  }
  INGOT_NOTED friend void swap(basic_multimap& a, basic_multimap& b) { a.swap(b); }
  /// Erases the entries for which `remove` returns true, and returns their number.
  template <class Predicate>
  INGOT_NOTED friend size_type erase_if(basic_multimap& from, Predicate remove) {
    return from.erase_if(remove);
  }
  friend bool operator==(const basic_multimap& a, const basic_multimap& b) { return a.equals(b); }
  friend auto operator<=>(const basic_multimap& a, const basic_multimap& b)
    requires std::three_way_comparable<V>
  {
    static_assert(detail::require_bounded_order<basic_multimap>());
    return a.compare(b);
  }

private:
  friend detail::container_access;

  basic_multimap& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }
};

/// Multimap in a block with 32-bit offsets.
template <class K, class V>
using multimap = basic_multimap<K, V, narrow_policy>;
namespace wide {
/// Multimap in a block with 64-bit offsets.
template <class K, class V>
using multimap = basic_multimap<K, V, wide_policy>;
} // namespace wide

static_assert(sizeof(multimap<int, int>) == 8 && sizeof(wide::multimap<int, int>) == 16);

}} // namespace ingot::INGOT_V1
