// SPDX-License-Identifier: Apache-2.0
// Writes packed bytes into memory that is large enough. Nothing here can fail, because the
// functions of `measure.hpp` have measured the value before.
#pragma once

#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/pack/detail/measure.hpp>
#include <ingot/pack/detail/order.hpp>
#include <ingot/pack/detail/rejection.hpp>
#include <ingot/pack/detail/short_copy.hpp>
#include <ingot/pack/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Number of bytes that the 16-byte moves below may write beyond the end of a message.
inline constexpr std::size_t write_slack = 16;

/// The free bytes after the message: none, `write_slack` bytes, or `write_slack` bytes for a writer
/// that reports progress.
enum class output_space : std::uint8_t { exact, slack, reporting };

/// The position of the next payload.
template <output_space Space>
struct tail_writer {
  std::byte* at;
  std::byte* end; ///< end of the memory; only used without slack
};
/// The memory of a message that is written with progress, and the position of the next report.
/// Loops report if they reach `stop`. Without a callback, `stop` is the end of the memory, so loops
/// need no second check.
struct output_report {
  const std::byte* begin; ///< start of the message
  const std::byte* end;   ///< end of the memory
  progress_poll* by;
  const std::byte* stop; ///< a report is due once this position is reached

  output_report(std::span<const std::byte> space, progress_poll& poll) noexcept
      : begin(space.data()), end(begin + space.size()), by(&poll), stop(stop_after(begin)) {}

  /// Reports that the bytes before `here` are written. Returns whether to continue.
  INGOT_COLD bool report(const std::byte* here) noexcept {
    const bool continues = by->should_continue(static_cast<std::uint64_t>(here - begin));
    stop = continues ? stop_after(here) : begin;
    return continues;
  }
  [[nodiscard]] INGOT_INLINE bool should_continue(const std::byte* here) noexcept {
    return here < stop || report(here);
  }
  /// Returns how many of `count` elements a loop may write, from `here` on, until it must call this
  /// function again. Each element takes `stride` bytes, which is not 0. Returns 0 if cancelled.
  [[nodiscard]] INGOT_INLINE std::size_t run_from(const std::byte* here, std::size_t count,
                                                  std::size_t stride) noexcept {
    if (static_cast<std::ptrdiff_t>(count * stride) <= stop - here) [[likely]]
      return count;
    return shorter_run(here, count, stride);
  }
  /// Copies more bytes than fit before `stop`, in pieces, with a report before each piece.
  INGOT_COLD void copy_pieces(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    while (bytes != 0 && should_continue(to)) {
      const auto space = static_cast<std::size_t>(stop - to);
      const std::size_t piece = bytes < space ? bytes : space;
      std::memcpy(to, from, piece);
      to += piece;
      from += piece;
      bytes -= piece;
    }
  }

private:
  INGOT_COLD std::size_t shorter_run(const std::byte* here, std::size_t count, std::size_t stride) noexcept {
    if (!should_continue(here)) return 0;
    const std::size_t run = static_cast<std::size_t>(stop - here) / stride + 1;
    return run < count ? run : count;
  }
  [[nodiscard]] const std::byte* stop_after(const std::byte* here) const noexcept {
    const std::uint64_t bytes = by->bytes_until_poll(static_cast<std::uint64_t>(here - begin));
    return bytes < static_cast<std::uint64_t>(end - here) ? here + bytes : end;
  }
};
/// Writes with progress. If the write is cancelled, its output must not be used. This class has the
/// size of the other writers, so that the compiler keeps a writer in registers.
template <>
struct tail_writer<output_space::reporting> {
  std::byte* at;
  output_report* report;
};

/// Returns true if 16 bytes may be written at `w.at`.
template <output_space Space>
[[nodiscard]] INGOT_INLINE bool has_slack([[maybe_unused]] const tail_writer<Space>& w) noexcept {
  if constexpr (Space != output_space::exact) return true;
  else return static_cast<std::size_t>(w.end - w.at) >= write_slack;
}
/// Returns the object that polls for cancellation. Returns `nullptr` if the writer does not report
/// progress, so that the compiler can remove the polls.
template <output_space Space>
[[nodiscard]] INGOT_INLINE constexpr auto poll_of([[maybe_unused]] const tail_writer<Space>& w) noexcept {
  if constexpr (Space == output_space::reporting) return w.report->by;
  else return nullptr;
}

