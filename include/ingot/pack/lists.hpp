// SPDX-License-Identifier: Apache-2.0
// Reading payloads: lists, maps, and everything that stands alone between two offsets. See reader.hpp.
#pragma once

#include <ingot/pack/reader.hpp>
#include <ingot/pack/short_copy.hpp>
#include <ingot/reflect/links.hpp>
#include <ingot/reflect/temporary.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace ingot::inline v1::detail {

/// The parts of a list's payload.
struct list_shape {
  const std::byte* elements;
  std::size_t count;
  std::size_t stride;  ///< from one element's slot to the next
  std::size_t present; ///< of evolvable elements: bytes of fixed part
  const std::byte* tail;
  end_type tail_size;
};

/// Works out the shape from the payload's size; counts are held against the bytes there are before they are used.
template <class List>
INGOT_INLINE constexpr bool shape_list(reader& r, const std::byte* from, std::size_t size,
                                       list_shape& shape) {
  using element = list_element_t<List>;
  constexpr std::size_t stride = element_stride<element>;
  if constexpr (is_fixed<element> && stride != 0) {
    shape = {from, size / stride, stride,
             0,    from + size,   0}; // whole elements: level check or read_whole saw to it
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
    }
    const std::size_t left = size - header;
    if constexpr (stride == 0) {
      if (count > max_empty_elements - r.empty_elements) [[unlikely]] {
        return r.fail(errc::too_large, from, "at most 65536 elements of size zero in a message", count);
      }
      r.empty_elements += static_cast<std::uint32_t>(count);
      if (left != 0) [[unlikely]]
        return r.fail(errc::bad_length, from + header, "nothing behind the count");
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

/// Whether a list's elements must be looked at even when they are not kept.
template <class List>
consteval bool elements_need_reading() {
  using element = list_element_t<List>;
  if constexpr (is_sorted_list<List>) return element_stride<element> != 0;
  else return !any_bytes_valid<element>;
}

/// One element: level check, then the element itself.
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

/// Every variable byte of a list belongs to one of its elements.
INGOT_INLINE constexpr bool tail_is_used(reader& r, const list_shape& shape, end_type previous) noexcept {
  return previous == shape.tail_size ||
         r.fail(errc::bad_length, shape.tail + previous, "the last element to end where the list does",
                shape.tail_size - previous);
}

/// Keys, in the order of the format. `last` is the entry before.
template <class List>
INGOT_INLINE constexpr bool key_in_order(reader& r, const field_ref& last, const field_ref& next,
                                         unsigned depth) {
  using key = key_t<List>;
  constexpr bool by_value = kind_of<List> == kind::set || kind_of<List> == kind::map;
  std::strong_ordering order = std::strong_ordering::less;
  field_ref a = last;
  field_ref b = next;
  if constexpr (!by_value) {
    order = byte_order_in_place<key>(a, b);
    if constexpr (is_map<List> &&
                  is_multi<List>) { // with no order of their own, equal keys stand by their values
      a.at += slot_size<key>;
      b.at += slot_size<key>;
      if (order == 0) order = byte_order_in_place<mapped_t<List>>(a, b);
    }
  } else if constexpr (compares_in_place<key>()) {
    order = order_in_place<key>(a, b);
  } else {
    key left{};
    key right{};
    const std::uint32_t counted = std::exchange(r.empty_elements, 0u);
    if (!read_slot<key>(r, a.at, a.tail, a.begin, left, depth) ||
        !read_slot<key>(r, b.at, b.tail, b.begin, right, depth)) {
      return false;
    }
    r.empty_elements = counted; // read for the second time, counted once
    order = order_of<key>(left, right);
  }
  if (order < 0) [[likely]]
    return true;
  if (order == 0) {
    return is_multi<List> || r.fail(errc::duplicate_key, next.at, "each key once");
  }
  return r.fail(errc::unsorted_keys, next.at, "keys in ascending order");
}

/// A key without NaN and -0, which is in order unless it is the first.
template <class List>
INGOT_INLINE constexpr bool key_follows(reader& r, std::size_t index, const field_ref& last,
                                        const field_ref& next, unsigned depth) {
  if (!key_is_normal<key_t<List>>(next)) [[unlikely]]
    return r.fail(errc::not_canonical, next.at, "a key that is neither NaN nor -0");
  return index == 0 || key_in_order<List>(r, last, next, depth);
}

/// Calls `accept` with a value read from its slot, whether or not the type has a default. `size` is no less than what its bytes are.
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
        "ingot: a class without a default constructor is read through ingot::adapt, or as a member with a "
        "default member initialiser");
    adapted_t<T> stored{};
    bool accepted = false;
    const std::byte* const from = is_variable_leaf<T> ? tail + previous : at;
    return read_slot<adapted_t<T>>(r, at, tail, previous, stored, depth) &&
           adapt_into<T>(r, from, std::move(stored),
                         [&](made_by<T>&& made) { accepted = accept(std::move(made)); }) &&
           accepted;
  }
}

