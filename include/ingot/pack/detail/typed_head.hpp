// SPDX-License-Identifier: Apache-2.0
// The eight bytes before a typed message: how they are written and checked.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/sink.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::size_t typed_head_size = sizeof(std::uint64_t);

/// Text that ends with a fingerprint in 16 hexadecimal digits.
template <std::size_t N>
struct text_with_id {
  std::array<char, N> chars{};
  std::size_t size = 0;

  constexpr text_with_id(std::string_view text, std::uint64_t id) noexcept {
    for (const char c : text) chars[size++] = c;
    for (unsigned i = 0; i < 16; ++i) chars[size++] = "0123456789ABCDEF"[id >> (60 - 4 * i) & 0xF];
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars.data(), size}; }
};

INGOT_COLD constexpr std::unexpected<error> fail_typed_head(bytes_view bytes, std::uint64_t head,
                                                            std::uint64_t other_profile) noexcept {
  if (bytes.size() < typed_head_size)
    return fail(error{errc::truncated, bytes.size()}
                    .with_expected("8 bytes that say the type")
                    .with_found(bytes.size()));
  const auto found = load_le<std::uint64_t>(bytes.data());
  const text_with_id<64> expected("bytes that begin with the number ", head);
  const text_with_id<64> begins(found == other_profile ? "the same type in the other profile, " : "", found);
  return fail(error{errc::schema_mismatch}.with_expected(expected.view()).with_found(begins.view()));
}

/// Checks that `bytes` begins with `head`. Then calls `read` with the message that follows.
template <class Read>
constexpr auto read_typed(bytes_view bytes, std::uint64_t head, std::uint64_t other_profile, Read&& read)
    -> decltype(read(bytes)) {
  if (bytes.size() < typed_head_size || load_le<std::uint64_t>(bytes.data()) != head) [[unlikely]]
    return fail_typed_head(bytes, head, other_profile);
  auto outcome = read(bytes.subspan(typed_head_size));
  if (!outcome) [[unlikely]] {
    error err = outcome.error();
    return fail(err.with_offset(err.offset() + typed_head_size)); // relative to the caller's bytes
  }
  return outcome;
}

template <class Write>
[[nodiscard]] constexpr result<buffer> make_typed(std::uint64_t head, Write&& write) {
  buffer bytes;
  const std::span<std::byte> space = bytes.prepare(typed_head_size);
  if (space.size() < typed_head_size)
    return fail(error{errc::no_memory}.with_expected("memory for the message"));
  store_le(space.data(), head);
  bytes.commit(typed_head_size);
  if (const auto written = write(bytes); !written) return fail(written.error());
  return bytes;
}

/// Writes the head, then calls `write` with a sink for the message. `write` writes the number of
/// bytes that `measure` returns.
template <class S, class Measure, class Write>
[[nodiscard]] constexpr result<std::size_t> write_typed(S& sink, std::uint64_t head, Measure&& measure,
                                                        Write&& write) {
  if constexpr (direct_sink<S>) {
    const result<std::size_t> size = measure();
    if (!size) return fail(size.error());
    // a message has less than 4 GiB, so the sum wraps around only if size_t has 32 bits
    const std::size_t whole = *size + typed_head_size;
    if (whole < *size) return fail(error{errc::too_large}.with_expected("a message that memory holds"));
    const std::span<std::byte> space = sink.prepare(whole);
    if (space.size() < whole)
      return fail(error{errc::no_space}.with_expected("space for the whole message").with_found(whole));
    store_le(space.data(), head);
    span_sink rest{space.subspan(typed_head_size, *size)};
    if (const auto written = write(rest); !written) return written;
    sink.commit(whole);
    return whole;
  } else {
    const result<buffer> bytes = make_typed(head, write);
    if (!bytes) return fail(bytes.error());
    if constexpr (byte_container<S>) {
      return catch_bad_alloc([&]() -> result<std::size_t> {
        const std::size_t before = sink.size();
        if (bytes->size() > sink.max_size() - before)
          return fail(
              error{errc::no_space}.with_expected("space for the whole message").with_found(bytes->size()));
        sink.resize(before + bytes->size());
        const std::span space{sink};
        copy_bytes(std::as_writable_bytes(space).data() + before, bytes->data(), bytes->size());
        return bytes->size();
      });
    } else {
      if (auto written = sink.write(as_bytes_view(*bytes)); !written) return fail(written.error());
      return bytes->size();
    }
  }
}

}}} // namespace ingot::INGOT_V1::detail
