// SPDX-License-Identifier: Apache-2.0
// The compact profile of packed bytes. Its messages are smaller than those of `pack`, and as fast
// to decode. They can be read in place after one pass that indexes them.
//
// Without annotations, the profile differs from `pack` in two points: lengths have a variable size,
// and there are no offsets. Annotations make messages smaller: for example, `varint` and
// `short_float` on members or types, and `elide_defaults` on types.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/pack/detail/compact_reader.hpp>
#include <ingot/pack/detail/compact_writer.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// The rules by which readers of compact bytes reject values.
struct compact_form : packed_form {
  static constexpr bool checks_levels_first = false;

  /// Returns true if the writer leaves the member out. Readers then assign the default without a
  /// check.
  template <class T, std::size_t I, class M>
  static constexpr bool is_left_out(const M& member) {
    if constexpr (!is_entry<T> && kind_of<T> == kind::record && elides_defaults<T>) {
      return with_standard<T>([&](const T& standard) {
        return is_default_value<M, part_encoding<T, I, encoding::plain>>(
            member, *pointer_at<I>(part_pointers(standard)));
      });
    } else {
      return false;
    }
  }
};

/// Returns true if members of a `T` are rounded, at any level.
template <class T, class... Path>
consteval bool rounds_members() {
  if constexpr (std::is_same_v<T, nothing>) {
    return false;
  } else if constexpr (has_parts<T>) {
    if constexpr (is_any_of<T, Path...>) return false;
    else {
      if constexpr (!is_entry<T> && kind_of<T> == kind::record) {
        if constexpr (has_lossy_member<T>) return true;
      }
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((!parts<T>::template skipped<I> &&
                 rounds_members<std::remove_const_t<typename parts<T>::template type<I>>, Path..., T>()) ||
                ...);
      }(std::make_index_sequence<parts<T>::count>{});
    }
  } else if constexpr (kind_of<T> == kind::adapted) {
    return rounds_members<adapted_t<T>, Path...>();
  } else if constexpr (kind_of<T> == kind::array) {
    return rounds_members<element_t<T>, Path...>();
  } else if constexpr (is_list<T>) {
    return rounds_members<list_element_t<T>, Path...>();
  } else if constexpr (is_tagged<T>) {
    return []<class... Ts>(alternatives<Ts...>) {
      return (rounds_members<std::remove_const_t<Ts>, Path...>() || ...);
    }(tagged_alternatives<T>());
  } else {
    return false;
  }
}

/// Returns the error with which a reader rejects the rounded form of `value`, if any. The check
/// needs the rounded form, because rounding may move a number out of the range that a reader
/// accepts, or into it. `size` is an upper bound of the encoded size in bytes.
template <class T>
INGOT_COLD constexpr std::optional<error> rejection_of_rounded(const T& value, std::uint64_t size) {
  buffer bytes;
  const std::span<std::byte> space = bytes.prepare(static_cast<std::size_t>(size));
  if (space.size() < size) return error{errc::no_memory}.with_expected("memory for the message");
  tail_writer<output_space::exact> w{space.data(), space.data() + space.size()};
  compact_put<encoding::plain>(w, value);
  reader r{bytes_view(space.data(), static_cast<std::size_t>(w.at - space.data()))};
  stream in{r.base, r.end};
  validate_only nowhere;
  if (compact_read<encoding::plain, T>(r, in, nowhere, 0)) return std::nullopt;
  return r.why->with_offset(0);
}

