// SPDX-License-Identifier: Apache-2.0
// Documents as archives: small, the same bytes on every machine, without a place in them that could lead astray. For files and
// networks; what is read and edited where it lies is the document itself.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/document/archive_write.hpp>
#include <ingot/document/document.hpp>

#include <cstddef>
#include <span>

namespace ingot::inline v1 {

/// Writes a value with all in it as an archive and returns its length. Equal values, equal bytes, on every machine. O(n) in the bytes, and
/// O(k log k) for k keys that are not shared by a shape. Errors: missing_member for an absent value; no_space; no_memory;
/// too_large from 2 GiB on. After an error the sink is as it was.
template <sink S>
[[nodiscard]] result<std::size_t> archive_to(S& sink, const value& from) {
  using detail::doc::access;
  if (!from.exists()) return fail(error{errc::missing_member}.with_expected("a value that exists"));
  detail::doc::archive_writer writer(access::core_of(from)->mem());
  if (!writer.write(access::item_of(from))) return fail(writer.failure());
  const bytes_view made = writer.bytes();
  if constexpr (direct_sink<S>) {
    const auto room = sink.prepare(made.size());
    if (room.size() < made.size())
      return fail(error{errc::no_space}.with_expected("room for the archive").with_found(made.size()));
    detail::copy_bytes(room.data(), made.data(), made.size());
    sink.commit(made.size());
  } else if constexpr (stream_sink<S>) {
    if (auto written = sink.write(made); !written) return fail(written.error());
  } else {
    const std::size_t before = sink.size();
    sink.resize(before + made.size());
    detail::copy_bytes(std::as_writable_bytes(std::span{sink}).data() + before, made.data(), made.size());
  }
  return made.size();
}
/// The same into memory, from its start.
[[nodiscard]] inline result<std::size_t> archive_to(std::span<std::byte> memory, const value& from) {
  span_sink sink{memory};
  return archive_to(sink, from);
}
/// The archive of a value in a buffer of its own.
[[nodiscard]] inline result<buffer> archive(const value& from) {
  buffer bytes;
  if (auto written = archive_to(bytes, from); !written) return fail(written.error());
  return bytes;
}
[[nodiscard]] inline result<buffer> archive(const document& from) { return archive(from.root()); }

} // namespace ingot::inline v1
