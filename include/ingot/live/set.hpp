// SPDX-License-Identifier: Apache-2.0
// Ordered sets in a block, with unique or repeated keys. A set takes 8 bytes and is a B-tree with
// leaves of 16 keys. See btree_node.hpp.
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

namespace detail {

/// Base of `basic_set` and `basic_multiset`. `Self` is the derived class.
template <class Self, class K, block_policy P, bool Multi>
class INGOT_DEBUG_TYPE ordered_set : public btree_container<K, void, P, Multi> {
protected:
  using base = btree_container<K, void, P, Multi>;
  using base::at_;
  using base::size_;
  using typename base::position;

public:
  using live_parts = type_pack<K>;
  static constexpr auto container_kind = Multi ? live_container_kind::multimap : live_container_kind::set;
  using value_type = K;
  using typename base::const_iterator;
  using typename base::iterator;
  using typename base::size_type;
  using reference = const K&;
  using const_reference = const K&;
  using brace_value = brace_value_t<K>;
  /// The result of an insertion: an iterator to the key and, if keys are unique, true if the key is
  /// new.
  using insertion = std::conditional_t<Multi, iterator, std::pair<iterator, bool>>;

  using base::cend;
  using base::empty;

  /// Inserts a key. Returns `end()` if the block cannot grow or the key holds a NaN. `key` may be a
  /// key in this set.
  template <class Q = brace_value>
  [[nodiscard]] insertion try_insert(Q&& key) {
    return as_insertion(base::add_entry(std::forward<Q>(key)));
  }
  template <class Q = brace_value>
    requires(!std::same_as<std::remove_cvref_t<Q>, std::initializer_list<brace_value>>)
  insertion insert(Q&& key) {
    base::require_key(key);
    const auto done = base::add_entry(std::forward<Q>(key));
    static_cast<void>(base::iterator_or_throw(done.first));
    return as_insertion(done);
  }
  /// Same as `insert`. The hint is ignored.
  template <class Q = brace_value>
    requires(!std::same_as<std::remove_cvref_t<Q>, const_iterator>)
  iterator insert(const_iterator, Q&& key) {
    if constexpr (Multi) return insert(std::forward<Q>(key));
    else return insert(std::forward<Q>(key)).first;
  }
  template <std::input_iterator I>
  void insert(I first, I last) {
    insert_range(detail::iterator_pair{std::move(first), std::move(last)});
  }
  void insert(std::initializer_list<brace_value> keys) { insert_range(keys); }
  /// Inserts the keys in order. If the block cannot grow, throws `out_of_space`; the keys inserted
  /// so far remain.
  template <std::ranges::input_range R>
  void insert_range(R&& range) {
    for (auto&& key : range) insert(std::forward<decltype(key)>(key));
  }
  /// Inserts a key, or a key constructed from the arguments.
  template <class... A>
  insertion emplace(A&&... arguments) {
    if constexpr (sizeof...(A) == 1) return insert(std::forward<A>(arguments)...);
    else return insert(brace_value(std::forward<A>(arguments)...));
  }
  template <class... A>
  iterator emplace_hint(const_iterator, A&&... arguments) {
    if constexpr (Multi) return emplace(std::forward<A>(arguments)...);
    else return emplace(std::forward<A>(arguments)...).first;
  }

  /// Assigns a copy of a set or of a range of keys. Returns false if the block cannot grow; the set
  /// is then unchanged. Sorted input is stored densely, in O(n).
  template <std::ranges::input_range R>
  [[nodiscard]] bool try_assign(R&& range) {
    if constexpr (std::same_as<std::remove_cvref_t<R>, Self>) {
      if (this == &range) return true;
      if constexpr (std::is_rvalue_reference_v<R&&>) {
        if (base::shares_block(range)) return swap(range), true;
      }
      return base::assign_all(static_cast<const base&>(static_cast<const ordered_set&>(range)));
    } else {
      return base::assign_all(range);
    }
  }

