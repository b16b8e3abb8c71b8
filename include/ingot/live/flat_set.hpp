// SPDX-License-Identifier: Apache-2.0
// A sorted set in contiguous storage. It takes 8 bytes: an offset to the keys, and their number.
// See flat_map_storage.hpp.
#pragma once

#include <ingot/core/detail/iterator_pair.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/flat_filling.hpp>
#include <ingot/live/detail/flat_map_storage.hpp>
#include <ingot/live/detail/iterator_origin.hpp>
#include <ingot/live/vector.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// A set with the interface, complexity and invalidation of std::flat_set. Keys are in their
/// natural order (key_order.hpp). A lookup takes O(log n). Inserting and erasing take O(n), because
/// they move the keys that follow, and invalidate references and iterators. Keys inserted in
/// ascending order are appended without moving keys. If the block cannot grow, an insertion throws
/// `out_of_space` and leaves the set unchanged; the `try_` forms return false or `end()` instead.
/// Floats that are NaN are rejected.
template <class K, block_policy P>
class basic_flat_set : private detail::flat_storage<K, detail::no_value, P> {
  using storage = detail::flat_storage<K, detail::no_value, P>;
  using storage::at_;
  using storage::nowhere;
  using storage::size_;

public:
  /// The policy of the block: offset width and allocator.
  using live_policy = P;
  /// The type of the keys.
  using live_parts = detail::type_pack<K>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::flat_set;
  using key_type = K;
  using key_compare = detail::key_less;
  /// Readers use this type to fill the set with keys in any order.
  using unsorted_entries = detail::flat_filling<basic_flat_set>;
  using value_compare = detail::key_less;
  using value_type = K;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = const K&;
  using const_reference = const K&;
  using iterator = detail::element_iterator<const K>;
  using const_iterator = iterator;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  /// The type of a key in an initializer list: a text view for strings, otherwise `K`.
  using brace_value = detail::brace_value_t<K>;