/// Copies memory to `w.at`, and leaves `w.at` unchanged. The memory must already have the form of
/// the message's bytes. `Short` is true for memory that usually has a few bytes.
template <bool Short, output_space Space>
INGOT_INLINE void copy_bulk(tail_writer<Space>& w, const void* data, std::size_t bytes) noexcept {
  [[maybe_unused]] const auto* from = static_cast<const std::byte*>(data);
  if constexpr (Space == output_space::reporting) {
    if (static_cast<std::ptrdiff_t>(bytes) > w.report->stop - w.at) [[unlikely]]
      return w.report->copy_pieces(w.at, from, bytes);
  }
  if constexpr (Short) copy_short(w.at, from, bytes);
  else if (bytes != 0) copy_far(w.at, data, bytes);
}
template <bool Short, output_space Space>
INGOT_INLINE void put_bulk(tail_writer<Space>& w, const void* data, std::size_t bytes) noexcept {
  copy_bulk<Short>(w, data, bytes);
  w.at += bytes;
}

/// Copies the characters of a string. The characters of a short string are inside the string
/// object, so 16 bytes from `data()` on can be read whatever the length is. One move copies them,
/// without a branch on the length, which processors could not predict. (Not under the address
/// sanitizer, because libc++ poisons the unused part.)
template <output_space Space, class String>
INGOT_INLINE void copy_string(tail_writer<Space>& w, const String& text, std::size_t bytes) noexcept {
  const auto* from = reinterpret_cast<const std::byte*>(text.data());
#if !INGOT_SANITIZED
  if constexpr (is_specialization<String, std::basic_string> && sizeof(String) >= 24) {
    const auto inside = reinterpret_cast<std::uintptr_t>(from) - reinterpret_cast<std::uintptr_t>(&text);
    if (inside <= sizeof(String) - 16 && bytes <= 16 && has_slack(w)) [[likely]] {
      block16 block;
      std::memcpy(&block, reinterpret_cast<const std::byte*>(&text) + inside, sizeof block);
      std::memcpy(w.at, &block, sizeof block);
      return;
    }
  }
#endif
  copy_bulk<true>(w, from, bytes);
}

template <output_space Space, class T>
constexpr void put_payload(tail_writer<Space>& w, const T& value);
template <output_space Space, class T>
INGOT_INLINE constexpr void put_payload_inline(tail_writer<Space>& w, const T& value);

template <output_space Space, class T>
INGOT_INLINE constexpr void put_slot(tail_writer<Space>& w, std::byte* at, const std::byte* tail,
                                     const T& value);

/// Writes members from `I` on. One move writes each run of members that are adjacent in memory and
/// in the message.
template <std::size_t I, output_space Space, class T, class Pointers>
INGOT_INLINE constexpr void put_parts(tail_writer<Space>& w, std::byte* at, const std::byte* tail,
                                      const Pointers& pointers) {
  if constexpr (I < parts<T>::count) {
    constexpr std::size_t run = run_lengths<T>[I];
    if constexpr (parts<T>::template skipped<I>) {
      put_parts<I + 1, Space, T>(w, at, tail, pointers);
    } else if constexpr (run > 1) {
      constexpr std::size_t bytes = part_offsets<T>[I + run] - part_offsets<T>[I];
      if consteval {
        put_slot(w, at + part_offsets<T>[I], tail, *pointer_at<I>(pointers));
        put_parts<I + 1, Space, T>(w, at, tail, pointers);
      } else {
        if (are_adjacent<I, run>(pointers)) {
          std::memcpy(at + part_offsets<T>[I], pointer_at<I>(pointers), bytes);
          put_parts<I + run, Space, T>(w, at, tail, pointers);
        } else {
          put_slot(w, at + part_offsets<T>[I], tail, *pointer_at<I>(pointers));
          put_parts<I + 1, Space, T>(w, at, tail, pointers);
        }
      }
    } else {
      put_slot(w, at + part_offsets<T>[I], tail, *pointer_at<I>(pointers));
      put_parts<I + 1, Space, T>(w, at, tail, pointers);
    }
  }
}

