// SPDX-License-Identifier: Apache-2.0
// Where bytes go. A writer needs two things of a sink: memory to write into, and a moment at which the written bytes
// count. Until then nothing shows, so a failed write leaves the sink unchanged.
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

/// A sink that lends its memory. `prepare(need, keep)` returns at least `need` bytes behind the committed ones, whose
/// first `keep` bytes are as an earlier `prepare` left them, or an empty span. `commit(n)` makes the first `n` of them
/// part of the contents.
template <class S>
concept direct_sink = requires(S& sink, std::size_t n) {
  { sink.prepare(n, n) } -> std::convertible_to<std::span<std::byte>>;
  sink.commit(n);
};

/// A sink that takes finished bytes and can't take them back: it gets one call, once encoding has succeeded.
template <class S>
concept stream_sink = !direct_sink<S> && requires(S& sink, bytes_view bytes) {
  { sink.write(bytes) } -> std::same_as<result<void>>;
};

namespace detail {

template <class S>
concept byte_container = std::same_as<S, std::vector<std::byte>> ||
                         std::same_as<S, std::vector<unsigned char>> || std::same_as<S, std::string>;

} // namespace detail

/// What `pack_to` and similar functions write to.
template <class S>
concept sink = direct_sink<S> || stream_sink<S> || detail::byte_container<S>;

/// Memory that somebody else owns. Writes from its beginning; `written()` is what was committed.
class span_sink {
public:
  explicit constexpr span_sink(std::span<std::byte> memory) noexcept : memory_(memory) {}

  [[nodiscard]] constexpr std::span<std::byte> written() const noexcept { return memory_.first(size_); }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  constexpr void clear() noexcept { size_ = 0; }

  [[nodiscard]] constexpr std::span<std::byte> prepare(std::size_t need, std::size_t = 0) noexcept {
    return memory_.size() - size_ < need ? std::span<std::byte>{} : memory_.subspan(size_);
  }
  constexpr void commit(std::size_t n) noexcept { size_ += n; }

private:
  std::span<std::byte> memory_;
  std::size_t size_ = 0;
};

/// Writes to a `std::ostream`, or to what has its `write` and converts to whether that succeeded. It brings no header of
/// streams. A stream that has failed is `errc::io`. The stream must live as long as the sink.
///
///   ingot::ostream_sink out(std::cout);
///   auto written = ingot::json::write_to(out, value);
template <class Stream>
class ostream_sink {
public:
  explicit constexpr ostream_sink(Stream& stream) noexcept : stream_(&stream) {}

  [[nodiscard]] result<void> write(bytes_view bytes) {
    stream_->write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::ptrdiff_t>(bytes.size()));
    if (!*stream_) return fail(error{errc::io}.with_expected("a stream that takes all bytes"));
    return {};
  }

private:
  Stream* stream_;
};

}} // namespace ingot::INGOT_V1
