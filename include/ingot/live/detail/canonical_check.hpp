// SPDX-License-Identifier: Apache-2.0
// Validates what most of a block consists of: objects of scalars, text and vectors. In a canonical
// block each storage begins where the previous storage ends. So one number, the cursor, states
// where the next storage must begin. Code that validates such objects holds the cursor by value, so
// that the cursor stays in a register. (Loading and storing the cursor for each container took as
// long as the rest of the validation.) An object is validated with edge claims (edge_claims.hpp) if
// its storage doesn't begin at the cursor, or has free capacity.
#pragma once

#include <ingot/live/detail/block_validator.hpp>
#include <ingot/live/detail/hash_layout.hpp>
#include <ingot/live/detail/move_bytes.hpp>
#include <ingot/live/detail/reserved_bits_check.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Position of the next storage in a canonical block.
template <block_policy P>
class order_cursor {
public:
  using offset_type = typename P::offset_type;
  using prefix = storage_prefix<offset_type>;

  /// Starts at the current position of a validator.
  template <class Validator>
  explicit INGOT_INLINE order_cursor(const Validator& validator) noexcept
      : nothing_(validator.start() + sentinel_position), next_(validator.claims().now().next - nothing),
        end_(validator.used() - nothing) {}
  INGOT_INLINE void go_to(std::size_t next) noexcept { next_ = next - nothing; }
  /// From now on rejects storages that end after `end`.
  INGOT_INLINE void end_at(std::size_t end) noexcept { end_ = end - nothing; }
  [[nodiscard]] std::size_t next() const noexcept { return next_ + nothing; }
  /// The check that collects the reserved bits of short texts, which have no storage.
  [[nodiscard]] INGOT_INLINE reserved_bits_check& reserved_bits() noexcept { return reserved_bits_; }

  /// If all bits of the mask `stored` are set, moves the cursor past a storage of `bytes` bytes,
  /// aligned to at most eight. If the mask is zero, the anchor must point to the sentinel, whose
  /// prefix and bytes are those of an empty storage. The mask replaces an unpredictable branch.
  /// Returns null if the storage is not at the cursor; the storage may still be valid.
  [[nodiscard]] INGOT_INLINE const std::byte* take(const anchor<P>& at, std::size_t stored,
                                                   std::size_t bytes) noexcept {
    // Rejects a number of bytes that exceeds the block, because rounding it up could wrap around.
    // With 32-bit offsets on a 64-bit machine nothing wraps around.
    if (sizeof(offset_type) >= sizeof(std::size_t) && (bytes & stored) > end_ - next_) return nullptr;
    // A freed storage must hold the prefix and the links of a free run. With a narrow prefix all
    // storages are large enough.
    const std::size_t min_capacity = sizeof(prefix) > 8 && bytes < sizeof(prefix) ? sizeof(prefix) : bytes;
    const std::size_t eights =
        stored & ~std::size_t{7}; // a mask for multiples of eight, and also the number -8
    const std::size_t all = (min_capacity + 7 + sizeof(prefix)) & eights;
    const std::size_t following = next_ + all;
    if (following > end_) return nullptr;
    const std::size_t from = next_ & eights;
    const std::byte* const there = nothing_ + from;
    if (!is_prefix(there - sizeof(prefix),
                   sizeof(prefix) == 8 ? all + eights : all - (sizeof(prefix) & stored), nothing + from) ||
        !leads_to(at, from))
      return nullptr;
    next_ = following;
    return there;
  }

private:
  static constexpr std::size_t nothing = sentinel_position - sizeof(prefix);

