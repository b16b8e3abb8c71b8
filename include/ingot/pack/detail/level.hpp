// SPDX-License-Identifier: Apache-2.0
// Checks one level of untrusted bytes: a fixed part with all its slots, but not the payloads in its
// tail. Every end must be within its limits, and bools, enums and tags must be valid.
//
// Every read runs this check before it uses the fixed part. The check combines its results without
// branches, so that a record takes a few comparisons and one jump. If the check fails, another
// function (out of line) finds the invalid field.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/read_limits.hpp>
#include <ingot/pack/layout.hpp>
#include <ingot/reflect/detail/element_cost.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The state of reading one message: its bytes, limits and error.
struct reader {
  const std::byte* base;
  const std::byte* end;
  std::uint32_t empty_elements = 0;
  std::uint32_t max_collisions = read_limits::default_collisions;
  bool trailing_allowed = false;
  std::uint64_t message_tail =
      /// size of the tail of the whole message; set only to explain an error: an end beyond this
      /// tail is reported as `truncated`
      ~std::uint64_t{0};
  progress_tracker* tracker = nullptr; ///< null: no progress callback
  std::uint64_t memory_left;
  pending_error why;

  explicit constexpr reader(bytes_view bytes) noexcept
      : base(bytes.data()), end(bytes.data() + bytes.size()),
        memory_left(memory_limit(read_limits::by_input, bytes.size())) {}
  constexpr reader(bytes_view bytes, const read_limits& limits) noexcept
      : base(bytes.data()), end(bytes.data() + bytes.size()), max_collisions(limits.max_collisions),
        memory_left(memory_limit(limits.max_memory, bytes.size())) {}

  [[nodiscard]] constexpr std::uint64_t offset_of(const std::byte* at) const noexcept {
    return static_cast<std::uint64_t>(at - base);
  }
  INGOT_COLD constexpr bool fail(errc code, const std::byte* at, std::string_view expected) noexcept {
    why = error{code, offset_of(at)}.with_expected(expected);
    return false;
  }
  INGOT_COLD constexpr bool fail(errc code, const std::byte* at, std::string_view expected,
                                 std::uint64_t found) noexcept {
    why = error{code, offset_of(at)}.with_expected(expected).with_found(found);
    return false;
  }
  /// Sets the error for a member that its limits reject.
  INGOT_COLD constexpr bool fail(const limit_failure& failure, const std::byte* at) noexcept {
    why = error{failure.code, offset_of(at)}.with_expected(failure.expected);
    failure.name_found(*why);
    return false;
  }
  /// Sets the error for the number `bits`, which an integer of `size` bytes can't hold. The number
  /// is sign-extended if `is_signed`.
  INGOT_COLD constexpr bool fail_integer(const std::byte* at, std::uint64_t bits, std::size_t size,
                                         bool is_signed) noexcept {
    why = error{errc::out_of_range, offset_of(at)}
              .with_expected(integer_range_text(size, is_signed).view())
              .with_found(number_text(bits, is_signed).view());
    return false;
  }
  /// Sets the error for the number `bits`, which belongs to no enumerator. The number is
  /// sign-extended if `is_signed`.
  INGOT_COLD constexpr bool fail_enumerator(const std::byte* at, std::uint64_t bits, bool is_signed,
                                            bool of_flags) noexcept {
    why = error{errc::bad_enum, offset_of(at)}
              .with_expected(expected_enumerator(of_flags))
              .with_found(number_text(bits, is_signed).view());
    return false;
  }
};

/// Counts the memory of objects made from the bytes at `at`. Returns false, with an error, if the
/// memory exceeds the limit.
[[nodiscard]] INGOT_INLINE constexpr bool take_memory(reader& r, const std::byte* at,
                                                      std::uint64_t bytes) noexcept {
  if (bytes > r.memory_left) [[unlikely]]
    return r.fail(errc::too_much_memory, at, within_memory, bytes);
  r.memory_left -= bytes;
  return true;
}

