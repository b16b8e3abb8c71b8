// SPDX-License-Identifier: Apache-2.0
// The proof of a canonical block, for what most of a block is: runs of objects of scalars, text and vectors. Each storage begins
// where the one before it ends, so all depends on one number, the cursor. Whoever proves such a run holds it by value, for it to
// stay in a register: read from memory and written back for every container, it took as long as all the rest. What isn't as a canonical
// block has it is looked at again by `check_object`, which knows why.
#pragma once

#include <ingot/live/detail/check.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot::inline v1::detail {

/// Where the next storage of a block in order has to be.
template <block_policy P>
class order_cursor {
public:
  using offset_type = typename P::offset_type;
  using prefix = storage_prefix<offset_type>;

  /// Where a checker has got to.
  template <class Checker>
  explicit INGOT_INLINE order_cursor(const Checker& checker) noexcept
      : nothing_(checker.start() + nothing), next_(checker.claims().end() - nothing),
        end_(checker.used() - nothing) {}
  [[nodiscard]] std::size_t next() const noexcept { return next_ + nothing; }

  /// Goes past the storage of what holds `bytes`, on at most eight bytes, where `stored` is all ones; where it is zero, the anchor has to
  /// be one to the sentinel, whose prefix and bytes are those of a storage of nothing. Which of both it is can't be foreseen, so masks
  /// choose. Null says nothing yet.
  [[nodiscard]] INGOT_INLINE const std::byte* take(const anchor<P>& at, std::size_t stored,
                                                   std::size_t bytes) noexcept {
    // Of so many bytes that rounding wraps there are more than there are; narrow numbers in wide ones don't.
    if (sizeof(offset_type) >= sizeof(std::size_t) && (bytes & stored) > end_ - next_) return nullptr;
    // When it is freed, it has to hold the prefix and the links of a free run; of narrow ones anything has room for that.
    const std::size_t least = sizeof(prefix) > 8 && bytes < sizeof(prefix) ? sizeof(prefix) : bytes;
    const std::size_t room = (least + 7) & ~std::size_t{7} & stored;
    const std::size_t behind = next_ + room + (sizeof(prefix) & stored);
    if (behind > end_) return nullptr;
    const std::size_t from = next_ & stored;
    const std::byte* const there = nothing_ + from;
    if (!is_prefix(there, room, nothing + from) || !leads_to(at, there + sizeof(prefix))) return nullptr;
    next_ = behind;
    return there + sizeof(prefix);
  }

private:
  static constexpr std::size_t nothing = sentinel_position - sizeof(prefix);

  /// Both numbers fit.
  [[nodiscard]] static INGOT_INLINE bool is_prefix(const std::byte* there, std::size_t capacity,
                                                   std::size_t distance) noexcept {
    if constexpr (sizeof(prefix) == sizeof(std::uint64_t)) { // one comparison
      std::uint64_t word = 0;
      std::memcpy(&word, there, sizeof word);
      return word == (little_endian ? capacity | std::uint64_t{distance} << 32
                                    : distance | std::uint64_t{capacity} << 32);
    } else {
      prefix found;
      std::memcpy(&found, there, sizeof found);
      return found.capacity == capacity && found.distance == distance;
    }
  }
  [[nodiscard]] static INGOT_INLINE bool leads_to(const anchor<P>& at, const std::byte* storage) noexcept {
    return reinterpret_cast<std::uintptr_t>(&at) +
               static_cast<std::uintptr_t>(static_cast<std::intptr_t>(at.raw())) ==
           reinterpret_cast<std::uintptr_t>(storage);
  }

  // Places are counted from the sentinel's prefix: then that is where a mask of zero leads.
  const std::byte* nothing_;
  std::size_t next_;
  std::size_t end_;
};

