// SPDX-License-Identifier: Apache-2.0
// Validates that untrusted bytes are a block. Afterwards all operations on its content are safe,
// including growth and lookups of absent keys. One walk, which follows the block's type, visits
// each storage once and claims its bytes. Bytes that two containers claim, or that are outside the
// block, are rejected.
//
// A canonical block has its storages in the order of the walk: then a claim is a comparison with a
// cursor. Claims of other storages are noted as edges, which show overlaps at the end of the walk
// (edge_claims.hpp). Only a rejected block is walked again, to report the reason. The second walk
// has a bitmap, which finds an overlap at once.
#pragma once

#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/live/detail/edge_claims.hpp>
#include <ingot/live/detail/element.hpp>
#include <ingot/reflect/enums.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/storable.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Claims that find an overlap at once. Each bit of their bitmap is for eight bytes. The words of
/// the bitmap are where an allocator expects them: the first word is the last in memory.
class bitmap_claims {
public:
  /// `end` is the address after word 0.
  explicit bitmap_claims(std::uint64_t* end) noexcept : end_(end) {}
  [[nodiscard]] INGOT_INLINE bool take(std::size_t at, std::size_t size) noexcept {
    const std::size_t first = at / 8;
    const std::size_t count = size / 8;
    if (first % 64 + count < 64) [[likely]] {
      const std::uint64_t mask = ((std::uint64_t{1} << count) - 1) << first % 64;
      std::uint64_t& word = *(end_ - 1 - first / 64);
      if ((word & mask) != 0) return false;
      word |= mask;
      return true;
    }
    return take_long(first, count);
  }

private:
  [[nodiscard]] bool take_long(std::size_t first, std::size_t count) noexcept {
    while (count != 0) {
      const std::size_t bit = first % 64;
      const std::size_t here = count < 64 - bit ? count : 64 - bit;
      const std::uint64_t mask = (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << bit;
      std::uint64_t& word = *(end_ - 1 - first / 64);
      if ((word & mask) != 0) return false;
      word |= mask;
      first += here;
      count -= here;
    }
    return true;
  }

  std::uint64_t* end_;
};

/// Like bitmap_claims, but polls at each claim. Used for a second walk over bytes that were
/// rejected. This walk makes no progress, so its reports repeat the last number.
class polling_claims {
public:
  polling_claims(std::uint64_t* end, progress_poll& poll) noexcept : bits_(end), poll_(poll) {}
  [[nodiscard]] bool take(std::size_t at, std::size_t size) noexcept {
    return bits_.take(at, size) && poll_.step_should_continue();
  }

private:
  bitmap_claims bits_;
  progress_poll& poll_;
};

/// Claims nothing. Used for a second walk over validated bytes.
struct no_claims {
  [[nodiscard]] static bool take(std::size_t, std::size_t) noexcept { return true; }
};

/// The parts of objects that a walk validates.
enum class asking : std::uint8_t {
  positions, ///< positions only: for bytes that this process wrote itself
  values,    ///< also values: bools, enumerators, limits
  all,       ///< also calls the types' own `valid`
};

/// Claims nothing, and sums up the bytes of the storages, in validated blocks.
class counting_claims {
public:
  [[nodiscard]] bool take(std::size_t, std::size_t size) noexcept {
    sum_ += size;
    return true;
  }
  [[nodiscard]] std::size_t sum() const noexcept { return sum_; }

private:
  std::size_t sum_ = 0;
};

/// Claims nothing, and passes each object to `Visit`, also objects of types for which all bytes are
/// valid.
template <class Visit>
class visiting_claims {
public:
  [[nodiscard]] bool take(std::size_t, std::size_t) const noexcept { return true; }
  static constexpr bool visits = true;
  template <class T>
  void visit(const T& object) const noexcept {
    Visit{}(object);
  }
};
template <class Validator>
concept visits_objects = requires { Validator::claims_type::visits; };

/// Returns true if some patterns of bytes are not a valid `T`.
template <class T>
consteval bool needs_check() {
  if constexpr (live_container<T>) {
    return true;
  } else if constexpr (kind_of<T> == kind::enumeration) {
    return !enum_is_open<T>;
  } else if constexpr (kind_of<T> == kind::boolean || kind_of<T> == kind::bitset) {
    return true;
  } else if constexpr (is_array_like<T>) {
    return needs_check<std::remove_cv_t<element_t<T>>>();
  } else if constexpr (is_specialization<T, std::pair>) {
    return needs_check<typename T::first_type>() || needs_check<typename T::second_type>();
  } else if constexpr (kind_of<T> == kind::record) {
    if (has_valid_member<T> || has_valid_trait<T>) return true;
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((needs_check<std::remove_cv_t<member_type<T, I>>>() || member_is_limited<T, I>) || ...);
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}

template <template <class> class Poll, class T>
constexpr bool some_part(visited_types& seen);
template <template <class> class Poll, class... Ts>
constexpr bool some_part_of(visited_types& seen, type_pack<Ts...>) {
  return (some_part<Poll, std::remove_cv_t<Ts>>(seen) || ...);
}
/// Returns true if `Poll` is true of `T` or of a part of it.
template <template <class> class Poll, class T>
constexpr bool some_part(visited_types& seen) {
  if constexpr (Poll<T>::value) {
    return true;
  } else if constexpr (live_container<T>) {
    return seen.add(type_tag<T>()) && some_part_of<Poll>(seen, typename T::live_parts{});
  } else if constexpr (is_array_like<T>) {
    return some_part<Poll, std::remove_cv_t<element_t<T>>>(seen);
  } else if constexpr (is_specialization<T, std::pair>) {
    return some_part_of<Poll>(seen, type_pack<typename T::first_type, typename T::second_type>{});
  } else if constexpr (kind_of<T> == kind::record) {
    return seen.add(type_tag<T>()) && [&]<std::size_t... I>(std::index_sequence<I...>) {
      return some_part_of<Poll>(seen, type_pack<member_type<T, I>...>{});
    }(std::make_index_sequence<member_count<T>>{});
  } else {
    return false;
  }
}
/// True if `T` is or holds a container, including optionals and variants without offsets.
template <class T>
struct is_container : std::bool_constant<live_container<T>> {};
template <class T>
inline constexpr bool holds_containers = [] {
  visited_types seen;
  return some_part<is_container, T>(seen);
}();
template <class T>
struct is_accepted_by_valid : std::bool_constant<has_valid_member<T> || has_valid_trait<T>> {};
template <class T>
struct is_walked_later : std::false_type {};
template <live_container T>
struct is_walked_later<T> : std::bool_constant<contains_itself<T>> {};

/// True if a type's `valid` may read containers that the first walk has added to its work list but
/// not validated yet. Then `valid` is called in a second walk.
template <class T>
inline constexpr bool asks_valid_last = [] {
  visited_types hooks;
  if (!some_part<is_accepted_by_valid, T>(hooks)) return false;
  visited_types later;
  return some_part<is_walked_later, T>(later);
}();

/// Validates the objects of a block. Each container's `check` uses this class for its storage.
template <block_policy P, class Claims, asking Asks = asking::all>
class block_validator {
public:
  static constexpr asking asks = Asks;
  using policy = P;
  using claims_type = Claims;
  using offset_type = typename P::offset_type;
  using prefix = storage_prefix<offset_type>;

  block_validator(const std::byte* start, std::size_t used, std::size_t storages, Claims claims) noexcept
      : start_(start), used_(used), storages_(storages), claims_(claims) {}

  /// Claims the storage of a container. Returns the storage, which has at least `bytes` bytes and
  /// is aligned to `alignment`. Returns null, after recording the error, if there is no such
  /// storage. For an empty container, the result may be the sentinel, whose bytes must not be read.
  [[nodiscard]] INGOT_INLINE const std::byte* claim(const anchor<P>& at, std::size_t bytes,
                                                    std::size_t alignment) {
    const std::size_t position = position_of(at);
    if (position == sentinel_position && bytes == 0) return start_ + sentinel_position;
    // Compares positions and sizes with the remaining bytes before additions, so that no sum wraps.
    if (position < storages_ + sizeof(prefix) || position > used_ ||
        position % (alignment < 8 ? 8 : alignment) != 0) [[unlikely]]
      return reject(errc::bad_length, &at, "an offset to a storage of the block"), nullptr;
    prefix head;
    std::memcpy(&head, start_ + position - sizeof(prefix), sizeof(prefix));
    // A storage must be able to hold the prefix and the links of a free run once it is freed.
    if (head.distance != position - sizeof(prefix) || head.capacity > used_ - position ||
        head.capacity % 8 != 0 || head.capacity < sizeof(prefix)) [[unlikely]]
      return reject(errc::bad_length, &at, "a storage that knows where it is and ends inside the block"),
             nullptr;
    if (bytes > head.capacity) [[unlikely]]
      return reject(errc::bad_length, &at, "no more elements than fit into the storage"), nullptr;
    if (!claims_.take(position - sizeof(prefix), head.capacity + sizeof(prefix))) [[unlikely]]
      return reject(errc::overlap, &at, "a storage that overlaps no other"), nullptr;
    return start_ + position;
  }
  /// If all bits of the mask `stored` are set, claims as `claim` does: a storage of at least
  /// `bytes` bytes, aligned to eight. If the mask is zero, the anchor must point to the sentinel,
  /// whose prefix and bytes are those of an empty storage. The mask replaces an unpredictable
  /// branch. If the result is null, nothing has been claimed. The storage may still be valid:
  /// `claim` finds the error, if any.
  [[nodiscard]] INGOT_INLINE const std::byte* claim_if(const anchor<P>& at, std::size_t stored,
                                                       std::size_t bytes) {
    const std::size_t position = position_of(at);
    // A freed storage must hold the prefix and the links of a free run. With a narrow prefix all
    // storages are large enough.
    const std::size_t min_capacity = sizeof(prefix) > 8 && bytes < sizeof(prefix) ? sizeof(prefix) : bytes;
    constexpr std::size_t none = sentinel_position;
    const std::size_t lowest = none ^ ((none ^ (storages_ + sizeof(prefix))) & stored);
    if (position >= lowest && position <= used_ && position % 8 == 0 && ((position ^ none) & ~stored) == 0)
        [[likely]] {
      prefix head;
      std::memcpy(&head, start_ + position - sizeof(prefix), sizeof(prefix));
      if (head.distance == position - sizeof(prefix) && head.capacity <= used_ - position &&
          head.capacity % 8 == 0 && head.capacity >= (min_capacity & stored) &&
          claims_.take(position - sizeof(prefix), (head.capacity + sizeof(prefix)) & stored)) [[likely]]
        return start_ + position;
    }
    return nullptr;
  }
  /// Returns true if an empty container points to the block's sentinel.
  [[nodiscard]] INGOT_INLINE bool is_sentinel(const anchor<P>& at) {
    return position_of(at) == sentinel_position ||
           reject(errc::bad_length, &at, "an offset to the block's sentinel");
  }
  /// Like `claim`, for a part of a container that has no prefix, such as a node of a tree. The part
  /// has `bytes` bytes at `position`. Errors have the offset of `from`.
  [[nodiscard]] INGOT_INLINE const std::byte* claim_run(std::size_t position, std::size_t bytes,
                                                        const void* from) {
    if (position < storages_ || position > used_ || position % 8 != 0 || bytes > used_ - position)
        [[unlikely]]
      return reject(errc::bad_length, from, "an offset to a node of the block"), nullptr;
    if (!claims_.take(position, bytes)) [[unlikely]]
      return reject(errc::overlap, from, "a node that overlaps no other"), nullptr;
    return start_ + position;
  }

  /// Polls between elements. Returns false if the progress callback has cancelled. The caller of
  /// the validation detects the cancellation by `progress_poll::stopped`.
  [[nodiscard]] INGOT_INLINE bool should_continue() noexcept {
    if constexpr (requires { claims_.should_continue(); }) return claims_.should_continue();
    else return true;
  }
  /// Polls after many bytes that were claimed together. `next` is the end of the last validated
  /// storage. The bytes before `next` are validated, but a cursor may claim them only later.
  [[nodiscard]] INGOT_COLD bool should_continue_now(std::size_t next) noexcept {
    if constexpr (requires { claims_.should_continue_now(next); }) return claims_.should_continue_now(next);
    else return true;
  }
  [[nodiscard]] bool should_continue_now() noexcept {
    if constexpr (requires { claims_.now(); }) return should_continue_now(claims_.now().next);
    else return true;
  }
  /// Returns the index of the element before which a loop has to call `should_continue_now`. The
  /// loop is at element `i` of `count` elements of `bytes` bytes each.
  [[nodiscard]] INGOT_INLINE std::size_t run_end(std::size_t i, std::size_t count,
                                                 std::size_t bytes) const noexcept {
    if constexpr (requires { claims_.run_end(i, count, bytes); }) return claims_.run_end(i, count, bytes);
    else return count;
  }

  /// Records the error; returns false.
  INGOT_COLD bool reject(errc code, const void* where, std::string_view expected) {
    rejected_ = true;
    why_ =
        error{code, static_cast<std::uint64_t>(static_cast<const std::byte*>(where) - start_)}.with_expected(
            expected);
    return false;
  }
  /// Rejects the member at `where` because of its limits.
  INGOT_COLD bool reject(const limit_failure& failure, const void* where) {
    static_cast<void>(reject(failure.code, where, failure.expected));
    failure.name_found(*why_);
    return false;
  }
  /// Rejects the number that is stored at `where` for an enumerator of `size` bytes.
  INGOT_COLD bool reject_enumerator(const void* where, std::size_t size, bool is_signed, bool of_flags) {
    static_cast<void>(reject(errc::bad_enum, where, expected_enumerator(of_flags)));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = little_endian ? size - 1 - i : i;
      bits = bits << 8 | std::to_integer<std::uint64_t>(static_cast<const std::byte*>(where)[at]);
    }
    const unsigned unused = 64 - 8 * static_cast<unsigned>(size);
    if (is_signed) bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
    why_->with_found(number_text(bits, is_signed).view());
    return false;
  }
  INGOT_COLD bool in_member(std::string_view name) {
    if (rejected_) why_->in_member(name);
    return false;
  }
  INGOT_COLD bool in_element(std::size_t index) {
    if (rejected_) why_->in_element(index);
    return false;
  }
  /// Returns the reason why a validation failed. Requires that the validation was not cancelled. If
  /// no error was recorded, there was no memory for the list of a recursive walk.
  [[nodiscard]] const error& reason() {
    if (!rejected_)
      static_cast<void>(reject(errc::no_memory, start_, "memory for the list of parts left to check"));
    return *why_;
  }

  [[nodiscard]] const std::byte* start() const noexcept { return start_; }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] std::size_t storages() const noexcept { return storages_; }
  [[nodiscard]] const Claims& claims() const noexcept { return claims_; }
  [[nodiscard]] Claims& claims() noexcept { return claims_; }
  /// The work list of this validation while it runs. A `valid` or a progress callback may start
  /// another validation, which has a work list of its own.
  [[nodiscard]] work_list<validator_entry>*& walk() noexcept { return walk_; }

private:
  pending_error why_;
  work_list<validator_entry>* walk_ = nullptr;
  bool rejected_ = false;

