// SPDX-License-Identifier: Apache-2.0
// Positions of a list's elements in its payload, and reading of one element. See lists.hpp.
#pragma once

#include <ingot/pack/detail/reader.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The parts of a list's payload.
struct list_shape {
  const std::byte* elements;
  std::size_t count;
  std::size_t stride;  ///< distance in bytes from one element's slot to the next
  std::size_t present; ///< size in bytes of the fixed part of each evolvable element
  const std::byte* tail;
  end_type tail_size;
};

/// Computes the shape of the list in the `size` bytes at `from`. Before it uses a count, checks
/// that the remaining bytes can hold the elements.
template <class List>
INGOT_INLINE constexpr bool shape_list(reader& r, const std::byte* from, std::size_t size,
                                       list_shape& shape) {
  using element = list_element_t<List>;
  constexpr std::size_t stride = element_stride<element>;
  if constexpr (is_fixed<element> && stride != 0) {
    shape = {from, size / stride, stride,
             0,    from + size,   0}; // the level check or `read_whole` has checked `size`
    return true;
  } else {
    constexpr std::size_t header = is_evolvable<element> ? 2 * end_size : end_size;
    if (size < header) [[unlikely]] {
      return r.fail(errc::truncated, from, "the count of a list", size);
    }
    const std::size_t count = load_le<end_type>(from);
    std::size_t step = stride;
    std::size_t present = 0;
    if constexpr (is_evolvable<element>) {
      present = load_le<end_type>(from + end_size);
      step = present + end_size;
      if (step < present) [[unlikely]]
        return r.fail(errc::bad_length, from + end_size, "a size within the payload", present);
      // Only a list without elements is checked here, because reading an element makes this check
      // too.
      if (count == 0 && present < fixed_part<element> && !ends_between_members<element>(present)) [[unlikely]]
        return r.fail(errc::bad_length, from + end_size, "a fixed part that ends between two members",
                      present);
    }
    const std::size_t left = size - header;
    if constexpr (stride == 0) {
      if (count > max_empty_elements - r.empty_elements) [[unlikely]] {
        return r.fail(errc::too_large, from, "at most 65536 elements of size zero in a message", count);
      }
      r.empty_elements += static_cast<std::uint32_t>(count);
      if (left != 0) [[unlikely]]
        return r.fail(errc::bad_length, from + header, "no bytes after the count");
    } else if (count > left / step) [[unlikely]] {
      return r.fail(errc::bad_length, from, "no more elements than there are bytes for", count);
    }
    shape = {from + header,
             count,
             step,
             present,
             from + header + count * step,
             static_cast<end_type>(left - count * step)};
    return true;
  }
}

/// Returns true if a list's elements must be read even if the target stores nothing.
template <class List>
consteval bool elements_need_reading() {
  using element = list_element_t<List>;
  if constexpr (is_sorted_list<List>) return element_stride<element> != 0;
  else return !any_bytes_valid<element>;
}

/// Reads one element: checks its level, then decodes it.
template <class Element, class Out>
INGOT_INLINE constexpr bool read_element(reader& r, const list_shape& shape, const std::byte* at,
                                         end_type& previous, Out& out, unsigned depth) {
  if constexpr (is_evolvable<Element>) {
    const end_type end = load_le<end_type>(at);
    if (end < previous || end > shape.tail_size) [[unlikely]] {
      return r.fail(errc::bad_length, at, "an end inside the tail, not before the previous element's", end);
    }
    const end_type begin = previous;
    previous = end;
    return read_evolved<Element>(r, at + end_size, shape.present, shape.tail + begin, end - begin, out,
                                 depth);
  } else {
    end_type reached = previous;
    if (level_bad<Element>(at, reached, shape.tail_size)) [[unlikely]] {
      reached = previous;
      return explain_level<Element>(r, at, reached, shape.tail_size);
    }
    return read_slot<Element>(r, at, shape.tail, previous, out, depth);
  }
}

template <class T>
INGOT_COLD constexpr bool name_element(reader& r, std::size_t index) noexcept {
  r.why->in_element(index);
  return false;
}

/// Checks that the last element of a list ends at the end of the tail.
INGOT_INLINE constexpr bool tail_is_used(reader& r, const list_shape& shape, end_type previous) noexcept {
  return previous == shape.tail_size ||
         r.fail(errc::bad_length, shape.tail + previous, "the last element to end where the list does",
                shape.tail_size - previous);
}

/// Reads a `T` from its slot and calls `accept` with it. Also reads adapted types without a default
/// constructor. `size` is an upper bound of the value's size in bytes.
template <class T, class Accept>
INGOT_INLINE constexpr bool read_value(reader& r, const std::byte* at, const std::byte* tail,
                                       end_type& previous, std::size_t size, unsigned depth,
                                       Accept&& accept) {
  if constexpr (std::is_default_constructible_v<T>) {
    temporary<T> value(size);
    return read_slot<T>(r, at, tail, previous, *value, depth) && accept(std::move(*value));
  } else {
    static_assert(
        kind_of<T> == kind::adapted,
        "ingot: an element of a list, a set or a map needs a default constructor, default initialisers "
        "of its members, or ingot::adapt");
    scratch_value<adapted_t<T>> stored;
    bool accepted = false;
    const std::byte* const from = is_variable_leaf<T> ? tail + previous : at;
    return read_slot<adapted_t<T>>(r, at, tail, previous, *stored, depth) &&
           adapt_into<T>(r, from, std::move(*stored),
                         [&](from_result<T>&& value) { accepted = accept(std::move(value)); }) &&
           accepted;
  }
}

}}} // namespace ingot::INGOT_V1::detail