template <output_space Space, class T>
INGOT_INLINE constexpr void put_parts_of(tail_writer<Space>& w, std::byte* at, const std::byte* tail,
                                         const T& value) {
  put_parts<0, Space, T>(w, at, tail, part_pointers(value));
}

/// Writes the slot of `value` at `at`, and its payload, if there is one, at the end of the tail
/// that starts at `tail`.
template <output_space Space, class T>
INGOT_INLINE constexpr void put_slot(tail_writer<Space>& w, std::byte* at, const std::byte* tail,
                                     const T& value) {
  if constexpr (std::is_same_v<T, nothing>) {
    return;
  } else if constexpr (is_variable_leaf<T>) {
    if constexpr (is_recursive<T>) put_payload(w, value); // inlining would not end
    else put_payload_inline(w, value);
    store_le(at, static_cast<end_type>(w.at - tail));
  } else if constexpr (kind_of<T> == kind::adapted) {
    const auto& stored = adapt<T>::to(value);
    put_slot<Space, adapted_t<T>>(w, at, tail, stored);
  } else if constexpr (is_scalar_kind<T>) {
    store_le(at, value);
  } else if constexpr (kind_of<T> == kind::duration) {
    store_le(at, value.count());
  } else if constexpr (kind_of<T> == kind::time_point) {
    store_le(at, value.time_since_epoch().count());
  } else if constexpr (kind_of<T> == kind::complex) {
    store_le(at, value.real());
    store_le(at + sizeof(typename T::value_type), value.imag());
  } else if constexpr (kind_of<T> == kind::bitset) {
    for (std::size_t i = 0; i < slot_size<T>; ++i) at[i] = std::byte{0};
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value.test(i)) at[i / 8] |= std::byte{1} << (i % 8);
    }
  } else if constexpr (kind_of<T> == kind::array) {
    if constexpr (is_bitwise<T>) {
      if !consteval {
        std::memcpy(at, &value, sizeof(T));
        return;
      }
    }
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      put_slot<Space, element_t<T>>(w, at + i * slot_size<element_t<T>>, tail, value[i]);
    }
  } else if constexpr (has_parts<T>) {
    if constexpr (is_bitwise<T>) {
      if !consteval {
        std::memcpy(at, &value, sizeof(T));
        return;
      }
    }
    put_parts_of(w, at, tail, value);
    // a tagged value of fixed alternatives: the tag, the alternative, zeros up to the size of the
    // largest alternative
  } else {
    std::size_t used = 1;
    at[0] = std::byte{0};
    visit_held(value, [&](auto index, const auto& held) INGOT_INLINE_LAMBDA {
      using held_type = std::remove_cvref_t<decltype(held)>;
      at[0] = static_cast<std::byte>(decltype(index)::value);
      put_slot<Space, held_type>(w, at + 1, tail, held);
      used += slot_size<held_type>;
    });
    for (std::size_t i = used; i < slot_size<T>; ++i) at[i] = std::byte{0};
  }
}

/// Writes a key whose slot is at `at`, then removes the sign of its zeros.
template <output_space Space, class K>
INGOT_INLINE constexpr void put_key(tail_writer<Space>& w, std::byte* at, const std::byte* tail,
                                    const K& key) {
  [[maybe_unused]] const auto begin = w.at - tail;
  put_slot<Space, K>(w, at, tail, key);
  if constexpr (has_float<K>()) normalise_key<K>(at, w.at - (w.at - tail), static_cast<end_type>(begin));
}

/// Writes one element (or entry) of a list: its slot in the list of fixed parts, its payload in the
/// common tail.
template <class List, output_space Space, class Item>
INGOT_INLINE constexpr void put_element(tail_writer<Space>& w, std::byte* at, const std::byte* tail,
                                        const Item& item) {
  using element = list_element_t<List>;
  if constexpr (is_map<List>) {
    using key = key_t<List>;
    put_key<Space, key>(w, at, tail, item.first);
    put_slot<Space, mapped_t<List>>(w, at + slot_size<key>, tail, item.second);
  } else if constexpr (is_evolvable<element>) {
    put_parts_of(w, at + end_size, w.at, static_cast<const element&>(item));
    store_le(at, static_cast<end_type>(w.at - tail));
  } else if constexpr (is_sorted_list<List>) {
    put_key<Space, element>(w, at, tail, item);
  } else {
    put_slot<Space, element>(w, at, tail, item);
  }
}

