// SPDX-License-Identifier: Apache-2.0
// Reads payloads: lists, maps, and all other data between two offsets. See reader.hpp.
#pragma once

#include <ingot/pack/detail/list_shape.hpp>
#include <ingot/pack/detail/reader.hpp>
#include <ingot/pack/detail/short_copy.hpp>
#include <ingot/pack/detail/sorted_list.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/detail/links.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A list with contiguous elements, which memcpy can fill.
template <class List>
concept contiguous_storage = requires(List& list) {
  list.resize(std::size_t{});
  { list.data() } -> std::same_as<typename List::value_type*>;
};

/// Reads into an empty list that has enough capacity, and reports progress.
template <class List>
INGOT_COLD bool read_bulk_with_progress(reader& r, List& out, const std::byte* from, std::size_t count) {
  using element = typename List::value_type;
  for (std::size_t done = 0; done < count;) {
    const std::size_t next = compute_next_report(done, count, std::uint64_t{count} * sizeof(element));
    out.resize(next);
    std::memcpy(static_cast<void*>(out.data() + done), from + done * sizeof(element),
                (next - done) * sizeof(element));
    done = next;
    if (done != count && !tell(r, from + done * sizeof(element))) return false;
  }
  return true;
}

/// Fills a list of plain elements whose size is less than `count`. `resize` writes zeros into the
/// new elements, and then memcpy overwrites them. A long list grows by blocks of 4 KiB, so that
/// memcpy finds the block in the cache. (`insert` of a range would write no zeros. But compiling it
/// for two types of elements took a twelfth of the compile time of a small record.)
template <class List>
INGOT_NOINLINE bool read_bulk_grown(reader& r, List& out, const std::byte* from, std::size_t count) {
  using element = typename List::value_type;
  if (!take_memory(r, from, std::uint64_t{count} * sizeof(element))) [[unlikely]]
    return false;
  constexpr std::size_t block = sizeof(element) > 4096 ? 1 : 4096 / sizeof(element);
  std::size_t step = count;
  if constexpr (requires { out.reserve(count); }) {
    if (count - out.size() > block) {
      out.clear();
      out.reserve(count);
      if (r.tracker != nullptr) [[unlikely]]
        return read_bulk_with_progress(r, out, from, count);
      step = block;
    }
  }
  for (std::size_t done = 0; done < count;) {
    const std::size_t n = count - done < step ? count - done : step;
    out.resize(done + n);
    std::memcpy(static_cast<void*>(out.data() + done), from + done * sizeof(element), n * sizeof(element));
    done += n;
  }
  return true;
}
template <class List>
INGOT_INLINE bool read_bulk(reader& r, List& out, const std::byte* from, std::size_t count) {
  using element = typename List::value_type;
  if (count > out.size()) [[unlikely]]
    return read_bulk_grown(r, out, from, count);
  if (out.size() != count) out.resize(count);
  if constexpr (sizeof(element) == 1) {
    copy_short(reinterpret_cast<std::byte*>(out.data()), from, count);
  } else {
    if (count != 0) std::memcpy(static_cast<void*>(out.data()), from, count * sizeof(element));
  }
  return true;
}
/// Resizes the list. Returns false, with an error, if that takes more memory than the limit.
template <class List>
INGOT_NOINLINE constexpr bool grow_to(reader& r, const std::byte* from, List& out, std::size_t count) {
  if (!take_memory(r, from, count * element_cost<List>())) return false;
  out.resize(count);
  return true;
}

template <class T>
INGOT_INLINE constexpr bool nothing_is_empty(reader& r, const std::byte* from, std::size_t tag,
                                             std::size_t size) {
  if constexpr (kind_of<T> == kind::expected) {
    if constexpr (std::is_void_v<typename T::value_type>) {
      if (tag == 0 && size != 1) return r.fail(errc::trailing_bytes, from + 1, "no bytes after the tag");
    }
  }
  return true;
}

/// Returns the address of the element before which progress is reported next, or of the list's end.
[[nodiscard]] INGOT_INLINE constexpr const std::byte*
done_before(const reader& r, const list_shape& shape, const std::byte* at, const std::byte* last) noexcept {
  if (r.tracker == nullptr) [[likely]]
    return last;
  const auto from = static_cast<std::size_t>(at - shape.elements) / shape.stride;
  return shape.elements +
         compute_next_report(from, shape.count, shape.count * shape.stride + shape.tail_size) * shape.stride;
}

template <class List>
concept resizable = requires(List& list) { list.resize(std::size_t{}); };

