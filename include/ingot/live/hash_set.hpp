// SPDX-License-Identifier: Apache-2.0
// Keys in a block, found by hash: 8 bytes, an offset to a table and how many keys are in it.
#pragma once

#include <ingot/live/hash_table.hpp>
#include <ingot/live/vector.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace ingot::inline v1 {

/// The interface of std::unordered_set without its buckets; complexity, invalidation, order, lookup and errors are those of
/// basic_hash_map.
template <class K, block_policy P>
class basic_hash_set : private detail::hash_table<K, void, P> {
  using table = detail::hash_table<K, void, P>;
  using typename table::entry;
  using typename table::found_entry;
  using outcome = detail::table_outcome;
  using table::at_;
  using table::size_;

public:
  using live_policy = P;
  using live_parts = detail::type_pack<K>;
  static constexpr auto brand = detail::live_brand::hash_set;
  using key_type = K;
  using value_type = K;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using hasher = detail::normative_hash;
  using reference = const K&;
  using const_reference = const K&;
  using const_iterator = detail::hash_iterator<const K, const K&>;
  using iterator = const_iterator;
  using brace_value = detail::brace_value_t<K>;

  basic_hash_set() = default;
  basic_hash_set(const basic_hash_set&) = delete; // ingot: assign it, or take it out as a std:: one
  basic_hash_set(basic_hash_set&&) = delete;      // ingot: assign it, inside a block
  ~basic_hash_set() = default;

  basic_hash_set& operator=(const basic_hash_set& other) { return kept(try_assign(other)); }
  /// O(1) inside a block: the two exchange what they hold. Between blocks a copy.
  basic_hash_set& operator=(basic_hash_set&& other) { return kept(try_assign(std::move(other))); }
  basic_hash_set& operator=(std::initializer_list<brace_value> values) {
    return kept(table::assign_all(values));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_hash_set>)
  basic_hash_set& operator=(R&& range) {
    return kept(table::assign_all(range));
  }

  [[nodiscard]] size_type size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Keys there is room for.
  [[nodiscard]] size_type capacity() const noexcept { return table::room(); }
  [[nodiscard]] static constexpr size_type max_size() noexcept { return table::most(); }

  [[nodiscard]] iterator begin() const noexcept { return table::template first<iterator>(); }
  [[nodiscard]] iterator end() const noexcept { return {}; }
  [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] const_iterator cend() const noexcept { return {}; }

  template <detail::key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE iterator find(const Q& key) const noexcept {
    return table::template iterator_at<iterator>(table::find_entry(key));
  }
  template <detail::key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE bool contains(const Q& key) const noexcept {
    return table::find_entry(key) != nullptr;
  }
  template <detail::key_like<K> Q = K>
  [[nodiscard]] size_type count(const Q& key) const noexcept {
    return contains(key) ? 1 : 0;
  }

  /// Where the key is, and whether it is new. `end()` and false when there was no room, or it holds a NaN. It may be a part of
  /// a key of this set.
  template <detail::key_like<K> Q = brace_value>
  [[nodiscard]] std::pair<iterator, bool> try_insert(Q&& key) {
    const found_entry one = table::insert_entry(std::forward<Q>(key));
    return {table::template iterator_at<iterator>(one.at), one.outcome == outcome::done};
  }
  template <detail::key_like<K> Q = brace_value>
  std::pair<iterator, bool> insert(Q&& key) {
    const found_entry one = table::insert_entry(std::forward<Q>(key));
    if (one.at == nullptr) [[unlikely]]
      table::throw_outcome(one.outcome);
    return {table::template iterator_at<iterator>(one.at), one.outcome == outcome::done};
  }
  template <detail::key_like<K> Q = brace_value>
  iterator insert(const_iterator, Q&& key) {
    return insert(std::forward<Q>(key)).first;
  }
  template <std::input_iterator I>
    requires(!detail::key_like<I, K>)
  void insert(I first, I last) {
    for (; first != last; ++first) insert(*first);
  }
  void insert(std::initializer_list<brace_value> values) { insert_range(values); }
  template <std::ranges::input_range R>
  void insert_range(R&& range) {
    for (auto&& value : range) insert(std::forward<decltype(value)>(value));
  }
  template <detail::key_like<K> Q = brace_value>
  std::pair<iterator, bool> emplace(Q&& key) {
    return insert(std::forward<Q>(key));
  }
  template <detail::key_like<K> Q = brace_value>
  iterator emplace_hint(const_iterator, Q&& key) {
    return insert(std::forward<Q>(key)).first;
  }

  template <detail::key_like<K> Q = K>
  size_type erase(const Q& key) noexcept {
    entry* const one = table::find_entry(key);
    if (one != nullptr) table::erase_entry(one);
    return one != nullptr ? 1 : 0;
  }
  /// Returns the one after it.
  iterator erase(const_iterator at) noexcept {
    return table::template first_from<iterator>(table::erase_entry(const_cast<entry*>(at.at())));
  }
  void clear() noexcept { table::erase_all(); }

  /// Removes the keys that `remove` is true of; returns how many.
  template <class Predicate>
  size_type erase_if(Predicate&& remove) {
    const auto asked = [&](const entry& one) -> bool { return remove(one); };
    return table::erase_matching(asked);
  }
  template <class Predicate>
  friend size_type erase_if(basic_hash_set& from, Predicate remove) {
    return from.erase_if(remove);
  }

  /// Room for `count` keys in all.
  [[nodiscard]] bool try_reserve(size_type count) { return table::make_room(count); }
  void reserve(size_type count) { kept(try_reserve(count)); }
  /// To a storage of just its size if there is room for that.
  void shrink_to_fit() { table::shrink_storage(); }

  /// Becomes a copy; false when there was no room, or a key was NaN: the set is then as it was.
  template <std::ranges::input_range R>
  [[nodiscard]] bool try_assign(R&& range) {
    if constexpr (std::same_as<std::remove_cvref_t<R>, basic_hash_set>) {
      if constexpr (std::is_rvalue_reference_v<R&&>) {
        if (table::shares_block(range)) return swap(range), true;
      }
      return table::copy_table(range);
    } else {
      return table::assign_all(range) == outcome::done;
    }
  }
  void assign(std::initializer_list<brace_value> values) { *this = values; }
  template <std::ranges::input_range R>
  void assign_range(R&& range) {
    *this = std::forward<R>(range);
  }

  /// O(1); both in one block, or both empty.
  void swap(basic_hash_set& other) {
    if (table::shares_block(other)) detail::swap_objects(*this, other);
    else if (!empty() || !other.empty()) at_.throw_apart(other.at_);
  }
  friend void swap(basic_hash_set& a, basic_hash_set& b) { a.swap(b); }

  /// Whether they hold the same, in whatever order.
  friend bool operator==(const basic_hash_set& a, const basic_hash_set& b) {
    return table::equal_tables(a, b);
  }

private:
  friend detail::container_access;

  basic_hash_set& kept(bool done) { return kept(done ? outcome::done : outcome::no_room); }
  basic_hash_set& kept(outcome what) {
    if (what != outcome::done) [[unlikely]]
      table::throw_outcome(what);
    return *this;
  }
};

template <class K>
using hash_set = basic_hash_set<K, narrow_policy>;
namespace wide {
template <class K>
using hash_set = basic_hash_set<K, wide_policy>;
} // namespace wide

static_assert(sizeof(hash_set<int>) == 8);

} // namespace ingot::inline v1