/// Sets the error with which a reader would reject the encoded `value`, if any. `size` is an upper
/// bound of the encoded size in bytes.
template <class T>
constexpr void check_measured(measurer& m, const T& value, std::uint64_t size) {
  if (m.failed) [[unlikely]]
    return;
  if constexpr (can_be_rejected<packed_checks, T> && rounds_members<T>() && !borrows<T>()) {
    if (const auto why = rejection_of_rounded(value, size)) m.stop(*why);
  } else if constexpr (can_be_rejected<packed_checks, T>) {
    if (m.rejected) [[unlikely]] {
      if (const auto why = rejection_search<compact_form>::find(value)) m.stop(*why);
    }
  }
}
/// Returns the encoded size in bytes. If not `Exact`, returns an upper bound.
template <bool Exact, class T>
[[nodiscard]] constexpr result<std::uint64_t> compact_measure(const T& value) {
  measurer m;
  const std::uint64_t size = compact_size<Exact, encoding::plain>(m, value, 0);
  check_measured(m, value, size);
  if (m.failed) [[unlikely]]
    return m.why.failure();
  return size;
}

template <class T>
[[nodiscard]] constexpr result<std::uint64_t> compact_exact(const T& value) {
  auto size = compact_measure<true>(value);
  if (size && *size > std::numeric_limits<end_type>::max()) [[unlikely]] {
    return ingot::fail(
        error{errc::too_large}.with_expected("a message of less than 4 GiB").with_found(*size));
  }
  return size;
}

template <bool Exact, class T>
std::uint64_t measure_compact(polling_measurer& m, const void* value) {
  const T& object = *static_cast<const T*>(value);
  const std::uint64_t size = compact_size<Exact, encoding::plain>(m, object, 0);
  if (!m.by->stopped()) check_measured(m, object, size);
  return size;
}
template <class T>
std::byte* write_compact(tail_writer<output_space::reporting> to, const void* value) {
  compact_put<encoding::plain>(to, *static_cast<const T*>(value));
  return to.at;
}
template <class T>
inline constexpr encoder compact_encoder{measure_compact<false, T>, measure_compact<true, T>, true,
                                         write_compact<T>};
/// An encoder without `measure_exactly`: only half as much code is compiled for each type. If the
/// bound of a value is too large, the value is encoded to find its size.
template <class T>
inline constexpr encoder lean_compact_encoder{measure_compact<false, T>, nullptr, true, write_compact<T>};

template <class T, direct_sink S>
[[nodiscard]] INGOT_INLINE constexpr result<std::size_t> compact_write(S& sink, std::span<std::byte> space,
                                                                       const T& value) {
  // `space` is large enough for the message. If the sink can grow, `space` also has the slack: the
  // bytes after the message that fixed-size moves may overwrite.
  constexpr bool growable = growable_sink<S>;
  tail_writer<growable ? output_space::slack : output_space::exact> w{space.data(),
                                                                      space.data() + space.size()};
  compact_put<encoding::plain>(w, value);
  const auto size = static_cast<std::size_t>(w.at - space.data());
  sink.commit(size);
  return size;
}

template <class T, class S>
[[nodiscard]] constexpr result<std::size_t> compact_unguarded(S& sink, const T& value) {
  if constexpr (direct_sink<S>) {
    // Computes a bound first, because it takes less time than the exact size and is usually enough.
    // Only a message close to the capacity or the limit is measured again.
    const auto bound = compact_measure<false>(value);
    if (!bound) [[unlikely]]
      return ingot::fail(bound.error());
    constexpr bool growable = growable_sink<S>;
    constexpr std::size_t slack = growable ? write_slack : 0;
    std::uint64_t needed = *bound;
    if (needed > std::numeric_limits<end_type>::max()) [[unlikely]] {
      const auto exact = compact_exact(value);
      if (!exact) return ingot::fail(exact.error());
      needed = *exact;
    }
    std::span<std::byte> space = sink.prepare(static_cast<std::size_t>(needed) + slack);
    if (space.size() < needed + slack) [[unlikely]] {
      const auto exact = compact_exact(value);
      if (!exact) return ingot::fail(exact.error());
      space = sink.prepare(static_cast<std::size_t>(*exact) + slack);
      if (space.size() < *exact + slack) {
        if constexpr (growable)
          return ingot::fail(
              error{errc::no_memory}.with_expected("memory for the message").with_found(*exact));
        else return no_space_error(*exact);
      }
    }
    return compact_write(sink, space, value);
  } else {
    buffer whole;
    auto packed = compact_unguarded(whole, value);
    if (!packed) return packed;
    if constexpr (byte_container<S>) {
      const std::size_t before = sink.size();
      sink.resize(before + whole.size());
      copy_bytes(std::as_writable_bytes(std::span{sink}).data() + before, whole.data(), whole.size());
    } else {
      if (auto written = sink.write(whole); !written) return ingot::fail(written.error());
    }
    return packed;
  }
}

