// SPDX-License-Identifier: Apache-2.0
// Keys and their values in a block, found by hash. The map takes 8 bytes: an offset to a table, and how many entries are in it.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/hash_container.hpp>
#include <ingot/live/detail/out_of_range.hpp>

#include <concepts>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// A map with the interface of std::unordered_map, without its buckets and nodes, and with the
/// guarantees of std::flat_map: inserting and erasing invalidate references and iterators into this
/// map, and a reference is a std::pair<const K&, V&>. Finding, inserting and erasing take O(1) on
/// average, even for keys that were chosen to collide by those who don't know the table's seed
/// (docs/live.md, "Keys from strangers"). A key that finds no place throws `too_many_collisions`.
/// Where an entry lies depends on the keys, the capacity and the seed, not on what happened before.
/// Iteration goes in the order of hashes, and erasing while iterating visits every entry once. Text
/// keys are found by any text, numbers by what converts to them, records by their twins. Inserting
/// without room throws `out_of_space` and leaves the map as it was; the `try_` forms say so by what
/// they return. NaN is not accepted as a key, and -0 is stored as +0.
template <class K, class V, block_policy P>
class basic_hash_map : public detail::hash_container<basic_hash_map<K, V, P>, K, V, P> {
  using container = detail::hash_container<basic_hash_map, K, V, P>;
  using container::kept;
  using container::known;
  using typename container::entry;
  using typename container::found_entry;
  using typename container::outcome;
  using typename container::table;

public:
  using live_parts = detail::type_pack<K, V>;
  static constexpr auto container_kind = detail::live_container_kind::hash_map;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using typename container::size_type;
  using reference = std::pair<const K&, V&>;
  using const_reference = std::pair<const K&, const V&>;
  using iterator = detail::hash_iterator<std::pair<K, V>, reference>;
  using const_iterator = detail::hash_iterator<const std::pair<K, V>, const_reference>;
  using brace_value = std::pair<detail::brace_value_t<K>, detail::brace_value_t<V>>;

  basic_hash_map() = default;
  basic_hash_map(const basic_hash_map&) = delete; // ingot: assign it, or take it out as a std:: one
  basic_hash_map(basic_hash_map&&) = delete;      // ingot: assign it, inside a block
  ~basic_hash_map() = default;

