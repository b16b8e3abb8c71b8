// SPDX-License-Identifier: Apache-2.0
// Common base of map, multimap, set and multiset. It takes 8 bytes: an offset to the root of a
// tree, and the number of entries. With 64-bit offsets it takes 16 bytes.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/btree.hpp>
#include <ingot/live/detail/btree_copy.hpp>
#include <ingot/live/detail/btree_validator.hpp>
#include <ingot/live/detail/rollback.hpp>
#include <ingot/live/vector.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Complexity is that of std::map, invalidation that of std::flat_map: an insertion or erasure
/// invalidates references and iterators into its container. The key of a lookup may be of any type
/// that compares with `K`: text of any kind for text, twins for records.
template <class K, class V, block_policy P, bool Multi>
class INGOT_DEBUG_TYPE btree_container : protected btree<K, V, P, Multi> {
protected:
  using tree = btree<K, V, P, Multi>;
  using tree::at_;
  using tree::size_;
  using typename tree::block_type;
  using typename tree::entries;
  using typename tree::node;
  using typename tree::position;

public:
  using live_policy = P;
  using key_type = K;
  using key_compare = key_less;
  using value_compare = std::conditional_t<node::has_values, entry_less, key_less>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using const_iterator = btree_iterator<node, true>;
  using iterator = std::conditional_t<node::has_values, btree_iterator<node, false>, const_iterator>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  // Only the derived map or set is copied and assigned. The offset in this base is valid only at
  // its own address.
  btree_container(const btree_container&) = delete;
  btree_container& operator=(const btree_container&) = delete;

  [[nodiscard]] size_type size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] static constexpr size_type max_size() noexcept { return tree::max_entries; }

  [[nodiscard]] iterator begin() noexcept { return iterator_to(tree::first_position()); }
  [[nodiscard]] iterator end() noexcept { return iterator_to(position{}); }
  [[nodiscard]] const_iterator begin() const noexcept { return iterator_to(tree::first_position()); }
  [[nodiscard]] const_iterator end() const noexcept { return iterator_to(position{}); }
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

  template <class Q = K>
  [[nodiscard]] INGOT_INLINE iterator find(const Q& key) {
    return {INGOT_FROM_HERE at_.data(), tree::find_position(tree::query(key))};
  }
  template <class Q = K>
  [[nodiscard]] INGOT_INLINE const_iterator find(const Q& key) const {
    return {INGOT_FROM_HERE at_.data(), tree::find_position(tree::query(key))};
  }
  template <class Q = K>
  [[nodiscard]] INGOT_INLINE bool contains(const Q& key) const {
    return tree::find_position(tree::query(key)).leaf != nullptr;
  }
  /// O(log n + m) for m counted entries.
  template <class Q = K>
  [[nodiscard]] size_type count(const Q& key) const {
    if constexpr (!Multi) return contains(key) ? 1 : 0;
    else return static_cast<size_type>(std::ranges::distance(lower_bound(key), upper_bound(key)));
  }
  template <class Q = K>
  [[nodiscard]] iterator lower_bound(const Q& key) {
    return {INGOT_FROM_HERE at_.data(), tree::template bound_position<false>(tree::query(key))};
  }
  template <class Q = K>
  [[nodiscard]] const_iterator lower_bound(const Q& key) const {
    return {INGOT_FROM_HERE at_.data(), tree::template bound_position<false>(tree::query(key))};
  }
  template <class Q = K>
  [[nodiscard]] iterator upper_bound(const Q& key) {
    return {INGOT_FROM_HERE at_.data(), tree::template bound_position<true>(tree::query(key))};
  }
  template <class Q = K>
  [[nodiscard]] const_iterator upper_bound(const Q& key) const {
    return {INGOT_FROM_HERE at_.data(), tree::template bound_position<true>(tree::query(key))};
  }
  template <class Q = K>
  [[nodiscard]] std::pair<iterator, iterator> equal_range(const Q& key) {
    return {lower_bound(key), upper_bound(key)};
  }
  template <class Q = K>
  [[nodiscard]] std::pair<const_iterator, const_iterator> equal_range(const Q& key) const {
    return {lower_bound(key), upper_bound(key)};
  }

  /// Removes an entry and returns an iterator to the next entry. Never fails, because it needs no
  /// memory.
  INGOT_CHECKED iterator erase(const_iterator at) noexcept {
    require_own(
        at, "erase() with an iterator of another container, or one that an insertion or erasure has ended");
    INGOT_REQUIRE(at.position().leaf != nullptr, broken_position(iterator::name(), "erase()", size_, size_));
    position next = at.position();
    tree::remove(next);
    return iterator_to(next);
  }
  INGOT_CHECKED iterator erase(iterator at) noexcept
    requires(!std::same_as<iterator, const_iterator>)
  {
    return erase(const_iterator(at));
  }
  INGOT_CHECKED iterator erase(const_iterator first, const_iterator last) noexcept {
    require_own(first, "erase() with iterators of another container");
    require_own(last, "erase() with iterators of another container");
    auto left = std::ranges::distance(first, last);
    iterator next = iterator_to(first.position());
    for (; left != 0; --left) next = erase(next);
    return next;
  }
  /// Removes the entries with the key and returns their number. `key` may be a key in this
  /// container.
  template <class Q = K>
    requires(!std::convertible_to<const Q&, const_iterator>)
  size_type erase(const Q& key) {
    if constexpr (!Multi) {
      return tree::remove_key(tree::query(key)) ? 1 : 0;
    } else {
      const size_type found = count(key);
      if (found != 0) {
        position at = tree::find_position(tree::query(key));
        for (size_type i = 0; i < found; ++i) tree::remove(at);
      }
      return found;
    }
  }
  void clear() noexcept { tree::clear_tree(); }

  /// Removes the entries for which `remove` is true; returns their number.
  template <class Predicate>
  size_type erase_if(Predicate&& remove) {
    const size_type before = size_;
    for (iterator at = begin(); at != end();) {
      if (remove(*at)) at = erase(at);
      else ++at;
    }
    return before - size_;
  }

