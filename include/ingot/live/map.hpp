// SPDX-License-Identifier: Apache-2.0
// An ordered map in a block. It takes 8 bytes and is a B-tree with leaves of 16 entries. See
// btree_node.hpp.
#pragma once

#include <ingot/core/detail/iterator_pair.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/btree_container.hpp>
#include <ingot/live/detail/out_of_range.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// A map with the interface of std::map, without its nodes (`extract`, `merge`), and with the
/// guarantees of std::flat_map: inserting and erasing invalidate references and iterators into this
/// map, and `reference` is a std::pair<const K&, V&>. Keys are in their natural order
/// (key_order.hpp). Lookup, insertion and erasure take O(log n), incrementing an iterator O(1).
/// Values are constructed in place: from a value, from a twin (a struct with the same member
/// names), or from one value for each member. If the block cannot grow, an insertion throws
/// `out_of_space` and leaves the map unchanged; the `try_` forms return false or `end()` instead.
/// Float keys that are NaN are rejected.
template <class K, class V, block_policy P>
class basic_map : public detail::btree_container<K, V, P, false> {
  using base = detail::btree_container<K, V, P, false>;
  using base::at_;
  using base::size_;
  using typename base::position;

public:
  /// The types of keys and values.
  using live_parts = detail::type_pack<K, V>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::map;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using typename base::const_iterator;
  using typename base::iterator;
  using typename base::size_type;
  using reference = std::pair<const K&, V&>;
  using const_reference = std::pair<const K&, const V&>;
  /// The type of an entry in braces.
  using brace_value = std::pair<detail::brace_value_t<K>, detail::brace_value_t<V>>;