  /// Returns true if the bytes at `there` are a prefix with these two numbers, which fit in
  /// `offset_type`.
  [[nodiscard]] static INGOT_INLINE bool is_prefix(const std::byte* there, std::size_t capacity,
                                                   std::size_t distance) noexcept {
    return load_unit<offset_type>(there + offsetof(prefix, capacity)) == static_cast<offset_type>(capacity) &&
           load_unit<offset_type>(there + offsetof(prefix, distance)) == static_cast<offset_type>(distance);
  }
  /// Returns true if the anchor points to `from`. The comparison of offsets is exact, because the
  /// anchor and `from` are in the block, which is shorter than half the range of an offset.
  [[nodiscard]] INGOT_INLINE bool leads_to(const anchor<P>& at, std::size_t from) const noexcept {
    const std::uintptr_t to_nothing =
        reinterpret_cast<std::uintptr_t>(nothing_) - reinterpret_cast<std::uintptr_t>(&at);
    return static_cast<offset_type>(at.raw()) == static_cast<offset_type>(to_nothing + from);
  }

  // The bytes of the sentinel. Positions are distances from these bytes, so that a mask of zero
  // selects the sentinel. If they were distances from the sentinel's prefix, an access to the bytes
  // of a storage would need an addition.
  const std::byte* nothing_;
  std::size_t next_;
  std::size_t end_;
  reserved_bits_check reserved_bits_;
};

/// Like order_cursor, for blocks in which nearly every storage follows the previous storage. With
/// this cursor, the check of a vector branches if the vector is empty, before it reads the storage.
/// In an edited block, the processor would mispredict this branch for many objects.
template <block_policy P>
class run_cursor : public order_cursor<P> {
public:
  static constexpr bool jumps_by_numbers = true;
  INGOT_INLINE run_cursor(const order_cursor<P>& at, std::size_t stop) noexcept : order_cursor<P>(at) {
    this->end_at(stop);
  }
};

/// A cursor for edited blocks, in which the next storage may be anywhere.
template <class Validator>
class edge_cursor {
public:
  using policy = typename Validator::policy;
  using offset_type = typename policy::offset_type;
  using prefix = storage_prefix<offset_type>;

  explicit INGOT_INLINE edge_cursor(Validator& validator) noexcept
      : start_(validator.start()), used_(validator.used()),
        first_(validator.storages() + sizeof(prefix) - none),
        last_(validator.used() < validator.storages() + sizeof(prefix)
                  ? static_cast<std::size_t>(-1)
                  : (validator.used() - validator.storages() - sizeof(prefix)) / 8),
        validator_(validator), now_(validator.claims().now()) {}
  [[nodiscard]] const edge_claims::state& now() const noexcept { return now_; }
  INGOT_INLINE void go_on(const edge_claims::state& now) noexcept { now_ = now; }
  [[nodiscard]] INGOT_INLINE reserved_bits_check& reserved_bits() noexcept { return reserved_bits_; }

  /// Like `order_cursor::take`, but null means invalid.
  [[nodiscard]] INGOT_INLINE const std::byte* take(const anchor<policy>& at, std::size_t stored,
                                                   std::size_t bytes) noexcept {
    const std::size_t min_capacity = sizeof(prefix) > 8 && bytes < sizeof(prefix) ? sizeof(prefix) : bytes;
    const std::size_t position = reinterpret_cast<std::uintptr_t>(&at) -
                                 reinterpret_cast<std::uintptr_t>(start_) +
                                 static_cast<std::size_t>(static_cast<std::intptr_t>(at.raw()));
    // One comparison checks alignment and range. The rotation turns a position that is not a
    // multiple of eight into a huge number. If no storage fits in the block, the right side is
    // zero.
    if (std::rotr(position - none - (first_ & stored), 3) >= (last_ & stored) + 1) [[unlikely]]
      return nullptr;
    prefix head;
    std::memcpy(&head, start_ + position - sizeof(prefix), sizeof(prefix));
    if (head.distance != position - sizeof(prefix) || head.capacity > used_ - position ||
        head.capacity % 8 != 0 || head.capacity < (min_capacity & stored)) [[unlikely]]
      return nullptr;
    edge_claims::state now = now_;
    if (!validator_.claims().take(now, position - sizeof(prefix), (head.capacity + sizeof(prefix)) & stored,
                                  stored)) [[unlikely]]
      return nullptr;
    now_ = now;
    return start_ + position;
  }
  /// Like `take` for an empty container, which may still have a storage.
  [[nodiscard]] INGOT_INLINE const std::byte* take_empty(const anchor<policy>& at) {
    validator_.claims().resume(now_);
    const std::byte* const storage = claim_empty(at, validator_);
    now_ = validator_.claims().now();
    return storage;
  }

private:
  static constexpr std::size_t none = sentinel_position;
  [[nodiscard]] INGOT_NOINLINE static const std::byte* claim_empty(const anchor<policy>& at,
                                                                   Validator& validator) {
    return validator.claim(at, 0, 8);
  }

