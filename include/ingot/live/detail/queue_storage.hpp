// SPDX-License-Identifier: Apache-2.0
// The elements of a queue: a ring of slots in one storage.
//
//   slot of the first element (4 bytes) | number of slots (4 bytes) | slots ...
//
// With 64-bit offsets the two numbers have 8 bytes each. In a copy the first element is in the
// first slot, and no slot is free.
#pragma once

#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/block_validator.hpp>
#include <ingot/live/detail/rollback.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T, block_policy P>
class INGOT_DEBUG_TYPE queue_storage {
  friend appended<queue_storage>;
  friend replace_guard<queue_storage>;
  static_assert(std::is_object_v<T> && std::is_same_v<T, std::remove_cv_t<T>> && !std::is_array_v<T>,
                "ingot: elements are objects, without const: use std::array for an array");

protected:
  using offset_type = typename P::offset_type;
  using block_type = block_ref<P>;
  struct ring_head {
    offset_type first;
    offset_type slot_count;
  };

  // Functions instead of constants, because a `T` may have a queue of `T` as a member.
  [[nodiscard]] static constexpr std::size_t alignment() noexcept {
    return std::max(alignof(T), alignof(ring_head));
  }
  [[nodiscard]] static constexpr std::size_t head_size() noexcept {
    return round_up(sizeof(ring_head), alignment());
  }
  [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t slots) noexcept {
    return head_size() + slots * sizeof(T);
  }
  [[nodiscard]] static constexpr std::size_t max_slots() noexcept {
    return static_cast<offset_type>(-1) / 2 / sizeof(T) - 64;
  }

  /// Returns the head of a storage. Requires that the queue has a storage.
  [[nodiscard]] static INGOT_INLINE ring_head& head_of(std::byte* data) noexcept {
    return *reinterpret_cast<ring_head*>(data);
  }
  [[nodiscard]] static INGOT_INLINE T* slot_in(std::byte* data, std::size_t slot) noexcept {
    return reinterpret_cast<T*>(data + head_size()) + slot;
  }
  [[nodiscard]] INGOT_INLINE bool has_storage() const noexcept { return at_.capacity() != 0; }
  [[nodiscard]] std::size_t slot_capacity() const noexcept {
    return has_storage() ? head_of(at_.data()).slot_count : 0;
  }
  /// Returns the slot that is `n` slots after `slot` in the ring. Requires that `n` is at most
  /// `slots`.
  [[nodiscard]] static INGOT_INLINE std::size_t slot_after(std::size_t slot, std::size_t n,
                                                           std::size_t slots) noexcept {
    return slot + n < slots ? slot + n : slot + n - slots;
  }
  [[nodiscard]] INGOT_INLINE T& element(std::size_t index) const noexcept {
    std::byte* const data = at_.data();
    const ring_head& head = head_of(data);
    return *slot_in(data, slot_after(head.first, index, head.slot_count));
  }

  /// Adds an element after the last element or, if `Front`, before the first. Returns null if
  /// memory runs out. Arguments may refer to elements.
  template <bool Front, class... A>
  [[nodiscard]] INGOT_INLINE T* push(A&&... arguments) {
    if (size_ < slot_capacity()) [[likely]] {
      std::byte* const data = at_.data();
      ring_head& head = head_of(data);
      const std::size_t slot = Front ? slot_after(head.first, head.slot_count - 1, head.slot_count)
                                     : slot_after(head.first, size_, head.slot_count);
      T* const at = slot_in(data, slot);
      if constexpr (poisons) unpoison(at, sizeof(T));
      if (!construct(at, block_type::of(data), std::forward<A>(arguments)...)) return nullptr;
      if constexpr (Front) {
        INGOT_NOTE(data, 1, inserted);
        head.first = static_cast<offset_type>(slot);
      }
      ++size_;
      return at;
    }
    return push_growing<Front>(std::forward<A>(arguments)...);
  }
  void pop_first() noexcept {
    std::byte* const data = at_.data();
    ring_head& head = head_of(data);
    T* const gone = slot_in(data, head.first);
    drop(gone);
    INGOT_NOTE(data, 1, erased);
    head.first = static_cast<offset_type>(slot_after(head.first, 1, head.slot_count));
    --size_;
    // The address sanitizer can't poison only the first of eight bytes. So a free slot stays
    // readable while a later slot in the same eight bytes is in use. Poisons such free slots before
    // `gone`, together with `gone`.
    if constexpr (poisons && sizeof(T) < 8) {
      const std::size_t before = reinterpret_cast<std::uintptr_t>(gone) % 8 / sizeof(T);
      const auto slot = static_cast<std::size_t>(gone - slot_in(data, 0));
      if (before <= slot && before < head.slot_count - size_)
        at_.block().poison(gone - before, (before + 1) * sizeof(T));
    }
  }
  void pop_last() noexcept {
    drop(std::addressof(element(size_ - 1)));
    --size_;
  }
  void shrink(std::size_t count) noexcept {
    while (size_ > count) pop_last();
  }

