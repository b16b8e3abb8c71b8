// SPDX-License-Identifier: Apache-2.0
// The pass that fills the index of a compact message. The pass checks nothing, because the bytes
// are validated.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/detail/never_destroyed.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/compact_default.hpp>
#include <ingot/pack/detail/compact_index.hpp>
#include <ingot/pack/detail/compact_writer.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

struct index_walk {
  const std::byte* base;
  const std::byte* at;
  slot_area index;
  slot_area scratch; ///< slots of evolvable records, until their number of members is known

  [[nodiscard]] slot_type offset() const noexcept { return static_cast<slot_type>(at - base); }
};

/// Writes the slots of the value at `walk.at`. These slots begin with slot `slot` of `own`, which
/// is the index or `scratch`. Returns false if memory runs out.
template <class T, encoding S>
bool note_value(index_walk& walk, slot_area& own, std::size_t slot);

/// The default of a member that is not in the bytes: its compact bytes and their index.
struct absent_value {
  buffer bytes;
  slot_area index;
  bool is_valid = false;

  [[nodiscard]] indexed_ref ref() const noexcept { return {{bytes.data(), index.data()}, 0, 0}; }
};
template <class T, std::size_t I, encoding How>
absent_value make_absent() {
  using part = std::remove_const_t<typename parts<T>::template type<I>>;
  absent_value value;
  const part& standard = *pointer_at<I>(part_pointers(standard_object<T>()));
  measurer m;
  const std::uint64_t size = compact_size<true, How>(m, standard, 0);
  // + 1, because the address of 0 bytes may be null
  const std::span<std::byte> space = value.bytes.prepare(static_cast<std::size_t>(size) + 1);
  if (m.failed || space.size() < size) return value;
  tail_writer<output_space::exact> w{space.data(), space.data() + space.size()};
  compact_put<How>(w, standard);
  value.bytes.commit(static_cast<std::size_t>(size));
  index_walk walk{value.bytes.data(), value.bytes.data(), {}, {}};
  slot_type first = 0;
  value.is_valid =
      walk.index.extend(index_slots<part, How>, first) && note_value<part, How>(walk, walk.index, first);
  value.index = std::move(walk.index);
  return value;
}
/// Returns the default of a member and its index. The first call of `open` that needs the default
/// creates it. So a lack of memory is an error of `open` and not of a getter.
template <class T, std::size_t I, encoding How>
const absent_value& absent_member() {
  static const never_destroyed<absent_value> value([] { return make_absent<T, I, How>(); });
  return *value;
}

template <class T, encoding S>
bool note_parts(index_walk& walk, slot_area& own, std::size_t slot) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (parts<T>::template skipped<J>) return true;
      else {
        return note_value<typename parts<T>::template type<J>, part_encoding<T, J, S>>(
            walk, own, slot + part_positions<T, S>[J].slots);
      }
    };
    return (one(std::integral_constant<std::size_t, I>{}) && ...);
  }(std::make_index_sequence<parts<T>::count>{});
}

/// Indexes the stored members of an evolvable record. Skips the bytes after the known members: they
/// belong to members of a newer version.
template <class T, encoding S>
bool note_evolvable(index_walk& walk, slot_area& own, std::size_t slot) {
  const auto size = static_cast<std::size_t>(take_varint(walk.at));
  const std::byte* const end = walk.at + size;
  constexpr std::size_t all = part_positions<T, S>[parts<T>::count].slots;
  slot_type noted = 0;
  if (!walk.scratch.extend(all, noted)) return false;
  std::size_t present = parts<T>::count;
  const bool well = [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (parts<T>::template skipped<J>) {
        return true;
      } else {
        using part = typename parts<T>::template type<J>;
        constexpr encoding how = part_encoding<T, J, S>;
        if (present == parts<T>::count && walk.at == end && min_size<part, how> != 0) present = J;
        if (present <= J) return absent_member<T, J, how>().is_valid;
        return note_value<part, how>(walk, walk.scratch, noted + part_positions<T, S>[J].slots);
      }
    };
    return (one(std::integral_constant<std::size_t, I>{}) && ...);
  }(std::make_index_sequence<parts<T>::count>{});
  const std::size_t used = part_positions<T, S>[present].slots;
  slot_type stored = 0;
  if (!well || !walk.index.extend(1 + used, stored)) return false;
  walk.index[stored] = static_cast<slot_type>(present);
  for (std::size_t i = 0; i < used; ++i) walk.index[stored + 1 + i] = walk.scratch[noted + i];
  walk.scratch.shrink_by(all);
  walk.at = end;
  own[slot] = stored;
  own[slot + 1] = walk.offset();
  return true;
}

/// Returns the number of set bits among the first `count` bits of a mask.
constexpr std::size_t set_bits(const std::byte* mask, std::size_t count) noexcept {
  std::size_t set = 0;
  for (; count >= 8; count -= 8)
    set += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(*mask++)));
  if (count != 0) {
    set += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(*mask) & ((1U << count) - 1)));
  }
  return set;
}