/// Returns the index of the next element before which a loop over a list reports progress, or
/// `count` if there is none. This element is about 256 KiB after the element at `from`. The `count`
/// elements of the list take `bytes` bytes. A loop calls this function once for each report, not
/// for each element.
[[nodiscard]] INGOT_COLD inline std::size_t compute_next_report(std::size_t from, std::size_t count,
                                                                std::uint64_t bytes) noexcept {
  const std::uint64_t run = bytes == 0 ? count : count * std::uint64_t{progress_tracker::step} / bytes;
  return run < count - from ? from + static_cast<std::size_t>(run + (run == 0)) : count;
}
[[nodiscard]] INGOT_INLINE constexpr std::size_t
next_report_index(const reader& r, std::size_t from, std::size_t count, std::uint64_t bytes) noexcept {
  if (r.tracker == nullptr) [[likely]]
    return count;
  return compute_next_report(from, count, bytes);
}
/// Reports progress: about all bytes before `at` are read. Returns false, with an error, if
/// cancelled.
[[nodiscard]] INGOT_COLD inline bool tell(reader& r, const std::byte* at) {
  return r.tracker->report(r.offset_of(at), static_cast<std::uint64_t>(r.end - r.base)) ||
         r.fail(errc::cancelled, at, "no cancellation");
}
/// Returns the error of a failed read. The error of a cancelled read names no member. If the
/// callback has thrown an exception, throws it instead.
[[nodiscard]] INGOT_COLD constexpr std::unexpected<error> reader_failure(reader& r) {
  if (r.tracker != nullptr && r.tracker->stopped()) return r.tracker->cancelled();
  return r.why.failure();
}

/// Adds the name of the failed part to the start of the path. Out of line, because only failures
/// call it.
template <class T>
INGOT_COLD constexpr bool name_part(reader& r, std::size_t index) noexcept {
  if constexpr (is_entry<T>) {
    r.why->in_member(index == 0 ? "key" : "value");
  } else if constexpr (kind_of<T> == kind::record) {
    r.why->in_member(public_name_table<T>[index]);
  } else {
    r.why->in_element(index);
  }
  return false;
}

/// Returns the size of one unit of a payload. The size of the payload must be a multiple of the
/// unit. Lists that store a count have the unit 1.
template <class T>
consteval std::size_t payload_unit() {
  if constexpr (kind_of<T> == kind::adapted) return payload_unit<adapted_t<T>>();
  else if constexpr (kind_of<T> == kind::string) return sizeof(typename T::value_type);
  else if constexpr (is_list<T>) {
    using element = list_element_t<T>;
    if constexpr (is_fixed<element> && element_stride<element> != 0) return element_stride<element>;
    else return 1;
  } else return 1;
}

template <class E>
constexpr bool enum_bad(const std::byte* at) noexcept {
  using under = std::underlying_type_t<E>;
  const auto raw =
      load_le<std::make_unsigned_t<std::conditional_t<std::is_same_v<under, bool>, unsigned char, under>>>(
          at);
  using raw_type = decltype(raw);
  if constexpr (enum_is_open<E>) {
    return std::is_same_v<under, bool> && raw > 1;
  } else if constexpr (enum_is_flags<E>) {
    constexpr auto bits = static_cast<raw_type>(enum_bits<E>);
    return (raw | bits) != bits;
  } else if constexpr (enumerators_are_dense<E>) {
    constexpr auto low = static_cast<raw_type>(std::to_underlying(enumerators<E>.front().value));
    constexpr auto high = static_cast<raw_type>(std::to_underlying(enumerators<E>.back().value));
    return static_cast<std::remove_const_t<raw_type>>(raw - low) >
           static_cast<std::remove_const_t<raw_type>>(high - low);
  } else {
    for (const auto& known : enumerators<E>) {
      if (static_cast<raw_type>(std::to_underlying(known.value)) == raw) return false;
    }
    return true;
  }
}

/// Returns true if the slot of a `T` can have invalid bytes.
template <class T>
consteval bool compute_level_checked() {
  if constexpr (std::is_same_v<T, nothing>) return false;
  else if constexpr (is_variable_leaf<T>) return true;
  else if constexpr (kind_of<T> == kind::adapted) return compute_level_checked<adapted_t<T>>();
  else if constexpr (kind_of<T> == kind::array) return compute_level_checked<element_t<T>>();
  else if constexpr (has_parts<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (
          (!parts<T>::template skipped<I> && compute_level_checked<typename parts<T>::template type<I>>()) ||
          ...);
    }(std::make_index_sequence<parts<T>::count>{});
  } else return !compute_any_bytes<T>();
}
template <class T>
inline constexpr bool is_level_checked = compute_level_checked<T>();

template <class T>
INGOT_INLINE constexpr bool slot_bad(const std::byte* at, end_type& previous) noexcept;

/// Returns true if the slot of a member of a record, tuple or entry is invalid. The record may be
/// evolvable.
template <class T>
INGOT_INLINE constexpr bool slots_bad(const std::byte* at, end_type& previous) noexcept {
  return [&]<std::size_t... I>(std::index_sequence<I...>) INGOT_INLINE_LAMBDA {
    constexpr auto one = []<std::size_t J>(std::integral_constant<std::size_t, J>, const std::byte* from,
                                           end_type& before) INGOT_INLINE_LAMBDA {
      if constexpr (parts<T>::template skipped<J>) return false;
      else return slot_bad<typename parts<T>::template type<J>>(from + part_offsets<T>[J], before);
    };
    return (false | ... | one(std::integral_constant<std::size_t, I>{}, at, previous));
  }(std::make_index_sequence<parts<T>::count>{});
}

/// Returns true if the slot at `at` is invalid. Does not check the last end against the size of the
/// tail.
template <class T>
INGOT_INLINE constexpr bool slot_bad(const std::byte* at, end_type& previous) noexcept {
  if constexpr (!is_level_checked<T>) {
    return false;
  } else if constexpr (is_variable_leaf<T>) {
    const end_type end = load_le<end_type>(at);
    constexpr std::size_t unit = payload_unit<T>();
    // The upper bits of the difference are set if `end` is less than `previous`. The compiler
    // combines the differences of neighbouring fields and shifts once. Comparisons would give one
    // flag for each field.
    bool bad = (std::uint64_t{end} - previous) >> 63 != 0;
    if constexpr (unit != 1) bad |= (end - previous) % unit != 0;
    previous = end;
    return bad;
  } else if constexpr (kind_of<T> == kind::adapted) {
    return slot_bad<adapted_t<T>>(at, previous);
  } else if constexpr (kind_of<T> == kind::boolean) {
    return at[0] > std::byte{1};
  } else if constexpr (kind_of<T> == kind::enumeration) {
    return enum_bad<T>(at);
  } else if constexpr (kind_of<T> == kind::bitset) {
    constexpr std::size_t used = T{}.size() % 8;
    return used != 0 && (at[slot_size<T> - 1] >> used) != std::byte{0};
  } else if constexpr (kind_of<T> == kind::array) {
    bool bad = false;
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      bad |= slot_bad<element_t<T>>(at + i * slot_size<element_t<T>>, previous);
    }
    return bad;
  } else if constexpr (has_parts<T>) {
    return slots_bad<T>(at, previous);
  } else { // a tagged value of fixed alternatives
    const auto tag = std::to_integer<std::size_t>(at[0]);
    std::size_t used = slot_size<T>;
    bool bad = false;
    [&]<class... Ts>(alternatives<Ts...>) {
      std::size_t index = 0;
      static_cast<void>((
          (tag == index++ ? (bad = slot_bad<Ts>(at + 1, previous), used = 1 + slot_size<Ts>, true) : false) ||
          ...));
      bad |= tag >= sizeof...(Ts);
    }(tagged_alternatives<T>());
    for (std::size_t i = used; i < slot_size<T>; ++i) bad |= at[i] != std::byte{0};
    return bad;
  }
}

/// Returns true if the slot at `at` is invalid. `limit` is the size of the tail. Changes `previous`
/// from the end of the preceding field, which is at most `limit`, to the end of this field. In a
/// valid slot no end is below its predecessor, so only the last end is compared with `limit`.
template <class T>
INGOT_INLINE constexpr bool level_bad(const std::byte* at, end_type& previous, end_type limit) noexcept {
  const bool bad = slot_bad<T>(at, previous);
  return bad | (previous > limit);
}

/// Returns true if all slots of the `T` at `from` are valid, and the last field ends where the
/// `size` bytes end. If `lenient`, bytes may follow the last field.
template <class T>
INGOT_INLINE constexpr bool level_fits(const std::byte* from, std::size_t size, bool lenient) noexcept {
  constexpr std::size_t max_size = std::numeric_limits<end_type>::max();
  if constexpr (fixed_part<T> > max_size) {
    return false;
  } else {
    // also true for a message that is too short, because the unsigned difference wraps around
    if (size - fixed_part<T> > max_size - fixed_part<T>) [[unlikely]]
      return false;
    const auto limit = static_cast<end_type>(size - fixed_part<T>);
    end_type reached = 0;
    const bool bad = slot_bad<T>(from, reached);
    return !(bad | (lenient ? reached > limit : reached != limit));
  }
}

/// As `level_bad`, for the slots of the members of an evolvable record. (The slot of the record
/// itself is only an end offset.)
template <class T>
INGOT_INLINE constexpr bool level_bad_parts(const std::byte* at, end_type& previous,
                                            end_type limit) noexcept {
  const bool bad = slots_bad<T>(at, previous);
  return bad | (previous > limit);
}

template <class T>
constexpr bool explain_level(reader& r, const std::byte* at, end_type& previous, end_type limit);

/// Sets the error if the end of a variable field is invalid; otherwise moves `previous` to the end.
/// All types use the same function.
INGOT_COLD constexpr bool explain_end(reader& r, const std::byte* at, end_type& previous, end_type limit,
                                      std::size_t unit) {
  const end_type end = load_le<end_type>(at);
  if (end < previous) return r.fail(errc::bad_length, at, "an end not before the previous field's", end);
  if (end > limit) {
    return r.fail(limit == r.message_tail ? errc::truncated : errc::bad_length, at, "an end inside the tail",
                  end);
  }
  if ((end - previous) % unit != 0) {
    return r.fail(errc::bad_length, at, "whole elements between this end and the previous one",
                  end - previous);
  }
  previous = end;
  return true;
}

template <std::size_t Unit>
INGOT_COLD constexpr bool explain_end_of(reader& r, const std::byte* at, end_type& previous, end_type limit) {
  return explain_end(r, at, previous, limit, Unit);
}

/// A part that has a slot, and the function that finds the error in the slot. `explain_each` reads
/// the tables of all types, so each type adds only a table to the program.
struct explained_part {
  std::size_t index = 0;
  std::size_t begin = 0; ///< offset of the slot
  std::size_t end = 0;
  bool (*explain)(reader&, const std::byte* at, end_type& previous, end_type limit) = nullptr;
};
/// The parts of a `T` whose slots can be invalid, and the number of these parts.
template <class T>
struct explained_part_list {
  std::array<explained_part, parts<T>::count + 1> items{};
  std::size_t count = 0;

  constexpr explained_part_list() {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (add<I>(), ...);
    }(std::make_index_sequence<parts<T>::count>{});
  }
  template <std::size_t I>
  constexpr void add() {
    if constexpr (!parts<T>::template skipped<I>) {
      using part = typename parts<T>::template type<I>;
      if constexpr (is_variable_leaf<part>)
        items[count++] = {I, part_offsets<T>[I], part_offsets<T>[I + 1],
                          explain_end_of<payload_unit<part>()>};
      else if constexpr (is_level_checked<part>)
        items[count++] = {I, part_offsets<T>[I], part_offsets<T>[I + 1], explain_level<part>};
    }
  }
};
template <class T>
inline constexpr explained_part_list<T> explained_parts{};

/// Calls the functions of the parts whose slots are between the offsets `base` and `present`, in
/// order, until one of them finds an error. `at` is the address of offset `base`.
INGOT_COLD constexpr bool explain_each(reader& r, const std::byte* at, end_type& previous, end_type limit,
                                       std::size_t base, std::size_t present, const explained_part* part,
                                       std::size_t count, bool (*name)(reader&, std::size_t) noexcept) {
  for (; count != 0; --count, ++part) {
    if (part->begin >= base && part->end <= present &&
        !part->explain(r, at + (part->begin - base), previous, limit))
      return name(r, part->index);
  }
  return true;
}
template <class T>
constexpr bool explain_parts(reader& r, const std::byte* at, end_type& previous, end_type limit,
                             std::size_t present, std::size_t base = 0) {
  return explain_each(r, at, previous, limit, base, present, explained_parts<T>.items.data(),
                      explained_parts<T>.count, name_part<T>);
}

