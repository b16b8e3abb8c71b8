// SPDX-License-Identifier: Apache-2.0
// A sorted map in contiguous storage. It takes 8 bytes: an offset to the keys and values, and their
// number. See flat_map_storage.hpp.
#pragma once

#include <ingot/core/detail/iterator_pair.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/flat_filling.hpp>
#include <ingot/live/detail/flat_map_iterator.hpp>
#include <ingot/live/detail/flat_map_storage.hpp>
#include <ingot/live/detail/out_of_range.hpp>
#include <ingot/live/vector.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// A map with the interface, complexity and invalidation of std::flat_map. Keys are in their
/// natural order (key_order.hpp). A lookup takes O(log n) in one array of keys. Inserting and
/// erasing take O(n), because they move the entries that follow, and invalidate references and
/// iterators. Keys inserted in ascending order are appended without moving entries. `reference` is
/// a std::pair<const K&, V&>. If the block cannot grow, an insertion throws `out_of_space` and
/// leaves the map unchanged; the `try_` forms return false or `end()` instead. Float keys that are
/// NaN are rejected.
template <class K, class V, block_policy P>
class basic_flat_map : private detail::flat_storage<K, V, P> {
  using storage = detail::flat_storage<K, V, P>;
  using storage::at_;
  using storage::nowhere;
  using storage::size_;

public:
  /// The policy of the block: offset width and allocator.
  using live_policy = P;
  /// The types of keys and values.
  using live_parts = detail::type_pack<K, V>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::flat_map;
  using key_type = K;
  using key_compare = detail::key_less;
  /// Readers use this type to fill the map with entries in any order.
  using unsorted_entries = detail::flat_filling<basic_flat_map>;
  using value_compare = detail::entry_less;
  using mapped_type = V;
  using value_type = std::pair<K, V>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = std::pair<const K&, V&>;
  using const_reference = std::pair<const K&, const V&>;
  using iterator = detail::flat_map_iterator<K, V>;
  using const_iterator = detail::flat_map_iterator<K, const V>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  /// The type of an entry in braces.
  using brace_value = std::pair<detail::brace_value_t<K>, detail::brace_value_t<V>>;