/// Stores two slots for each present member: the start of the member, and the position of its
/// slots.
template <class T, encoding S>
bool note_elided(index_walk& walk, slot_area& own, std::size_t slot) {
  const std::byte* const mask = walk.at;
  walk.at += mask_size<T>;
  slot_type table = 0;
  if (!walk.index.extend(2 * set_bits(mask, elidable_count<T>()), table)) return false;
  std::size_t bit = 0;
  std::size_t entry = table;
  const bool well = [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (!parts<T>::template skipped<J>) {
        using part = typename parts<T>::template type<J>;
        constexpr encoding how = part_encoding<T, J, S>;
        const bool present = (mask[bit / 8] >> (bit % 8) & std::byte{1}) != std::byte{0};
        ++bit;
        if (!present) return absent_member<T, J, how>().is_valid;
        slot_type slots = 0;
        if (!walk.index.extend(index_slots<part, how>, slots)) return false;
        walk.index[entry] = walk.offset();
        walk.index[entry + 1] = slots;
        entry += 2;
        return note_value<part, how>(walk, walk.index, slots);
      }
      return true;
    };
    return (one(std::integral_constant<std::size_t, I>{}) && ...);
  }(std::make_index_sequence<parts<T>::count>{});
  own[slot] = table;
  own[slot + 1] = walk.offset();
  return well;
}

template <class T, encoding S>
bool note_list(index_walk& walk, slot_area& own, std::size_t slot) {
  using element = list_element_t<T>;
  const auto count = static_cast<std::size_t>(take_varint(walk.at));
  if constexpr (is_compact_fixed<element, S>) {
    walk.at += count * slot_size<element>;
    own[slot] = walk.offset();
  } else {
    constexpr std::size_t stride = index_slots<element, S>;
    slot_type table = 0;
    if (stride != 0 && count > std::numeric_limits<slot_type>::max() / stride) return false;
    if (!walk.index.extend(count * stride, table)) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!note_value<element, S>(walk, walk.index, table + i * stride)) return false;
    }
    own[slot] = table;
    own[slot + 1] = walk.offset();
  }
  return true;
}

template <class T, encoding S>
bool note_tagged(index_walk& walk, slot_area& own, std::size_t slot) {
  const auto tag = std::to_integer<std::size_t>(*walk.at++);
  return [&]<class... Ts>(alternatives<Ts...>) {
    bool well = true;
    std::size_t index = 0;
    [[maybe_unused]] const auto one = [&]<class A>(std::type_identity<A>) {
      if (index++ != tag) return false;
      if constexpr (alternatives_are_plain<T, S>()) {
        walk.at += slot_size<A>;
      } else {
        slot_type slots = 0;
        well = walk.index.extend(index_slots<A, S>, slots) && note_value<A, S>(walk, walk.index, slots);
        own[slot] = slots;
      }
      return true;
    };
    static_cast<void>((one(std::type_identity<Ts>{}) || ...));
    own[slot + (alternatives_are_plain<T, S>() ? 0 : 1)] = walk.offset();
    return well;
  }(tagged_alternatives<T>());
}

template <class T, encoding S>
bool note_value(index_walk& walk, slot_area& own, std::size_t slot) {
  if constexpr (index_slots<T, S> == 0) {
    walk.at += trailing_bytes<T, S>;
    return true;
  } else if constexpr (is_entry<T>) {
    return note_parts<T, S>(walk, own, slot);
  } else if constexpr (kind_of<T> == kind::adapted) {
    return note_value<adapted_t<T>, S>(walk, own, slot);
  } else if constexpr (is_list<T>) {
    return note_list<T, S>(walk, own, slot);
  } else if constexpr (is_tagged<T>) {
    return note_tagged<T, S>(walk, own, slot);
  } else if constexpr (kind_of<T> == kind::array) {
    using element = element_t<T>;
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      if (!note_value<element, S>(walk, own, slot + i * index_slots<element, S>)) return false;
    }
    return true;
  } else if constexpr (is_evolvable<T>) {
    return note_evolvable<T, S>(walk, own, slot);
  } else if constexpr (elides_defaults<T>) {
    return note_elided<T, S>(walk, own, slot);
  } else if constexpr (has_parts<T>) {
    return note_parts<T, S>(walk, own, slot);
  } else {
    if constexpr (is_text<T>) {
      constexpr std::size_t unit = kind_of<T> == kind::path ? 1 : sizeof(typename text_unit<T>::type);
      const auto count = static_cast<std::size_t>(take_varint(walk.at));
      walk.at += count * unit;
    } else if constexpr (kind_of<T> == kind::floating) {
      walk.at += float_length(walk.at, S, sizeof(T));
    } else {
      while (*walk.at >= std::byte{0x80}) ++walk.at;
      ++walk.at;
    }
    own[slot] = walk.offset();
    return true;
  }
}

}}} // namespace ingot::INGOT_V1::detail
