// SPDX-License-Identifier: Apache-2.0
// The index of a compact message: the ends of its variable parts. The index is computed once, so
// that views need not walk over the message.
//
// Each type has a number of slots that is known at compile time. It is 0 if all values of the type
// have the same size. The last slot of a value holds the end of the value's last variable part. The
// distance from this end to the end of the value is a constant. So the start of the next member is
// the position in this slot plus a constant. The slots of neighbouring members are adjacent. The
// slots of a record or array include the slots of its parts (the parts are "flattened"). The slots
// of a list's elements are in a separate table of the index.
#pragma once

#include <ingot/core/detail/owned.hpp>
#include <ingot/pack/detail/compact_layout.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

using slot_type = std::uint32_t;

template <class T, encoding S>
consteval std::size_t compute_index_slots();

/// Number of slots of a `T`. A value has these slots, in this order. "end" is the end of the value.
/// "table" is the position in the index of a table of further slots: those that are listed after
/// the colon. A "plain" type has values of one size only, and the values of a "varying" type have
/// different sizes.
///
///   text, varying scalar                 end
///   list of plain elements               end
///   list of varying elements             table: the slots of its elements; end
///   tagged, plain alternatives           end
///   tagged, others                       table: the slots of the stored alternative; end
///   evolvable record                     table: the number of stored members, their slots; end
///   record that elides defaults          table: start and slots of each stored member; end
///   other records, tuples, arrays        the slots of their parts
template <class T, encoding S = encoding::plain>
inline constexpr std::size_t index_slots = compute_index_slots<T, S>();

template <class T, encoding S>
consteval std::size_t compute_trailing();

/// The last slot of a value stores a position. `trailing_bytes` is the number of bytes from this
/// position to the end of the value. For types without slots, it is the size of the value.
template <class T, encoding S = encoding::plain>
inline constexpr std::size_t trailing_bytes = compute_trailing<T, S>();

/// The start of a part of a value. The part starts `bytes` bytes after the position that is stored
/// in slot `slots - 1`. If `slots` is 0, the part starts `bytes` bytes after the start of the
/// value.
struct part_position {
  std::size_t slots = 0;
  std::size_t bytes = 0;
};
template <class T, encoding S>
consteval auto compute_part_positions() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<part_position, sizeof...(I) + 1> positions{};
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      positions[J + 1] = positions[J];
      if constexpr (!parts<T>::template skipped<J>) {
        using part = typename parts<T>::template type<J>;
        constexpr encoding how = part_encoding<T, J, S>;
        if constexpr (constexpr std::size_t own = index_slots<part, how>; own != 0) {
          positions[J + 1] = {positions[J].slots + own, trailing_bytes<part, how>};
        } else {
          positions[J + 1].bytes += trailing_bytes<part, how>;
        }
      }
    };
    (one(std::integral_constant<std::size_t, I>{}), ...);
    return positions;
  }(std::make_index_sequence<parts<T>::count>{});
}
/// The start of each part. The last entry is the end of the whole value.
template <class T, encoding S>
inline constexpr auto part_positions = compute_part_positions<T, S>();

template <class T, encoding S>
consteval bool alternatives_are_plain() {
  return []<class... Ts>(alternatives<Ts...>) {
    return (is_compact_fixed<Ts, S> && ...);
  }(tagged_alternatives<T>());
}
template <class T, encoding S>
consteval std::size_t compute_index_slots() {
  if constexpr (std::is_same_v<T, nothing>) return 0;
  else if constexpr (is_entry<T>) return part_positions<T, S>[2].slots;
  else if constexpr (is_compact_fixed<T, S>) return 0;
  else if constexpr (kind_of<T> == kind::adapted) return index_slots<adapted_t<T>, S>;
  else if constexpr (is_list<T>) return is_compact_fixed<list_element_t<T>, S> ? 1 : 2;
  else if constexpr (is_tagged<T>) return alternatives_are_plain<T, S>() ? 1 : 2;
  else if constexpr (unit_whole<T, S> != 0) return 0;
  else if constexpr (kind_of<T> == kind::array) return array_size<T> * index_slots<element_t<T>, S>;
  else if constexpr (is_evolvable<T>) return 2;
  else if constexpr (elides_defaults<T>) return elidable_count<T>() == 0 ? 0 : 2;
  else if constexpr (has_parts<T>) return part_positions<T, S>[parts<T>::count].slots;
  else return 1;
}
template <class T, encoding S>
consteval std::size_t compute_trailing() {
  if constexpr (std::is_same_v<T, nothing>) return 0;
  else if constexpr (is_entry<T>) return part_positions<T, S>[2].bytes;
  else if constexpr (is_compact_fixed<T, S>) return slot_size<T>;
  else if constexpr (kind_of<T> == kind::adapted) return trailing_bytes<adapted_t<T>, S>;
  else if constexpr (unit_whole<T, S> != 0) return unit_whole<T, S>;
  else if constexpr (kind_of<T> == kind::array) {
    if constexpr (array_size<T> == 0) return 0;
    else return (index_slots<element_t<T>, S> != 0 ? 1 : array_size<T>)*trailing_bytes<element_t<T>, S>;
  } else if constexpr (is_evolvable<T> || elides_defaults<T> || !has_parts<T>) return 0;
  else return part_positions<T, S>[parts<T>::count].bytes;
}

/// Slots in contiguous memory, addressed by position.
class slot_area {
public:
  /// Adds `count` slots and sets `first` to the position of the first new slot. Returns false if
  /// there is no memory, or if a slot can't hold the position.
  [[nodiscard]] bool extend(std::size_t count, slot_type& first) noexcept {
    if (count > std::numeric_limits<slot_type>::max() - size_) return false;
    if (count > capacity_ - size_ && !grow(count)) return false;
    first = static_cast<slot_type>(size_);
    size_ += count;
    return true;
  }
  void shrink_by(std::size_t count) noexcept { size_ -= count; }
  [[nodiscard]] slot_type& operator[](std::size_t i) noexcept { return slots_[i]; }
  [[nodiscard]] const slot_type* data() const noexcept { return slots_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
  [[nodiscard]] bool grow(std::size_t count) noexcept {
    constexpr std::size_t min_capacity = 16;
    std::size_t wanted = capacity_ + capacity_ / 2 < min_capacity ? min_capacity : capacity_ + capacity_ / 2;
    if (wanted < size_ + count) wanted = size_ + count;
    owned<slot_type[]> grown(new (std::nothrow) slot_type[wanted]);
    if (!grown) return false;
    if (size_ != 0) std::memcpy(grown.get(), slots_.get(), size_ * sizeof(slot_type));
    slots_ = std::move(grown);
    capacity_ = wanted;
    return true;
  }

  owned<slot_type[]> slots_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Validated bytes and their index. All compact views read them.
struct indexed_bytes {
  const std::byte* base = nullptr;
  const slot_type* slots = nullptr;
};
/// A value in indexed bytes: its first byte and its first slot.
struct indexed_ref {
  indexed_bytes in;
  slot_type at = 0;
  slot_type slot = 0;

  [[nodiscard]] const std::byte* bytes() const noexcept { return in.base + at; }
  [[nodiscard]] slot_type slot_at(std::size_t i) const noexcept { return in.slots[slot + i]; }
};

/// Decodes a varint from validated bytes, and moves `at` to its end.
INGOT_INLINE constexpr std::uint64_t take_varint(const std::byte*& at) noexcept {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(*at++);
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

}}} // namespace ingot::INGOT_V1::detail