  const std::byte* start_;
  std::size_t used_;
  /// distance from the sentinel's position to the first possible position of a storage
  std::size_t first_;
  /// distance from the first to the last possible position of a storage, in units of eight bytes
  std::size_t last_;
  Validator& validator_;
  edge_claims::state now_;
  reserved_bits_check reserved_bits_;
};

/// Returns true if `in_order` can validate all of a `T`. Containers that `in_order` supports have a
/// member `in_order` with the same meaning.
template <class T>
consteval bool has_canonical_check() {
  if constexpr (!needs_check<T>()) {
    return true;
  } else if constexpr (live_container<T>) {
    if constexpr (contains_itself<T>) return false;
    else if constexpr (T::container_kind == live_container_kind::string) return true;
    else if constexpr (T::container_kind == live_container_kind::vector)
      return []<class E>(type_pack<E>) {
        return alignof(E) <= 8 && has_canonical_check<E>();
      }(typename T::live_parts{});
    else return false;
  } else if constexpr (kind_of<T> == kind::boolean || kind_of<T> == kind::enumeration) {
    return true;
  } else if constexpr (is_array_like<T>) {
    return has_canonical_check<std::remove_cv_t<element_t<T>>>();
  } else if constexpr (is_specialization<T, std::pair>) {
    return has_canonical_check<typename T::first_type>() && has_canonical_check<typename T::second_type>();
  } else if constexpr (kind_of<T> == kind::record) {
    if (has_valid_member<T> || has_valid_trait<T>) return false;
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((has_canonical_check<std::remove_cv_t<member_type<T, I>>>() && !member_is_limited<T, I>) &&
              ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}

template <class T>
inline constexpr bool is_live_text = false;
template <live_container T>
inline constexpr bool is_live_text<T> = T::container_kind == live_container_kind::string;

/// Returns true if an object is valid and its storages are where the cursor expects them. If the
/// result is false with an `order_cursor`, the object may still be valid, but the cursor must not
/// be used any more.
template <class T, class Cursor>
[[nodiscard]] INGOT_INLINE bool in_order(const T& object, Cursor& cursor) {
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

/// Like `in_order` for `count` adjacent objects. The loop counts the objects, so that its end
/// doesn't depend on the cursor. The processor then detects at once that it has mispredicted the
/// end. For texts, which take little time, the loop has four branches. The processor learns to
/// predict the end sooner from four branches than from one branch that is executed again and again.
template <class T, class Cursor>
[[nodiscard]] INGOT_INLINE bool each_in_order(const T* each, std::size_t count, Cursor& cursor) {
  if constexpr (is_live_text<T>) {
    for (; count != 0; count -= 4, each += 4) {
      if (!in_order(each[0], cursor)) return false;
      if (count == 1) break;
      if (!in_order(each[1], cursor)) return false;
      if (count == 2) break;
      if (!in_order(each[2], cursor)) return false;
      if (count == 3) break;
      if (!in_order(each[3], cursor)) return false;
    }
  } else {
    for (; count != 0; --count, ++each) {
      if (!in_order(*each, cursor)) return false;
    }
  }
  return true;
}

/// Like `in_order`, and returns true only if no reserved bits were found.
template <class T, class Cursor>
[[nodiscard]] INGOT_INLINE bool validates_by(const T& object, Cursor& cursor) {
  cursor.reserved_bits() = {};
  return in_order(object, cursor) && cursor.reserved_bits().none();
}

/// Validators that `in_order` supports.
template <class Validator>
concept supports_edge_claims =
    std::is_same_v<typename Validator::claims_type, edge_claims> && Validator::asks != asking::positions;

/// Prefetches the storages of an object that will be validated some objects later. Its anchors may
/// be invalid.
template <class T>
INGOT_INLINE void look_ahead(const T& object) noexcept {
  if constexpr (live_container<T>) {
    if constexpr (holds_offsets<T>) prefetch(container_access::anchor_of(object).data());
  } else if constexpr (is_specialization<T, std::pair>) {
    look_ahead(object.first);
    look_ahead(object.second);
  } else if constexpr (kind_of<T> == kind::record && holds_offsets<T>) {
    static_cast<void>(for_each_member(object, [&]<class I, class M>(I, const M& member) INGOT_INLINE_LAMBDA {
      look_ahead<std::remove_cv_t<member_type<T, I::value>>>(member);
      return true;
    }));
  }
}

/// Validates objects one after the other while no other code claims anything. With edge claims, one
/// cursor is kept for all objects; otherwise each object is validated separately. No object is read
/// as its type before it is validated.
template <class Validator>
class order_run {
  static constexpr bool by_cursor = supports_edge_claims<Validator>;
  struct no_cursor {
    explicit no_cursor(const Validator& /*checker*/) noexcept {}
  };
  using cursor = std::conditional_t<by_cursor, order_cursor<typename Validator::policy>, no_cursor>;

public:
  explicit order_run(Validator& validator) noexcept : validator_(validator), cursor_(validator) {}
  order_run(const order_run&) = delete;
  order_run& operator=(const order_run&) = delete;

  template <class T>
  [[nodiscard]] INGOT_INLINE bool check(const T& object) {
    if constexpr (!by_cursor) {
      return check_object(object, validator_);
    } else if constexpr (!has_canonical_check<T>()) {
      return check_apart(object, [](const T& one, Validator& with) { return check_object(one, with); });
    } else {
      cursor following = cursor_;
      if (validates_by(object, following)) [[likely]] {
        cursor_ = following;
        return true;
      }
      edited_ = true;
      return check_apart(object, check_astray<T>);
    }
  }
  /// Validates objects until an object is not in order, or until a report is due. Returns the first
  /// object that is not validated, or the end. Returns `first` if one of the objects has reserved
  /// bits that are set. The caller then validates each object by `check`, and so finds this object.
  template <class T>
  [[nodiscard]] const T* past_ordered(const T* first, const T* end) {
    if constexpr (by_cursor && has_canonical_check<T>()) {
      const T* const object = past_ordered(first, end, cursor_, validator_.claims().stop());
      edited_ = object == nullptr;
      return edited_ ? first : object;
    } else {
      return first;
    }
  }
  /// Returns true if an object was not in order.
  [[nodiscard]] INGOT_INLINE bool is_edited() const noexcept { return edited_; }
  /// Polls between two objects. Returns false if cancelled.
  [[nodiscard]] INGOT_INLINE bool should_continue() noexcept { return end() && validator_.should_continue(); }
  /// Polls after objects whose own bytes were claimed earlier, with the storage that contains them.
  [[nodiscard]] INGOT_INLINE bool should_continue_now() noexcept {
    return end() && validator_.should_continue_now(next());
  }
  /// Claims the bytes up to the cursor. Must be called before other code claims bytes, but need not
  /// be called after a failure.
  [[nodiscard]] INGOT_INLINE bool end() noexcept {
    if constexpr (by_cursor) return validator_.claims().take_up_to(cursor_.next());
    else return true;
  }

private:
  [[nodiscard]] std::size_t next() const noexcept {
    if constexpr (by_cursor) return cursor_.next();
    else return 0;
  }
  /// The loop of `past_ordered` above. A separate function, so that the loop can use all registers.
  /// Returns null if an object has reserved bits that are set.
  template <class T>
  [[nodiscard]] INGOT_NOINLINE static const T* past_ordered(const T* object, const T* end, cursor& at,
                                                            std::size_t stop) {
    run_cursor<typename Validator::policy> here(at, stop);
    here.reserved_bits() = {}; // checked once for all objects
    for (; object != end; ++object) {
      auto following = here;
      if (!in_order(*object, following)) [[unlikely]]
        break;
      here = following;
    }
    if (!here.reserved_bits().none()) [[unlikely]]
      return nullptr;
    at.go_to(here.next());
    return object;
  }
  template <class T, class Check>
  [[nodiscard]] INGOT_INLINE bool check_apart(const T& object, Check validates) {
    if (!end() || !validates(object, validator_)) return false;
    cursor_.go_to(validator_.claims().now().next);
    return true;
  }
  template <class T>
  [[nodiscard]] INGOT_NOINLINE static bool check_astray(const T& object, Validator& validator) {
    edge_cursor<Validator> edges(validator);
    if (!validates_by(object, edges)) return false;
    validator.claims().resume(edges.now());
    return true;
  }

  Validator& validator_;
  cursor cursor_;
  bool edited_ = false;
};

/// Like order_run, for objects that are mostly not in order, such as the keys of maps in an edited
/// block.
template <class Validator>
class edge_run {
public:
  explicit edge_run(Validator& validator) noexcept : validator_(validator), cursor_(validator) {}
  edge_run(const edge_run&) = delete;
  edge_run& operator=(const edge_run&) = delete;

  template <class T>
  [[nodiscard]] INGOT_INLINE bool check(const T& object) {
    if constexpr (has_canonical_check<T>()) {
      return validates_by(object, cursor_);
    } else {
      validator_.claims().resume(cursor_.now());
      if (!check_object(object, validator_)) return false;
      cursor_.go_on(validator_.claims().now());
      return true;
    }
  }
  [[nodiscard]] INGOT_INLINE bool end() noexcept {
    validator_.claims().resume(cursor_.now());
    return true;
  }
  [[nodiscard]] INGOT_INLINE bool should_continue_now() noexcept {
    return end() && validator_.should_continue_now(cursor_.now().next);
  }

private:
  Validator& validator_;
  edge_cursor<Validator> cursor_;
};

/// Like order_run, but `check` fails for an object that is not in order. After a failure, nothing
/// has been claimed.
template <class Validator>
class strict_run {
public:
  explicit strict_run(Validator& validator) noexcept : validator_(validator), cursor_(validator) {}
  strict_run(const strict_run&) = delete;
  strict_run& operator=(const strict_run&) = delete;

  template <class T>
  [[nodiscard]] INGOT_INLINE bool check(const T& object) {
    static_assert(has_canonical_check<T>());
    return validates_by(object, cursor_);
  }
  [[nodiscard]] INGOT_INLINE bool end() noexcept { return validator_.claims().take_up_to(cursor_.next()); }
  [[nodiscard]] INGOT_INLINE bool should_continue_now() noexcept {
    return validator_.should_continue_now(cursor_.next());
  }

private:
  Validator& validator_;
  order_cursor<typename Validator::policy> cursor_;
};

/// Validates adjacent objects.
template <class T, class Validator>
[[nodiscard]] bool check_each(const T* first, std::size_t count, Validator& validator) {
  constexpr std::size_t strip = 256; // objects between two polls
  order_run run(validator);
  for (std::size_t i = 0; i < count;) {
    const std::size_t due = validator.run_end(i, count, sizeof(T));
    if (!run.is_edited()) i = static_cast<std::size_t>(run.past_ordered(first + i, first + due) - first);
    // Nearly always, `past_ordered` ended because a report is due. Otherwise it found an object
    // that is not in order: only this object is checked separately.
    std::size_t end = has_canonical_check<T>() && !run.is_edited() ? i + 1 : i + strip;
    if (end > due) end = due;
    for (; i < end; ++i) {
      if constexpr (has_canonical_check<T>()) {
        if (run.is_edited() && count - i > 6) look_ahead(first[i + 6]);
      }
      if (!run.check(first[i])) return validator.in_element(i);
    }
    if (i < count && !(i == due ? run.should_continue_now() : run.should_continue())) return false;
  }
  return run.end();
}

}}} // namespace ingot::INGOT_V1::detail