/// Whether `in_order` knows all that a `T` needs. Containers that do have a member `in_order` of the same meaning.
template <class T>
consteval bool proves_in_order() {
  if constexpr (!needs_check<T>()) {
    return true;
  } else if constexpr (live_container<T>) {
    if constexpr (holds_itself<T>) return false;
    else if constexpr (T::brand == live_brand::string) return true;
    else if constexpr (T::brand == live_brand::vector)
      return []<class E>(type_pack<E>) {
        return alignof(E) <= 8 && proves_in_order<E>();
      }(typename T::live_parts{});
    else return false;
  } else if constexpr (kind_of<T> == kind::boolean || kind_of<T> == kind::enumeration) {
    return true;
  } else if constexpr (is_array_like<T>) {
    return proves_in_order<std::remove_cv_t<element_t<T>>>();
  } else if constexpr (is_specialization<T, std::pair>) {
    return proves_in_order<typename T::first_type>() && proves_in_order<typename T::second_type>();
  } else if constexpr (kind_of<T> == kind::record) {
    if (has_valid_member<T> || has_valid_trait<T>) return false;
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((proves_in_order<std::remove_cv_t<member_type<T, I>>>() && !member_is_limited<T, I>) && ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}

/// Whether an object is proved and its storages are the next ones. False says nothing yet, the cursor then neither.
template <class T, block_policy P>
[[nodiscard]] INGOT_INLINE bool in_order(const T& object, order_cursor<P>& cursor) {
  if constexpr (!needs_check<T>()) {
    return true;
  } else if constexpr (live_container<T>) {
    return container_access::in_order(object, cursor);
  } else if constexpr (kind_of<T> == kind::boolean) {
    std::uint8_t byte = 0;
    std::memcpy(&byte, &object, 1);
    return byte <= 1;
  } else if constexpr (kind_of<T> == kind::enumeration) {
    return holds_enumerator(object);
  } else if constexpr (is_array_like<T>) {
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      if (!in_order(object[i], cursor)) return false;
    }
    return true;
  } else if constexpr (is_specialization<T, std::pair>) {
    return in_order(object.first, cursor) && in_order(object.second, cursor);
  } else {
    return for_each_member(object, [&]<class I, class M>(I, const M& member) INGOT_INLINE_LAMBDA {
      return in_order<std::remove_cv_t<member_type<T, I::value>>>(member, cursor);
    });
  }
}

/// Objects that are proved one after the other while nobody else claims anything: with the cursor at hand where there is one, each
/// on its own where not. None is read as what it is before it is known to be.
template <class Checker>
class order_run {
  static constexpr bool by_cursor = Checker::claims_type::in_order && Checker::asks != asking::places;
  struct no_cursor {
    explicit no_cursor(const Checker& /*checker*/) noexcept {}
  };
  using cursor = std::conditional_t<by_cursor, order_cursor<typename Checker::policy>, no_cursor>;

public:
  explicit order_run(Checker& checker) noexcept : checker_(checker), cursor_(checker) {}
  order_run(const order_run&) = delete;
  order_run& operator=(const order_run&) = delete;

  template <class T>
  [[nodiscard]] INGOT_INLINE bool check(const T& object) {
    if constexpr (!by_cursor) {
      return check_object(object, checker_);
    } else if constexpr (!proves_in_order<T>()) {
      return check_apart(object, [](const T& one, Checker& with) { return check_object(one, with); });
    } else {
      cursor behind = cursor_;
      if (!in_order(object, behind)) [[unlikely]]
        return check_apart(object, check_again<T>);
      cursor_ = behind;
      return true;
    }
  }
  /// Before others claim; after a refusal nobody does.
  INGOT_INLINE void end() noexcept {
    if constexpr (by_cursor) checker_.resume(cursor_.next());
  }

private:
  template <class T, class Check>
  [[nodiscard]] INGOT_INLINE bool check_apart(const T& object, Check proves) {
    checker_.resume(cursor_.next());
    if (!proves(object, checker_)) return false;
    cursor_ = cursor(checker_);
    return true;
  }
  template <class T>
  [[nodiscard]] INGOT_COLD static bool check_again(const T& object, Checker& checker) {
    return check_object(object, checker);
  }

  Checker& checker_;
  cursor cursor_;
};

/// Objects side by side.
template <class T, class Checker>
[[nodiscard]] bool check_each(const T* first, std::size_t count, Checker& checker) {
  order_run run(checker);
  for (std::size_t i = 0; i < count; ++i) {
    if (!run.check(first[i])) return checker.in_element(i);
  }
  run.end();
  return true;
}

} // namespace ingot::inline v1::detail
