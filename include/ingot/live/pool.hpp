// SPDX-License-Identifier: Apache-2.0
// Objects in a block that are found by links, for graphs and cycles. A link can be copied anywhere, and one whose object is gone finds nothing. A
// pool takes 8 bytes: an offset to the slots, and how many there are. See pool_storage.hpp.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/rollback.hpp>
#include <ingot/live/detail/iterator_origin.hpp>
#include <ingot/live/detail/pool_storage.hpp>
#include <ingot/live/ref.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// An iterator over the objects that are alive, in the order of their slots. It is valid until an object is added, or its own object erased.
template <class Pool, class T>
class INGOT_DEBUG_TYPE pool_iterator {
public:
  using value_type = std::remove_const_t<T>;
  using reference = T&;
  using pointer = T*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::forward_iterator_tag;

  pool_iterator() = default;
  pool_iterator(Pool* pool, std::size_t index) noexcept
      : pool_(pool), index_(index) INGOT_IN_DEBUG(, origin_(pool)) {}
  template <std::same_as<std::remove_const_t<Pool>> Other>
    requires std::is_const_v<Pool>
  pool_iterator(const pool_iterator<Other, value_type>&
                    other) noexcept // NOLINT(google-explicit-constructor): as of any container
      : pool_(other.pool()), index_(other.index()) INGOT_IN_DEBUG(, origin_(other.origin())) {}

  [[nodiscard]] INGOT_CHECKED reference operator*() const noexcept {
    require_object();
    return pool_->object_at(index_);
  }
  [[nodiscard]] INGOT_CHECKED pointer operator->() const noexcept { return std::addressof(**this); }
  INGOT_CHECKED pool_iterator& operator++() noexcept {
    INGOT_REQUIRE(pool_ != nullptr, broken_access("ingot::pool", "an iterator of no pool"));
    INGOT_IN_DEBUG(origin_.require_fresh_container();)
    INGOT_REQUIRE(index_ < pool_->slots(),
                  broken_access("ingot::pool", "++ of end()", index_, pool_->size()));
    index_ = pool_->next_object(index_ + 1);
    return *this;
  }
  INGOT_CHECKED pool_iterator operator++(int) noexcept {
    const auto before = *this;
    ++*this;
    return before;
  }
  INGOT_CHECKED friend bool operator==(const pool_iterator& a, const pool_iterator& b) noexcept {
    INGOT_REQUIRE_EXTENSIVE(a.pool_ == b.pool_,
                            broken_access("ingot::pool", "iterators of two pools are compared", a.index_));
    INGOT_IN_DEBUG(a.origin_.require_fresh_container();)
    INGOT_IN_DEBUG(b.origin_.require_fresh_container();)
    return a.index_ == b.index_;
  }

  /// The link to the object.
  [[nodiscard]] INGOT_CHECKED auto ref() const noexcept {
    require_object();
    return pool_->ref_at(index_);
  }

  // For the container.
  [[nodiscard]] Pool* pool() const noexcept { return pool_; }
  [[nodiscard]] std::size_t index() const noexcept { return index_; }
  INGOT_IN_DEBUG([[nodiscard]] const iterator_origin& origin() const noexcept { return origin_; })

private:
  INGOT_CHECKED void require_object() const noexcept {
    INGOT_REQUIRE(pool_ != nullptr, broken_access("ingot::pool", "an iterator of no pool"));
    INGOT_IN_DEBUG(origin_.require_fresh_container();)
    INGOT_REQUIRE(pool_->has_object(index_),
                  broken_access("ingot::pool", "an iterator at end() or at an object that was erased", index_,
                                pool_->size()));
  }

  Pool* pool_ = nullptr;
  std::size_t index_ = 0;
  INGOT_IN_DEBUG(iterator_origin origin_;)
};

} // namespace detail

/// A set of objects, each of which has a link that finds it. Adding (on average), finding and erasing take O(1). A link stays valid until its object
/// is erased, through growth, copying and compaction, and finds nothing from then on. Adding invalidates references and iterators. Copies keep every
/// object's link. A slot takes 2^31 objects one after the other and is then never used again. Adding without room throws `out_of_space` and leaves
/// the pool as it was; `try_add` returns a null link instead.
template <class T, block_policy P>
class basic_pool : private detail::pool_storage<T, P> {
  using storage = detail::pool_storage<T, P>;
  using storage::at_;
  using storage::nowhere;
  using storage::size_;

public:
  using live_policy = P;
  using live_parts = detail::type_pack<T>;
  static constexpr auto container_kind = detail::live_container_kind::pool;
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = detail::pool_iterator<basic_pool, T>;
  using const_iterator = detail::pool_iterator<const basic_pool, const T>;
  using ref_type = basic_ref<T, P>;