  /// Returns the position that an anchor points to, counted from the block's start. For an address
  /// outside the block, the result is above `used`.
  [[nodiscard]] INGOT_INLINE std::size_t position_of(const anchor<P>& at) const noexcept {
    return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(&at) -
                                    reinterpret_cast<std::uintptr_t>(start_)) +
           static_cast<std::size_t>(static_cast<std::intptr_t>(at.raw()));
  }

  const std::byte* start_;
  std::size_t used_;
  std::size_t storages_;
  Claims claims_;
};

template <class E>
[[nodiscard]] bool is_enumerator(std::underlying_type_t<E> value) noexcept {
  if constexpr (enum_is_flags<E>) {
    return (value | enum_bits<E>) == enum_bits<E>;
  } else if constexpr (enumerators_are_dense<E>) { // no branch that depends on the value
    return value >= std::to_underlying(enumerators<E>.front().value) &&
           value <= std::to_underlying(enumerators<E>.back().value);
  } else {
    for (const auto& each : enumerators<E>) {
      if (std::to_underlying(each.value) == value) return true;
    }
    return false;
  }
}

/// Returns true if the bytes of `object` are a value of the enumeration.
template <class E>
[[nodiscard]] INGOT_INLINE bool holds_enumerator(const E& object) noexcept {
  using under = std::underlying_type_t<E>;
  // Reads the bytes, because a bool with a byte above 1 must not be read as a bool.
  std::conditional_t<std::is_same_v<under, bool>, std::uint8_t, under> value{};
  std::memcpy(&value, &object, sizeof value);
  bool is_number = true;
  if constexpr (std::is_same_v<under, bool>) is_number = value <= 1;
  return is_number && is_enumerator<E>(static_cast<under>(value));
}