  basic_flat_set() = default;
  basic_flat_set(const basic_flat_set&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_flat_set(basic_flat_set&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_flat_set() = default;

  INGOT_NOTED basic_flat_set& operator=(const basic_flat_set& other) {
    return self_or_throw(try_assign(other));
  }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_flat_set& operator=(basic_flat_set&& other) {
    return self_or_throw(try_assign(std::move(other)));
  }
  INGOT_NOTED basic_flat_set& operator=(std::initializer_list<brace_value> keys) {
    return self_or_throw(try_assign(keys));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_flat_set>)
  INGOT_NOTED basic_flat_set& operator=(R&& range) {
    return self_or_throw(try_assign(std::forward<R>(range)));
  }

  [[nodiscard]] size_type size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] size_type capacity() const noexcept { return storage::slot_count(); }
  [[nodiscard]] static constexpr size_type max_size() noexcept { return storage::max_count; }

  [[nodiscard]] const_iterator begin() const noexcept { return key_at(0); }
  [[nodiscard]] const_iterator end() const noexcept { return key_at(size_); }
  [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] const_iterator cend() const noexcept { return end(); }
  [[nodiscard]] const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  [[nodiscard]] const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator crbegin() const noexcept { return rbegin(); }
  [[nodiscard]] const_reverse_iterator crend() const noexcept { return rend(); }
  [[nodiscard]] static key_compare key_comp() noexcept { return {}; }
  [[nodiscard]] static value_compare value_comp() noexcept { return {}; }
  /// Returns the keys in ascending order.
  [[nodiscard]] std::span<const K> keys() const noexcept { return {storage::first_key(), size_}; }

  template <class Q = K>
  [[nodiscard]] const_iterator find(const Q& key) const {
    const size_type rank = storage::find_rank(storage::query(key));
    return key_at(rank == nowhere ? size_ : rank);
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
  [[nodiscard]] const_iterator lower_bound(const Q& key) const {
    return key_at(storage::template bound<false>(storage::query(key)));
  }
  template <class Q = K>
  [[nodiscard]] const_iterator upper_bound(const Q& key) const {
    return key_at(storage::template bound<true>(storage::query(key)));
  }
  template <class Q = K>
  [[nodiscard]] std::pair<const_iterator, const_iterator> equal_range(const Q& key) const {
    return {lower_bound(key), upper_bound(key)};
  }

  /// Inserts a key if it is new. Returns an iterator to the key, and true if it was inserted.
  /// Returns `end()` and false if the block cannot grow or the key holds a NaN. `key` may be a key
  /// in this set.
  template <class Q = brace_value>
  [[nodiscard]] std::pair<iterator, bool> try_insert(Q&& key) {
    const auto [rank, fresh] = storage::add(std::forward<Q>(key));
    return {key_at(rank == nowhere ? size_ : rank), fresh};
  }
  template <class Q = brace_value>
  std::pair<iterator, bool> insert(Q&& key) {
    if (!detail::is_key(key)) [[unlikely]]
      detail::throw_not_a_key();
    const auto inserted = try_insert(std::forward<Q>(key));
    if (inserted.first == end()) [[unlikely]]
      at_.throw_failure();
    return inserted;
  }
  /// Same as `insert`. The hint is ignored.
  template <class Q = brace_value>
    requires(!std::same_as<std::remove_cvref_t<Q>, const_iterator>)
  iterator insert(const_iterator, Q&& key) {
    return insert(std::forward<Q>(key)).first;
  }
  template <std::input_iterator I>
  INGOT_NOTED void insert(I first, I last) {
    insert_range(detail::iterator_pair{std::move(first), std::move(last)});
  }
  INGOT_NOTED void insert(std::initializer_list<brace_value> keys) { insert_range(keys); }
  /// Inserts the keys in order. If the block cannot grow, throws `out_of_space`; the keys inserted
  /// so far remain. A range of m keys takes O(m log(n + m) + n). While the range is read, the keys
  /// of this set may be out of order.
  template <std::ranges::input_range R>
  INGOT_NOTED void insert_range(R&& range) {
    detail::flat_range<storage> added(*this);
    for (auto&& key : range) {
      if (!detail::is_key(key)) [[unlikely]]
        detail::throw_not_a_key();
      if (!added.add(std::forward<decltype(key)>(key))) [[unlikely]]
        at_.throw_failure();
    }
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

  INGOT_CHECKED iterator erase(const_iterator from) noexcept {
    INGOT_REQUIRE_FRESH(from);
    const K* const key = INGOT_ADDRESS(from);
    INGOT_REQUIRE(storage::rank_of(key) < size_,
                  broken_position(name, "erase()", storage::rank_of(key), size_));
    const auto rank = static_cast<size_type>(key - storage::first_key());
    storage::erase_run(rank, 1);
    return key_at(rank);
  }
  INGOT_CHECKED iterator erase(const_iterator first, const_iterator last) noexcept {
    INGOT_REQUIRE_FRESH(first);
    INGOT_REQUIRE_FRESH(last);
    const K* const from = INGOT_ADDRESS(first);
    const K* const to = INGOT_ADDRESS(last);
    INGOT_REQUIRE(storage::is_range(from, to),
                  broken_range(name, "erase()", storage::rank_of(from), storage::rank_of(to), size_));
    const auto rank = static_cast<size_type>(from - storage::first_key());
    storage::erase_run(rank, static_cast<size_type>(to - from));
    return key_at(rank);
  }
  /// Returns the number of erased keys. `key` may be a key in this set.
  template <class Q = K>
    requires(!std::convertible_to<const Q&, const_iterator>)
  INGOT_NOTED size_type erase(const Q& key) {
    const size_type rank = storage::find_rank(storage::query(key));
    if (rank == nowhere) return 0;
    storage::erase_run(rank, 1);
    return 1;
  }
  INGOT_NOTED void clear() noexcept { storage::clear_all(); }
  /// Erases the keys for which `remove` returns true, and returns their number.
  template <class Predicate>
  INGOT_NOTED size_type erase_if(Predicate&& remove) {
    return storage::erase_matching(
        [&](size_type i) -> bool { return remove(std::as_const(storage::first_key()[i])); });
  }
  template <class Predicate>
  INGOT_NOTED friend size_type erase_if(basic_flat_set& from, Predicate remove) {
    return from.erase_if(remove);
  }

  /// Reserves storage for exactly `count` keys. Inserting more keys doubles the storage. Returns
  /// false if the block cannot grow.
  [[nodiscard]] INGOT_NOTED bool try_reserve(size_type count) {
    return count <= capacity() || storage::move_to(count);
  }
  INGOT_NOTED void reserve(size_type count) { self_or_throw(try_reserve(count)); }
  /// Moves the keys to a storage of exactly their size, if the block has space for it.
  INGOT_NOTED void shrink_to_fit() {
    if (capacity() != size_) static_cast<void>(storage::move_to(size_));
  }

  /// Assigns a copy of a set or range. Returns false if the block cannot grow; the set is then
  /// unchanged. O(n log n), or O(n) if the keys ascend.
  template <std::ranges::input_range R>
  [[nodiscard]] INGOT_NOTED bool try_assign(R&& range) {
    if constexpr (std::same_as<std::remove_cvref_t<R>, basic_flat_set>) {
      if (this == &range) return true;
      if constexpr (std::is_rvalue_reference_v<R&&> && !std::is_const_v<R>) {
        if (shares_block(range)) return swap(range), true;
      }
      return storage::assign_same(range);
    } else {
      return storage::assign_range_of(
          range, []<class Q>(auto& added, Q&& key) { return added.add(std::forward<Q>(key)); });
    }
  }

  /// Swaps the contents. O(1). Both sets must be in one block, or both empty; otherwise throws
  /// `out_of_space`.
  INGOT_NOTED void swap(basic_flat_set& other) {
    if (shares_block(other)) detail::swap_objects(*this, other);
    else if (!empty() || !other.empty()) at_.throw_apart(other.at_);
  }
  INGOT_NOTED friend void swap(basic_flat_set& a, basic_flat_set& b) { a.swap(b); }

  friend bool operator==(const basic_flat_set& a, const basic_flat_set& b) {
    return a.size_ == b.size_ && (a <=> b) == 0;
  }
  friend std::strong_ordering operator<=>(const basic_flat_set& a, const basic_flat_set& b) {
    for (size_type i = 0; i < a.size_ && i < b.size_; ++i) {
      if (const int order = detail::compare_keys(a.first_key()[i], b.first_key()[i]); order != 0)
        return order <=> 0;
    }
    return a.size_ <=> b.size_;
  }

private:
  friend detail::container_access;
  static constexpr const char* name = "ingot::flat_set";
  INGOT_HAS_ITERATORS(name, at_.data(), size_);

  [[nodiscard]] const_iterator key_at(size_type rank) const noexcept {
    return INGOT_ITERATOR(const_iterator, static_cast<const K*>(storage::first_key() + rank));
  }

  basic_flat_set& self_or_throw(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }
  [[nodiscard]] bool shares_block(const basic_flat_set& other) const noexcept {
    return at_.bound() && other.at_.bound() && at_.block() == other.at_.block();
  }
};

/// Flat set in a block with 32-bit offsets.
template <class K>
using flat_set = basic_flat_set<K, narrow_policy>;
namespace wide {
/// Flat set in a block with 64-bit offsets.
template <class K>
using flat_set = basic_flat_set<K, wide_policy>;
} // namespace wide

static_assert(sizeof(flat_set<int>) == 8 && sizeof(wide::flat_set<int>) == 16);

}} // namespace ingot::INGOT_V1
