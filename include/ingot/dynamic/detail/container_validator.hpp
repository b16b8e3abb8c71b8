// SPDX-License-Identifier: Apache-2.0
// Validates a container in untrusted bytes, by its type at run time. Checks the position of the
// container's storage, and everything else except for the objects in the container. Makes the
// checks of the containers' own validators.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/validate.hpp>
#include <ingot/dynamic/detail/nested.hpp>
#include <ingot/dynamic/detail/table_validator.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class container_validator : public table_validator {
public:
  using table_validator::table_validator;

protected:
  /// Checks that the bits after the last bit of a bitset are zero. The alignment of a bitset is the
  /// size of its words.
  [[nodiscard]] bool check_bits(const type& of, std::uint64_t position) {
    for (std::uint64_t at = 0; at < of.size; ++at) {
      const std::uint64_t byte = byte_of_bits(at, of.alignment);
      const std::uint64_t before = 8 * byte; // number of bits in earlier bytes
      const unsigned used =
          before >= of.extent ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(of.extent - before, 8));
      if (in_.byte(position + at) >> used != 0)
        return reject(errc::bad_padding, position, "zero bits after the last");
    }
    return true;
  }
  [[nodiscard]] bool check_string(const type& of, std::uint64_t position) {
    const std::uint64_t width = tables_.part_type(of, 0).size;
    const unsigned offset = tables_.offset;
    const std::uint8_t mark = in_.byte(position + 4 * offset - 1U);
    if ((mark & 0x80) == 0) {
      if (!is_sentinel(position)) return false;
      const std::uint64_t inline_capacity = (3 * offset - 1) / width;
      if (mark > inline_capacity) return reject(errc::bad_length, position, "a length that fits in place");
      const std::uint64_t taken = (inline_capacity - mark) * width;
      return all_zero(position + offset + taken, 3 * offset - 1 - taken) ||
             reject(errc::bad_padding, position, "zeros after the text");
    }
    const std::uint64_t size = in_.offset(position + offset);
    if (size > max_elements(tables_, width))
      return reject(errc::bad_length, position, "a length that fits in a block");
    const std::uint64_t data = claim(position, (size + 1) * width, width);
    if (data == nowhere) return false;
    return all_zero(data + size * width, width) ||
           reject(errc::bad_padding, position, "a zero after the text");
  }
  [[nodiscard]] bool check_vector(const type& of, std::uint64_t position) {
    const type& element = tables_.part_type(of, 0);
    const std::uint64_t count = in_.count(position);
    if (count > max_elements(tables_, element.size))
      return reject(errc::bad_length, position, "a length that fits in a block");
    return claim(position, count * element.size, element.alignment) != nowhere;
  }
  /// Checks everything in an optional except for its value.
  [[nodiscard]] bool check_optional(const type& of, std::uint64_t position, bool& has_value) {
    const type& value = tables_.part_type(of, 0);
    const std::uint64_t tail = position + value.size;
    if (in_.byte(tail) > 1) return reject(errc::bad_variant, tail, "0 or 1 after an optional value");
    if (!all_zero(tail + 1, of.size - value.size - 1))
      return reject(errc::bad_padding, tail, "zeros after an optional value");
    has_value = in_.byte(tail) == 1;
    return has_value || is_vacant(of, value, position) ||
           reject(errc::bad_padding, position, "zeros, and empty containers, where there is no value");
  }
  /// Checks everything in a variant except for the object that it holds.
  [[nodiscard]] bool check_variant(const type& of, std::uint64_t position) {
    const variant_shape shape = variant_of(tables_, of);
    const std::uint64_t tag = position + shape.tag;
    if (of.holds_offsets && !is_sentinel(position)) return false;
    if (in_.byte(tag) >= of.parts) return reject(errc::bad_variant, tag, "the index of an alternative");
    if (!all_zero(tag + 1, shape.head - shape.tag - 1))
      return reject(errc::bad_padding, tag, "zeros after a variant's index");
    const type& held = tables_.part_type(of, in_.byte(tag));
    const std::uint64_t taken = held.has(is_empty) ? 0 : held.size;
    return all_zero(position + shape.head + taken, shape.payload - taken) ||
           reject(errc::bad_padding, position + shape.head, "zeros after a variant's value");
  }
  [[nodiscard]] bool check_value(std::uint64_t position) {
    const std::uint64_t freed = in_.offset(position + tables_.offset);
    const std::uint64_t data = claim(position, 0, 8);
    if (data == nowhere) return false;
    if (data == sentinel_position)
      return freed == 0 ||
             reject(errc::bad_length, position + tables_.offset, "a hole count of 0 where there is no value");
    const auto size = doc::validate_document(in_.start + data, static_cast<std::size_t>(in_.capacity(data)));
    if (!size) return reject(size.error().code(), data + size.error().offset(), size.error().expected());
    return freed <= *size || reject(errc::bad_length, position + tables_.offset,
                                    "no more bytes of holes than the document has");
  }
  /// Checks everything in a box except for its object.
  [[nodiscard]] bool check_box(const type& of, std::uint64_t position, bool& has_object) {
    const type& object = tables_.part_type(of, 0);
    const std::uint64_t data = claim(position, 0, object.alignment);
    if (data == nowhere) return false;
    has_object = data != sentinel_position;
    return !has_object || in_.capacity(data) >= object.size ||
           reject(errc::bad_length, position, "a storage in which the object fits");
  }
  [[nodiscard]] bool check_queue(const type& of, std::uint64_t position) {
    const type& element = tables_.part_type(of, 0);
    const queue_shape shape = queue_of(tables_, element);
    const std::uint64_t count = in_.count(position);
    if (count > max_elements(tables_, element.size))
      return reject(errc::bad_length, position, "a length that fits in a block");
    const std::uint64_t data =
        claim(position, count == 0 ? 0 : shape.head + count * element.size, shape.alignment);
    if (data == nowhere) return false;
    if (data == sentinel_position) return true;
    // The storage has space for `first` and `slots`, since each storage is at least as long as its
    // prefix.
    const std::uint64_t capacity = in_.capacity(data);
    const std::uint64_t first = in_.offset(data);
    const std::uint64_t slots = in_.offset(data + tables_.offset);
    const bool fits = shape.head <= capacity && slots <= (capacity - shape.head) / element.size &&
                      count <= slots && slots != 0 && first < slots;
    return fits ||
           reject(errc::bad_length, data, "a ring inside the storage, with a place for every element");
  }

  // Pools.

  /// Counts of the visited slots of a pool.
  struct pool_walk {
    std::uint64_t alive;
    std::uint64_t free; ///< slots that must be in the free list
  };

  [[nodiscard]] bool check_pool(const type& of, std::uint64_t position) {
    const pool_shape shape = pool_of(tables_.part_type(of, 0));
    const std::uint64_t count = in_.count(position);
    if (count > std::min<std::uint64_t>(max_elements(tables_, shape.stride), ~std::uint32_t{1}))
      return reject(errc::bad_length, position, "a length that fits in a block");
    const std::uint64_t data =
        claim(position, count == 0 ? 0 : shape.head + count * shape.stride, shape.alignment);
    if (data == nowhere) return false;
    return count != 0 || in_.load<std::uint64_t>(data) == 0 ||
           reject(errc::bad_padding, position, "zeros in a pool that was never used");
  }
  /// Checks everything in a slot except for its object.
  [[nodiscard]] bool check_pool_slot(const type& object, const pool_shape& shape, std::uint64_t slot,
                                     pool_walk& seen, bool& has_object) {
    const auto generation = in_.load<std::uint32_t>(slot + shape.generation);
    has_object = generation % 2 != 0;
    std::uint64_t taken = object.has(is_empty) ? 0 : object.size;
    if (!has_object) taken = generation == 0 ? 0 : sizeof(std::uint32_t);
    if (!all_zero(slot + taken, shape.generation - taken) ||
        !all_zero(slot + shape.generation + 4, shape.stride - shape.generation - 4))
      return reject(errc::bad_padding, slot, "zeros where no object is");
    if (has_object) ++seen.alive;
    else if (generation != 0) ++seen.free;
    return true;
  }
  [[nodiscard]] bool check_free_list(std::uint64_t data, std::uint64_t count, const pool_shape& shape,
                                     const pool_walk& seen) {
    if (in_.load<std::uint32_t>(data) != seen.alive)
      return reject(errc::bad_length, data, "as many objects as are alive");
    std::uint64_t free = seen.free;
    // The list must contain each free slot once. A list that ends after `seen.free` steps has no
    // loop.
    std::uint32_t next = in_.load<std::uint32_t>(data + 4);
    for (; free != 0 && next != 0; --free) {
      if (next > count) break;
      const std::uint64_t slot = data + shape.head + (next - 1) * shape.stride;
      const auto generation = in_.load<std::uint32_t>(slot + shape.generation);
      if (generation % 2 != 0 || generation == 0) break;
      next = in_.load<std::uint32_t>(slot);
    }
    return (free == 0 && next == 0) ||
           reject(errc::bad_length, data + 4, "each free slot once in the list of them");
  }

  // Flat maps.

  [[nodiscard]] bool check_flat(const type& of, std::uint64_t position) {
    const flat_shape shape = flat_of(tables_, of);
    const std::uint64_t count = in_.count(position);
    if (count > max_elements(tables_, shape.slot))
      return reject(errc::bad_length, position, "a length that fits in a block");
    return claim(position, shape.bytes_for(count), shape.alignment) != nowhere;
  }
  /// Checks that a key contains neither NaN nor -0, and follows the previous key in order. Requires
  /// that the bytes of the key are validated.
  [[nodiscard]] bool check_flat_key(const type& of, std::uint64_t key, bool is_first) {
    if (!is_normal(in_, key, of))
      return reject(errc::not_canonical, key, "a key without NaN and negative zero");
    if (is_first) return true;
    const int order = compare(in_, key - of.size, in_, key, of);
    if (order == 0) return reject(errc::duplicate_key, key, "each key once");
    return order < 0 || reject(errc::unsorted_keys, key, "keys in ascending order");
  }

private:
  [[nodiscard]] bool is_vacant(const type& of, const type& value, std::uint64_t position) const noexcept {
    if (!of.has(has_model)) return all_zero(position, value.size);
    const model& wanted = tables_.models[of.model];
    std::uint64_t from = 0;
    const auto same_to = [&](std::uint64_t to) {
      return to <= from || std::memcmp(wanted.bytes + from, in_.start + position + from,
                                       static_cast<std::size_t>(to - from)) == 0;
    };
    for (std::uint32_t i = 0; i < wanted.count; ++i) {
      const std::uint64_t anchor = tables_.anchors[wanted.first + i];
      if (!same_to(anchor) || in_.target(position + anchor) != sentinel_position) return false;
      from = anchor + tables_.offset;
    }
    return same_to(value.size);
  }
};

}}} // namespace ingot::INGOT_V1::detail::dyn