template <class T, class Out>
[[nodiscard]] INGOT_INLINE constexpr result<void> compact_unpack_unguarded(Out& out, bytes_view bytes,
                                                                           trailing rest) {
  reader r{bytes};
  if (bytes.size() > std::numeric_limits<end_type>::max()) [[unlikely]] {
    r.fail(errc::too_large, r.base, "a message of less than 4 GiB", bytes.size());
    return r.why.failure();
  }
  stream in{r.base, r.end};
  if (!compact_read<encoding::plain, T>(r, in, out, 0)) [[unlikely]]
    return r.why.failure();
  if (in.at != in.end && rest == trailing::reject) [[unlikely]] {
    r.fail(errc::trailing_bytes, in.at, "the end of the message", in.left());
    return r.why.failure();
  }
  return {};
}
/// As `compact_unpack_unguarded`, with limits, and with progress if `tracker` is not null.
template <class T>
[[nodiscard]] constexpr result<void> compact_unpack_with_progress(T& out, bytes_view bytes, trailing rest,
                                                                  progress_tracker* tracker,
                                                                  const read_limits& limits = {}) {
  reader r{bytes, limits};
  r.tracker = tracker;
  if (bytes.size() > std::numeric_limits<end_type>::max()) {
    r.fail(errc::too_large, r.base, "a message of less than 4 GiB", bytes.size());
    return r.why.failure();
  }
  stream in{r.base, r.end};
  if (!compact_read<encoding::plain, T>(r, in, out, 0)) return reader_failure(r);
  if (in.at == in.end || rest == trailing::allow) return {};
  r.fail(errc::trailing_bytes, in.at, "the end of the message", in.left());
  return r.why.failure();
}
template <class T>
[[nodiscard]] INGOT_INLINE constexpr result<void> compact_unpack_plain_into(T& out, bytes_view bytes,
                                                                            trailing rest) {
  static_assert(!borrows<T>(), "ingot: a string_view, a span or an optional reference can't own what "
                               "it is decoded into: read it through "
                               "ingot::compact::view, or give the member an owning type");
  return catch_bad_alloc([&] { return compact_unpack_unguarded<T>(out, bytes, rest); });
}
template <class T>
[[nodiscard]] constexpr result<T> compact_unpack_plain(bytes_view bytes, trailing rest) {
  return unpack_new<T>([&](auto& value)
                           INGOT_INLINE_LAMBDA { return compact_unpack_plain_into(value, bytes, rest); });
}
template <class T>
[[nodiscard]] constexpr result<void> compact_unpack_with_options_into(T& out, bytes_view bytes,
                                                                      const unpack_options& options) {
  return catch_bad_alloc([&] {
    return read_and_report(bytes, options, [&](progress_tracker* tracker) {
      return compact_unpack_with_progress(out, bytes, options.rest, tracker, options.limits);
    });
  });
}
template <class T>
[[nodiscard]] constexpr result<T> compact_unpack_with_options(bytes_view bytes,
                                                              const unpack_options& options) {
  return unpack_new<T>([&](auto& value) { return compact_unpack_with_options_into(value, bytes, options); });
}

} // namespace detail

