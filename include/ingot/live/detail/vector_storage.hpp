// SPDX-License-Identifier: Apache-2.0
// The elements of a vector. The public interface is in vector.hpp.
#pragma once

#include <ingot/core/detail/invalidation.hpp>
#include <ingot/core/detail/iterator_pair.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/live/detail/assign.hpp>
#include <ingot/live/detail/canonical_check.hpp>
#include <ingot/live/detail/move_bytes.hpp>
#include <ingot/live/detail/rollback.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T, block_policy P>
class INGOT_DEBUG_TYPE vector_storage {
  friend appended<vector_storage>;
  friend replace_guard<vector_storage>;
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "ingot: elements are objects, without const");
  static_assert(std::is_same_v<T, std::remove_cv_t<T>> && !std::is_array_v<T>,
                "ingot: a vector of C arrays has no elements to assign: use std::array");

protected:
  using offset_type = typename P::offset_type;
  using block_type = block_ref<P>;

  static constexpr std::size_t max_count = static_cast<offset_type>(-1) / 2 / sizeof(T) - 64;
  /// Capacity of the first storage: 32 bytes, or one element.
  static constexpr std::size_t first_capacity = sizeof(T) >= 32 ? 1 : 32 / sizeof(T);

  [[nodiscard]] INGOT_INLINE T* elements() const noexcept { return reinterpret_cast<T*>(at_.data()); }

  /// True for values that fit in a few registers. `append` constructs such a value before it looks
  /// for capacity, so that the value can stay in registers until it is stored.
  static constexpr bool is_small =
      !holds_offsets<T> && std::is_trivially_copyable_v<T> && sizeof(T) <= 32 && !has_padding<T>;

  template <class... A>
  [[nodiscard]] INGOT_INLINE T* append(A&&... arguments) {
    if constexpr (is_small && sizeof...(A) != 0 && initializes_all_members<T, A...>) {
      return append_small(T(std::forward<A>(arguments)...));
    } else if constexpr (sizeof...(A) == 0 && noexcept(T{})) {
      return append_default();
    } else {
      return append_any(std::forward<A>(arguments)...);
    }
  }
  [[nodiscard]] INGOT_INLINE T* append_small(const T value) {
    const auto taken = static_cast<offset_type>(size_ * sizeof(T));
    std::byte* data = at_.data();
    // The sum has the width of an offset, so compilers compare it with the capacity in memory by
    // one instruction. `max_count` ensures that the sum doesn't wrap.
    if (!at_.bound() || static_cast<offset_type>(taken + sizeof(T)) > block_type::prefix_of(data).capacity)
        [[unlikely]] {
      data = reserve_space();
      if (data == nullptr) return nullptr;
    }
    ++size_;
    if constexpr (poisons) unpoison(data + taken, sizeof(T));
    return ::new (static_cast<void*>(data + taken)) T(value);
  }
  /// Constructs the element in one code path, after the size is stored. So compilers still know the
  /// bytes of the element when the caller fills it next, and don't load its anchors again.
  [[nodiscard]] INGOT_INLINE T* append_default() noexcept {
    const std::size_t n = size_;
    std::byte* data = at_.data();
    if (!at_.bound() || (n + 1) * sizeof(T) > block_type::prefix_of(data).capacity) [[unlikely]] {
      data = reserve_space();
      if (data == nullptr) return nullptr;
    }
    const block_type block = block_type::of(data);
    size_ = static_cast<offset_type>(n + 1);
    if constexpr (poisons) unpoison(data + n * sizeof(T), sizeof(T));
    return construct_default(reinterpret_cast<T*>(data) + n, block);
  }
  /// Grows for one more element. Returns the storage; null if memory runs out.
  [[nodiscard]] INGOT_NOINLINE std::byte* reserve_space() {
    if (!at_.bound()) return nullptr;
    std::byte* const old = at_.data();
    const std::size_t n = size_;
    if (n >= max_count) return nullptr;
    const bool first = block_type::capacity_of(old) == 0;
    std::byte* storage =
        allocate_for(first ? first_capacity : std::max(std::min(max_count, 2 * n), n + 1), old);
    if (storage == nullptr) storage = allocate_for(n + 1, old);
    if (storage == nullptr) return nullptr;
    take_over(storage, old);
    if constexpr (poisons) at_.poison_spare(size_ * sizeof(T));
    return storage;
  }

  template <class... A>
  [[nodiscard]] INGOT_INLINE T* append_any(A&&... arguments) {
    const std::size_t n = size_;
    if (at_.bound()) [[likely]] {
      std::byte* const data = at_.data();
      if ((n + 1) * sizeof(T) <= block_type::capacity_of(data)) [[likely]] {
        T* const at = reinterpret_cast<T*>(data) + n;
        if constexpr (poisons) unpoison(at, sizeof(T));
        if (!construct(at, block_type::of(data), std::forward<A>(arguments)...)) return nullptr;
        size_ = static_cast<offset_type>(n + 1);
        return at;
      }
    }
    return append_growing(std::forward<A>(arguments)...);
  }

  INGOT_INLINE void drop_last() noexcept {
    const auto n = static_cast<offset_type>(size_ - 1);
    T* const last = reinterpret_cast<T*>(at_.data() + static_cast<offset_type>(n * sizeof(T)));
    if constexpr (holds_offsets<T>) detail::destroy(*last, at_.block());
    scrub_one(last);
    INGOT_NOTE(last, sizeof(T), erased);
    size_ = n; // stored last, so that later code needn't load it, and a loop stores it only once
    if constexpr (poisons) at_.leave(last, sizeof(T));
  }

  /// Returns a storage for growth: the old storage, extended, or a new storage. Returns null if
  /// memory runs out. The elements are not moved.
  [[nodiscard]] std::byte* allocate_for(std::size_t count, std::byte* data) const noexcept {
    const auto block = block_type::of(data);
    if (block.extend(data, count * sizeof(T))) return data;
    return block.allocate(count * sizeof(T), alignof(T));
  }
  void take_over(std::byte* storage, std::byte* old) noexcept {
    if (storage == old) {
      INGOT_NOTE(old, 1, moved); // growth in place invalidates iterators, too
      return;
    }
    if (size_ != 0) relocate(reinterpret_cast<T*>(storage), reinterpret_cast<const T*>(old), size_);
    at_.point_at(storage);
    block_type::of(storage).release(old);
  }

  template <class... A>
  [[nodiscard]] INGOT_NOINLINE T* append_growing(A&&... arguments) {
    if (!at_.bound()) return nullptr;
    std::byte* const old = at_.data();
    const std::size_t n = size_;
    if (block_type::capacity_of(old) == 0) { // first storage: nothing to move, nothing to release
      const auto block = block_type::of(old);
      std::byte* const storage = block.allocate(first_capacity * sizeof(T), alignof(T));
      if (storage == nullptr) return nullptr;
      T* const at = reinterpret_cast<T*>(storage);
      at_.point_at(storage); // first: if the construction throws, the vector keeps the storage
      if (!construct(at, block, std::forward<A>(arguments)...)) return nullptr;
      size_ = 1;
      if constexpr (poisons) at_.poison_spare(size_ * sizeof(T));
      return at;
    }
    if (n >= max_count) return nullptr;
    const std::size_t doubled = std::min(max_count, 2 * n);
    std::byte* storage = allocate_for(std::max(doubled, n + 1), old);
    if (storage == nullptr) storage = allocate_for(n + 1, old);
    if (storage == nullptr) return nullptr;
    // Arguments may refer to elements, so the new element is constructed before the others move.
    spare_storage<block_type> spare{storage, old};
    T* const at = reinterpret_cast<T*>(storage) + n;
    if constexpr (poisons) unpoison(at, sizeof(T)); // the old storage may have been extended
    if (!construct(at, block_type::of(old), std::forward<A>(arguments)...)) return nullptr;
    spare.storage = old;
    take_over(storage, old);
    size_ = static_cast<offset_type>(n + 1);
    if constexpr (poisons) at_.poison_spare(size_ * sizeof(T));
    return at;
  }

  [[nodiscard]] bool move_to(std::size_t count) {
    if (!at_.bound()) return false;
    std::byte* const old = at_.data();
    std::byte* const storage = allocate_for(count, old);
    if (storage == nullptr) return false;
    take_over(storage, old);
    if constexpr (poisons) at_.poison_spare(size_ * sizeof(T));
    return true;
  }
  void shrink_storage() {
    if (!at_.bound()) return;
    std::byte* const old = at_.data();
    const auto block = block_type::of(old);
    if (block_type::capacity_of(old) == 0) return;
    if (size_ == 0) {
      at_.point_at(block.sentinel());
      block.release(old);
    } else if (round_up(size_ * sizeof(T), 8) < block_type::capacity_of(old)) {
      if (std::byte* const storage = block.allocate(size_ * sizeof(T), alignof(T))) {
        take_over(storage, old);
        if constexpr (poisons) at_.poison_spare(size_ * sizeof(T));
      }
    }
  }

  void shrink(std::size_t count) noexcept {
    if (count >= size_) return;
    const std::size_t gone = size_ - count;
    if (gone > max_count) std::unreachable(); // otherwise compilers warn about wrapped sizes
    T* const first = elements() + count;
    if constexpr (holds_offsets<T>) detail::destroy(first, gone, at_.block());
    scrub(first, gone);
    INGOT_NOTE(first, gone * sizeof(T), erased);
    size_ = static_cast<offset_type>(count);
    if constexpr (poisons) at_.leave(first, gone * sizeof(T));
  }
  /// Gets capacity for `count` elements; if possible, for at least twice the present number.
  [[nodiscard]] bool grow_to(std::size_t count) {
    if (count > max_count) return false;
    if (count * sizeof(T) <= at_.capacity()) return true;
    const std::size_t doubled = std::min(max_count, std::size_t{2} * size_);
    return (doubled > count && move_to(doubled)) || move_to(count);
  }
  /// Appends value-initialised elements until there are `count` elements. Requires enough capacity.
  [[nodiscard]] bool fill_up(std::size_t count) {
    if (count == size_) return true;
    appended<vector_storage> more(*this);
    T* const first = elements();
    if constexpr (poisons) unpoison(first + size_, (count - size_) * sizeof(T));
    const auto block = at_.block();
    for (std::size_t i = size_; i < count; ++i) {
      construct_default(first + i, block);
      size_ = static_cast<offset_type>(i + 1);
    }
    return more.keep();
  }
  template <class U>
  [[nodiscard]] bool holds(const U& value) const noexcept {
    const auto there = reinterpret_cast<std::uintptr_t>(std::addressof(value));
    const auto first = reinterpret_cast<std::uintptr_t>(elements());
    return there >= first && there < first + size_ * sizeof(T);
  }
  /// Appends copies of `value`, which may be in an element, until there are `count` elements.
  template <class U>
  [[nodiscard]] bool fill_up_with(std::size_t count, const U& value) {
    if (count <= size_) return true;
    appended<vector_storage> more(*this);
    if (holds(value)) {
      // Growth moves `value`: the first copy is made from `value`, the others from the first copy.
      const std::size_t first = size_;
      if (append(value) == nullptr || !grow_to(count)) return false;
      const T& copy = elements()[first];
      while (size_ < count) {
        if (append(copy) == nullptr) return false;
      }
    } else {
      if (!grow_to(count)) return false;
      while (size_ < count) {
        if (append(value) == nullptr) return false;
      }
    }
    return more.keep();
  }
  /// Assigns `count` copies of `value`, which may be an element or a part of one.
  template <class U>
  [[nodiscard]] bool assign_copies(std::size_t count, const U& value) {
    if (count == 0) return shrink(0), true;
    if (size_ == 0) return fill_up_with(count, value);
    if constexpr (is_small && std::is_nothrow_constructible_v<T, const U&>) {
      if (count <= at_.capacity() / sizeof(T)) {
        const T copy = T(value);
        shrink(0);
        return fill_up_with(count, copy);
      }
    }
    replace_guard<vector_storage> old(*this);
    return fill_up_with(count, value) && old.keep();
  }

  template <class R>
  [[nodiscard]] bool append_all(R& range) {
    appended<vector_storage> added(*this);
    if constexpr (std::ranges::forward_range<R>) {
      const auto more = static_cast<std::size_t>(std::ranges::distance(range));
      if (more > max_count - size_) return false;
      const std::size_t wanted = size_ + more;
      if (wanted * sizeof(T) > at_.capacity()) {
        // The range may be a part of this vector: then it is read by index, element by element.
        if (refers_inside(range)) return append_own(range, more) && added.keep();
        if (!grow_to(wanted)) return false;
      }
    }
    if constexpr (!std::ranges::forward_range<R> && holds_offsets<T>) {
      // Copies nested containers now, not later (recursion.hpp): adding moves the other elements.
      const walk_scope<assign_entry> at_once(nullptr);
      return append_each(range) && added.keep();
    } else {
      return append_each(range) && added.keep();
    }
  }
  template <class R>
  [[nodiscard]] INGOT_INLINE bool append_each(R& range) {
    for (auto&& value : range) {
      if (append(std::forward<decltype(value)>(value)) == nullptr) return false;
    }
    return true;
  }
  template <class R>
  [[nodiscard]] bool refers_inside(const R& range) const noexcept {
    if constexpr (std::ranges::contiguous_range<const R> &&
                  std::same_as<std::remove_cv_t<std::ranges::range_value_t<const R>>, T>) {
      const auto there = reinterpret_cast<std::uintptr_t>(std::ranges::data(range));
      const auto first = reinterpret_cast<std::uintptr_t>(elements());
      return there >= first && there < first + size_ * sizeof(T);
    } else {
      return false;
    }
  }
  template <class R>
  [[nodiscard]] bool append_own(const R& range, std::size_t count) {
    if constexpr (std::ranges::contiguous_range<const R> &&
                  std::same_as<std::remove_cv_t<std::ranges::range_value_t<const R>>, T>) {
      const auto first = static_cast<std::size_t>(std::ranges::data(range) - elements());
      for (std::size_t i = 0; i < count; ++i) {
        if (append(std::as_const(elements()[first + i])) == nullptr) return false;
      }
    }
    return true;
  }

  /// Assigns elements by copying their bytes. The source may be a part of this vector.
  [[nodiscard]] INGOT_INLINE bool assign_plain(const T* source, std::size_t count) {
    if (count == 0) return shrink(0), true;
    if (count > max_count) return false;
    if (count * sizeof(T) > at_.capacity()) {
      if (!at_.bound()) return false;
      std::byte* const old = at_.data();
      const auto block = block_type::of(old);
      std::byte* const storage = block.allocate(count * sizeof(T), alignof(T));
      if (storage == nullptr) return false;
      move_bytes(storage, source, count * sizeof(T));
      at_.point_at(storage);
      block.release(old);
    } else {
      INGOT_NOTE(at_.data(), size_ * sizeof(T), moved);
      if constexpr (poisons) unpoison(at_.data(), count * sizeof(T));
      move_bytes(at_.data(), source, count * sizeof(T));
      if (count < size_) scrub(elements() + count, size_ - count);
    }
    size_ = static_cast<offset_type>(count);
    if constexpr (poisons) at_.poison_spare(size_ * sizeof(T));
    return true;
  }
  template <class R>
  [[nodiscard]] INGOT_INLINE bool assign_all(R& range) {
    if constexpr (std::ranges::contiguous_range<R> &&
                  std::same_as<std::remove_cv_t<std::ranges::range_value_t<R>>, T> && !holds_offsets<T> &&
                  std::is_trivially_copyable_v<T> && !has_padding<T>) {
      return assign_plain(std::ranges::data(range), static_cast<std::size_t>(std::ranges::distance(range)));
    } else {
      return assign_each(range);
    }
  }
  template <class R>
  [[nodiscard]] bool assign_each(R& range) {
    if (refers_inside(range)) return keep_own(range);
    if (size_ == 0) return append_all(range);
    if constexpr (std::ranges::forward_range<R> && !holds_offsets<T> &&
                  std::is_nothrow_constructible_v<T, std::ranges::range_reference_t<R>>) {
      // With enough capacity nothing can fail, so new elements replace the old elements in place.
      if (static_cast<std::size_t>(std::ranges::distance(range)) * sizeof(T) <= at_.capacity()) {
        shrink(0);
        return append_each(range);
      }
    }
    replace_guard<vector_storage> old(*this);
    return append_all(range) && old.keep();
  }
  /// Keeps only the elements of `range`, which is a part of this vector.
  template <class R>
  [[nodiscard]] bool keep_own(const R& range) {
    if constexpr (std::ranges::contiguous_range<const R> &&
                  std::same_as<std::remove_cv_t<std::ranges::range_value_t<const R>>, T>) {
      const auto first = static_cast<std::size_t>(std::ranges::data(range) - elements());
      shrink(first + static_cast<std::size_t>(std::ranges::distance(range)));
      erase_run(elements(), first);
    }
    return true;
  }

  /// Assigns from a vector that may be nested in an element of this vector. The old elements stay
  /// until that vector has been copied.
  [[nodiscard]] bool assign_nested(const vector_storage& from) {
    if (!at_.bound()) return from.size_ == 0;
    const iterator_pair values{static_cast<const T*>(from.elements()),
                               static_cast<const T*>(from.elements()) + from.size_};
    if (size_ == 0) return append_all(values);
    // Copies are not deferred: the source may be destroyed before a deferred copy would run.
    const walk_scope<assign_entry> at_once(nullptr);
    replace_guard<vector_storage> old(*this);
    return append_all(values) && old.keep();
  }
  void take_nested(vector_storage& from) noexcept {
    std::byte* const old = at_.data();
    const offset_type old_size = size_;
    const auto block = block_type::of(old);
    at_.point_at(from.at_.data());
    size_ = from.size_;
    from.at_.point_at(block.sentinel());
    from.size_ = 0;
    destroy_storage(old, old_size, block);
  }

  void erase_run(T* from, std::size_t count) noexcept {
    if (count == 0) return;
    T* const end = elements() + size_;
    if constexpr (holds_offsets<T>) detail::destroy(from, count, at_.block());
    relocate(from, from + count, static_cast<std::size_t>(end - (from + count)));
    scrub(end - count, count);
    INGOT_NOTE(from, static_cast<std::size_t>(end - from) * sizeof(T), erased);
    size_ -= static_cast<offset_type>(count);
    if constexpr (poisons) at_.leave(end - count, count * sizeof(T));
  }
  template <class Predicate>
  std::size_t erase_matching(Predicate& remove) {
    T* const first = elements();
    const std::size_t n = size_;
    std::size_t retained = 0;
    // Closes the gap of the erased elements, also if the predicate throws. Then the elements that
    // the predicate has not seen follow the retained elements.
    struct closing {
      vector_storage& of;
      std::size_t& retained;
      std::size_t seen = 0;
      INGOT_IN_DEBUG(std::size_t first_gone = 0;)
      ~closing() {
        T* const all = of.elements();
        const std::size_t size = of.size_;
        INGOT_NOTE(all + first_gone, seen == retained ? 0 : (size - first_gone) * sizeof(T), erased);
        if (seen != retained) relocate(all + retained, all + seen, size - seen);
        scrub(all + (size - (seen - retained)), seen - retained);
        of.size_ = static_cast<offset_type>(size - (seen - retained));
        if constexpr (poisons) of.at_.leave(all + of.size_, (seen - retained) * sizeof(T));
      }
    } close{*this, retained};
    for (std::size_t i = 0; i < n; close.seen = ++i) {
      if (remove(std::as_const(first[i]))) {
        if constexpr (holds_offsets<T>) detail::destroy(first[i], at_.block());
      } else {
        if (retained != i) relocate(first + retained, first + i, 1);
        INGOT_IN_DEBUG(if (retained == i) close.first_gone = i + 1;)
        ++retained;
      }
    }
    return n - retained;
  }

  void bind(block_type block) noexcept { at_.point_at(block.sentinel()); }
  void shift(std::ptrdiff_t by) noexcept { at_.shift(by); }
  void destroy(block_type block) noexcept { destroy_storage(at_.data(), size_, block); }
  static void destroy_storage(std::byte* data, std::size_t size, block_type block) noexcept {
    detail::destroy(reinterpret_cast<T*>(data), size, block);
    block.release(data);
  }

  template <class Validator>
  [[nodiscard]] bool check(Validator& validator) const {
    if (size_ > max_count) return validator.reject(errc::bad_length, this, "a length that fits in a block");
    const std::byte* const storage = validator.claim(at_, size_ * sizeof(T), alignof(T));
    if (storage == nullptr) return false;
    if constexpr (needs_check<T>() || visits_objects<Validator>) {
      return check_each(reinterpret_cast<const T*>(storage), size_, validator);
    } else {
      return true;
    }
  }
  template <class Cursor>
  [[nodiscard]] INGOT_INLINE bool in_order(Cursor& cursor) const {
    // The cursor rejects more than `max_count` small elements, because they exceed any block.
    constexpr bool exceeds_blocks = sizeof(offset_type) < sizeof(std::size_t) && sizeof(T) <= 32;
    if (!exceeds_blocks && size_ > max_count) return false;
    const std::size_t count = size_;
    if constexpr (needs_check<T>() && requires { Cursor::jumps_by_numbers; }) {
      // A branch instead of a mask: the loop below branches on the number of elements anyway.
      if (count == 0) return cursor.take(at_, 0, 0) != nullptr;
      const std::byte* const storage = cursor.take(at_, ~std::size_t{0}, count * sizeof(T));
      return storage != nullptr && each_in_order(reinterpret_cast<const T*>(storage), count, cursor);
    } else {
      const std::byte* storage = cursor.take(at_, -static_cast<std::size_t>(count != 0), count * sizeof(T));
      if constexpr (requires { cursor.take_empty(at_); }) {
        if (storage == nullptr && count == 0) storage = cursor.take_empty(at_);
      }
      if (storage == nullptr) return false;
      if constexpr (needs_check<T>()) {
        return each_in_order(reinterpret_cast<const T*>(storage), count, cursor);
      } else {
        return true;
      }
    }
  }

  anchor<P> at_;
  offset_type size_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail
