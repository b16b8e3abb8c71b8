// SPDX-License-Identifier: Apache-2.0
// Reads the bytes of a block: numbers, text, positions of storages. Numbers are copied, so they
// need no alignment. Positions count from the beginning of the block.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/dynamic/detail/types.hpp>
#include <ingot/live/detail/block.hpp>
#include <ingot/live/detail/slot_order.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// A text with characters of one, two or four bytes.
struct text_run {
  std::uint64_t position = 0;
  std::uint64_t units = 0;
  unsigned width = 1;

  [[nodiscard]] std::uint64_t bytes() const noexcept { return units * width; }
};

/// Location of a value. In a block, `position` is its position. In a message, `position` and `more`
/// have a meaning that the profile's reader defines.
struct spot {
  static constexpr std::uint32_t nothing = 0xFFFFFFFF;
  std::uint32_t type = nothing; ///< index in `tables::types`
  std::uint32_t more = 0;
  std::uint64_t position = 0;
};
/// A range of bytes.
struct byte_run {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};
struct query;

/// Reads values of a validated message. Call a function only for kinds of values that have what the
/// function returns. For example, call `text` only for text and lists of bytes.
class message_values {
public:
  /// Returns the number of parts that a cursor visits; for text, the number of characters.
  [[nodiscard]] virtual std::uint64_t size(const spot& of) const noexcept = 0;
  /// Returns a part: a member, an element, the value of an entry, a held value, the count of a
  /// duration, or one of the two floats of a complex number. The type of an omitted member is
  /// `nothing`.
  [[nodiscard]] virtual spot part(const spot& of, std::uint64_t i) const noexcept = 0;
  [[nodiscard]] virtual spot key(const spot& of, std::uint64_t i) const noexcept = 0;
  [[nodiscard]] virtual spot find(const spot& of, const query& key) const noexcept = 0;
  [[nodiscard]] virtual std::size_t alternative(const spot& of) const noexcept = 0;
  /// Returns a number in 64 bits, sign-extended if it is signed; for a float, its bits.
  [[nodiscard]] virtual std::uint64_t number(const spot& of) const noexcept = 0;
  /// Returns text, or the bytes of adjacent elements of one byte each.
  [[nodiscard]] virtual text_run text(const spot& of) const noexcept = 0;
  /// Returns the range of the value's own bytes.
  [[nodiscard]] virtual byte_run own(const spot& of) const noexcept = 0;
  /// Returns the bytes that the value has in the tail of a packed message.
  [[nodiscard]] virtual byte_run tail(const spot& of) const noexcept = 0;
  /// Returns the indices of the members of a record or tuple that take bytes. A schema may have any
  /// number of members that take no bytes; each of these has only one possible value.
  [[nodiscard]] virtual std::span<const std::uint32_t> with_bytes(const spot& of) const noexcept = 0;
  /// Returns true if parts of the value may be omitted. The order of two such values is then
  /// unknown, because schemas do not store the defaults of the omitted parts.
  [[nodiscard]] virtual bool is_masked(const spot& of) const noexcept = 0;
  /// Returns true for a record with a mask of its stored members. The other members have their
  /// defaults.
  [[nodiscard]] virtual bool elides(const spot& of) const noexcept = 0;

protected:
  message_values() = default;
  message_values(const message_values&) = default;
  message_values& operator=(const message_values&) = default;
  ~message_values() = default;
};

struct memory {
  const std::byte* start = nullptr;
  std::uint64_t used = 0;
  const tables* in = nullptr;
  const message_values* message = nullptr; ///< null: the bytes are a block
  spot root{0, 0, root_position};          ///< the value that contains all others