namespace compact {

/// Returns the exact number of bytes that `compact::pack` would write. O(n) in the size of `value`.
/// Errors: as `compact::pack`.
template <packable T>
[[nodiscard]] constexpr result<std::size_t> packed_size(const T& value) {
  return detail::catch_bad_alloc([&]() -> result<std::size_t> {
    const auto size = detail::compact_exact(value);
    if (!size) return fail(size.error());
    return static_cast<std::size_t>(*size);
  });
}

/// Appends the compact form of `value` to `sink` and returns its size. Errors and guarantees: as
/// `ingot::pack_to`.
template <packable T, sink S>
[[nodiscard]] INGOT_INLINE constexpr result<std::size_t> pack_to(S& sink, const T& value) {
  return detail::catch_bad_alloc([&] { return detail::compact_unguarded(sink, value); });
}
template <packable T>
[[nodiscard]] INGOT_INLINE constexpr result<std::size_t> pack_to(std::span<std::byte> memory,
                                                                 const T& value) {
  span_sink sink{memory};
  return compact::pack_to(sink, value);
}
/// Returns the compact form of `value` in a new buffer. Errors: as `ingot::pack`.
template <packable T>
[[nodiscard]] constexpr result<buffer> pack(const T& value) {
  buffer bytes;
  if (auto packed = compact::pack_to(bytes, value); !packed) return fail(packed.error());
  return bytes;
}

/// As `compact::pack(value)`, with progress in bytes written, at least every 256 KiB. The total is
/// `progress_ref::unknown` until the end. Errors: also `cancelled` if the callback returns false.
template <packable T>
[[nodiscard]] result<buffer> pack(const T& value, progress_ref progress) {
  if (!progress) return compact::pack(value);
  return detail::catch_bad_alloc(
      [&] { return detail::encode(detail::compact_encoder<T>, std::addressof(value), progress); });
}

/// Decodes into `out` and reuses its memory. Progress, errors and guarantees: as
/// `ingot::unpack_into`, but progress is also reported inside a list of fixed-size elements.
template <unpackable T>
[[nodiscard]] INGOT_INLINE constexpr result<void> unpack_into(T& out, bytes_view bytes,
                                                              const unpack_options& options = {}) {
  if (detail::are_plain(options)) [[likely]]
    return detail::compact_unpack_plain_into(out, bytes, options.rest);
  return detail::compact_unpack_with_options_into(out, bytes, options);
}
template <unpackable T, byte_range R>
[[nodiscard]] INGOT_INLINE constexpr result<void> unpack_into(T& out, const R& bytes,
                                                              const unpack_options& options = {}) {
  return compact::unpack_into(out, as_bytes_view(bytes), options);
}
/// Decodes `bytes` into a new value. Errors: as `unpack_into`.
template <unpackable T>
[[nodiscard]] INGOT_INLINE constexpr result<T> unpack(bytes_view bytes, const unpack_options& options = {}) {
  if (detail::are_plain(options)) [[likely]]
    return detail::compact_unpack_plain<T>(bytes, options.rest);
  return detail::compact_unpack_with_options<T>(bytes, options);
}
template <unpackable T, byte_range R>
[[nodiscard]] INGOT_INLINE constexpr result<T> unpack(const R& bytes, const unpack_options& options = {}) {
  return compact::unpack<T>(as_bytes_view(bytes), options);
}
template <unpackable T>
[[nodiscard]] constexpr result<T> unpack(const result<buffer>& packed, const unpack_options& options = {}) {
  if (!packed) return fail(packed.error());
  return compact::unpack<T>(as_bytes_view(*packed), options);
}

/// Validates `bytes` without creating an object. Errors: as `unpack`.
template <packable T>
[[nodiscard]] constexpr result<void> validate(bytes_view bytes, trailing rest = trailing::reject) {
  return detail::catch_bad_alloc([&] {
    detail::validate_only nowhere;
    return detail::compact_unpack_unguarded<T>(nowhere, bytes, rest);
  });
}

} // namespace compact
}} // namespace ingot::INGOT_V1