  basic_flat_map() = default;
  basic_flat_map(const basic_flat_map&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_flat_map(basic_flat_map&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_flat_map() = default;

  INGOT_NOTED basic_flat_map& operator=(const basic_flat_map& other) {
    return self_or_throw(try_assign(other));
  }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_flat_map& operator=(basic_flat_map&& other) {
    return self_or_throw(try_assign(std::move(other)));
  }
  INGOT_NOTED basic_flat_map& operator=(std::initializer_list<brace_value> entries) {
    return self_or_throw(try_assign(entries));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_flat_map>)
  INGOT_NOTED basic_flat_map& operator=(R&& range) {
    return self_or_throw(try_assign(std::forward<R>(range)));
  }

  [[nodiscard]] size_type size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] size_type capacity() const noexcept { return storage::slot_count(); }
  [[nodiscard]] static constexpr size_type max_size() noexcept { return storage::max_count; }

  [[nodiscard]] iterator begin() noexcept { return entry_at(0); }
  [[nodiscard]] iterator end() noexcept { return entry_at(size_); }
  [[nodiscard]] const_iterator begin() const noexcept { return entry_at(0); }
  [[nodiscard]] const_iterator end() const noexcept { return entry_at(size_); }
  [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] const_iterator cend() const noexcept { return end(); }
  [[nodiscard]] reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  [[nodiscard]] const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator crbegin() const noexcept { return rbegin(); }
  [[nodiscard]] const_reverse_iterator crend() const noexcept { return rend(); }
  [[nodiscard]] static key_compare key_comp() noexcept { return {}; }
  [[nodiscard]] static value_compare value_comp() noexcept { return {}; }
  /// Returns the keys in ascending order.
  [[nodiscard]] std::span<const K> keys() const noexcept { return {storage::first_key(), size_}; }
  /// Returns the values in the order of their keys.
  [[nodiscard]] std::span<V> values() noexcept { return {storage::first_value(), size_}; }
  [[nodiscard]] std::span<const V> values() const noexcept { return {storage::first_value(), size_}; }

  template <class Q = K>
  [[nodiscard]] iterator find(const Q& key) {
    const size_type rank = storage::find_rank(storage::query(key));
    return rank == nowhere ? end() : entry_at(rank);
  }
  template <class Q = K>
  [[nodiscard]] const_iterator find(const Q& key) const {
    return const_cast<basic_flat_map*>(this)->find(key);
  }
  template <class Q = K>
  [[nodiscard]] bool contains(const Q& key) const {
    return storage::find_rank(storage::query(key)) != nowhere;
  }
  template <class Q = K>
  [[nodiscard]] size_type count(const Q& key) const {
    return contains(key) ? 1 : 0;
  }
  template <class Q = K>
  [[nodiscard]] iterator lower_bound(const Q& key) {
    return entry_at(storage::template bound<false>(storage::query(key)));
  }
  template <class Q = K>
  [[nodiscard]] const_iterator lower_bound(const Q& key) const {
    return entry_at(storage::template bound<false>(storage::query(key)));
  }
  template <class Q = K>
  [[nodiscard]] iterator upper_bound(const Q& key) {
    return entry_at(storage::template bound<true>(storage::query(key)));
  }
  template <class Q = K>
  [[nodiscard]] const_iterator upper_bound(const Q& key) const {
    return entry_at(storage::template bound<true>(storage::query(key)));
  }
  template <class Q = K>
  [[nodiscard]] std::pair<iterator, iterator> equal_range(const Q& key) {
    return {lower_bound(key), upper_bound(key)};
  }
  template <class Q = K>
  [[nodiscard]] std::pair<const_iterator, const_iterator> equal_range(const Q& key) const {
    return {lower_bound(key), upper_bound(key)};
  }
  /// Returns the value of a key, or null if the key is missing.
  template <class Q = K>
  [[nodiscard]] V* get_if(const Q& key) {
    const size_type rank = storage::find_rank(storage::query(key));
    return rank == nowhere ? nullptr : storage::first_value() + rank;
  }
  template <class Q = K>
  [[nodiscard]] const V* get_if(const Q& key) const {
    return const_cast<basic_flat_map*>(this)->get_if(key);
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
    return const_cast<basic_flat_map*>(this)->at(key);
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
  template <class Q = detail::brace_value_t<K>, class... A>
  [[nodiscard]] std::pair<iterator, bool> try_insert(Q&& key, A&&... arguments) {
    const auto [rank, fresh] = storage::add(std::forward<Q>(key), std::forward<A>(arguments)...);
    return {rank == nowhere ? end() : entry_at(rank), fresh};
  }
  /// Same as in std::flat_map. Throws `out_of_space` if the block cannot grow.
  template <class Q = detail::brace_value_t<K>, class... A>
    requires(!std::convertible_to<const Q&, const_iterator>)
  std::pair<iterator, bool> try_emplace(Q&& key, A&&... arguments) {
    require_key(key);
    const auto [rank, fresh] = storage::add(std::forward<Q>(key), std::forward<A>(arguments)...);
    return {placed(rank), fresh};
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
  INGOT_NOTED void insert(std::initializer_list<brace_value> entries) { insert_range(entries); }
  /// Inserts the entries in order. If the block cannot grow, throws `out_of_space`; the entries
  /// inserted so far remain. A range of m entries takes O(m log(n + m) + n). While the range is
  /// read, the entries of this map may be out of order.
  template <std::ranges::input_range R>
  INGOT_NOTED void insert_range(R&& range) {
    detail::flat_range<storage> added(*this);
    for (auto&& entry : range) {
      using E = decltype(entry);
      require_key(std::get<0>(std::forward<E>(entry)));
      if (!added.add(std::get<0>(std::forward<E>(entry)), std::get<1>(std::forward<E>(entry)))) [[unlikely]]
        at_.throw_failure();
    }
  }
  /// Same as `insert_or_assign`, but returns `end()` and false if the block cannot grow or the key
  /// holds a NaN.
  template <class Q = detail::brace_value_t<K>, class U = detail::brace_value_t<V>>
  [[nodiscard]] std::pair<iterator, bool> try_insert_or_assign(Q&& key, U&& value) {
    const auto [rank, fresh] = storage::add(std::forward<Q>(key), std::forward<U>(value));
    if (rank == nowhere) return {end(), false};
    if (!fresh && !detail::assign_value(storage::first_value()[rank], std::forward<U>(value)))
      return {end(), false};
    return {entry_at(rank), fresh};
  }
  template <class Q = detail::brace_value_t<K>, class U = detail::brace_value_t<V>>
  std::pair<iterator, bool> insert_or_assign(Q&& key, U&& value) {
    require_key(key);
    const auto done = try_insert_or_assign(std::forward<Q>(key), std::forward<U>(value));
    if (done.first == end()) [[unlikely]]
      at_.throw_failure();
    return done;
  }
  template <class Q = detail::brace_value_t<K>, class U = detail::brace_value_t<V>>
  iterator insert_or_assign(const_iterator, Q&& key, U&& value) {
    return insert_or_assign(std::forward<Q>(key), std::forward<U>(value)).first;
  }

  INGOT_CHECKED iterator erase(const_iterator from) noexcept {
    INGOT_REQUIRE_FRESH(from);
    INGOT_REQUIRE(storage::rank_of(from.key()) < size_,
                  broken_position(name, "erase()", storage::rank_of(from.key()), size_));
    return erase(from, from + 1);
  }
  INGOT_CHECKED iterator erase(iterator from) noexcept { return erase(const_iterator(from)); }
  INGOT_CHECKED iterator erase(const_iterator first, const_iterator last) noexcept {
    INGOT_REQUIRE_FRESH(first);
    INGOT_REQUIRE_FRESH(last);
    INGOT_REQUIRE(
        storage::is_range(first.key(), last.key()),
        broken_range(name, "erase()", storage::rank_of(first.key()), storage::rank_of(last.key()), size_));
    const auto rank = static_cast<size_type>(first.key() - storage::first_key());
    storage::erase_run(rank, static_cast<size_type>(last - first));
    return entry_at(rank);
  }
  /// Returns the number of erased entries. `key` may be a key in this map.
  template <class Q = K>
    requires(!std::convertible_to<const Q&, const_iterator>)
  INGOT_NOTED size_type erase(const Q& key) {
    const size_type rank = storage::find_rank(storage::query(key));
    if (rank == nowhere) return 0;
    storage::erase_run(rank, 1);
    return 1;
  }
  INGOT_NOTED void clear() noexcept { storage::clear_all(); }
  /// Erases the entries for which `remove` returns true, and returns their number. `remove` is
  /// called with a const_reference.
  template <class Predicate>
  INGOT_NOTED size_type erase_if(Predicate&& remove) {
    return storage::erase_matching([&](size_type i) -> bool {
      return remove(const_reference(storage::first_key()[i], storage::first_value()[i]));
    });
  }
  template <class Predicate>
  INGOT_NOTED friend size_type erase_if(basic_flat_map& from, Predicate remove) {
    return from.erase_if(remove);
  }

  /// Reserves storage for exactly `count` entries. Inserting more entries doubles the storage.
  /// Returns false if the block cannot grow.
  [[nodiscard]] INGOT_NOTED bool try_reserve(size_type count) {
    return count <= capacity() || storage::move_to(count);
  }
  INGOT_NOTED void reserve(size_type count) { self_or_throw(try_reserve(count)); }
  /// Moves the entries to a storage of exactly their size, if the block has space for it.
  INGOT_NOTED void shrink_to_fit() {
    if (capacity() != size_) static_cast<void>(storage::move_to(size_));
  }

  /// Assigns a copy of a map or of a range of pairs. If keys are equal, the first entry is used.
  /// Returns false if the block cannot grow; the map is then unchanged. O(n log n), or O(n) if the
  /// keys ascend.
  template <std::ranges::input_range R>
  [[nodiscard]] INGOT_NOTED bool try_assign(R&& range) {
    if constexpr (std::same_as<std::remove_cvref_t<R>, basic_flat_map>) {
      if (this == &range) return true;
      if constexpr (std::is_rvalue_reference_v<R&&> && !std::is_const_v<R>) {
        if (shares_block(range)) return swap(range), true;
      }
      return storage::assign_same(range);
    } else {
      return storage::assign_range_of(range, []<class E>(auto& added, E&& entry) {
        return added.add(std::get<0>(std::forward<E>(entry)), std::get<1>(std::forward<E>(entry)));
      });
    }
  }

  /// Swaps the contents. O(1). Both maps must be in one block, or both empty; otherwise throws
  /// `out_of_space`.
  INGOT_NOTED void swap(basic_flat_map& other) {
    if (shares_block(other)) detail::swap_objects(*this, other);
    else if (!empty() || !other.empty()) at_.throw_apart(other.at_);
  }
  INGOT_NOTED friend void swap(basic_flat_map& a, basic_flat_map& b) { a.swap(b); }

  friend bool operator==(const basic_flat_map& a, const basic_flat_map& b) {
    if (a.size_ != b.size_) return false;
    for (size_type i = 0; i < a.size_; ++i) {
      if (detail::compare_keys(a.keys()[i], b.keys()[i]) != 0 ||
          !detail::equal_values(a.values()[i], b.values()[i]))
        return false;
    }
    return true;
  }
  friend auto operator<=>(const basic_flat_map& a, const basic_flat_map& b)
    requires std::three_way_comparable<V>
  {
    static_assert(detail::require_bounded_order<basic_flat_map>());
    using order = std::common_comparison_category_t<std::strong_ordering, std::compare_three_way_result_t<V>>;
    for (size_type i = 0; i < a.size_ && i < b.size_; ++i) {
      if (const int keys = detail::compare_keys(a.keys()[i], b.keys()[i]); keys != 0)
        return order(keys <=> 0);
      if (const order values = a.values()[i] <=> b.values()[i]; values != 0) return values;
    }
    return order(a.size_ <=> b.size_);
  }

private:
  friend detail::container_access;
  static constexpr const char* name = "ingot::flat_map";
  INGOT_HAS_ITERATORS(name, at_.data(), size_);

  [[nodiscard]] iterator entry_at(size_type rank) const noexcept {
    return {INGOT_IN_DEBUG(this, ) storage::first_key() + rank, storage::first_value() + rank};
  }
  basic_flat_map& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }
  iterator placed(size_type rank) {
    if (rank == nowhere) [[unlikely]]
      at_.throw_failure();
    return entry_at(rank);
  }
  template <class Q>
  static void require_key(const Q& key) {
    if (!detail::is_key(key)) [[unlikely]]
      detail::throw_not_a_key();
  }
  [[nodiscard]] bool shares_block(const basic_flat_map& other) const noexcept {
    return at_.bound() && other.at_.bound() && at_.block() == other.at_.block();
  }
};

/// Flat map in a block with 32-bit offsets.
template <class K, class V>
using flat_map = basic_flat_map<K, V, narrow_policy>;
namespace wide {
/// Flat map in a block with 64-bit offsets.
template <class K, class V>
using flat_map = basic_flat_map<K, V, wide_policy>;
} // namespace wide

static_assert(sizeof(flat_map<int, int>) == 8 && sizeof(wide::flat_map<int, int>) == 16);

}} // namespace ingot::INGOT_V1