  INGOT_NOTED basic_hash_map& operator=(const basic_hash_map& other) {
    return kept([&] { return container::try_assign(other); });
  }
  /// Inside a block, the two exchange what they hold, in O(1). Between blocks, makes a copy.
  INGOT_NOTED basic_hash_map& operator=(basic_hash_map&& other) {
    return kept([&] { return container::try_assign(std::move(other)); });
  }
  INGOT_NOTED basic_hash_map& operator=(std::initializer_list<brace_value> values) {
    return kept(table::assign_all(values));
  }
  /// Takes over a range of pairs, such as a std:: map. Of equal keys the first counts.
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_hash_map>)
  INGOT_NOTED basic_hash_map& operator=(R&& range) {
    return kept(table::assign_all(range));
  }

  [[nodiscard]] iterator begin() noexcept { return table::template first<iterator>(); }
  [[nodiscard]] iterator end() noexcept { return table::template end_of<iterator>(); }
  [[nodiscard]] const_iterator begin() const noexcept { return table::template first<const_iterator>(); }
  [[nodiscard]] const_iterator end() const noexcept { return table::template end_of<const_iterator>(); }
  [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] const_iterator cend() const noexcept { return end(); }

  template <detail::key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE iterator find(const Q& key) noexcept {
    return table::template iterator_at<iterator>(table::find_entry(key));
  }
  template <detail::key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE const_iterator find(const Q& key) const noexcept {
    return table::template iterator_at<const_iterator>(table::find_entry(key));
  }
  template <detail::key_like<K> Q = K>
  [[nodiscard]] std::pair<iterator, iterator> equal_range(const Q& key) noexcept {
    const iterator first = find(key);
    return {first, first == end() ? first : std::next(first)};
  }
  template <detail::key_like<K> Q = K>
  [[nodiscard]] std::pair<const_iterator, const_iterator> equal_range(const Q& key) const noexcept {
    const const_iterator first = find(key);
    return {first, first == end() ? first : std::next(first)};
  }
  /// Returns the value of a key, or null if there is none.
  template <detail::key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE V* get_if(const Q& key) noexcept {
    entry* const one = table::find_entry(key);
    return one != nullptr ? std::addressof(one->second) : nullptr;
  }
  template <detail::key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE const V* get_if(const Q& key) const noexcept {
    return const_cast<basic_hash_map*>(this)->get_if(key);
  }
  /// Checked: throws std::out_of_range, or without exceptions ends the program.
  template <detail::key_like<K> Q = K>
  [[nodiscard]] V& at(const Q& key) {
    V* const value = get_if(key);
    if (value == nullptr) [[unlikely]]
      detail::throw_no_such_key();
    return *value;
  }
  template <detail::key_like<K> Q = K>
  [[nodiscard]] const V& at(const Q& key) const {
    return const_cast<basic_hash_map*>(this)->at(key);
  }
  /// Returns the value of a key, and inserts a value-initialised one for a key that is not there.
  /// Throws `out_of_space`. An insertion invalidates references to values of this map, so `h[a] =
  /// h[b]` may read a value that `h[a]` has moved: use `insert_or_assign(a, h.at(b))`.
  template <detail::key_like<K> Q = K>
  INGOT_NOTED V& operator[](Q&& key) {
    return known(table::insert_entry(std::forward<Q>(key))).at->second;
  }

  /// Returns where a key's entry is, and whether it is new; only then is its value made of the arguments. `end()` and false when there was
  /// no room, or the key holds a NaN. Arguments may refer to entries of this map.
  template <detail::key_like<K> Q = K, class... A>
  [[nodiscard]] std::pair<iterator, bool> try_insert(Q&& key, A&&... arguments) {
    return pair_of(table::insert_entry(std::forward<Q>(key), std::forward<A>(arguments)...));
  }
  /// The same as std::unordered_map's: throws `out_of_space` when there is no room.
  template <detail::key_like<K> Q = K, class... A>
  std::pair<iterator, bool> try_emplace(Q&& key, A&&... arguments) {
    return pair_of(known(table::insert_entry(std::forward<Q>(key), std::forward<A>(arguments)...)));
  }
  template <detail::key_like<K> Q = K, class... A>
  iterator try_emplace(const_iterator, Q&& key, A&&... arguments) {
    return try_emplace(std::forward<Q>(key), std::forward<A>(arguments)...).first;
  }
  std::pair<iterator, bool> insert(const brace_value& value) {
    return try_emplace(value.first, value.second);
  }
  template <class A, class B>
  std::pair<iterator, bool> insert(const std::pair<A, B>& value) {
    return try_emplace(value.first, value.second);
  }
  template <class A, class B>
  std::pair<iterator, bool> insert(std::pair<A, B>&& value) {
    return try_emplace(std::forward<A>(value.first), std::forward<B>(value.second));
  }
  iterator insert(const_iterator, const brace_value& value) { return insert(value).first; }
  template <class A, class B>
  iterator insert(const_iterator, const std::pair<A, B>& value) {
    return insert(value).first;
  }
  template <class A, class B>
  iterator insert(const_iterator, std::pair<A, B>&& value) {
    return insert(std::move(value)).first;
  }
  template <std::input_iterator I>
  INGOT_NOTED void insert(I first, I last) {
    for (; first != last; ++first) insert(*first);
  }
  INGOT_NOTED void insert(std::initializer_list<brace_value> values) { insert(values.begin(), values.end()); }
  /// Inserts one after the other. If one finds no room, those before it stay.
  template <std::ranges::input_range R>
  INGOT_NOTED void insert_range(R&& range) {
    for (auto&& value : range) insert(std::forward<decltype(value)>(value));
  }
  /// Takes a pair, or a key and what its value is made of.
  template <class Pair>
  std::pair<iterator, bool> emplace(Pair&& value) {
    return insert(std::forward<Pair>(value));
  }
  template <detail::key_like<K> Q = K, class... A>
    requires(sizeof...(A) != 0)
  std::pair<iterator, bool> emplace(Q&& key, A&&... arguments) {
    return try_emplace(std::forward<Q>(key), std::forward<A>(arguments)...);
  }
  template <class... A>
  iterator emplace_hint(const_iterator, A&&... arguments) {
    return emplace(std::forward<A>(arguments)...).first;
  }
  /// `end()` and false when there was no room, or the key holds a NaN; the value may then hold some of the new one.
  template <detail::key_like<K> Q = K, class U>
  [[nodiscard]] std::pair<iterator, bool> try_insert_or_assign(Q&& key, U&& value) {
    return pair_of(insert_or_assign_entry(std::forward<Q>(key), std::forward<U>(value)));
  }
  template <detail::key_like<K> Q = K, class U = detail::brace_value_t<V>>
  std::pair<iterator, bool> insert_or_assign(Q&& key, U&& value) {
    return pair_of(known(insert_or_assign_entry(std::forward<Q>(key), std::forward<U>(value))));
  }
  template <detail::key_like<K> Q = K, class U = detail::brace_value_t<V>>
  iterator insert_or_assign(const_iterator, Q&& key, U&& value) {
    return insert_or_assign(std::forward<Q>(key), std::forward<U>(value)).first;
  }

  using container::erase;
  using container::size;
  /// Returns the one after it.
  INGOT_CHECKED iterator erase(const_iterator at) noexcept {
    INGOT_REQUIRE_FRESH(at);
    INGOT_REQUIRE(table::holds_entry(at.at()),
                  broken_position("ingot::hash_map", "erase()", size_type(-1), size()));
    return table::template first_from<iterator>(table::erase_entry(const_cast<entry*>(at.at())));
  }
  INGOT_CHECKED iterator erase(iterator at) noexcept { return erase(const_iterator(at)); }
  INGOT_CHECKED iterator erase(const_iterator first, const_iterator last) noexcept {
    auto left = std::ranges::distance(first, last);
    auto next = table::template iterator_at<iterator>(const_cast<entry*>(first.at()));
    for (; left != 0; --left)
      next = erase(next); // entries behind it move up, so that it is not known where `last` will be
    return next;
  }

  /// Removes the entries that `remove`, called with a const_reference, is true of; returns how many.
  template <class Predicate>
  INGOT_NOTED size_type erase_if(Predicate&& remove) {
    const auto unpacked = [&](const entry& one) -> bool {
      return remove(const_reference(one.first, one.second));
    };
    return table::erase_matching(unpacked);
  }

  INGOT_NOTED void assign(std::initializer_list<brace_value> values) { *this = values; }

private:
  [[nodiscard]] INGOT_INLINE std::pair<iterator, bool> pair_of(found_entry one) noexcept {
    return {table::template iterator_at<iterator>(one.at), one.outcome == outcome::done};
  }
  template <class Q, class U>
  [[nodiscard]] INGOT_NOTED found_entry insert_or_assign_entry(Q&& key, U&& value) {
    const found_entry one = table::insert_entry(std::forward<Q>(key), std::forward<U>(value));
    if (one.outcome != outcome::there_already || detail::assign_value(one.at->second, std::forward<U>(value)))
      return one;
    return {nullptr, outcome::no_space};
  }
};

template <class K, class V>
using hash_map = basic_hash_map<K, V, narrow_policy>;
namespace wide {
template <class K, class V>
using hash_map = basic_hash_map<K, V, wide_policy>;
} // namespace wide

static_assert(sizeof(hash_map<int, int>) == 8);

}} // namespace ingot::INGOT_V1