template <class List, class Out>
INGOT_INLINE constexpr bool read_sequence(reader& r, const list_shape& shape, Out& out, unsigned depth) {
  using element = list_element_t<List>;
  if constexpr (keeps<Out> && is_bitwise<element> && any_bytes_valid<element> && contiguous_storage<Out>) {
    if !consteval {
      return read_bulk(r, out, shape.elements, shape.count);
    }
  }
  end_type previous = 0;
  const std::byte* at = shape.elements;
  if constexpr (!keeps<Out>) {
    if constexpr (elements_need_reading<List>()) {
      for (std::size_t i = 0; i < shape.count; ++i, at += shape.stride) {
        if (!read_element<element>(r, shape, at, previous, out, depth)) [[unlikely]]
          return name_element<List>(r, i);
      }
    }
  } else if constexpr (std::is_default_constructible_v<element> && resizable<Out> &&
                       std::is_same_v<decltype(*out.begin()), element&>) {
    if (out.size() != shape.count && !grow_to(r, shape.elements, out, shape.count)) [[unlikely]]
      return false;
    // The loop over elements of fixed size has no polls: for a short list, a poll would take more
    // time than the loop itself.
    if constexpr (is_fixed<element>) {
      std::size_t i = 0;
      for (auto& target : out) {
        if (!read_element<element>(r, shape, at, previous, target, depth)) [[unlikely]]
          return name_element<List>(r, i);
        at += shape.stride;
        ++i;
      }
    } else {
      auto target = out.begin();
      const std::byte* const last = at + shape.count * shape.stride;
      while (at != last) {
        const std::byte* const stop = done_before(r, shape, at, last);
        for (; at != stop; ++target, at += shape.stride) {
          if (!read_element<element>(r, shape, at, previous, *target, depth)) [[unlikely]]
            return name_element<List>(r, static_cast<std::size_t>(at - shape.elements) / shape.stride);
        }
        if (at != last && !tell(r, at + previous)) [[unlikely]]
          return false;
      }
    }
  } else if (!take_memory(r, shape.elements, shape.count * element_cost<Out>())) {
    return false;
    // The elements get new links, in order. The written elements had the same links, because
    // measure_list has checked that no object was erased from the pool.
  } else if constexpr (provides_links<Out>) {
    if (!out.empty() || out.capacity() != 0) static_cast<void>(out.try_assign(std::span<const element>()));
    for (std::size_t i = 0; i < shape.count; ++i, at += shape.stride) {
      if (!read_element<element>(r, shape, at, previous, *out.get(out.add()), depth)) [[unlikely]]
        return name_element<List>(r, i);
    }
  } else { // elements without a default, and proxies (vector<bool>)
    out.clear();
    for (std::size_t i = 0; i < shape.count; ++i, at += shape.stride) {
      end_type reached = previous;
      if constexpr (!is_evolvable<element>) {
        if (level_bad<element>(at, reached, shape.tail_size)) [[unlikely]] {
          reached = previous;
          explain_level<element>(r, at, reached, shape.tail_size);
          return name_element<List>(r, i);
        }
        const std::size_t size = shape.stride + (reached - previous);
        if (!read_value<element>(r, at, shape.tail, previous, size, depth, [&](element&& value) {
              out.insert(out.end(), std::move(value));
              return true;
            })) [[unlikely]] {
          return name_element<List>(r, i);
        }
      } else {
        element value{};
        if (!read_element<element>(r, shape, at, previous, value, depth)) [[unlikely]]
          return name_element<List>(r, i);
        out.insert(out.end(), std::move(value));
      }
    }
  }
  return tail_is_used(r, shape, previous);
}

template <class List, class Out>
INGOT_INLINE constexpr bool read_list_inline(reader& r, const std::byte* from, std::size_t size, Out& out,
                                             unsigned depth) {
  list_shape shape{};
  if (!shape_list<List>(r, from, size, shape)) [[unlikely]]
    return false;
  if constexpr (keeps<Out>) {
    if (!can_hold(out, shape.count)) [[unlikely]]
      return r.fail(errc::too_long, from, within_capacity, shape.count);
  }
  if constexpr (is_sorted_list<List> && element_stride<list_element_t<List>> != 0) {
    return read_sorted_list<List>(r, shape, out, depth);
  } else if constexpr (is_sorted_list<List>) { // all keys of size zero are equal
    if (shape.count > 1 && !is_multi<List>) return r.fail(errc::duplicate_key, from, "each key once");
    if constexpr (keeps<Out>) {
      if (!take_memory(r, from, shape.count * element_cost<Out>())) return false;
      out.clear();
      for (std::size_t i = 0; i < shape.count; ++i) out.emplace();
    }
    return true;
  } else {
    return read_sequence<List>(r, shape, out, depth);
  }
}

