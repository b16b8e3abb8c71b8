// SPDX-License-Identifier: Apache-2.0
// Objects in a block that are found by links, for graphs and cycles. A link can be copied anywhere.
// A link to an erased object finds nothing. A pool takes 8 bytes: an offset to the slots, and their
// number. See pool_storage.hpp.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/iterator_origin.hpp>
#include <ingot/live/detail/pool_storage.hpp>
#include <ingot/live/detail/rollback.hpp>
#include <ingot/live/ref.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// A forward iterator over the live objects, in the order of their slots. It is valid until an
/// object is added or the iterator's object is erased.
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

  /// Returns the link to the object.
  [[nodiscard]] INGOT_CHECKED auto ref() const noexcept {
    require_object();
    return pool_->ref_at(index_);
  }

  // Used by the container.
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

/// A set of objects, each found by a link. Adding (on average), finding and erasing take O(1). A
/// link is valid until its object is erased: it survives growth, copying and compaction. A link to
/// an erased object never finds another object. Adding invalidates references and iterators. A copy
/// of a pool keeps the links. A link contains the index of a slot and a generation. Each object
/// that is added to a slot has a new generation. A slot that has held 2^31 objects is never used
/// again, because all generations have been used. If the block cannot grow, adding throws
/// `out_of_space` and leaves the pool unchanged; `try_add` returns a null link instead.
template <class T, block_policy P>
class basic_pool : private detail::pool_storage<T, P> {
  using storage = detail::pool_storage<T, P>;
  using storage::at_;
  using storage::nowhere;
  using storage::size_;

public:
  /// The policy of the block: offset width and allocator.
  using live_policy = P;
  /// The type of the objects.
  using live_parts = detail::type_pack<T>;
  /// The container kind.
  static constexpr auto container_kind = detail::live_container_kind::pool;
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = detail::pool_iterator<basic_pool, T>;
  using const_iterator = detail::pool_iterator<const basic_pool, const T>;
  /// The type of a link to an object.
  using ref_type = basic_ref<T, P>;

  basic_pool() = default;
  basic_pool(const basic_pool&) = delete; // ingot: assign it, copy to a std:: one, or vector::sort
  basic_pool(basic_pool&&) = delete;      // ingot: assign it, inside a block, or vector::sort
  ~basic_pool() = default;

  INGOT_NOTED basic_pool& operator=(const basic_pool& other) { return self_or_throw(try_assign(other)); }
  /// Swaps the contents if both are in one block, O(1). Otherwise copies.
  INGOT_NOTED basic_pool& operator=(basic_pool&& other) {
    return self_or_throw(try_assign(std::move(other)));
  }
  template <std::ranges::input_range R>
    requires(!std::same_as<std::remove_cvref_t<R>, basic_pool>)
  INGOT_NOTED basic_pool& operator=(R&& range) {
    return self_or_throw(try_assign(std::forward<R>(range)));
  }