  basic_map() = default;
  basic_map(const basic_map&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_map(basic_map&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_map() = default;

  INGOT_NOTED basic_map& operator=(const basic_map& other) { return self_or_throw(try_assign(other)); }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_map& operator=(basic_map&& other) { return self_or_throw(try_assign(std::move(other))); }
  INGOT_NOTED basic_map& operator=(std::initializer_list<brace_value> list) {
    return self_or_throw(try_assign(list));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_map>)
  INGOT_NOTED basic_map& operator=(R&& range) {
    return self_or_throw(try_assign(std::forward<R>(range)));
  }

  using base::empty;
  using base::end;

  /// Returns the value of a key, or null if the key is missing.
  template <class Q = K>
  [[nodiscard]] INGOT_INLINE V* get_if(const Q& key) {
    const position at = base::find_position(base::tree::query(key));
    return at.leaf == nullptr ? nullptr : &base::node::mapped(at.leaf, at.rank);
  }
  template <class Q = K>
  [[nodiscard]] INGOT_INLINE const V* get_if(const Q& key) const {
    const position at = base::find_position(base::tree::query(key));
    return at.leaf == nullptr ? nullptr : &base::node::mapped(at.leaf, at.rank);
  }
  /// Returns the value of a key. Throws std::out_of_range if the key is missing; without
  /// exceptions, ends the program.
  template <class Q = K>
  [[nodiscard]] V& at(const Q& key) {
    V* const found = get_if(key);
    if (found == nullptr) [[unlikely]]
      detail::throw_no_such_key();
    return *found;
  }
  template <class Q = K>
  [[nodiscard]] const V& at(const Q& key) const {
    return const_cast<basic_map*>(this)->at(key);
  }
  /// Returns the value of a key. Inserts `V{}` if the key is missing; this may throw
  /// `out_of_space`. An insertion invalidates references to values of this map, so `m[a] = m[b]`
  /// may read a value that `m[a]` has moved: use `insert_or_assign(a, m.at(b))`.
  template <class Q = detail::brace_value_t<K>>
  INGOT_NOTED V& operator[](const Q& key) {
    return try_emplace(key).first->second;
  }

  /// Inserts an entry if its key is new, with a value constructed from the arguments. Returns an
  /// iterator to the entry with this key, and true if it was inserted. Returns `end()` and false if
  /// the block cannot grow or the key holds a NaN. Arguments may refer to entries of this map.
  template <class Q, class... A>
  [[nodiscard]] std::pair<iterator, bool> try_insert(Q&& key, A&&... arguments) {
    const auto [at, fresh] = base::add_entry(std::forward<Q>(key), std::forward<A>(arguments)...);
    return {base::iterator_to(at), fresh};
  }
  /// Same as in std::map. Throws `out_of_space` if the block cannot grow.
  template <class Q = detail::brace_value_t<K>, class... A>
    requires(!std::convertible_to<const Q&, const_iterator>)
  std::pair<iterator, bool> try_emplace(Q&& key, A&&... arguments) {
    base::require_key(key);
    const auto [at, fresh] = base::add_entry(std::forward<Q>(key), std::forward<A>(arguments)...);
    return {base::iterator_or_throw(at), fresh};
  }
  /// Same as `try_emplace`. The hint is ignored.
  template <class Q = detail::brace_value_t<K>, class... A>
  iterator try_emplace(const_iterator, Q&& key, A&&... arguments) {
    return try_emplace(std::forward<Q>(key), std::forward<A>(arguments)...).first;
  }
  template <class Q, class... A>
  std::pair<iterator, bool> emplace(Q&& key, A&&... arguments) {
    if constexpr (sizeof...(A) == 0) return insert(std::forward<Q>(key));
    else return try_emplace(std::forward<Q>(key), std::forward<A>(arguments)...);
  }
  /// Same as `emplace`. The hint is ignored.
  template <class... A>
  iterator emplace_hint(const_iterator, A&&... arguments) {
    return emplace(std::forward<A>(arguments)...).first;
  }
  std::pair<iterator, bool> insert(const brace_value& entry) {
    return try_emplace(entry.first, entry.second);
  }
  template <class E>
  std::pair<iterator, bool> insert(E&& entry) {
    return try_emplace(std::get<0>(std::forward<E>(entry)), std::get<1>(std::forward<E>(entry)));
  }
  template <class E>
    requires requires(E&& entry) { std::get<1>(entry); }
  iterator insert(const_iterator, E&& entry) {
    return insert(std::forward<E>(entry)).first;
  }
  iterator insert(const_iterator, const brace_value& entry) { return insert(entry).first; }
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
  /// Same as `insert_or_assign`, but returns `end()` and false if the block cannot grow or the key
  /// holds a NaN.
  template <class Q, class U>
  [[nodiscard]] std::pair<iterator, bool> try_insert_or_assign(Q&& key, U&& value) {
    const auto [at, fresh] = base::add_entry(std::forward<Q>(key), std::forward<U>(value));
    if (at.leaf == nullptr || fresh) return {base::iterator_to(at), fresh};
    if (!detail::assign_value(base::node::mapped(at.leaf, at.rank), std::forward<U>(value)))
      return {end(), false};
    return {base::iterator_to(at), false};
  }
  template <class Q = detail::brace_value_t<K>, class U = detail::brace_value_t<V>>
  std::pair<iterator, bool> insert_or_assign(Q&& key, U&& value) {
    base::require_key(key);
    const auto done = try_insert_or_assign(std::forward<Q>(key), std::forward<U>(value));
    if (done.first == end()) [[unlikely]]
      at_.throw_failure();
    return done;
  }
  template <class Q = detail::brace_value_t<K>, class U = detail::brace_value_t<V>>
  iterator insert_or_assign(const_iterator, Q&& key, U&& value) {
    return insert_or_assign(std::forward<Q>(key), std::forward<U>(value)).first;
  }

  /// Assigns a copy of a map or of a range of pairs. If keys are equal, the first entry is used.
  /// Returns false if the block cannot grow; the map is then unchanged. Sorted input is stored
  /// densely, in O(n).
  template <std::ranges::input_range R>
  [[nodiscard]] INGOT_NOTED bool try_assign(R&& range) {
    if constexpr (std::same_as<std::remove_cvref_t<R>, basic_map>) {
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
  INGOT_NOTED void swap(basic_map& other) {
    if (base::shares_block(other)) detail::swap_objects(*this, other);
    else if (!empty() || !other.empty()) at_.throw_apart(other.at_);
  }
  INGOT_NOTED friend void swap(basic_map& a, basic_map& b) { a.swap(b); }
  /// Erases the entries for which `remove` returns true, and returns their number.
  template <class Predicate>
  INGOT_NOTED friend size_type erase_if(basic_map& from, Predicate remove) {
    return from.erase_if(remove);
  }
  friend bool operator==(const basic_map& a, const basic_map& b) { return a.equals(b); }
  friend auto operator<=>(const basic_map& a, const basic_map& b)
    requires std::three_way_comparable<V>
  {
    static_assert(detail::require_bounded_order<basic_map>());
    return a.compare(b);
  }

private:
  friend detail::container_access;

  basic_map& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }
};

/// Map in a block with 32-bit offsets.
template <class K, class V>
using map = basic_map<K, V, narrow_policy>;
namespace wide {
/// Map in a block with 64-bit offsets.
template <class K, class V>
using map = basic_map<K, V, wide_policy>;
} // namespace wide

static_assert(sizeof(map<int, int>) == 8 && sizeof(wide::map<int, int>) == 16);

}} // namespace ingot::INGOT_V1
