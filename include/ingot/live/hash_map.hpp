// SPDX-License-Identifier: Apache-2.0
// A hash map in a block. It takes 8 bytes: an offset to a table, and the number of entries.
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
/// map, and `reference` is a std::pair<const K&, V&>.
///
/// Lookup, insertion and erasure take O(1) on average. This also holds for keys that an attacker
/// has chosen to collide, unless the attacker knows the table's seed (docs/live.md). An insertion
/// that finds no slot for its key throws `too_many_collisions`. The slot of an entry depends on the
/// keys, the capacity and the seed only, not on the history. Iteration is in the order of hashes. A
/// loop that erases some entries visits every entry once.
///
/// To find a text key, a lookup takes any text. To find a number, it takes any type that converts
/// to the key. To find a record, it also takes a twin: a struct with the same member names. If the
/// block cannot grow, an insertion throws `out_of_space` and leaves the map unchanged; the `try_`
/// forms return false or `end()` instead. NaN is rejected as a key, and -0 is stored as +0.
template <class K, class V, block_policy P>
class basic_hash_map : public detail::hash_container<basic_hash_map<K, V, P>, K, V, P> {
  using container = detail::hash_container<basic_hash_map, K, V, P>;
  using container::known;
  using container::self_or_throw;
  using typename container::entry;
  using typename container::found_entry;
  using typename container::outcome;
  using typename container::table;

public:
  /// The types of keys and values.
  using live_parts = detail::type_pack<K, V>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::hash_map;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using typename container::size_type;
  using reference = std::pair<const K&, V&>;
  using const_reference = std::pair<const K&, const V&>;
  using iterator = detail::hash_iterator<std::pair<K, V>, reference>;
  using const_iterator = detail::hash_iterator<const std::pair<K, V>, const_reference>;
  /// The type of an entry in braces.
  using brace_value = std::pair<detail::brace_value_t<K>, detail::brace_value_t<V>>;

  basic_hash_map() = default;
  basic_hash_map(const basic_hash_map&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_hash_map(basic_hash_map&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_hash_map() = default;

  INGOT_NOTED basic_hash_map& operator=(const basic_hash_map& other) {
    return self_or_throw([&] { return container::try_assign(other); });
  }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_hash_map& operator=(basic_hash_map&& other) {
    return self_or_throw([&] { return container::try_assign(std::move(other)); });
  }
  INGOT_NOTED basic_hash_map& operator=(std::initializer_list<brace_value> values) {
    return self_or_throw(table::assign_all(values));
  }
  /// Assigns a range of pairs, such as a std:: map. If keys are equal, the first entry is used.
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_hash_map>)
  INGOT_NOTED basic_hash_map& operator=(R&& range) {
    return self_or_throw(table::assign_all(range));
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
  /// Returns the value of a key, or null if the key is missing.
  template <detail::key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE V* get_if(const Q& key) noexcept {
    entry* const one = table::find_entry(key);
    return one != nullptr ? std::addressof(one->second) : nullptr;
  }
  template <detail::key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE const V* get_if(const Q& key) const noexcept {
    return const_cast<basic_hash_map*>(this)->get_if(key);
  }
  /// Returns the value of a key. Throws std::out_of_range if the key is missing; without
  /// exceptions, ends the program.
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
  /// Returns the value of a key. If the key is missing, inserts a value-initialized value; this may
  /// throw `out_of_space`. An insertion invalidates references to values of this map, so `h[a] =
  /// h[b]` may read a value that `h[a]` has moved: use `insert_or_assign(a, h.at(b))`.
  template <detail::key_like<K> Q = K>
  INGOT_NOTED V& operator[](Q&& key) {
    return known(table::insert_entry(std::forward<Q>(key))).at->second;
  }

  /// Inserts an entry if its key is new, with a value constructed from the arguments. Returns an
  /// iterator to the entry with this key, and true if it was inserted. Returns `end()` and false if
  /// the block cannot grow, the key holds a NaN, or too many keys collide. Arguments may refer to
  /// entries of this map.
  template <detail::key_like<K> Q = K, class... A>
  [[nodiscard]] std::pair<iterator, bool> try_insert(Q&& key, A&&... arguments) {
    return pair_of(table::insert_entry(std::forward<Q>(key), std::forward<A>(arguments)...));
  }
  /// Same as in std::unordered_map. Throws `out_of_space` if the block cannot grow.
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
  /// Inserts the entries in order. If the block cannot grow, throws `out_of_space`; the entries
  /// inserted so far remain.
  template <std::ranges::input_range R>
  INGOT_NOTED void insert_range(R&& range) {
    for (auto&& value : range) insert(std::forward<decltype(value)>(value));
  }
  /// Inserts a pair, or a key and a value constructed from the arguments.
  template <class Pair>
  std::pair<iterator, bool> emplace(Pair&& value) {
    return insert(std::forward<Pair>(value));
  }
  template <detail::key_like<K> Q = K, class... A>
    requires(sizeof...(A) != 0)
  std::pair<iterator, bool> emplace(Q&& key, A&&... arguments) {
    return try_emplace(std::forward<Q>(key), std::forward<A>(arguments)...);
  }
  /// Same as `emplace`. The hint is ignored.
  template <class... A>
  iterator emplace_hint(const_iterator, A&&... arguments) {
    return emplace(std::forward<A>(arguments)...).first;
  }
  /// Same as `insert_or_assign`, but returns `end()` and false if the block cannot grow, the key
  /// holds a NaN, or too many keys collide. An existing value may then be partly assigned.
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
  /// Erases an entry and returns an iterator to the next entry.
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
      // erasing moves the entries that follow, so the new position of `last` is unknown
      next = erase(next);
    return next;
  }

  /// Erases the entries for which `remove` returns true, and returns their number. `remove` is
  /// called with a const_reference.
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

/// Hash map in a block with 32-bit offsets.
template <class K, class V>
using hash_map = basic_hash_map<K, V, narrow_policy>;
namespace wide {
/// Hash map in a block with 64-bit offsets.
template <class K, class V>
using hash_map = basic_hash_map<K, V, wide_policy>;
} // namespace wide

static_assert(sizeof(hash_map<int, int>) == 8);

}} // namespace ingot::INGOT_V1
