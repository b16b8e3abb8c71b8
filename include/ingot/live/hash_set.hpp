// SPDX-License-Identifier: Apache-2.0
// A hash set in a block. It takes 8 bytes: an offset to a table, and the number of keys.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/hash_container.hpp>

#include <concepts>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// A set with the interface of std::unordered_set, without its buckets and nodes. Complexity,
/// invalidation, order, lookup and errors are those of `basic_hash_map`.
template <class K, block_policy P>
class basic_hash_set : public detail::hash_container<basic_hash_set<K, P>, K, void, P> {
  using container = detail::hash_container<basic_hash_set, K, void, P>;
  using container::known;
  using container::self_or_throw;
  using typename container::entry;
  using typename container::found_entry;
  using typename container::outcome;
  using typename container::table;

public:
  /// The type of the keys.
  using live_parts = detail::type_pack<K>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::hash_set;
  using value_type = K;
  using typename container::size_type;
  using reference = const K&;
  using const_reference = const K&;
  using const_iterator = detail::hash_iterator<const K, const K&>;
  using iterator = const_iterator;
  /// The type of a key in braces.
  using brace_value = detail::brace_value_t<K>;

  basic_hash_set() = default;
  basic_hash_set(const basic_hash_set&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_hash_set(basic_hash_set&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_hash_set() = default;

  INGOT_NOTED basic_hash_set& operator=(const basic_hash_set& other) {
    return self_or_throw([&] { return container::try_assign(other); });
  }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_hash_set& operator=(basic_hash_set&& other) {
    return self_or_throw([&] { return container::try_assign(std::move(other)); });
  }
  INGOT_NOTED basic_hash_set& operator=(std::initializer_list<brace_value> values) {
    return self_or_throw(table::assign_all(values));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_hash_set>)
  INGOT_NOTED basic_hash_set& operator=(R&& range) {
    return self_or_throw(table::assign_all(range));
  }

  [[nodiscard]] iterator begin() const noexcept { return table::template first<iterator>(); }
  [[nodiscard]] iterator end() const noexcept { return table::template end_of<iterator>(); }
  [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] const_iterator cend() const noexcept { return end(); }

  template <detail::key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE iterator find(const Q& key) const noexcept {
    return table::template iterator_at<iterator>(table::find_entry(key));
  }
  template <detail::key_like<K> Q = K>
  [[nodiscard]] std::pair<iterator, iterator> equal_range(const Q& key) const noexcept {
    const iterator first = find(key);
    return {first, first == end() ? first : std::next(first)};
  }

  /// Inserts a key if it is new. Returns an iterator to the key, and true if it was inserted.
  /// Returns `end()` and false if the block cannot grow, the key holds a NaN, or too many keys
  /// collide. `key` may be a part of a key in this set.
  template <detail::key_like<K> Q = brace_value>
  [[nodiscard]] std::pair<iterator, bool> try_insert(Q&& key) {
    const found_entry one = table::insert_entry(std::forward<Q>(key));
    return {table::template iterator_at<iterator>(one.at), one.outcome == outcome::done};
  }
  template <detail::key_like<K> Q = brace_value>
  std::pair<iterator, bool> insert(Q&& key) {
    const found_entry one = known(table::insert_entry(std::forward<Q>(key)));
    return {table::template iterator_at<iterator>(one.at), one.outcome == outcome::done};
  }
  template <detail::key_like<K> Q = brace_value>
  iterator insert(const_iterator, Q&& key) {
    return insert(std::forward<Q>(key)).first;
  }
  template <std::input_iterator I>
    requires(!detail::key_like<I, K>)
  INGOT_NOTED void insert(I first, I last) {
    for (; first != last; ++first) insert(*first);
  }
  INGOT_NOTED void insert(std::initializer_list<brace_value> values) { insert_range(values); }
  /// Inserts the keys in order. If the block cannot grow, throws `out_of_space`; the keys inserted
  /// so far remain.
  template <std::ranges::input_range R>
  INGOT_NOTED void insert_range(R&& range) {
    for (auto&& value : range) insert(std::forward<decltype(value)>(value));
  }
  /// Inserts a key, or a key constructed from the arguments.
  template <class... A>
  std::pair<iterator, bool> emplace(A&&... arguments) {
    if constexpr (sizeof...(A) == 1) return insert(std::forward<A>(arguments)...);
    else return insert(brace_value(std::forward<A>(arguments)...));
  }
  /// Same as `emplace`. The hint is ignored.
  template <class... A>
  iterator emplace_hint(const_iterator, A&&... arguments) {
    return emplace(std::forward<A>(arguments)...).first;
  }

  using container::erase;
  using container::size;
  /// Erases a key and returns an iterator to the next key.
  INGOT_CHECKED iterator erase(const_iterator at) noexcept {
    INGOT_REQUIRE_FRESH(at);
    INGOT_REQUIRE(table::holds_entry(at.at()),
                  broken_position("ingot::hash_set", "erase()", size_type(-1), size()));
    return table::template first_from<iterator>(table::erase_entry(const_cast<entry*>(at.at())));
  }
  INGOT_CHECKED iterator erase(const_iterator first, const_iterator last) noexcept {
    auto left = std::ranges::distance(first, last);
    iterator next = first;
    for (; left != 0; --left)
      next = erase(next); // moves the keys that follow, so the new position of `last` is unknown
    return next;
  }

  /// Erases the keys for which `remove` returns true, and returns their number.
  template <class Predicate>
  INGOT_NOTED size_type erase_if(Predicate&& remove) {
    const auto matches = [&](const entry& one) -> bool { return remove(one); };
    return table::erase_matching(matches);
  }

  INGOT_NOTED void assign(std::initializer_list<brace_value> values) { *this = values; }
};

/// Hash set in a block with 32-bit offsets.
template <class K>
using hash_set = basic_hash_set<K, narrow_policy>;
namespace wide {
/// Hash set in a block with 64-bit offsets.
template <class K>
using hash_set = basic_hash_set<K, wide_policy>;
} // namespace wide

static_assert(sizeof(hash_set<int>) == 8);

}} // namespace ingot::INGOT_V1