  template <class N>
  [[nodiscard]] INGOT_INLINE N load(std::uint64_t position) const noexcept {
    N number{};
    std::memcpy(&number, start + position, sizeof number);
    return number;
  }
  [[nodiscard]] INGOT_INLINE std::uint8_t byte(std::uint64_t position) const noexcept {
    return std::to_integer<std::uint8_t>(start[position]);
  }
  [[nodiscard]] INGOT_INLINE std::uint64_t offset(std::uint64_t position) const noexcept {
    return in->offset == 8 ? load<std::uint64_t>(position) : load<std::uint32_t>(position);
  }
  /// Returns the position to which an offset points. A target before the block wraps around to a
  /// number above all positions.
  [[nodiscard]] INGOT_INLINE std::uint64_t target(std::uint64_t position) const noexcept {
    return position + (in->offset == 8
                           ? load<std::uint64_t>(position)
                           : static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(position)}));
  }
  /// Returns the count that a container stores after its anchor.
  [[nodiscard]] INGOT_INLINE std::uint64_t count(std::uint64_t position) const noexcept {
    return offset(position + in->offset);
  }
  [[nodiscard]] INGOT_INLINE std::uint64_t capacity(std::uint64_t storage) const noexcept {
    return offset(storage - 2 * in->offset);
  }

  /// Returns a number of `size` bytes in 64 bits, sign-extended if `with_sign` is true.
  [[nodiscard]] INGOT_INLINE std::uint64_t number(std::uint64_t position, std::uint64_t size,
                                                  bool with_sign) const noexcept {
    switch (size) {
    case 1: return with_sign ? extend(load<std::int8_t>(position)) : load<std::uint8_t>(position);
    case 2: return with_sign ? extend(load<std::int16_t>(position)) : load<std::uint16_t>(position);
    case 4: return with_sign ? extend(load<std::int32_t>(position)) : load<std::uint32_t>(position);
    default: return load<std::uint64_t>(position);
    }
  }
  [[nodiscard]] double real(std::uint64_t position, std::uint64_t size) const noexcept {
    return std::bit_cast<double>(size == 4 ? widen_float(load<std::uint32_t>(position))
                                           : load<std::uint64_t>(position));
  }
  /// Returns the number of a key as an unsigned number. Two such numbers compare as the two keys
  /// compare.
  [[nodiscard]] INGOT_INLINE std::uint64_t ordered(const type& key, std::uint64_t position) const noexcept {
    return number(position, key.raw, key.raw_signed) ^ (key.raw_signed ? std::uint64_t{1} << 63 : 0);
  }
  /// Returns the largest number that `ordered` returns for keys of this type. Unused positions for
  /// keys in a tree node contain this number.
  [[nodiscard]] static std::uint64_t largest(const type& key) noexcept {
    const unsigned unused = 64 - 8U * key.raw;
    return key.raw_signed ? (~std::uint64_t{0} >> 1 >> unused) ^ std::uint64_t{1} << 63
                          : ~std::uint64_t{0} >> unused;
  }

  /// Returns the characters of a validated string.
  [[nodiscard]] text_run text(const type& of, std::uint64_t position) const noexcept {
    const auto width = static_cast<unsigned>(in->part_type(of, 0).size);
    const unsigned body = 3 * in->offset;
    const std::uint8_t mark = byte(position + 4 * in->offset - 1U);
    if ((mark & 0x80) != 0) return {target(position), offset(position + in->offset), width};
    return {position + in->offset, (body - 1) / width - mark, width};
  }
  [[nodiscard]] std::string_view view(const text_run& text) const noexcept {
    return {reinterpret_cast<const char*>(start) + text.position, static_cast<std::size_t>(text.bytes())};
  }
  /// Returns the character at an index, as an unsigned code unit.
  [[nodiscard]] std::uint32_t unit(const text_run& text, std::uint64_t i) const noexcept {
    if (message != nullptr) {
      std::uint32_t code = 0;
      for (unsigned k = text.width; k-- != 0;)
        code = code << 8 | std::uint32_t{byte(text.position + i * text.width + k)};
      return code;
    }
    return static_cast<std::uint32_t>(number(text.position + i * text.width, text.width, false));
  }

  /// A sequence of elements that are adjacent in memory. In a queue, they may continue at the
  /// beginning of the ring.
  struct run {
    std::uint32_t type;
    std::uint64_t base;
    std::uint64_t stride;
    std::uint64_t count;
    std::uint64_t first;
    std::uint64_t slots; ///< number of slots of the ring; 0: no ring

    [[nodiscard]] INGOT_INLINE std::uint64_t at(std::uint64_t i) const noexcept {
      if (slots == 0) return base + i * stride;
      return base + (i < slots - first ? first + i : i - (slots - first)) * stride;
    }
  };
  /// Returns the elements of an array, vector or queue.
  [[nodiscard]] run elements(const type& of, std::uint64_t position) const noexcept {
    run all{};
    all.type = in->parts[of.first].type;
    all.stride = in->types[all.type].size;
    if (of.kind == dynamic_kind::array) {
      all.base = position;
      all.count = of.extent;
      return all;
    }
    all.base = target(position);
    all.count = count(position);
    if (of.kind == dynamic_kind::queue && all.count != 0) {
      all.first = offset(all.base);
      all.slots = offset(all.base + in->offset);
      all.base += queue_of(*in, in->types[all.type]).head;
    }
    return all;
  }