protected:
  friend container_access;
  friend replace_guard<btree_container>;
  INGOT_HAS_ITERATORS(iterator::name(), at_.data(), size_);

  btree_container() noexcept = default;
  ~btree_container() = default;

  [[nodiscard]] INGOT_INLINE iterator iterator_to(const position& at) noexcept {
    return {INGOT_FROM_HERE at_.data(), at};
  }
  [[nodiscard]] INGOT_INLINE const_iterator iterator_to(const position& at) const noexcept {
    return {INGOT_FROM_HERE at_.data(), at};
  }
  /// Returns an iterator to an added entry. Throws if no entry was added because memory ran out.
  iterator iterator_or_throw(const position& at) {
    if (at.leaf == nullptr) [[unlikely]]
      at_.throw_failure();
    return iterator_to(at);
  }
  template <class Q>
  static void require_key(const Q& key) {
    if (!is_key(key)) [[unlikely]]
      throw_not_a_key();
  }
  /// Like `add`, but the key is an argument of any accepted type: a key, a twin, text, a number.
  /// If the argument holds a NaN, adds nothing and returns a position without a leaf.
  template <class Q, class... A>
  INGOT_INLINE std::pair<position, bool> add_entry(Q&& key, A&&... arguments) {
    if constexpr (node::is_plain()) {
      return tree::add(static_cast<const K&>(key), std::forward<A>(arguments)...);
    } else {
      if (!is_key(key)) [[unlikely]]
        return {};
      return tree::add(std::forward<Q>(key), std::forward<A>(arguments)...);
    }
  }
  template <class E>
  std::pair<position, bool> add_element(E&& element) {
    if constexpr (node::has_values)
      return add_entry(std::get<0>(std::forward<E>(element)), std::get<1>(std::forward<E>(element)));
    else return add_entry(std::forward<E>(element));
  }
  template <class E>
  [[nodiscard]] static INGOT_INLINE const auto& key_of(const E& element) noexcept {
    if constexpr (node::has_values) return std::get<0>(element);
    else return element;
  }

  INGOT_CHECKED void require_own([[maybe_unused]] const const_iterator& at,
                                 [[maybe_unused]] const char* what) const noexcept {
    INGOT_IN_DEBUG(at.origin().require_fresh(nullptr);)
    INGOT_REQUIRE(at.root() == at_.data(),
                  broken_access(iterator::name(), what, precondition_violation::none, size_));
  }
  [[nodiscard]] bool shares_block(const btree_container& other) const noexcept {
    return at_.bound() && other.at_.bound() && at_.block() == other.at_.block();
  }

  /// Assigns a copy of a range. Returns false if memory runs out; the container is then unchanged.
  template <class R>
  [[nodiscard]] bool assign_all(R&& range) {
    using source = std::remove_cvref_t<R>;
    if constexpr (std::derived_from<source, btree_container>) {
      return assign_sorted(range, range.size());
    } else {
      if constexpr (std::ranges::forward_range<R>) {
        using key = std::remove_cvref_t<decltype(key_of(*std::ranges::begin(range)))>;
        if constexpr (node::is_plain() || keeps_order<K, key>()) {
          if (const auto count = count_sorted<key>(range); count >= 0)
            return assign_sorted(range, static_cast<size_type>(count));
        }
      }
      return assign_unsorted(range);
    }
  }
  /// Returns the number of elements if the keys of a range ascend; otherwise a negative number.
  template <class Key, class R>
  [[nodiscard]] static difference_type count_sorted(R& range) {
    difference_type count = 0;
    auto last = std::ranges::begin(range);
    for (auto at = std::ranges::begin(range); at != std::ranges::end(range); last = at, ++at, ++count) {
      const auto& here = *at;
      if constexpr (!node::is_plain()) {
        if (!is_key(key_of(here))) return -1;
      }
      if (count == 0) continue;
      const auto& before = *last;
      int order = 0;
      if constexpr (node::is_plain())
        order = compare_numbers(tree::query(key_of(before)), tree::query(key_of(here)));
      else order = compare_keys(key_of(before), key_of(here));
      if (order > 0 || (order == 0 && !Multi)) return -1;
    }
    return count;
  }
  /// Assigns a range with `count` elements in ascending order. The old content stays until the new
  /// tree is complete, because the range may read this container.
  template <class R>
  [[nodiscard]] bool assign_sorted(R& range, size_type count) {
    if (count == 0) return tree::clear_tree(), true;
    if (!at_.bound() || count > tree::max_entries) return false;
    std::byte* const old = at_.data();
    const block_type block = block_type::of(old);
    btree_builder<node> builder(block);
    if (!builder.begin(count)) return false;
    for (auto&& element : range) {
      bool added = false;
      if constexpr (!node::has_values) added = builder.add(as_key(element));
      else
        added =
            builder.add(as_key(std::get<0>(element)), std::get<1>(std::forward<decltype(element)>(element)));
      if (!added) return false;
    }
    size_ = static_cast<typename P::offset_type>(builder.size());
    at_.point_at(builder.take());
    entries::destroy_tree(old, block);
    return true;
  }
  template <class Q>
  [[nodiscard]] static INGOT_INLINE decltype(auto) as_key(const Q& key) noexcept {
    if constexpr (node::is_plain()) return static_cast<K>(key);
    else return (key);
  }
  template <class R>
  [[nodiscard]] bool assign_unsorted(R& range) {
    if (!at_.bound()) return std::ranges::empty(range);
    // Copies nested containers now, not later (recursion.hpp): adding moves the other entries.
    const walk_scope<assign_entry> at_once(nullptr);
    replace_guard<btree_container> old(*this);
    for (auto&& element : range) {
      if (add_element(std::forward<decltype(element)>(element)).first.leaf == nullptr) return false;
    }
    return old.keep();
  }

  [[nodiscard]] bool equals(const btree_container& other) const {
    if (size_ != other.size_) return false;
    for (auto a = begin(), b = other.begin(); a != end(); ++a, ++b) {
      if constexpr (node::has_values) {
        if (!equal_values((*a).first, (*b).first) || !equal_values((*a).second, (*b).second)) return false;
      } else {
        if (!equal_values(*a, *b)) return false;
      }
    }
    return true;
  }
  [[nodiscard]] auto compare(const btree_container& other) const {
    if constexpr (node::has_values) {
      using order =
          std::common_comparison_category_t<std::strong_ordering, std::compare_three_way_result_t<V>>;
      auto a = begin();
      auto b = other.begin();
      for (; a != end() && b != other.end(); ++a, ++b) {
        if (const int keys = compare_keys((*a).first, (*b).first); keys != 0) return order(keys <=> 0);
        if (const order values = (*a).second <=> (*b).second; values != 0) return values;
      }
      return order(size_ <=> other.size_);
    } else {
      auto a = begin();
      auto b = other.begin();
      for (; a != end() && b != other.end(); ++a, ++b) {
        if (const int keys = compare_keys(*a, *b); keys != 0) return keys <=> 0;
      }
      return size_ <=> other.size_;
    }
  }

  void bind(block_type block) noexcept { at_.point_at(block.sentinel()); }
  void shift(std::ptrdiff_t by) noexcept { at_.shift(by); }
  void destroy(block_type block) noexcept { entries::destroy_tree(at_.data(), block); }
  static void destroy_storage(std::byte* data, std::size_t, block_type block) noexcept {
    entries::destroy_tree(data, block);
  }
  template <class Validator>
  [[nodiscard]] bool check(Validator& validator) const {
    return btree_validator<node, P, Multi, Validator>(validator).run(at_, size_);
  }
};

}}} // namespace ingot::INGOT_V1::detail
