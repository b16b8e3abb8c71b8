// SPDX-License-Identifier: Apache-2.0
// Writes values as packed bytes. Packed bytes are small, portable and canonical (equal values give
// equal bytes on every platform). They can be read in place or decoded. docs/format.md describes
// the format.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/pack/detail/encoder.hpp>
#include <ingot/pack/detail/writer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// Types that have packed bytes. The concept is never false: a type that can't be stored is a
/// compile error, which names the member.
template <class T>
concept packable = detail::require_storable<std::remove_cvref_t<T>>();

/// The size of the packed form if it is the same for every value of `T`, otherwise empty.
template <packable T>
inline constexpr std::optional<std::size_t> packed_size_of =
    detail::is_fixed<T> ? std::optional<std::size_t>{detail::fixed_part<T>} : std::nullopt;

namespace detail {

template <class T>
consteval std::optional<std::size_t> greatest_payload();

/// Returns the maximum number of bytes that a field adds to the tail. Empty unless `max_size`
/// limits every length inside.
template <class T>
consteval std::optional<std::size_t> max_tail_size() {
  if constexpr (is_variable_leaf<T>) {
    return greatest_payload<T>();
  } else if constexpr (is_fixed<T>) {
    return 0;
  } else if constexpr (kind_of<T> == kind::adapted) {
    return max_tail_size<adapted_t<T>>();
  } else if constexpr (kind_of<T> == kind::array) {
    const auto one = max_tail_size<element_t<T>>();
    return one ? std::optional{*one * array_size<T>} : std::nullopt;
  } else {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      std::optional<std::size_t> total = 0;
      const auto add = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!parts<T>::template skipped<J>) {
          using part = typename parts<T>::template type<J>;
          std::optional<std::size_t> one;
          bool limited = false;
          if constexpr (kind_of<T> == kind::record) {
            if constexpr (member_has<T, J, max_size_t> && is_variable_leaf<part>) {
              constexpr auto count = static_cast<std::size_t>(member_get<T, J, max_size_t>.count);
              limited = true;
              if constexpr (is_text<part>) {
                one = count * sizeof(element_t<part>);
              } else if constexpr (is_list<part>) {
                using element = list_element_t<part>;
                const auto tail = max_tail_size<element>();
                if (tail) one = count * (element_stride<element> + *tail) + 2 * end_size;
              }
            }
          }
          if (!limited) one = max_tail_size<part>();
          total = total && one ? std::optional{*total + *one} : std::nullopt;
        }
      };
      (add(std::integral_constant<std::size_t, I>{}), ...);
      return total;
    }(std::make_index_sequence<parts<T>::count>{});
  }
}
template <class T>
consteval std::optional<std::size_t> greatest_payload() {
  if constexpr (is_fixed<T>) {
    return fixed_part<T>;
  } else if constexpr (is_recursive<T>) {
    return std::nullopt;
  } else if constexpr (is_tagged<T>) {
    return []<class... Ts>(alternatives<Ts...>) {
      std::optional<std::size_t> greatest = 1;
      const auto consider = [&](std::optional<std::size_t> one) {
        greatest =
            greatest && one ? std::optional{*greatest > *one + 1 ? *greatest : *one + 1} : std::nullopt;
      };
      (consider(greatest_payload<Ts>()), ...);
      return greatest;
    }(tagged_alternatives<T>());
  } else if constexpr (kind_of<T> == kind::adapted) {
    return greatest_payload<adapted_t<T>>();
  } else if constexpr (has_parts<T>) {
    const auto tail = []() consteval {
      // not limited: a message of a later version may have more members
      if constexpr (is_evolvable<T>) return std::optional<std::size_t>{};
      else return max_tail_size<T>();
    }();
    return tail ? std::optional{fixed_part<T> + *tail} : std::nullopt;
  } else if constexpr (kind_of<T> == kind::array) {
    const auto tail = max_tail_size<T>();
    return tail ? std::optional{fixed_part<T> + *tail} : std::nullopt;
  } else {
    return std::nullopt;
  }
}