template <class List>
concept contiguous_list = requires(const List& list) {
  { list.data() } -> std::convertible_to<const void*>;
};

/// Calls `f` with every element in the order of the format. Stops early if `by` is cancelled.
template <class List, class By, class F>
constexpr void for_each_in_order(const List& list, [[maybe_unused]] By by, F&& f) {
  if constexpr (!is_sorted_list<List> || has_trusted_order<List>) {
    for (const auto& item : list) f(item);
  } else {
    // Addresses of the entries, or iterators if the container creates entries on access.
    using iterator = decltype(list.begin());
    constexpr bool entries_lie_still = std::is_lvalue_reference_v<decltype(*list.begin())>;
    using entry_ref = std::conditional_t<entries_lie_still, const typename List::value_type*, iterator>;
    constexpr auto before = [](const entry_ref& a, const entry_ref& b) {
      return stored_before<List>(*a, *b);
    };
    std::vector<entry_ref> items;
    items.reserve(list.size());
    bool sorted = true;
    const auto last = list.end();
    for (auto each = list.begin(); each != last; ++each) {
      entry_ref here{};
      if constexpr (!std::is_null_pointer_v<By>) {
        if (!by->step_should_continue()) return;
      }
      if constexpr (entries_lie_still) here = std::addressof(*each);
      else here = each;
      sorted = sorted && (items.empty() || !before(here, items.back()));
      items.push_back(here);
    }
    if (!sorted && !sort_stably(items, before, by)) return;
    for (const entry_ref& item : items) f(*item);
  }
}

/// Calls `f` with every element of a list, in the list's own order. Each call of `f` must advance
/// `at`, the position of the next element, by `stride`, which is not 0. Polls once for each run of
/// elements, and stops early if cancelled.
template <output_space Space, class List, class F>
INGOT_INLINE constexpr void for_each_run([[maybe_unused]] tail_writer<Space>& w, const List& list,
                                         [[maybe_unused]] std::byte* const& at,
                                         [[maybe_unused]] std::size_t stride, F&& f) {
  if constexpr (Space == output_space::reporting) {
    auto each = list.begin();
    for (std::size_t left = list.size(); left != 0;) {
      std::size_t run = w.report->run_from(at, left, stride);
      if (run == 0) return;
      left -= run;
      for (; run != 0; --run, ++each) f(*each);
    }
  } else {
    for (const auto& item : list) f(item);
  }
}

/// Minimum size in bytes of a list that is prefetched.
inline constexpr std::size_t prefetch_threshold = 64 * 1024;

template <output_space Space, class List>
INGOT_INLINE constexpr void put_elements(tail_writer<Space>& w, const List& list) {
  using element = list_element_t<List>;
  constexpr std::size_t stride = element_stride<element>;
  const std::size_t count = list.size();
  if constexpr (!is_fixed<element> || stride == 0) {
    store_le(w.at, static_cast<end_type>(count));
    w.at += end_size;
  }
  if constexpr (is_evolvable<element>) {
    store_le(w.at, static_cast<end_type>(fixed_part<element>));
    w.at += end_size;
  }
  if constexpr (is_bitwise<element> && contiguous_list<List> && !is_sorted_list<List>) {
    if !consteval {
      put_bulk<stride == 1>(w, list.data(), count * stride);
      return;
    }
  }
  std::byte* at = w.at;
  w.at += count * stride;
  const std::byte* const tail = w.at;
#if defined(__GNUC__) || defined(__clang__)
  if constexpr (is_fixed<element> && stride >= 8 && contiguous_list<List> && !is_sorted_list<List>) {
    // Prefetches long lists of records that have padding in memory. Neither the list nor the
    // message fits in the cache, and the hardware's prefetcher does not detect that the two streams
    // advance by different steps. In a measurement, such a list took 1.7 times as long as a bulk
    // copy, and 1.4 times as long with prefetching.
    if !consteval {
      if (count * stride >= prefetch_threshold) {
        for_each_run(w, list, at, stride, [&](const auto& item) INGOT_INLINE_LAMBDA {
          __builtin_prefetch(at + 1024, 1);
          __builtin_prefetch(reinterpret_cast<const std::byte*>(std::addressof(item)) + 2048);
          put_element<List>(w, at, tail, item);
          at += stride;
        });
        return;
      }
    }
  }
#endif
  if constexpr (Space == output_space::reporting && is_fixed<element> && stride != 0 &&
                !is_sorted_list<List>) {
    for_each_run(w, list, at, stride, [&](const auto& item) INGOT_INLINE_LAMBDA {
      put_element<List>(w, at, tail, item);
      at += stride;
    });
  } else {
    for_each_in_order(list, poll_of(w), [&](const auto& item) INGOT_INLINE_LAMBDA {
      if constexpr (Space == output_space::reporting) { // without a tail, only `at` advances
        if (!w.report->should_continue(is_fixed<element> ? at : w.at)) return;
      }
      put_element<List>(w, at, tail, item);
      at += stride;
    });
  }
}