  /// Returns the number of live objects.
  [[nodiscard]] size_type size() const noexcept { return storage::live_count(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Returns the number of objects that fit before the slots move.
  [[nodiscard]] size_type capacity() const noexcept { return storage::slot_capacity(); }
  [[nodiscard]] static constexpr size_type max_size() noexcept { return storage::max_slots(); }
  /// Returns true if no object was ever erased. If the result is true, copies that are added to a
  /// new pool in the same order get the same links. So such a pool can be packed and written as
  /// text. O(slots).
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

  /// Adds an object and returns its link, which is null if the block cannot grow. The arguments may
  /// refer to objects of this pool.
  template <class... A>
  [[nodiscard]] INGOT_NOTED ref_type try_add(A&&... arguments) {
    const size_type index = storage::add_object(std::forward<A>(arguments)...);
    return index == nowhere ? ref_type{} : ref_at(index);
  }
  /// Adds an object and returns its link. Throws `out_of_space`. The arguments may refer to objects
  /// of this pool.
  template <class... A>
  INGOT_NOTED ref_type add(A&&... arguments) {
    const ref_type added = try_add(std::forward<A>(arguments)...);
    if (!added) [[unlikely]]
      at_.throw_failure();
    return added;
  }
  /// Returns the object of a link, or null if the object was erased or never existed. Links may be
  /// untrusted.
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
  /// Returns the link to an object of this pool.
  [[nodiscard]] INGOT_CHECKED ref_type ref_of(const T& object) const noexcept {
    const auto distance = reinterpret_cast<std::uintptr_t>(std::addressof(object)) -
                          reinterpret_cast<std::uintptr_t>(storage::slot(0));
    INGOT_REQUIRE(distance % storage::stride() == 0 && has_object(distance / storage::stride()),
                  broken_access("ingot::pool", "ref_of() an object that is not in it",
                                precondition_violation::none, size()));
    return ref_at(distance / storage::stride());
  }
  /// Erases the object of a link. Returns false if the link finds no object.
  INGOT_NOTED bool erase(ref_type link) noexcept {
    if (!contains(link)) return false;
    storage::erase_object(link.index);
    return true;
  }
  /// Erases an object and returns an iterator to the next object.
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
  /// Erases the objects for which `remove` returns true, and returns their number.
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
  /// Erases all objects. The slots and their generations remain, so links to the erased objects
  /// never find another object. O(slots).
  INGOT_NOTED void clear() noexcept {
    if (size_ == 0) return;
    for (size_type i = 0; i < size_; ++i) {
      if (storage::is_alive(storage::slot(i))) storage::erase_object(i);
    }
    storage::link_free_slots(at_.data());
  }

  /// Reserves storage for exactly this number of slots. Returns false if the block cannot grow.
  [[nodiscard]] INGOT_NOTED bool try_reserve(size_type slots) {
    return slots <= capacity() || storage::move_to(slots);
  }
  INGOT_NOTED void reserve(size_type slots) { self_or_throw(try_reserve(slots)); }
  /// Moves the slots to a storage of exactly their size, if the block has space for it. Free slots
  /// remain.
  INGOT_NOTED void shrink_to_fit() {
    if (capacity() != size_) static_cast<void>(storage::move_to(size_));
  }

  /// Assigns a copy. In a copy of a pool, a link to an object of the source finds the copy of this
  /// object. Elements of another range get links as if they were added to a new pool in order.
  /// Returns false if the block cannot grow; the pool is then unchanged.
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

  /// Swaps the contents. O(1). Both pools must be in one block, or both empty; otherwise throws
  /// `out_of_space`.
  INGOT_NOTED void swap(basic_pool& other) {
    if (shares_block(other)) detail::swap_objects(*this, other);
    else if (size_ != 0 || other.size_ != 0) at_.throw_apart(other.at_);
  }
  INGOT_NOTED friend void swap(basic_pool& a, basic_pool& b) { a.swap(b); }

  /// Returns true if every link finds equal objects in both pools, or no object in both. This
  /// includes links to erased objects.
  friend bool operator==(const basic_pool& a, const basic_pool& b) { return a.equals(b); }

  // Used by the iterators.
  /// Returns the object in a slot. Requires that the slot has an object.
  [[nodiscard]] T& object_at(size_type index) noexcept { return *storage::object_in(storage::slot(index)); }
  [[nodiscard]] const T& object_at(size_type index) const noexcept {
    return *storage::object_in(storage::slot(index));
  }
  /// Returns the number of slots, including free ones.
  [[nodiscard]] size_type slots() const noexcept { return size_; }
  /// Returns true if there is an object in the slot.
  [[nodiscard]] bool has_object(size_type index) const noexcept {
    return index < size_ && storage::is_alive(storage::slot(index));
  }
  /// Returns the index of the first slot at or after `index` that has an object, or `slots()`.
  [[nodiscard]] size_type next_object(size_type index) const noexcept { return storage::next_alive(index); }
  /// Returns the link to the object in a slot.
  [[nodiscard]] ref_type ref_at(size_type index) const noexcept {
    return {static_cast<std::uint32_t>(index), storage::generation_of(storage::slot(index))};
  }

private:
  friend detail::container_access;
  friend detail::replace_guard<basic_pool>;
  INGOT_HAS_ITERATORS("ingot::pool", at_.data(), size_);

  basic_pool& self_or_throw(bool done) {
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
    // Copies inside recursive types are otherwise deferred. Here they are made at once, because
    // adding an object may move the objects that were added before.
    const detail::walk_scope<detail::assign_entry> at_once(nullptr);
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

/// Pool in a block with 32-bit offsets.
template <class T>
using pool = basic_pool<T, narrow_policy>;
namespace wide {
/// Pool in a block with 64-bit offsets.
template <class T>
using pool = basic_pool<T, wide_policy>;
} // namespace wide

static_assert(sizeof(pool<int>) == 8 && sizeof(wide::pool<int>) == 16);

}} // namespace ingot::INGOT_V1
