// SPDX-License-Identifier: Apache-2.0
// Common base of hash_map and hash_set. It takes 8 bytes: an offset to a table, and the number of
// entries. With 64-bit offsets it takes 16 bytes.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/hash_table.hpp>
#include <ingot/live/vector.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// `Self` is the derived map or, if `V` is void, the derived set. Complexity, invalidation and
/// errors are those of basic_hash_map.
template <class Self, class K, class V, block_policy P>
class INGOT_DEBUG_TYPE hash_container : protected hash_table<K, V, P> {
protected:
  using table = hash_table<K, V, P>;
  using outcome = table_outcome;
  using table::at_;
  using table::size_;
  using typename table::entry;
  using typename table::found_entry;

public:
  using live_policy = P;
  using key_type = K;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using hasher = normative_hash;
  using key_equal = detail::key_equal;

  // Only the derived map or set is copied and assigned. The offset in this base is valid only at
  // its own address.
  hash_container(const hash_container&) = delete;
  hash_container& operator=(const hash_container&) = delete;

  [[nodiscard]] size_type size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Returns the number of entries that the storage can hold.
  [[nodiscard]] size_type capacity() const noexcept { return table::entry_capacity(); }
  [[nodiscard]] static constexpr size_type max_size() noexcept { return table::max_entries(); }
  /// Returns the hash function for the first seed. A table whose keys collide uses another seed.
  [[nodiscard]] static hasher hash_function() noexcept { return {}; }
  [[nodiscard]] static key_equal key_eq() noexcept { return {}; }

  template <key_like<K> Q = K>
  [[nodiscard]] INGOT_INLINE bool contains(const Q& key) const noexcept {
    return table::find_entry(key) != nullptr;
  }
  template <key_like<K> Q = K>
  [[nodiscard]] size_type count(const Q& key) const noexcept {
    return contains(key) ? 1 : 0;
  }

  template <key_like<K> Q = K>
  size_type erase(const Q& key) noexcept {
    entry* const one = table::find_entry(key);
    if (one != nullptr) table::erase_entry(one);
    return one != nullptr ? 1 : 0;
  }
  void clear() noexcept { table::erase_all(); }
  template <class Predicate>
  INGOT_NOTED friend size_type erase_if(Self& from, Predicate remove) {
    return from.erase_if(remove);
  }

  /// Reserves capacity for `count` entries in total.
  [[nodiscard]] bool try_reserve(size_type count) { return table::reserve_space(count); }
  void reserve(size_type count) {
    self_or_throw([&] { return try_reserve(count); });
  }
  /// Moves the entries to a storage of exactly their size if there is memory for it.
  void shrink_to_fit() { table::shrink_storage(); }

  /// Assigns a copy of a range. Returns false if memory runs out or a key is NaN; the container is
  /// then unchanged.
  template <std::ranges::input_range R>
  [[nodiscard]] bool try_assign(R&& range) {
    if constexpr (std::same_as<std::remove_cvref_t<R>, Self>) {
      if constexpr (std::is_rvalue_reference_v<R&&>) {
        if (table::shares_block(range)) return swap(range), true;
      }
      return table::copy_table(range);
    } else {
      return table::assign_all(range) == outcome::done;
    }
  }
  template <std::ranges::input_range R>
  void assign_range(R&& range) {
    self() = std::forward<R>(range);
  }

  /// Swaps the contents. O(1). Both containers must be in one block, or both empty.
  void swap(Self& other) {
    if (table::shares_block(other)) swap_objects(self(), other);
    else if (!empty() || !other.empty()) at_.throw_apart(static_cast<hash_container&>(other).at_);
  }
  INGOT_NOTED friend void swap(Self& a, Self& b) { a.swap(b); }

  /// Returns true if both hold the same entries, in any order.
  friend bool operator==(const Self& a, const Self& b) { return table::equal_tables(a, b); }

protected:
  friend container_access;

  hash_container() noexcept = default;
  ~hash_container() = default;

  template <std::predicate Call>
  Self& self_or_throw(const Call& done) {
    const collision_watch watch;
    return self_or_throw(done() ? outcome::done : table::why_not(watch));
  }
  Self& self_or_throw(outcome what) {
    if (what != outcome::done) [[unlikely]]
      table::throw_outcome(what);
    return self();
  }
  [[nodiscard]] INGOT_INLINE found_entry known(found_entry one) const {
    if (one.at == nullptr) [[unlikely]]
      table::throw_outcome(one.outcome);
    return one;
  }

private:
  [[nodiscard]] INGOT_INLINE Self& self() noexcept { return static_cast<Self&>(*this); }
};

}}} // namespace ingot::INGOT_V1::detail