/// Out of line, but all functions that it calls are inlined (except for nested lists). Otherwise
/// g++ -O3 leaves the code for strings in a separate function. (`flatten` has no effect on
/// functions that are always inlined.)
template <output_space Space, class List>
INGOT_FLATTEN constexpr std::byte* put_list(tail_writer<Space> w, const List& list) {
  put_elements(w, list); // a copy: the caller's writer can stay in registers
  return w.at;
}

/// Writes `value` as a message or the payload of a variable field.
template <output_space Space, class T>
INGOT_INLINE constexpr void put_payload_inline(tail_writer<Space>& w, const T& value) {
  if constexpr (kind_of<T> == kind::adapted) {
    const auto& stored = adapt<T>::to(value);
    put_payload<Space, adapted_t<T>>(w, stored);
  } else if constexpr (kind_of<T> == kind::path) {
    const auto text = value.u8string();
    put_payload(w, text);
  } else if constexpr (is_text<T>) {
    using char_type = typename T::value_type;
    const std::size_t bytes = value.size() * sizeof(char_type);
    if !consteval {
      if constexpr (is_bitwise<char_type>) {
        copy_string(w, value, bytes);
        w.at += bytes;
        return;
      }
    }
    for (const char_type c : value) {
      store_le(w.at, c);
      w.at += sizeof(char_type);
    }
  } else if constexpr (is_list<T>) {
    using element = list_element_t<T>;
    if constexpr (is_bitwise<element>) put_elements(w, value);
    else w.at = put_list(w, value);
  } else if constexpr (is_evolvable<T>) {
    store_le(w.at, static_cast<end_type>(fixed_part<T>));
    std::byte* const at = w.at + end_size;
    w.at = at + fixed_part<T>;
    put_parts_of(w, at, w.at, value);
  } else if constexpr (is_tagged<T> && !is_fixed<T>) {
    visit_held(value, [&](auto index, const auto& held) {
      using held_type = std::remove_cvref_t<decltype(held)>;
      *w.at++ = static_cast<std::byte>(decltype(index)::value);
      if constexpr (!std::is_same_v<held_type, nothing>) put_payload<Space, held_type>(w, held);
    });
  } else {
    std::byte* const at = w.at;
    w.at += fixed_part<T>;
    put_slot(w, at, w.at, value);
  }
}
template <output_space Space, class T>
constexpr void put_payload(tail_writer<Space>& w, const T& value) {
  put_payload_inline(w, value);
}

template <class K>
constexpr std::vector<std::byte> packed_key(const K& key) {
  measurer m;
  std::vector<std::byte> bytes(static_cast<std::size_t>(measure_payload(m, key, 0)));
  tail_writer<output_space::exact> w{bytes.data(), bytes.data() + bytes.size()};
  put_payload(w, key);
  return bytes;
}

/// The rules by which readers of packed bytes reject values.
struct packed_form : rejection_form {
  static constexpr reader_checks checks = packed_checks;
  static constexpr bool checks_levels_first = true;

  template <class List, class F>
  static constexpr void for_each(const List& list, F&& f) {
    for_each_in_order(list, nullptr, f);
  }
  template <class E>
  INGOT_COLD static constexpr error enumerator_error(E value, enumerator_position) noexcept {
    return bad_enumerator(value);
  }
};

}}} // namespace ingot::INGOT_V1::detail