/// Checks the slot at `at` part by part, after `level_bad` has returned true for the level. If a
/// part of this slot is invalid, sets the error and returns false. Otherwise returns true.
template <class T>
INGOT_COLD constexpr bool explain_level(reader& r, const std::byte* at, end_type& previous, end_type limit) {
  if constexpr (!is_level_checked<T>) {
    return true;
  } else if constexpr (is_variable_leaf<T>) {
    return explain_end(r, at, previous, limit, payload_unit<T>());
  } else if constexpr (kind_of<T> == kind::adapted) {
    return explain_level<adapted_t<T>>(r, at, previous, limit);
  } else if constexpr (kind_of<T> == kind::array) {
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      if (!explain_level<element_t<T>>(r, at + i * slot_size<element_t<T>>, previous, limit)) {
        r.why->in_element(i);
        return false;
      }
    }
    return true;
  } else if constexpr (has_parts<T>) {
    return explain_parts<T>(r, at, previous, limit, part_offsets<T>[parts<T>::count]);
  } else {
    end_type before = previous;
    if (!level_bad<T>(at, before, limit)) {
      previous = before;
      return true;
    }
    const auto found = std::to_integer<std::uint64_t>(at[0]);
    if constexpr (kind_of<T> == kind::boolean) return r.fail(errc::bad_bool, at, "0 or 1", found);
    else if constexpr (kind_of<T> == kind::bitset)
      return r.fail(errc::bad_padding, at, "zeros after the last bit");
    else if constexpr (kind_of<T> == kind::enumeration) {
      using raw = std::conditional_t<
          sizeof(T) == 1, std::uint8_t,
          std::conditional_t<sizeof(T) == 2, std::uint16_t,
                             std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
      constexpr bool is_signed = std::is_signed_v<std::underlying_type_t<T>>;
      constexpr unsigned unused = is_signed ? 64 - 8 * sizeof(raw) : 0;
      const auto bits = static_cast<std::int64_t>(std::uint64_t{load_le<raw>(at)} << unused) >> unused;
      return r.fail_enumerator(at, static_cast<std::uint64_t>(bits), is_signed, enum_is_flags<T>);
    } else {
      bool explained = false;
      [&]<class... Ts>(alternatives<Ts...>) {
        std::size_t index = 0;
        static_cast<void>((
            (found == index++ ? (explained = !explain_level<Ts>(r, at + 1, previous, limit), true) : false) ||
            ...));
        if (found >= sizeof...(Ts)) {
          r.fail(errc::bad_variant, at, "the tag of an alternative", found);
          explained = true;
        }
      }(tagged_alternatives<T>());
      if (!explained) r.fail(errc::bad_padding, at, "zeros after the alternative");
      return false;
    }
  }
}

INGOT_COLD constexpr bool explain_fit_of(reader& r, const std::byte* from, std::size_t size,
                                         std::size_t fixed,
                                         bool (*explain)(reader&, const std::byte*, end_type&, end_type)) {
  if (size > std::numeric_limits<end_type>::max()) {
    return r.fail(errc::too_large, from, "a message of less than 4 GiB", size);
  }
  if (size < fixed) return r.fail(errc::truncated, from + size, "more bytes of the fixed part", size);
  const auto limit = static_cast<end_type>(size - fixed);
  end_type reached = 0;
  if (from == r.base) r.message_tail = limit;
  return explain(r, from, reached, limit) &&
         r.fail(errc::trailing_bytes, from + fixed + reached, "the end of the message", limit - reached);
}
/// Finds the invalid part after `level_fits` has returned false, and sets the error. Always returns
/// false.
template <class T>
INGOT_COLD constexpr bool explain_fit(reader& r, const std::byte* from, std::size_t size) {
  return explain_fit_of(r, from, size, fixed_part<T>, explain_level<T>);
}

}}} // namespace ingot::INGOT_V1::detail
