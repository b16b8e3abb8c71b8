// SPDX-License-Identifier: Apache-2.0
// The objects of a pool. Its storage:
//
//   number of objects (4 bytes) | first free slot (4 bytes) | slots ...
//   slot: object, or next free slot and zeros | zeros | generation (4 bytes) | zeros for alignment
//
// A slot's generation is odd while the slot holds an object. The generation grows by one when an
// object is added to the slot or erased from it. A link to an object (`basic_ref`) stores the
// generation, so the link can't find a later object in the slot. Once the generation has wrapped
// around to 0, the slot is never used again. In the list of free slots, slots are numbered from 1,
// and 0 ends the list. The slot that was freed last is used first. A copy has the same generations,
// and its free list is in ascending order.
#pragma once

#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/block_validator.hpp>
#include <ingot/live/detail/optional_payload.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T, block_policy P>
class INGOT_DEBUG_TYPE pool_storage {
  static_assert(std::is_object_v<T> && std::is_same_v<T, std::remove_cv_t<T>> && !std::is_array_v<T>,
                "ingot: a pool holds objects, without const: use std::array for an array");

protected:
  using offset_type = typename P::offset_type;
  using block_type = block_ref<P>;

  // Functions instead of constants, because a `T` may have a pool of `T` as a member.
  [[nodiscard]] static constexpr std::size_t alignment() noexcept {
    return std::max(alignof(T), alignof(std::uint32_t));
  }
  [[nodiscard]] static constexpr std::size_t head_size() noexcept {
    return round_up(std::size_t{8}, alignment());
  }
  [[nodiscard]] static constexpr std::size_t generation_at() noexcept {
    return round_up(std::max(sizeof(T), sizeof(std::uint32_t)), alignof(std::uint32_t));
  }
  [[nodiscard]] static constexpr std::size_t stride() noexcept {
    return round_up(generation_at() + sizeof(std::uint32_t), alignment());
  }
  [[nodiscard]] static constexpr std::size_t bytes_for(std::size_t slots) noexcept {
    return head_size() + slots * stride();
  }
  [[nodiscard]] static constexpr std::size_t capacity_for(std::size_t bytes) noexcept {
    return bytes < head_size() ? 0 : (bytes - head_size()) / stride();
  }
  [[nodiscard]] static constexpr std::size_t max_slots() noexcept {
    return std::min<std::size_t>(static_cast<offset_type>(-1) / 2 / stride() - 64,
                                 static_cast<std::uint32_t>(-2));
  }