  [[nodiscard]] bool move_to(std::size_t count) {
    if (!at_.bound() || count > max_slots()) return false;
    std::byte* const old = at_.data();
    const block_type block = block_type::of(old);
    std::byte* const storage = count == 0 ? block.sentinel() : block.allocate(bytes_for(count), alignment());
    if (storage == nullptr) return false;
    if (count != 0) {
      head_of(storage) = {0, static_cast<offset_type>(count)};
      move_elements(slot_in(storage, 0));
      if constexpr (poisons) block.poison(slot_in(storage, size_), (count - size_) * sizeof(T));
    }
    at_.point_at(storage);
    block.release(old);
    return true;
  }

  /// Assigns a copy of a range. The old content stays until the copy is complete.
  template <class R>
  [[nodiscard]] bool assign_all(R& range) {
    if (!at_.bound()) return std::ranges::begin(range) == std::ranges::end(range);
    replace_guard<queue_storage> old(*this);
    if constexpr (std::ranges::forward_range<R>) {
      const auto count = static_cast<std::size_t>(std::ranges::distance(range));
      if (count != 0 && !move_to(count)) return false;
    }
    return append_all(range) && old.keep();
  }
  /// Appends all of a range, or nothing.
  template <class R>
  [[nodiscard]] bool append_all(R& range) {
    appended<queue_storage> more(*this);
    if constexpr (!std::ranges::forward_range<R> && holds_offsets<T>) {
      // Copies nested containers now, not later (recursion.hpp): adding moves the other elements.
      const walk_scope<assign_entry> at_once(nullptr);
      return push_each(range) && more.keep();
    } else {
      return push_each(range) && more.keep();
    }
  }
  template <class R>
  [[nodiscard]] bool push_each(R& range) {
    for (auto&& each : range) {
      if (push<false>(std::forward<decltype(each)>(each)) == nullptr) return false;
    }
    return true;
  }
  /// Appends elements until there are `count`: copies of `value`, or default elements if `value` is
  /// left out. Appends all of them or nothing. `value` may be an element or a part of an element.
  template <class... A>
  [[nodiscard]] bool fill_up(std::size_t count, const A&... value) {
    appended<queue_storage> more(*this);
    if constexpr (sizeof...(A) != 0) {
      // Growth moves elements. So the first copy is made from `value`, and each further copy from
      // the previous copy.
      if (size_ < count && (holds(value) && ...)) {
        if (push<false>(value...) == nullptr) return false;
        while (size_ < count) {
          if (push<false>(std::as_const(element(size_ - 1))) == nullptr) return false;
        }
      }
    }
    while (size_ < count) {
      if (push<false>(value...) == nullptr) return false;
    }
    return more.keep();
  }
  template <class U>
  [[nodiscard]] bool holds(const U& value) const noexcept {
    const auto there = reinterpret_cast<std::uintptr_t>(std::addressof(value));
    const auto first = reinterpret_cast<std::uintptr_t>(at_.data());
    return there >= first && there < first + at_.capacity();
  }

  /// Assigns `count` copies of `value`, which may be an element.
  template <class U>
  [[nodiscard]] bool assign_copies(std::size_t count, const U& value) {
    if (!at_.bound()) return count == 0;
    replace_guard<queue_storage> old(*this);
    return (count == 0 || move_to(count)) && fill_up(count, value) && old.keep();
  }

  void bind(block_type block) noexcept { at_.point_at(block.sentinel()); }
  void shift(std::ptrdiff_t by) noexcept { at_.shift(by); }
  void destroy(block_type block) noexcept { destroy_storage(at_.data(), size_, block); }
  static void destroy_storage(std::byte* data, std::size_t size, block_type block) noexcept {
    if (block_type::capacity_of(data) == 0) return;
    if constexpr (holds_offsets<T>) {
      const ring_head& head = head_of(data);
      for (std::size_t i = 0; i < size; ++i)
        detail::destroy(*slot_in(data, slot_after(head.first, i, head.slot_count)), block);
    }
    block.release(data);
  }

