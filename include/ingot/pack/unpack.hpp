// SPDX-License-Identifier: Apache-2.0
// Decodes packed bytes into objects. Decoding validates untrusted bytes: for any bytes, the outcome
// is a value or an error.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>
#include <ingot/pack/detail/lists.hpp>
#include <ingot/pack/pack.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Decides about bytes after the value. `reject` makes them an error. `allow` ignores them: callers
/// may store other data after the value. In the packed profile, the choice matters only for
/// records, tuples, arrays and scalars, whose bytes determine where the value ends. A list, text,
/// optional or `evolvable` record that is the whole message ends at the end of the bytes, so
/// nothing can follow.
enum class trailing : std::uint8_t { reject, allow };

/// Options of `unpack`, `unpack_into`, and the functions of the same names for other encodings.
struct unpack_options {
  /// Decides about bytes after the value.
  trailing rest = trailing::reject;
  /// Limits of memory and time.
  read_limits limits{};
  /// Progress in bytes decoded. No progress is reported inside these: a text, a list of fixed-size
  /// elements whose memory differs from their bytes, and a list that is copied into existing
  /// capacity. A gigabyte of such data takes a fraction of a second. If the callback returns false,
  /// the error is `cancelled`. Not for constant expressions.
  progress_ref progress{};
};

/// Types that can be decoded into: packable types. A type that borrows its contents, such as
/// string_view, is packable; decoding into it is a compile error.
template <class T>
concept unpackable = packable<T>;

namespace detail {

template <class T, class... Path>
consteval bool borrows() {
  if constexpr (std::is_same_v<T, nothing>) return false;
  else if constexpr (has_parts<T>) {
    if constexpr (is_any_of<T, Path...>) return false;
    else {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (
            (!parts<T>::template skipped<I> && borrows<typename parts<T>::template type<I>, Path..., T>()) ||
            ...);
      }(std::make_index_sequence<parts<T>::count>{});
    }
  } else if constexpr (is_borrowed<T>) return true;
  else if constexpr (kind_of<T> == kind::array) return borrows<element_t<T>, Path...>();
  else if constexpr (is_list<T>) return borrows<list_element_t<T>, Path...>();
  else if constexpr (is_tagged<T>) {
    return []<class... Ts>(alternatives<Ts...>) {
      return (borrows<Ts, Path...>() || ...);
    }(tagged_alternatives<T>());
  } else return false;
}

template <class T>
[[nodiscard]] INGOT_INLINE constexpr result<void> unpack_or_throw(T& out, bytes_view bytes, trailing rest) {
  if constexpr (is_fixed<T> && any_bytes_valid<T>) { // only the size can be wrong
    if (bytes.size() == fixed_part<T> || (rest == trailing::allow && bytes.size() > fixed_part<T>))
        [[likely]] {
      reader r{bytes};
      end_type previous = 0;
      read_slot<T>(r, bytes.data(), bytes.data(), previous, out, 0);
      return {};
    }
  }
  reader r{bytes};
  r.trailing_allowed = rest == trailing::allow;
  if (bytes.size() > std::numeric_limits<end_type>::max()) [[unlikely]] {
    r.fail(errc::too_large, r.base, "a message of less than 4 GiB", bytes.size());
    return r.why.failure();
  }
  if (!read_whole<T>(r, bytes.data(), bytes.size(), out, 0)) [[unlikely]]
    return r.why.failure();
  return {};
}

/// As `unpack_or_throw`, with limits, and with progress if `tracker` is not null.
template <class T>
[[nodiscard]] constexpr result<void> unpack_with_progress(T& out, bytes_view bytes, trailing rest,
                                                          progress_tracker* tracker,
                                                          const read_limits& limits = {}) {
  reader r{bytes, limits};
  r.tracker = tracker;
  r.trailing_allowed = rest == trailing::allow;
  if (bytes.size() > std::numeric_limits<end_type>::max()) {
    r.fail(errc::too_large, r.base, "a message of less than 4 GiB", bytes.size());
    return r.why.failure();
  }
  if (!read_whole<T>(r, bytes.data(), bytes.size(), out, 0)) return reader_failure(r);
  return {};
}
/// Returns the result of `read(tracker)`, and reports the progress of `read`. `tracker` is null if
/// there is no callback.
template <class Read>
[[nodiscard]] constexpr result<void> read_and_report(bytes_view bytes, const unpack_options& options,
                                                     const Read& read) {
  if (!options.progress) return read(nullptr);
  progress_tracker tracker(options.progress, bytes.size());
  if (auto done = read(&tracker); !done) return done;
  return tracker.finish();
}
/// True if the limits are the default ones and there is no progress callback. The functions that
/// call this function are inline, so a call without options has no instruction for options.
[[nodiscard]] INGOT_INLINE constexpr bool are_plain(const unpack_options& options) noexcept {
  constexpr read_limits plain;
  return options.limits.max_memory == plain.max_memory &&
         options.limits.max_collisions == plain.max_collisions && !options.progress;
}
/// Requires a type that a function can return. A struct with ingot's containers cannot be moved.
template <class T>
consteval bool require_returnable() {
  static_assert(
      std::is_move_constructible_v<T>,
      "ingot: a function can't return this type, since it can't be moved: if it has ingot's containers, "
      "which live in a block, use ingot::live of the type; otherwise use unpack_into");
  return std::is_move_constructible_v<T>;
}
/// Returns a new value that `read(value)` filled. For a class that is stored as another type,
/// `read` fills an object of that type.
template <class T, class Read>
[[nodiscard]] INGOT_INLINE constexpr result<T> unpack_new(const Read& read) {
  if constexpr (!require_returnable<T>()) {
    return fail(errc::unsupported); // never compiled: the assertion failed
  } else if constexpr (std::is_default_constructible_v<T>) {
    // The default constructor may allocate (`std::deque`).
    return catch_bad_alloc([&]() -> result<T> {
      result<T> value{std::in_place};
      if (auto well = read(*value); !well) return fail(well.error());
      return value;
    });
  } else {
    static_assert(
        kind_of<T> == kind::adapted,
        "ingot: unpack makes a default-constructed object first: give the class a default constructor, its "
        "members default initialisers, or specialise ingot::adapt");
    auto stored = unpack_new<adapted_t<T>>(read);
    if (!stored) return fail(stored.error());
    return adapt_from<T>(std::move(*stored));
  }
}