private:
  template <class N>
  [[nodiscard]] static std::uint64_t extend(N number) noexcept {
    return static_cast<std::uint64_t>(std::int64_t{number});
  }
};

/// A node of a tree. Requires that the node, or at least its head, is validated.
struct tree_node {
  const memory* in;
  const tree_shape* shape;
  std::uint64_t position;

  [[nodiscard]] unsigned count() const noexcept { return in->byte(position); }
  [[nodiscard]] unsigned capacity() const noexcept { return in->byte(position + 1); }
  [[nodiscard]] unsigned level() const noexcept { return in->byte(position + 2); }
  [[nodiscard]] std::uint64_t order() const noexcept {
    return shape->has_order() ? in->load<std::uint64_t>(position + 8) : slot_order::identity;
  }
  [[nodiscard]] std::uint64_t link_at(unsigned i) const noexcept {
    return position + shape->links_at(capacity()) + std::uint64_t{i} * shape->offset;
  }
  [[nodiscard]] tree_node child(unsigned i) const noexcept {
    const std::uint64_t at = link_at(i);
    return {in, shape, in->target(at) - at + position};
  }
  [[nodiscard]] std::uint64_t separator(unsigned i) const noexcept {
    return in->ordered(*shape->key, position + 8 + std::uint64_t{i} * shape->key->raw);
  }
  [[nodiscard]] std::uint64_t key(unsigned i) const noexcept {
    const unsigned slot = shape->is_plain() ? i : slot_order::slot(order(), i);
    return position + shape->keys_at() + slot * shape->key->size;
  }
  [[nodiscard]] std::uint64_t value(unsigned i) const noexcept {
    return position + shape->values_at(capacity()) + slot_order::slot(order(), i) * shape->value->size;
  }
};

/// The storage of a hash table. Requires that the table, or at least its head, is validated.
struct hash_table {
  const memory* in;
  hash_shape shape;
  std::uint64_t position;
  std::uint64_t home_count;
  std::uint64_t slots;

  [[nodiscard]] static hash_table of(const memory& in, const hash_shape& shape,
                                     std::uint64_t position) noexcept {
    const std::uint64_t home_count = in.offset(position + 8);
    return {&in, shape, position, home_count, hash_shape::slots(home_count)};
  }
  [[nodiscard]] std::uint64_t seed() const noexcept { return in->load<std::uint64_t>(position); }
  [[nodiscard]] std::uint64_t total_displacement() const noexcept {
    return in->offset(position + 8 + in->in->offset);
  }
  [[nodiscard]] std::uint64_t tag_position(std::uint64_t slot) const noexcept {
    return position + shape.head + slot;
  }
  [[nodiscard]] std::uint64_t step_position(std::uint64_t slot) const noexcept {
    return position + shape.head + slots + 16 + slot;
  }
  [[nodiscard]] std::uint8_t tag(std::uint64_t slot) const noexcept { return in->byte(tag_position(slot)); }
  [[nodiscard]] std::uint8_t step(std::uint64_t slot) const noexcept { return in->byte(step_position(slot)); }
  [[nodiscard]] std::uint64_t entry(std::uint64_t slot) const noexcept {
    return position + shape.entries_at(slots) + slot * shape.entry->size;
  }
  /// Returns the first full slot at or after `slot`; the number of slots if there is none.
  [[nodiscard]] std::uint64_t full_from(std::uint64_t slot) const noexcept {
    while (slot < slots && tag(slot) == 0) ++slot;
    return slot;
  }
};

}}} // namespace ingot::INGOT_V1::detail::dyn