template <class List, class Out>
constexpr bool read_sorted_list(reader& r, const list_shape& shape, Out& out, unsigned depth) {
  using element = list_element_t<List>;
  static_assert(!is_evolvable<element>,
                "ingot: an evolvable record is no key: its order would change with its members");
  using key = key_t<List>;
  if constexpr (keeps<Out>) out.clear();
  end_type previous = 0;
  field_ref last{};
  const std::byte* at = shape.elements;
  for (std::size_t i = 0; i < shape.count; ++i, at += shape.stride) {
    end_type reached = previous;
    const field_ref next{at, shape.tail, previous};
    if (level_bad<element>(at, reached, shape.tail_size)) [[unlikely]] {
      reached = previous;
      explain_level<element>(r, at, reached, shape.tail_size);
      return name_element<List>(r, i);
    }
    constexpr bool after_reading = has_float_in_payload<key>();
    [[maybe_unused]] const field_ref former = last; // for keys that are looked at once they are read
    if constexpr (!after_reading) {
      if (!key_follows<List>(r, i, last, next, depth)) [[unlikely]]
        return name_element<List>(r, i);
    }
    last = next;
    if constexpr (!keeps<Out>) {
      bool well = read_slot<key>(r, at, shape.tail, previous, out, depth);
      if constexpr (is_map<List>) {
        if (!well) [[unlikely]]
          name_part<element>(r, 0);
      }
      if constexpr (after_reading) well = well && key_follows<List>(r, i, former, next, depth);
      if constexpr (is_map<List>) {
        well = well && (read_slot<mapped_t<List>>(r, at + slot_size<key>, shape.tail, previous, out, depth) ||
                        name_part<element>(r, 1));
      }
      if (!well) [[unlikely]]
        return name_element<List>(r, i);
    } else {
      bool has_key = false;
      bool inserted = false;
      const std::size_t size = shape.stride + (reached - previous);
      const bool well = read_value<key>(r, at, shape.tail, previous, size, depth, [&](key&& k) {
        has_key = true;
        if constexpr (after_reading) {
          if (!key_follows<List>(r, i, former, next, depth)) return false;
        }
        if constexpr (is_map<List>) {
          return read_value<mapped_t<List>>(r, at + slot_size<key>, shape.tail, previous, size, depth,
                                            [&](mapped_t<List>&& value) {
                                              const std::size_t before = out.size();
                                              out.emplace_hint(out.end(), std::move(k), std::move(value));
                                              inserted = out.size() != before;
                                              return true;
                                            }) ||
                 name_part<element>(r, 1);
        } else {
          const std::size_t before = out.size();
          out.emplace_hint(out.end(), std::move(k));
          inserted = out.size() != before;
          return true;
        }
      });
      if (!well) [[unlikely]] {
        if constexpr (is_map<List>) {
          if (!has_key) name_part<element>(r, 0);
        }
        return name_element<List>(r, i);
      }
      if (!inserted) { // the container's own idea of "equal" is wider than the format's
        r.fail(errc::duplicate_key, at, "keys that differ for the container's comparison");
        return name_element<List>(r, i);
      }
    }
  }
  return tail_is_used(r, shape, previous);
}

/// A list whose elements lie side by side and can be set by memcpy.
template <class List>
concept contiguous_storage = requires(List& list) {
  list.resize(std::size_t{});
  { list.data() } -> std::same_as<typename List::value_type*>;
};