/// Out of line, but the reading of the list's elements is inlined into this function. `put_list`
/// (writer.hpp) gives the reason.
template <class List, class Out>
INGOT_FLATTEN constexpr bool read_list(reader& r, const std::byte* from, std::size_t size, Out& out,
                                       unsigned depth) {
  return read_list_inline<List>(r, from, size, out, depth);
}

/// Reads the data between two offsets: a message, a variable field or a variable alternative.
template <class T, class Out>
INGOT_INLINE constexpr bool read_payload_inline(reader& r, const std::byte* from, std::size_t size, Out& out,
                                                unsigned depth) {
  if constexpr (is_recursive<T>) {
    if (depth > max_depth) [[unlikely]]
      return r.fail(errc::too_deep, from, "at most 128 levels of nesting");
  }
  if constexpr (kind_of<T> == kind::adapted) {
    scratch_value<adapted_t<T>> storage;
    adapted_t<T>& stored = *storage;
    return read_payload<adapted_t<T>>(r, from, size, stored, depth) &&
           adapt_into<T>(r, from, std::move(stored), [&](from_result<T>&& value) {
             if constexpr (keeps<Out>) out = std::move(value);
           });
  } else if constexpr (is_text<T>) {
    if constexpr (keeps<Out>) {
      if (!text_fits(out, size)) [[unlikely]]
        return r.fail(errc::too_long, from, within_capacity, size);
      read_text(r, from, size, out);
    }
    return true;
  } else if constexpr (is_list<T>) {
    using element = list_element_t<T>;
    if constexpr (!is_sorted_list<T> && is_bitwise<element> && any_bytes_valid<element>) {
      return read_list_inline<T>(r, from, size, out, depth + 1);
    } else {
      return read_list<T>(r, from, size, out, depth + 1);
    }
  } else if constexpr (is_evolvable<T>) {
    if (size < end_size) [[unlikely]]
      return r.fail(errc::truncated, from, "the size of a record", size);
    const std::size_t present = load_le<end_type>(from);
    if (present > size - end_size) [[unlikely]] {
      return r.fail(errc::bad_length, from, "a size within the payload", present);
    }
    const std::byte* const at = from + end_size;
    return read_evolved<T>(r, at, present, at + present, size - end_size - present, out, depth + 1);
  } else if constexpr (is_tagged<T> && !is_fixed<T>) {
    if (size == 0) {
      if constexpr (may_be_absent<T>) {
        if constexpr (keeps<Out>) out.reset();
        return true;
      } else {
        return r.fail(errc::truncated, from, "the tag of an alternative");
      }
    }
    const auto tag = std::to_integer<std::size_t>(from[0]);
    constexpr std::size_t count = decltype(tagged_alternatives<T>())::size;
    if (tag >= count || (may_be_absent<T> && tag == 0)) [[unlikely]] {
      return r.fail(errc::bad_variant, from, "the tag of an alternative", tag);
    }
    return read_alternative<T>(r, from, tag, out,
                               [&]<class A>(std::type_identity<A>, auto& target) {
                                 return read_whole<A>(r, from + 1, size - 1, target, depth + 1);
                               }) &&
           nothing_is_empty<T>(r, from, tag, size);
  } else {
    const bool lenient = r.trailing_allowed && depth == 0 && from == r.base;
    if (!level_fits<T>(from, size, lenient)) [[unlikely]]
      return explain_fit<T>(r, from, size);
    end_type previous = 0;
    return read_slot<T>(r, from, from + fixed_part<T>, previous, out, depth);
  }
}
template <class T, class Out>
constexpr bool read_payload(reader& r, const std::byte* from, std::size_t size, Out& out, unsigned depth) {
  return read_payload_inline<T>(r, from, size, out, depth);
}

/// Reads a payload that no end offset delimits, such as a message or an alternative: no level check
/// has checked its size.
template <class T, class Out>
constexpr bool read_whole(reader& r, const std::byte* from, std::size_t size, Out& out, unsigned depth) {
  constexpr std::size_t unit = payload_unit<T>();
  if constexpr (unit != 1) {
    if (size % unit != 0) [[unlikely]] {
      return r.fail(errc::bad_length, from + size / unit * unit, "whole elements", size);
    }
  }
  return read_payload<T>(r, from, size, out, depth);
}

}}} // namespace ingot::INGOT_V1::detail