/// Returns the size of the packed form.
template <class T>
[[nodiscard]] constexpr result<std::uint64_t> measure(const T& value) {
  measurer m;
  const std::uint64_t size = measure_payload(m, value, 0);
  if (m.failed) [[unlikely]]
    return m.why.failure();
  if (size > std::numeric_limits<end_type>::max()) [[unlikely]] {
    return ingot::fail(error{errc::too_large}.with_expected("a message of less than 4 GiB").with_found(size));
  }
  if constexpr (can_be_rejected<packed_checks, T>) {
    if (m.rejected) [[unlikely]] {
      if (const auto why = rejection_search<packed_form>::find(value)) return ingot::fail(*why);
    }
  }
  return size;
}

INGOT_COLD constexpr std::unexpected<error> no_space_error(std::uint64_t needed) noexcept {
  return ingot::fail(error{errc::no_space}.with_expected("space for the whole message").with_found(needed));
}

/// True for ingot's own buffer. Only for this sink, the writer knows the end of the content and can
/// request slack after the message.
template <class S>
concept growable_sink = std::same_as<S, buffer>;

/// Writes a message that was measured, so that writing can't fail. Commits before it writes: after
/// the first stored byte, the compiler would load the size of the sink again, because the byte
/// might alias the size.
template <output_space Space, class T, direct_sink S>
[[nodiscard]] INGOT_INLINE constexpr result<std::size_t> put_message(S& sink, std::span<std::byte> space,
                                                                     const T& value, std::size_t size) {
  sink.commit(size);
  tail_writer<Space> w{space.data(), space.data() + space.size()};
  if constexpr (is_fixed<T>) put_slot(w, space.data(), space.data(), value);
  else put_payload(w, value);
  return size;
}

/// Makes space in the sink, then writes. Out of line: inlining this function, which changes the
/// members of the sink, would slow down the path without growth.
template <class T, direct_sink S>
[[nodiscard]] INGOT_NOINLINE constexpr result<std::size_t> pack_grown(S& sink, const T& value,
                                                                      std::size_t size, std::size_t slack) {
  std::span<std::byte> space;
  if (size <= std::numeric_limits<std::size_t>::max() - slack)
    space = sink.prepare(size + slack); // so the sum does not wrap around
  if (space.size() < size || space.size() - size < slack) {
    return ingot::fail(error{errc::no_memory}.with_expected("memory for the message").with_found(size));
  }
  return put_message<is_fixed<T> ? output_space::exact : output_space::slack>(
      sink, space, value, size); // `pack_measured` uses this instantiation too
}

template <class T, direct_sink S>
[[nodiscard]] INGOT_INLINE constexpr result<std::size_t> pack_measured(S& sink, const T& value,
                                                                       std::size_t size) {
  if constexpr (growable_sink<S>) {
    constexpr std::size_t slack = is_fixed<T> ? 0 : write_slack;
    const std::size_t before = sink.size();
    const std::size_t left = sink.capacity() - before;
    if (left < size || left - size < slack) [[unlikely]]
      return pack_grown(sink, value, size, slack);
    return put_message<slack != 0 ? output_space::slack : output_space::exact>(
        sink, {sink.data() + before, left}, value, size);
  } else {
    const std::span<std::byte> space = sink.prepare(size);
    if (space.size() < size) [[unlikely]]
      return no_space_error(size);
    return put_message<output_space::exact>(sink, space, value, size);
  }
}

/// Restores the size of a container if an exception ends the writing. Sorting keys and `adapt` may
/// allocate memory and therefore throw.
template <class S>
struct undo_resize {
  S& sink;
  std::size_t before;
  mutable bool needed = true;

  constexpr undo_resize(S& container, std::size_t size) noexcept : sink(container), before(size) {}
  undo_resize(const undo_resize&) = delete;
  constexpr ~undo_resize() {
    if (needed) sink.resize(before);
  }
};