  template <class Validator>
  [[nodiscard]] bool check(Validator& validator) const {
    if (size_ > max_slots()) return validator.reject(errc::bad_length, this, "a length that fits in a block");
    const std::byte* const data = validator.claim(at_, size_ == 0 ? 0 : bytes_for(size_), alignment());
    if (data == nullptr) return false;
    if (data == validator.start() + sentinel_position) return true;
    storage_prefix<offset_type> prefix;
    std::memcpy(&prefix, data - sizeof prefix, sizeof prefix);
    ring_head head{};
    if (prefix.capacity >= sizeof head) std::memcpy(&head, data, sizeof head);
    if (head_size() > prefix.capacity || head.slot_count > (prefix.capacity - head_size()) / sizeof(T) ||
        size_ > head.slot_count || head.slot_count == 0 || head.first >= head.slot_count)
      return validator.reject(errc::bad_length, data,
                              "a ring inside the storage, with a place for every element");
    if constexpr (needs_check<T>() || visits_objects<Validator>) {
      const T* const first = reinterpret_cast<const T*>(data + head_size());
      for (std::size_t i = 0; i < size_;) {
        for (const std::size_t due = validator.run_end(i, size_, sizeof(T)); i < due; ++i) {
          if (!check_object(first[slot_after(head.first, i, head.slot_count)], validator))
            return validator.in_element(i);
        }
        if (i < size_ && !validator.should_continue_now()) return false;
      }
    }
    return true;
  }

  anchor<P> at_;
  offset_type size_ = 0;

private:
  /// The destructor releases a storage unless it is taken.
  struct storage_guard {
    std::byte* storage;
    block_type block;
    storage_guard(std::byte* fresh, block_type in) noexcept : storage(fresh), block(in) {}
    storage_guard(const storage_guard&) = delete;
    storage_guard& operator=(const storage_guard&) = delete;
    ~storage_guard() {
      if (storage != nullptr) block.release(storage);
    }
  };
  template <bool Front, class... A>
  [[nodiscard]] INGOT_NOINLINE T* push_growing(A&&... arguments) {
    const std::size_t n = size_;
    if (!at_.bound() || n >= max_slots()) return nullptr;
    std::byte* const old = at_.data();
    const block_type block = block_type::of(old);
    constexpr std::size_t first_capacity = sizeof(T) >= 32 ? 1 : 32 / sizeof(T);
    std::size_t count = std::min(max_slots(), std::max(first_capacity, 2 * n));
    storage_guard fresh{block.allocate(bytes_for(count), alignment()), block};
    if (fresh.storage == nullptr) fresh.storage = block.allocate(bytes_for(count = n + 1), alignment());
    if (fresh.storage == nullptr) return nullptr;
    // Arguments may refer to elements, so the new element is constructed before the others move.
    const std::size_t slot = Front ? count - 1 : n;
    T* const at = slot_in(fresh.storage, slot);
    if (!construct(at, block, std::forward<A>(arguments)...)) return nullptr;
    std::byte* const storage = std::exchange(fresh.storage, nullptr);
    head_of(storage) = {static_cast<offset_type>(Front ? slot : 0), static_cast<offset_type>(count)};
    move_elements(slot_in(storage, 0));
    if constexpr (poisons) block.poison(slot_in(storage, Front ? n : n + 1), (count - (n + 1)) * sizeof(T));
    at_.point_at(storage);
    block.release(old);
    size_ = static_cast<offset_type>(n + 1);
    return at;
  }
  /// Moves the elements, in their order, to adjacent positions from `to` on.
  void move_elements(T* to) noexcept {
    if (size_ == 0) return;
    std::byte* const data = at_.data();
    const ring_head& head = head_of(data);
    const std::size_t straight = std::min<std::size_t>(size_, head.slot_count - head.first);
    relocate(to, slot_in(data, head.first), straight);
    if (straight != size_) relocate(to + straight, slot_in(data, 0), size_ - straight);
  }
  void drop(T* element) noexcept {
    if constexpr (holds_offsets<T>) detail::destroy(*element, at_.block());
    scrub(element, 1);
    if constexpr (poisons) at_.block().poison(element, sizeof(T));
  }
};

}}} // namespace ingot::INGOT_V1::detail