  [[nodiscard]] static std::uint32_t load(const std::byte* from) noexcept {
    std::uint32_t number = 0;
    std::memcpy(&number, from, sizeof number);
    return number;
  }
  static void store(std::byte* to, std::uint32_t number) noexcept { std::memcpy(to, &number, sizeof number); }
  // These functions access the link of a free slot, whose bytes may be poisoned.
  [[nodiscard]] static std::uint32_t load_link(const std::byte* from) noexcept {
    if constexpr (poisons) return load_poisoned<std::uint32_t>(from);
    else return load(from);
  }
  static void store_link(std::byte* to, std::uint32_t number) noexcept {
    if constexpr (poisons) store_poisoned(to, number);
    else store(to, number);
  }
  /// Poisons a slot without an object. The slot's generation stays readable, because links to the
  /// erased object are compared with it.
  static void leave(std::byte* slot, block_type block) noexcept { block.poison(slot, generation_at()); }
  void leave_free_slots(std::byte* data, block_type block) const noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
      if (!is_alive(slot_at(data, i))) leave(slot_at(data, i), block);
    }
    const std::size_t capacity = capacity_for(block_type::capacity_of(data));
    if (capacity > size_) block.poison(slot_at(data, size_), (capacity - size_) * stride());
  }
  [[nodiscard]] static std::byte* slot_at(std::byte* data, std::size_t index) noexcept {
    return data + head_size() + index * stride();
  }
  [[nodiscard]] static const std::byte* slot_at(const std::byte* data, std::size_t index) noexcept {
    return data + head_size() + index * stride();
  }
  [[nodiscard]] static std::uint32_t generation_of(const std::byte* slot) noexcept {
    return load(slot + generation_at());
  }
  [[nodiscard]] static bool is_alive(const std::byte* slot) noexcept { return generation_of(slot) % 2 != 0; }
  [[nodiscard]] static T* object_in(std::byte* slot) noexcept { return reinterpret_cast<T*>(slot); }
  [[nodiscard]] static const T* object_in(const std::byte* slot) noexcept {
    return reinterpret_cast<const T*>(slot);
  }
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  static constexpr std::size_t live_at = 0;
  static constexpr std::size_t free_at = 4;

  [[nodiscard]] std::byte* slot(std::size_t index) const noexcept { return slot_at(at_.data(), index); }
  [[nodiscard]] std::size_t live_count() const noexcept {
    return size_ == 0 ? 0 : load(at_.data() + live_at);
  }
  [[nodiscard]] std::size_t slot_capacity() const noexcept { return capacity_for(at_.capacity()); }
  /// Returns the first slot from `index` on that holds an object, or the number of slots.
  [[nodiscard]] std::size_t next_alive(std::size_t index) const noexcept {
    while (index < size_ && !is_alive(slot(index))) ++index;
    return index;
  }

  /// Adds an object and returns its slot; `nowhere` if memory runs out. Arguments may refer to
  /// objects of the pool.
  template <class... A>
  [[nodiscard]] std::size_t add_object(A&&... arguments) {
    if (!at_.bound()) return nowhere;
    if (size_ != 0) {
      if (const std::uint32_t first = load(at_.data() + free_at); first != 0)
        return reuse(first - 1, std::forward<A>(arguments)...);
    }
    const std::size_t index = size_;
    std::byte* const data = at_.data();
    const block_type block = block_type::of(data);
    if (index < slot_capacity()) {
      if constexpr (poisons) unpoison(slot_at(data, index), stride());
      // Free capacity in untrusted bytes may contain anything, which would be read as a generation.
      std::memset(slot_at(data, index), 0, stride());
      if (!construct(object_in(slot_at(data, index)), block, std::forward<A>(arguments)...)) return nowhere;
    } else {
      if (index >= max_slots()) return nowhere;
      constexpr std::size_t initial_capacity = stride() >= 32 ? 1 : 32 / stride();
      std::byte* storage = block.allocate(
          bytes_for(std::min(max_slots(), std::max(initial_capacity, 2 * index))), alignment());
      if (storage == nullptr) storage = block.allocate(bytes_for(index + 1), alignment());
      if (storage == nullptr) return nowhere;
      storage_guard spare{storage, block};
      if (!construct(object_in(slot_at(storage, index)), block, std::forward<A>(arguments)...))
        return nowhere;
      spare.storage = nullptr;
      take_over(storage, data);
      if constexpr (poisons) unpoison(slot(index), stride());
    }
    size_ = static_cast<offset_type>(index + 1);
    came(index);
    return index;
  }
  void erase_object(std::size_t index) noexcept {
    std::byte* const data = at_.data();
    std::byte* const there = slot_at(data, index);
    if constexpr (holds_offsets<T>) detail::destroy(*object_in(there), block_type::of(data));
    scrub(object_in(there), 1);
    const std::uint32_t generation = generation_of(there) + 1;
    store(there + generation_at(), generation);
    store(data + live_at, load(data + live_at) - 1);
    if constexpr (poisons) leave(there, block_type::of(data));
    if (generation == 0) return;
    store_link(there, load(data + free_at));
    store(data + free_at, static_cast<std::uint32_t>(index + 1));
  }
  /// Links the free slots in ascending order.
  void link_free_slots(std::byte* data) noexcept {
    std::uint32_t next = 0;
    for (std::size_t i = size_; i-- != 0;) {
      std::byte* const there = slot_at(data, i);
      const std::uint32_t generation = generation_of(there);
      if (generation % 2 != 0 || generation == 0) continue;
      store_link(there, std::exchange(next, static_cast<std::uint32_t>(i + 1)));
    }
    store(data + free_at, next);
  }

  [[nodiscard]] bool move_to(std::size_t slots) {
    if (!at_.bound() || slots > max_slots()) return false;
    std::byte* const old = at_.data();
    const block_type block = block_type::of(old);
    std::byte* const storage = slots == 0 ? block.sentinel() : block.allocate(bytes_for(slots), alignment());
    if (storage == nullptr) return false;
    take_over(storage, old);
    return true;
  }

  /// Assigns a copy. In the copy, each link to an object (`basic_ref`) finds the copy of this
  /// object. The old content stays until the copy is complete.
  [[nodiscard]] bool assign_same(const pool_storage& from) {
    if (!at_.bound()) return from.size_ == 0;
    std::byte* const old = at_.data();
    const std::size_t old_size = size_;
    const block_type block = block_type::of(old);
    if (from.size_ == 0) {
      at_.point_at(block.sentinel());
      size_ = 0;
      destroy_storage(old, old_size, block);
      return true;
    }
    partial_storage_guard fresh{block.allocate(bytes_for(from.size_), alignment()), block};
    if (fresh.storage == nullptr) return false;
    std::uint32_t alive = 0;
    for (; fresh.count < from.size_; ++fresh.count) {
      const std::byte* const source = from.slot(fresh.count);
      std::byte* const there = slot_at(fresh.storage, fresh.count);
      if (is_alive(source)) {
        if (!construct(object_in(there), block, *object_in(source))) return false;
        ++alive;
      }
      store(there + generation_at(), generation_of(source));
    }
    std::byte* const storage = std::exchange(fresh.storage, nullptr);
    at_.point_at(storage);
    size_ = from.size_;
    store(storage + live_at, alive);
    link_free_slots(storage);
    if constexpr (poisons) leave_free_slots(storage, block);
    destroy_storage(old, old_size, block);
    return true;
  }
  [[nodiscard]] bool equals(const pool_storage& other) const {
    if (size_ != other.size_) return false;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::byte* const a = slot(i);
      const std::byte* const b = other.slot(i);
      if (generation_of(a) != generation_of(b)) return false;
      if (is_alive(a) && !equal_values(*object_in(a), *object_in(b))) return false;
    }
    return true;
  }

  void bind(block_type block) noexcept { at_.point_at(block.sentinel()); }
  void shift(std::ptrdiff_t by) noexcept { at_.shift(by); }
  void destroy(block_type block) noexcept { destroy_storage(at_.data(), size_, block); }
  static void destroy_storage(std::byte* data, std::size_t size, block_type block) noexcept {
    if constexpr (holds_offsets<T>) {
      for (std::size_t i = 0; i < size; ++i) {
        if (is_alive(slot_at(data, i))) detail::destroy(*object_in(slot_at(data, i)), block);
      }
    }
    block.release(data);
  }

  template <class Validator>
  [[nodiscard]] bool check(Validator& validator) const {
    if (size_ > max_slots()) return validator.reject(errc::bad_length, this, "a length that fits in a block");
    const std::byte* const data = validator.claim(at_, size_ == 0 ? 0 : bytes_for(size_), alignment());
    if (data == nullptr) return false;
    // The number of objects and the first free slot are zero in the sentinel. Both must also be
    // zero in the storage of a pool that was never used.
    if (size_ == 0) {
      return (load(data + live_at) == 0 && load(data + free_at) == 0) ||
             validator.reject(errc::bad_padding, this, "zeros in a pool that was never used");
    }
    std::size_t alive = 0;
    std::size_t free = 0;
    for (std::size_t i = 0; i < size_;) {
      for (const std::size_t due = validator.run_end(i, size_, sizeof(T)); i < due; ++i) {
        if (!check_slot(validator, slot_at(data, i), alive, free)) return validator.in_element(i);
      }
      if (i < size_ && !validator.should_continue_now()) return false;
    }
    if (load(data + live_at) != alive)
      return validator.reject(errc::bad_length, data, "as many objects as are alive");
    // Checks that each free slot is in the list once. Follows as many links as there are free
    // slots. A list that ends after these links has no loop.
    std::uint32_t next = load(data + free_at);
    for (; free != 0 && next != 0; --free) {
      if (next > size_) break;
      const std::uint32_t generation = generation_of(slot_at(data, next - 1));
      if (generation % 2 != 0 || generation == 0) break;
      next = load(slot_at(data, next - 1));
    }
    return (free == 0 && next == 0) ||
           validator.reject(errc::bad_length, data + free_at, "each free slot once in the list of them");
  }

  anchor<P> at_;
  offset_type size_ = 0; ///< slots, including the free ones

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
  /// The destructor destroys a storage and the objects in its first `count` slots, unless the
  /// storage is taken.
  struct partial_storage_guard {
    std::byte* storage;
    block_type block;
    std::size_t count = 0;
    partial_storage_guard(std::byte* fresh, block_type in) noexcept : storage(fresh), block(in) {}
    partial_storage_guard(const partial_storage_guard&) = delete;
    partial_storage_guard& operator=(const partial_storage_guard&) = delete;
    ~partial_storage_guard() {
      if (storage != nullptr) destroy_storage(storage, count, block);
    }
  };
  /// Removes a free slot's link from the slot. The destructor restores the link unless an object
  /// has taken the slot.
  struct free_slot_guard {
    std::byte* slot;
    std::uint32_t next;
    explicit free_slot_guard(std::byte* at) noexcept : slot(at), next(load_link(at)) {
      if constexpr (poisons) unpoison(at, generation_at());
      store(at, 0);
    }
    free_slot_guard(const free_slot_guard&) = delete;
    free_slot_guard& operator=(const free_slot_guard&) = delete;
    ~free_slot_guard() {
      if (slot != nullptr) store(slot, next);
    }
  };

  template <class... A>
  [[nodiscard]] std::size_t reuse(std::size_t index, A&&... arguments) {
    std::byte* const data = at_.data();
    std::byte* const there = slot_at(data, index);
    free_slot_guard taken(there);
    if (!construct(object_in(there), block_type::of(data), std::forward<A>(arguments)...)) return nowhere;
    store(data + free_at, taken.next);
    taken.slot = nullptr;
    came(index);
    return index;
  }
  void came(std::size_t index) noexcept {
    std::byte* const data = at_.data();
    std::byte* const there = slot_at(data, index);
    INGOT_NOTE(data, 1, inserted);
    store(there + generation_at(), generation_of(there) + 1);
    store(data + live_at, load(data + live_at) + 1);
  }
  void take_over(std::byte* storage, std::byte* old) noexcept {
    const block_type block = block_type::of(old);
    if constexpr (poisons) unpoison(old, block_type::capacity_of(old));
    if (size_ != 0) {
      std::memcpy(storage, old, 8);
      std::memcpy(slot_at(storage, 0), slot_at(old, 0), size_ * stride());
      if constexpr (holds_offsets<T>) {
        for (std::size_t i = 0; i < size_; ++i) {
          if (is_alive(slot_at(storage, i)))
            detail::shift(object_in(slot_at(storage, i)), slot_at(old, i), 1);
        }
      }
    }
    at_.point_at(storage);
    if constexpr (poisons) {
      if (size_ != 0) leave_free_slots(storage, block);
    }
    block.release(old);
  }

  template <class Validator>
  [[nodiscard]] static bool check_slot(Validator& validator, const std::byte* slot, std::size_t& alive,
                                       std::size_t& free) {
    constexpr std::size_t used = generation_at() + sizeof(std::uint32_t);
    const std::uint32_t generation = generation_of(slot);
    std::size_t taken = sizeof(T);
    if (generation % 2 == 0) taken = generation == 0 ? 0 : sizeof(std::uint32_t);
    else if (std::is_empty_v<T>) taken = 0;
    if (!all_zero(slot + taken, generation_at() - taken) || !all_zero(slot + used, stride() - used))
      return validator.reject(errc::bad_padding, slot, "zeros where no object is");
    if (generation % 2 == 0) {
      free += generation != 0 ? 1 : 0;
      return true;
    }
    ++alive;
    return check_object(*object_in(slot), validator);
  }
};

}}} // namespace ingot::INGOT_V1::detail