template <class T, class Validator>
[[nodiscard]] bool check_object(const T& object, Validator& validator);

template <class T, class Validator>
[[nodiscard]] bool check_hooks(const T& object, Validator& validator) {
  if constexpr (has_valid_member<T>) {
    return object.valid() ||
           validator.reject(errc::invalid_value, &object, "a value that the type's valid() accepts");
  } else if constexpr (has_valid_trait<T>) {
    return valid<T>::check(object) ||
           validator.reject(errc::invalid_value, &object, "a value that the type's valid() accepts");
  } else {
    return true;
  }
}

/// Validates that `object`, whose bytes are in the block, is a `T`. Reads a member as its type only
/// after the member is validated.
template <class T, class Validator>
bool check_object(const T& object, Validator& validator) {
  if constexpr (visits_objects<Validator>) validator.claims().visit(object);
  if constexpr (!needs_check<T>() || (Validator::asks == asking::positions && !holds_offsets<T> &&
                                      !(visits_objects<Validator> && holds_containers<T>))) {
    return true;
  } else if constexpr (live_container<T>) {
    if constexpr (contains_itself<T>) {
      const validator_entry entry{[](const validator_entry& one) {
                                    return container_access::check(*static_cast<const T*>(one.container),
                                                                   *static_cast<Validator*>(one.validator));
                                  },
                                  &object, &validator};
      return walk_later(validator.walk(), entry);
    } else {
      return container_access::check(object, validator);
    }
  } else if constexpr (kind_of<T> == kind::boolean) {
    std::uint8_t byte = 0;
    std::memcpy(&byte, &object, 1);
    return byte <= 1 || validator.reject(errc::bad_bool, &object, "0 or 1");
  } else if constexpr (kind_of<T> == kind::enumeration) {
    return holds_enumerator(object) ||
           validator.reject_enumerator(&object, sizeof(T), std::is_signed_v<std::underlying_type_t<T>>,
                                       enum_is_flags<T>);
  } else if constexpr (kind_of<T> == kind::bitset) {
    T clean{};
    for (std::size_t i = 0; i < clean.size(); ++i) clean[i] = object[i];
    return std::memcmp(&clean, &object, sizeof(T)) == 0 ||
           validator.reject(errc::bad_padding, &object, "zero bits after the last");
  } else if constexpr (is_array_like<T>) {
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      if (!check_object(object[i], validator)) return validator.in_element(i);
    }
    return true;
  } else if constexpr (is_specialization<T, std::pair>) {
    if (!check_object(object.first, validator)) return validator.in_member("first");
    return check_object(object.second, validator) || validator.in_member("second");
  } else {
    const bool whole = for_each_member(object, [&]<class I, class M>(I, const M& member) {
      using declared = std::remove_cv_t<member_type<T, I::value>>;
      if constexpr (needs_check<declared>()) {
        if (!check_object<declared>(member, validator)) return validator.in_member(member_name<T, I::value>);
      }
      if constexpr (member_is_limited<T, I::value> && Validator::asks != asking::positions) {
        limit_failure failure;
        if (!check_member<T, I::value>(member, failure)) {
          static_cast<void>(validator.reject(failure, &member));
          return validator.in_member(member_name<T, I::value>);
        }
      }
      return true;
    });
    if constexpr (Validator::asks == asking::all) return whole && check_hooks(object, validator);
    else return whole;
  }
}

}}} // namespace ingot::INGOT_V1::detail