/// Fills a list of plain elements that has fewer. `resize` writes every new element once, as zero, so a long list grows by
/// blocks, which are still in the cache when their bytes come. (`insert` of a range would not write them, but its code for
/// two types of elements was a twelfth of what the compiler did for a small record.)
template <class List>
INGOT_NOINLINE void read_bulk_grown(List& out, const std::byte* from, std::size_t count) {
  using element = typename List::value_type;
  constexpr std::size_t block = sizeof(element) > 4096 ? 1 : 4096 / sizeof(element);
  std::size_t step = count;
  if constexpr (requires { out.reserve(count); }) {
    if (count - out.size() > block) {
      out.clear();
      out.reserve(count);
      step = block;
    }
  }
  for (std::size_t done = 0; done < count;) {
    const std::size_t n = count - done < step ? count - done : step;
    out.resize(done + n);
    std::memcpy(static_cast<void*>(out.data() + done), from + done * sizeof(element), n * sizeof(element));
    done += n;
  }
}
template <class List>
INGOT_INLINE void read_bulk(List& out, const std::byte* from, std::size_t count) {
  using element = typename List::value_type;
  if (count > out.size()) [[unlikely]] {
    read_bulk_grown(out, from, count);
    return;
  }
  if (out.size() != count) out.resize(count);
  if constexpr (sizeof(element) == 1) {
    copy_short(reinterpret_cast<std::byte*>(out.data()), from, count);
  } else {
    if (count != 0) std::memcpy(static_cast<void*>(out.data()), from, count * sizeof(element));
  }
}
template <class List>
INGOT_NOINLINE constexpr void grow_to(List& out, std::size_t count) {
  out.resize(count);
}

template <class T>
INGOT_INLINE constexpr bool nothing_is_empty(reader& r, const std::byte* from, std::size_t tag,
                                             std::size_t size) {
  if constexpr (kind_of<T> == kind::expected) {
    if constexpr (std::is_void_v<typename T::value_type>) {
      if (tag == 0 && size != 1) return r.fail(errc::trailing_bytes, from + 1, "nothing behind the tag");
    }
  }
  return true;
}

template <class List>
concept resizable = requires(List& list) { list.resize(std::size_t{}); };

template <class List, class Out>
INGOT_INLINE constexpr bool read_sequence(reader& r, const list_shape& shape, Out& out, unsigned depth) {
  using element = list_element_t<List>;
  if constexpr (keeps<Out> && is_bitwise<element> && any_bytes_valid<element> && contiguous_storage<Out>) {
    if !consteval {
      read_bulk(out, shape.elements, shape.count);
      return true;
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
    if (out.size() != shape.count) grow_to(out, shape.count);
    std::size_t i = 0;
    for (auto& target : out) {
      if (!read_element<element>(r, shape, at, previous, target, depth)) [[unlikely]]
        return name_element<List>(r, i);
      at += shape.stride;
      ++i;
    }
  } else if constexpr (gives_links<Out>) { // links as if added to a new one, as measure_list sees to it
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
  if constexpr (is_sorted_list<List> && element_stride<list_element_t<List>> != 0) {
    return read_sorted_list<List>(r, shape, out, depth);
  } else if constexpr (is_sorted_list<List>) { // keys of size zero are all one key
    if (shape.count > 1 && !is_multi<List>) return r.fail(errc::duplicate_key, from, "each key once");
    if constexpr (keeps<Out>) {
      out.clear();
      for (std::size_t i = 0; i < shape.count; ++i) out.emplace();
    }
    return true;
  } else {
    return read_sequence<List>(r, shape, out, depth);
  }
}

/// Out of line and with its elements' reading inlined: see put_list.
template <class List, class Out>
INGOT_FLATTEN constexpr bool read_list(reader& r, const std::byte* from, std::size_t size, Out& out,
                                       unsigned depth) {
  return read_list_inline<List>(r, from, size, out, depth);
}

/// What stands between two offsets: a message, a variable field, a variable alternative.
template <class T, class Out>
INGOT_INLINE constexpr bool read_payload_inline(reader& r, const std::byte* from, std::size_t size, Out& out,
                                                unsigned depth) {
  if constexpr (is_recursive<T>) {
    if (depth > max_depth) [[unlikely]]
      return r.fail(errc::too_deep, from, "at most 128 levels of nesting");
  }
  if constexpr (kind_of<T> == kind::adapted) {
    adapted_t<T> stored{};
    return read_payload<adapted_t<T>>(r, from, size, stored, depth) &&
           adapt_into<T>(r, from, std::move(stored), [&](made_by<T>&& made) {
             if constexpr (keeps<Out>) out = std::move(made);
           });
  } else if constexpr (is_text<T>) {
    if constexpr (keeps<Out>) read_text(r, from, size, out);
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

/// A payload that no end offset delimits, so that no level check has seen its size: a message, an alternative.
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

} // namespace ingot::inline v1::detail