template <class T, class S>
[[nodiscard]] INGOT_INLINE constexpr result<std::size_t> pack_or_throw(S& sink, const T& value) {
  std::size_t size = fixed_part<T>;
  if constexpr (!is_fixed<T> || is_fallible<T> || can_be_rejected<packed_checks, T>) {
    const auto measured = measure(value);
    if (!measured) [[unlikely]]
      return ingot::fail(measured.error());
    size = static_cast<std::size_t>(*measured);
  }
  if constexpr (direct_sink<S>) {
    return pack_measured(sink, value, size);
  } else if constexpr (byte_container<S>) {
    const std::size_t before = sink.size();
    if (size > sink.max_size() - before) [[unlikely]]
      return no_space_error(size);
    sink.resize(before + size);
    const undo_resize<S> undo{sink, before};
    const std::span space{sink};
    span_sink target{std::as_writable_bytes(space).subspan(before)};
    auto packed = pack_measured(target, value, size);
    undo.needed = false;
    return packed;
  } else {
    buffer whole; // A write can't be undone, so only the complete message is written.
    if (auto packed = pack_measured(whole, value, size); !packed) return packed;
    if (auto written = sink.write(whole); !written) return ingot::fail(written.error());
    return size;
  }
}

/// True if encoding itself may allocate: to sort keys, to convert, or in the sink.
template <class T, class S>
inline constexpr bool encoding_may_throw = !(is_fixed<T> && direct_sink<S> && any_bytes_valid<T>);

} // namespace detail

/// Upper bound of the packed size, for fixed types and for types whose variable members all have
/// `max_size`. Use it to choose the size of a `fixed_buffer`.
template <packable T>
inline constexpr std::optional<std::size_t> max_packed_size = detail::greatest_payload<T>();

/// Returns the exact number of bytes that `pack` would write. O(n) in the number of variable
/// fields. Errors: as `pack`, except those of memory.
template <packable T>
[[nodiscard]] constexpr result<std::size_t> packed_size(const T& value) {
  return detail::catch_bad_alloc([&]() -> result<std::size_t> {
    const auto size = detail::measure(value);
    if (!size) return ingot::fail(size.error());
    return static_cast<std::size_t>(*size);
  });
}

/// Appends the packed form of `value` to `sink` and returns its size. After an error the sink is
/// unchanged (except for a descriptor, see `fd_sink`). O(n) in the size. Errors: `too_large` (4
/// GiB), `too_deep`, `invalid_value` (a valueless variant), `not_canonical` (NaN in a key),
/// `wrong_version`, `no_space`, `no_memory`, `io`, and those with which a reader would reject the
/// value.
template <packable T, sink S>
[[nodiscard]] INGOT_INLINE constexpr result<std::size_t> pack_to(S& sink, const T& value) {
  if constexpr (detail::encoding_may_throw<T, S>) {
    return detail::catch_bad_alloc([&] { return detail::pack_or_throw(sink, value); });
  } else {
    return detail::pack_or_throw(sink, value);
  }
}
/// As the overload for a sink, but writes to the start of `memory`. Returns the number of bytes
/// written.
template <packable T>
[[nodiscard]] INGOT_INLINE constexpr result<std::size_t> pack_to(std::span<std::byte> memory,
                                                                 const T& value) {
  span_sink sink{memory};
  return pack_to(sink, value);
}

/// Returns the packed form of `value` in a new buffer. `unpack` accepts this result, and returns
/// its error if it has one. Errors: as `pack_to`.
template <packable T>
[[nodiscard]] constexpr result<buffer> pack(const T& value) {
  buffer bytes;
  if (auto packed = pack_to(bytes, value); !packed) return ingot::fail(packed.error());
  return bytes;
}

/// As `pack(value)`, with progress in bytes written, at least every 256 KiB. While the value is
/// measured, the callback gets 0 as `done` and `progress_ref::unknown` as `total`. Errors: also
/// `cancelled` if the callback returns false.
template <packable T>
[[nodiscard]] result<buffer> pack(const T& value, progress_ref progress) {
  if (!progress) return pack(value);
  return detail::catch_bad_alloc(
      [&] { return detail::encode(detail::packed_encoder<T>, std::addressof(value), progress); });
}

}} // namespace ingot::INGOT_V1
