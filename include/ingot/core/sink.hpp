// SPDX-License-Identifier: Apache-2.0
// Destinations of bytes. A writer needs two operations of a sink: one that returns memory to write
// into, and one that commits the written bytes. Bytes are not visible before the commit, so a
// failed write leaves the sink unchanged.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/fixed_buffer.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// A sink that lends its memory. `prepare(need, keep)` returns at least `need` bytes after the
/// committed ones, or an empty span. The first `keep` of these bytes have the values that the
/// caller wrote after an earlier `prepare`. `commit(n)` adds the first `n` prepared bytes to the
/// contents.
template <class S>
concept direct_sink = requires(S& sink, std::size_t n) {
  { sink.prepare(n, n) } -> std::convertible_to<std::span<std::byte>>;
  sink.commit(n);
};

/// A sink that can't discard bytes, such as a file or socket. A writer calls `write` once, after
/// the encoding has succeeded.
template <class S>
concept stream_sink = !direct_sink<S> && requires(S& sink, bytes_view bytes) {
  { sink.write(bytes) } -> std::same_as<result<void>>;
};

namespace detail {

template <class S>
concept byte_container = std::same_as<S, std::vector<std::byte>> ||
                         std::same_as<S, std::vector<unsigned char>> || std::same_as<S, std::string>;

} // namespace detail

/// A destination of `pack_to` and similar functions.
template <class S>
concept sink = direct_sink<S> || stream_sink<S> || detail::byte_container<S>;

/// A sink in memory of the caller. Writes from the start of the memory; `written()` returns the
/// committed bytes.
class span_sink {
public:
  /// `memory` must outlive the sink.
  explicit constexpr span_sink(std::span<std::byte> memory) noexcept : memory_(memory) {}

  /// Returns the committed bytes. O(1).
  [[nodiscard]] constexpr std::span<std::byte> written() const noexcept { return memory_.first(size_); }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  constexpr void clear() noexcept { size_ = 0; }

  /// Returns all free bytes, or an empty span if fewer than `need` bytes are free.
  [[nodiscard]] constexpr std::span<std::byte> prepare(std::size_t need, std::size_t = 0) noexcept {
    return memory_.size() - size_ < need ? std::span<std::byte>{} : memory_.subspan(size_);
  }
  /// Makes the first `n` prepared bytes part of `written()`.
  constexpr void commit(std::size_t n) noexcept { size_ += n; }

private:
  std::span<std::byte> memory_;
  std::size_t size_ = 0;
};

/// Writes to a `std::ostream`. Other classes are possible, too: they need the same function
/// `write`, and a conversion to bool that is true after a successful write. This header does not
/// include <ostream>. The stream must live as long as the sink. Errors: `io` if the stream has
/// failed.
///
///   ingot::ostream_sink out(std::cout);
///   auto written = ingot::json::write_to(out, value);
template <class Stream>
class ostream_sink {
public:
  /// `stream` must outlive the sink.
  explicit constexpr ostream_sink(Stream& stream) noexcept : stream_(&stream) {}

  /// Writes all bytes. Errors: `io` if the stream has failed.
  [[nodiscard]] result<void> write(bytes_view bytes) {
    stream_->write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::ptrdiff_t>(bytes.size()));
    if (!*stream_) return fail(error{errc::io}.with_expected("a stream that takes all bytes"));
    return {};
  }

private:
  Stream* stream_;
};

}} // namespace ingot::INGOT_V1
