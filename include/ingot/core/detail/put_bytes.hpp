// SPDX-License-Identifier: Apache-2.0
// Writes a known number of bytes to a sink of any kind. If writing fails, the sink is unchanged.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/sink.hpp>

#include <concepts>
#include <cstddef>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns true if two byte ranges have a byte in common.
[[nodiscard]] inline bool overlap(bytes_view a, bytes_view b) noexcept {
  const std::less<> before; // orders any two pointers
  return !a.empty() && !b.empty() && before(a.data(), b.data() + b.size()) &&
         before(b.data(), a.data() + a.size());
}

template <sink S>
[[nodiscard]] result<std::size_t> put_bytes(S& sink, bytes_view bytes);

/// Appends `size` bytes to a sink. `fill(to)` writes the bytes to the address `to`. Returns `size`.
/// `fill` reads `from`, which may be memory of the sink. In that case `fill` writes to a temporary
/// buffer, so that it never reads moved or overwritten bytes. Errors: `no_memory` of a `buffer` or
/// a standard container, `no_space` of other direct sinks, and the errors of a stream.
template <sink S, class Fill>
[[nodiscard]] result<std::size_t> put_into(S& sink, std::size_t size, bytes_view from, const Fill& fill) {
  const auto no_memory = [] {
    return fail(error{errc::no_memory}.with_expected("memory for what is written"));
  };
  const auto by_copy = [&]() -> result<std::size_t> {
    buffer whole;
    if (!whole.resize(size)) return no_memory();
    fill(whole.data());
    return put_bytes(sink, whole);
  };
  if constexpr (stream_sink<S>) {
    return by_copy();
  } else {
    if constexpr (requires { std::as_bytes(std::span{sink}); }) {
      if (overlap(std::as_bytes(std::span{sink}), from)) return by_copy();
    }
    if constexpr (direct_sink<S>) {
      const std::span<std::byte> space = sink.prepare(size, 0);
      if (space.size() < size) {
        if constexpr (std::same_as<S, buffer>) return no_memory();
        else return fail(error{errc::no_space}.with_expected("space for the written bytes").with_found(size));
      }
      if (overlap(space.first(size), from)) return by_copy();
      fill(space.data());
      sink.commit(size);
      return size;
    } else {
      return catch_bad_alloc([&]() -> result<std::size_t> {
        const std::size_t before = sink.size();
        sink.resize(before + size);
        fill(std::as_writable_bytes(std::span{sink}).data() + before);
        return size;
      });
    }
  }
}

/// Appends bytes that are not in the sink's memory. Calls the `write` of a stream once.
template <sink S>
[[nodiscard]] result<std::size_t> put_bytes(S& sink, bytes_view bytes) {
  if constexpr (stream_sink<S>) {
    if (const auto written = sink.write(bytes); !written) return fail(written.error());
    return bytes.size();
  } else {
    return put_into(sink, bytes.size(), {},
                    [&](std::byte* to) { copy_bytes(to, bytes.data(), bytes.size()); });
  }
}

}}} // namespace ingot::INGOT_V1::detail