  /// Swaps the contents. O(1). Both sets must be in one block, or both empty; otherwise throws
  /// `out_of_space`.
  void swap(Self& other) {
    if (base::shares_block(static_cast<ordered_set&>(other))) swap_objects(static_cast<Self&>(*this), other);
    else if (!empty() || !other.empty())
      at_.bound() ? static_cast<ordered_set&>(other).at_.throw_failure() : at_.throw_failure();
  }
  INGOT_NOTED friend void swap(Self& a, Self& b) { a.swap(b); }
  template <class Predicate>
  INGOT_NOTED friend size_type erase_if(Self& from, Predicate remove) {
    return from.erase_if(remove);
  }
  friend bool operator==(const Self& a, const Self& b) {
    return static_cast<const ordered_set&>(a).equals(static_cast<const ordered_set&>(b));
  }
  friend auto operator<=>(const Self& a, const Self& b) {
    return static_cast<const ordered_set&>(a).compare(static_cast<const ordered_set&>(b));
  }

protected:
  friend container_access;

  Self& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return static_cast<Self&>(*this);
  }

private:
  [[nodiscard]] insertion as_insertion(const std::pair<position, bool>& done) {
    if constexpr (Multi) return base::iterator_to(done.first);
    else return {base::iterator_to(done.first), done.second};
  }
};

} // namespace detail

/// A set with the interface of std::set. Order, complexity, invalidation and errors are those of
/// `basic_map`.
template <class K, block_policy P>
class basic_set : public detail::ordered_set<basic_set<K, P>, K, P, false> {
  using base = detail::ordered_set<basic_set<K, P>, K, P, false>;

public:
  using typename base::brace_value;

  basic_set() = default;
  basic_set(const basic_set&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_set(basic_set&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_set() = default;

  INGOT_NOTED basic_set& operator=(const basic_set& other) {
    return base::self_or_throw(base::try_assign(other));
  }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_set& operator=(basic_set&& other) {
    return base::self_or_throw(base::try_assign(std::move(other)));
  }
  INGOT_NOTED basic_set& operator=(std::initializer_list<brace_value> keys) {
    return base::self_or_throw(base::try_assign(keys));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_set>)
  INGOT_NOTED basic_set& operator=(R&& range) {
    return base::self_or_throw(base::try_assign(std::forward<R>(range)));
  }
};

/// A set with the interface of std::multiset. Equal keys keep their insertion order. All other
/// properties are those of `basic_set`.
template <class K, block_policy P>
class basic_multiset : public detail::ordered_set<basic_multiset<K, P>, K, P, true> {
  using base = detail::ordered_set<basic_multiset<K, P>, K, P, true>;

public:
  using typename base::brace_value;

  basic_multiset() = default;
  basic_multiset(const basic_multiset&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_multiset(basic_multiset&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_multiset() = default;

  INGOT_NOTED basic_multiset& operator=(const basic_multiset& other) {
    return base::self_or_throw(base::try_assign(other));
  }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_multiset& operator=(basic_multiset&& other) {
    return base::self_or_throw(base::try_assign(std::move(other)));
  }
  INGOT_NOTED basic_multiset& operator=(std::initializer_list<brace_value> keys) {
    return base::self_or_throw(base::try_assign(keys));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_multiset>)
  INGOT_NOTED basic_multiset& operator=(R&& range) {
    return base::self_or_throw(base::try_assign(std::forward<R>(range)));
  }
};

/// Set in a block with 32-bit offsets.
template <class K>
using set = basic_set<K, narrow_policy>;
/// Multiset in a block with 32-bit offsets.
template <class K>
using multiset = basic_multiset<K, narrow_policy>;
namespace wide {
/// Set in a block with 64-bit offsets.
template <class K>
using set = basic_set<K, wide_policy>;
/// Multiset in a block with 64-bit offsets.
template <class K>
using multiset = basic_multiset<K, wide_policy>;
} // namespace wide

static_assert(sizeof(set<int>) == 8 && sizeof(multiset<int>) == 8 && sizeof(wide::set<int>) == 16);

}} // namespace ingot::INGOT_V1