  basic_pool() = default;
  basic_pool(const basic_pool&) = delete; // ingot: assign it, or take it out as a std:: one
  basic_pool(basic_pool&&) = delete;      // ingot: assign it, inside a block
  ~basic_pool() = default;

  INGOT_NOTED basic_pool& operator=(const basic_pool& other) { return kept(try_assign(other)); }
  /// Inside a block, the two exchange what they hold, in O(1). Between blocks, makes a copy.
  INGOT_NOTED basic_pool& operator=(basic_pool&& other) { return kept(try_assign(std::move(other))); }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_pool>)
  INGOT_NOTED basic_pool& operator=(R&& range) {
    return kept(try_assign(std::forward<R>(range)));
  }

  /// The number of objects that are alive.
  [[nodiscard]] size_type size() const noexcept { return storage::live_count(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// The number of objects that there is room for before the slots move.
  [[nodiscard]] size_type capacity() const noexcept { return storage::room(); }
  [[nodiscard]] static constexpr size_type max_size() noexcept { return storage::most(); }
  /// Whether no object was ever erased. Then what is added to a new pool in the order of this one gets the same links, and it can be
  /// packed and written as text. O(slots).
  [[nodiscard]] bool was_only_filled() const noexcept {
    for (size_type i = 0; i < size_; ++i) {
      if (storage::generation_of(storage::slot(i)) != 1) return false;
    }
    return true;
  }

  [[nodiscard]] iterator begin() noexcept { return {this, storage::next_alive(0)}; }
  [[nodiscard]] iterator end() noexcept { return {this, size_}; }
  [[nodiscard]] const_iterator begin() const noexcept { return {this, storage::next_alive(0)}; }
  [[nodiscard]] const_iterator end() const noexcept { return {this, size_}; }
  [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] const_iterator cend() const noexcept { return end(); }

  /// Adds an object and returns its link, which is null if there was no room. The arguments may refer to objects of this pool.
  template <class... A>
  [[nodiscard]] INGOT_NOTED ref_type try_add(A&&... arguments) {
    const size_type index = storage::add_object(std::forward<A>(arguments)...);
    return index == nowhere ? ref_type{} : ref_at(index);
  }
  template <class... A>
  INGOT_NOTED ref_type add(A&&... arguments) {
    const ref_type made = try_add(std::forward<A>(arguments)...);
    if (!made) [[unlikely]]
      at_.throw_failure();
    return made;
  }
  /// Returns the object, or null if it is gone or was never there. Links may come from anywhere.
  [[nodiscard]] INGOT_INLINE T* get(ref_type link) noexcept {
    return contains(link) ? std::addressof(object_at(link.index)) : nullptr;
  }
  [[nodiscard]] INGOT_INLINE const T* get(ref_type link) const noexcept {
    return contains(link) ? std::addressof(object_at(link.index)) : nullptr;
  }
  [[nodiscard]] INGOT_INLINE bool contains(ref_type link) const noexcept {
    return link.index < size_ && link.generation % 2 != 0 &&
           storage::generation_of(storage::slot(link.index)) == link.generation;
  }
  /// The link to an object of this pool.
  [[nodiscard]] INGOT_CHECKED ref_type ref_of(const T& object) const noexcept {
    const auto distance = reinterpret_cast<std::uintptr_t>(std::addressof(object)) -
                          reinterpret_cast<std::uintptr_t>(storage::slot(0));
    INGOT_REQUIRE(distance % storage::stride() == 0 && has_object(distance / storage::stride()),
                  broken_access("ingot::pool", "ref_of() an object that is not in it",
                                precondition_violation::none, size()));
    return ref_at(distance / storage::stride());
  }
  /// Erases an object. Returns false if it was gone already.
  INGOT_NOTED bool erase(ref_type link) noexcept {
    if (!contains(link)) return false;
    storage::erase_object(link.index);
    return true;
  }
  /// Returns the one after it.
  INGOT_CHECKED iterator erase(const_iterator at) noexcept {
    INGOT_IN_DEBUG(at.origin().require_fresh_container();)
    INGOT_REQUIRE(
        at.pool() == this && has_object(at.index()),
        broken_access("ingot::pool",
                      "erase() with an iterator at end(), at an object that was erased, or of another pool",
                      at.index(), size()));
    storage::erase_object(at.index());
    return {this, storage::next_alive(at.index())};
  }
  /// Removes the objects that `remove` is true of; returns how many.
  template <class Predicate>
  INGOT_NOTED size_type erase_if(Predicate&& remove) {
    const size_type before = size();
    for (auto at = begin(); at != end();) {
      if (remove(std::as_const(*at))) at = erase(at);
      else ++at;
    }
    return before - size();
  }
  template <class Predicate>
  INGOT_NOTED friend size_type erase_if(basic_pool& from, Predicate remove) {
    return from.erase_if(remove);
  }
  /// Erases all objects. Links to them find nothing for good, since the slots remain. O(slots).
  INGOT_NOTED void clear() noexcept {
    if (size_ == 0) return;
    for (size_type i = 0; i < size_; ++i) {
      if (storage::is_alive(storage::slot(i))) storage::erase_object(i);
    }
    storage::link_free_slots(at_.data());
  }

  [[nodiscard]] INGOT_NOTED bool try_reserve(size_type slots) {
    return slots <= capacity() || storage::move_to(slots);
  }
  INGOT_NOTED void reserve(size_type slots) { kept(try_reserve(slots)); }
  /// To a storage of just its slots if there is room for that; those that are free remain.
  INGOT_NOTED void shrink_to_fit() {
    if (capacity() != size_) static_cast<void>(storage::move_to(size_));
  }

  /// Becomes a copy in which the same links find the same objects; or holds the elements of any other range, which get links as if added
  /// to a new pool in their order. False when there was no room; the pool is then as it was.
  template <std::ranges::input_range R>
  [[nodiscard]] INGOT_NOTED bool try_assign(R&& range) {
    if constexpr (std::same_as<std::remove_cvref_t<R>, basic_pool>) {
      if (this == &range) return true;
      if constexpr (std::is_rvalue_reference_v<R&&> && !std::is_const_v<R>) {
        if (shares_block(range)) return swap(range), true;
      }
      return storage::assign_same(range);
    } else {
      return assign_elements(range);
    }
  }

  /// O(1). Both have to be in one block, or both empty; otherwise throws `out_of_space`.
  INGOT_NOTED void swap(basic_pool& other) {
    if (shares_block(other)) detail::swap_objects(*this, other);
    else if (size_ != 0 || other.size_ != 0) at_.throw_apart(other.at_);
  }
  INGOT_NOTED friend void swap(basic_pool& a, basic_pool& b) { a.swap(b); }

  /// Whether every link, those to what is gone included, finds the same in both.
  friend bool operator==(const basic_pool& a, const basic_pool& b) { return a.equals(b); }

  // For the iterators.
  [[nodiscard]] T& object_at(size_type index) noexcept { return *storage::object_in(storage::slot(index)); }
  [[nodiscard]] const T& object_at(size_type index) const noexcept {
    return *storage::object_in(storage::slot(index));
  }
  [[nodiscard]] size_type slots() const noexcept { return size_; }
  [[nodiscard]] bool has_object(size_type index) const noexcept {
    return index < size_ && storage::is_alive(storage::slot(index));
  }
  [[nodiscard]] size_type next_object(size_type index) const noexcept { return storage::next_alive(index); }
  [[nodiscard]] ref_type ref_at(size_type index) const noexcept {
    return {static_cast<std::uint32_t>(index), storage::generation_of(storage::slot(index))};
  }

private:
  friend detail::container_access;
  friend detail::replace_guard<basic_pool>;
  INGOT_HAS_ITERATORS("ingot::pool", at_.data(), size_);

  basic_pool& kept(bool done) {
    if (!done) [[unlikely]]
      at_.throw_failure();
    return *this;
  }
  [[nodiscard]] bool shares_block(const basic_pool& other) const noexcept {
    return at_.bound() && other.at_.bound() && at_.block() == other.at_.block();
  }

  template <class R>
  [[nodiscard]] INGOT_NOTED bool assign_elements(R& range) {
    if (!at_.bound()) return std::ranges::begin(range) == std::ranges::end(range);
    const detail::walk_scope<detail::assign_entry> at_once(nullptr); // objects move while others come
    detail::replace_guard<basic_pool> old(*this);
    if constexpr (std::ranges::forward_range<R>) {
      const auto count = static_cast<size_type>(std::ranges::distance(range));
      if (count != 0 && !storage::move_to(count)) return false;
    }
    for (auto&& each : range) {
      if (storage::add_object(std::forward<decltype(each)>(each)) == nowhere) return false;
    }
    return old.keep();
  }
};

template <class T>
using pool = basic_pool<T, narrow_policy>;
namespace wide {
template <class T>
using pool = basic_pool<T, wide_policy>;
} // namespace wide

static_assert(sizeof(pool<int>) == 8 && sizeof(wide::pool<int>) == 16);

}} // namespace ingot::INGOT_V1