template <class T>
inline constexpr bool decoding_may_throw = !(is_fixed<T> && any_bytes_valid<T>);

template <class T>
[[nodiscard]] INGOT_INLINE constexpr result<void> unpack_plain_into(T& out, bytes_view bytes, trailing rest) {
  static_assert(!borrows<T>(), "ingot: a string_view, a span or an optional reference can't own what "
                               "it is decoded into: read it through ingot::view, or give "
                               "the member an owning type");
  if constexpr (decoding_may_throw<T>) {
    return catch_bad_alloc([&] { return unpack_or_throw(out, bytes, rest); });
  } else {
    return unpack_or_throw(out, bytes, rest);
  }
}
template <class T>
[[nodiscard]] constexpr result<T> unpack_plain(bytes_view bytes, trailing rest) {
  return unpack_new<T>([&](auto& value)
                           INGOT_INLINE_LAMBDA { return unpack_plain_into(value, bytes, rest); });
}
template <class T>
[[nodiscard]] constexpr result<void> unpack_with_options_into(T& out, bytes_view bytes,
                                                              const unpack_options& options) {
  return catch_bad_alloc([&] {
    return read_and_report(bytes, options, [&](progress_tracker* tracker) {
      return unpack_with_progress(out, bytes, options.rest, tracker, options.limits);
    });
  });
}
template <class T>
[[nodiscard]] constexpr result<T> unpack_with_options(bytes_view bytes, const unpack_options& options) {
  return unpack_new<T>([&](auto& value) { return unpack_with_options_into(value, bytes, options); });
}

} // namespace detail

/// Decodes `bytes` into `out` and reuses its memory. After an error `out` holds a valid but
/// unspecified value. The default limits bound the memory. O(n) for n bytes, plus the time that
/// ordered containers take to insert in order. Errors: all that describe invalid bytes;
/// `too_much_memory` and `too_many_collisions`, with the path; `no_memory`; `cancelled`.
template <unpackable T>
[[nodiscard]] INGOT_INLINE constexpr result<void> unpack_into(T& out, bytes_view bytes,
                                                              const unpack_options& options = {}) {
  if (detail::are_plain(options)) [[likely]]
    return detail::unpack_plain_into(out, bytes, options.rest);
  return detail::unpack_with_options_into(out, bytes, options);
}
template <unpackable T, byte_range R>
[[nodiscard]] INGOT_INLINE constexpr result<void> unpack_into(T& out, const R& bytes,
                                                              const unpack_options& options = {}) {
  return unpack_into(out, as_bytes_view(bytes), options);
}

/// Decodes `bytes` into a new value. Errors and complexity: as `unpack_into`.
template <unpackable T>
[[nodiscard]] INGOT_INLINE constexpr result<T> unpack(bytes_view bytes, const unpack_options& options = {}) {
  if (detail::are_plain(options)) [[likely]]
    return detail::unpack_plain<T>(bytes, options.rest);
  return detail::unpack_with_options<T>(bytes, options);
}
template <unpackable T, byte_range R>
[[nodiscard]] INGOT_INLINE constexpr result<T> unpack(const R& bytes, const unpack_options& options = {}) {
  return unpack<T>(as_bytes_view(bytes), options);
}
/// Decodes the output of `pack`, or returns the error of `pack`, so that the two calls can be
/// chained.
template <unpackable T>
[[nodiscard]] constexpr result<T> unpack(const result<buffer>& packed, const unpack_options& options = {}) {
  if (!packed) return fail(packed.error());
  return unpack<T>(as_bytes_view(*packed), options);
}

}} // namespace ingot::INGOT_V1
