// SPDX-License-Identifier: Apache-2.0
// Packed messages with the type's schema_id in front. A reader of another type rejects these
// messages, even if both types have the same layout. For example, a chat text is not read as a
// password.
//
//   ingot::buffer bytes = ingot::pack_typed(order).value();
//   ingot::result<Order> back = ingot::unpack_typed<Order>(bytes);
//   auto seen = ingot::open_typed<Order>(bytes);               // a view
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/pack/detail/typed_head.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/schema_id.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

/// Appends the `schema_id` of `T` in 8 bytes and the packed form of `value` to `sink`. Returns the
/// total number of bytes. Errors, guarantees and complexity: as `pack_to`.
template <packable T, sink S>
[[nodiscard]] constexpr result<std::size_t> pack_typed_to(S& sink, const T& value) {
  return detail::write_typed(
      sink, schema_id<T>, [&value] { return packed_size(value); },
      [&value](auto& rest) { return pack_to(rest, value); });
}
/// As the overload for a sink, but writes to the start of `memory`. Returns the number of bytes
/// written.
template <packable T>
[[nodiscard]] constexpr result<std::size_t> pack_typed_to(std::span<std::byte> memory, const T& value) {
  span_sink sink{memory};
  return pack_typed_to(sink, value);
}

/// Returns the `schema_id` of `T` in 8 bytes and the packed form of `value`. Errors and complexity:
/// as `pack`.
template <packable T>
[[nodiscard]] constexpr result<buffer> pack_typed(const T& value) {
  return detail::make_typed(schema_id<T>, [&value](buffer& rest) { return pack_to(rest, value); });
}

/// Decodes the output of `pack_typed` into `out`. Errors: `schema_mismatch` if the message is
/// compact, or of a type with another `schema_id`; `truncated` if there are fewer than 8 bytes;
/// those of `unpack_into`. After an error of the first two kinds `out` is unchanged.
template <unpackable T, byte_range R>
[[nodiscard]] constexpr result<void> unpack_typed_into(T& out, const R& bytes,
                                                       const unpack_options& options = {}) {
  return detail::read_typed(as_bytes_view(bytes), schema_id<T>, ~schema_id<T>,
                            [&](bytes_view message) { return unpack_into(out, message, options); });
}
/// Decodes the output of `pack_typed` into a new value. Errors: as `unpack_typed_into`.
template <unpackable T, byte_range R>
[[nodiscard]] constexpr result<T> unpack_typed(const R& bytes, const unpack_options& options = {}) {
  return detail::read_typed(as_bytes_view(bytes), schema_id<T>, ~schema_id<T>,
                            [&](bytes_view message) { return unpack<T>(message, options); });
}
/// Returns a view of the output of `pack_typed`. The view borrows the bytes. Errors:
/// `schema_mismatch` and `truncated` as `unpack_typed_into`, and those of `view<T>::open`.
template <packable T, byte_range R>
[[nodiscard]] constexpr result<view<T>> open_typed(const R& bytes) {
  return detail::read_typed(as_bytes_view(bytes), schema_id<T>, ~schema_id<T>,
                            [](bytes_view message) { return detail::open_view<T>(message, false); });
}
/// Not available: the buffer would be destroyed before the view is used.
template <packable T>
void open_typed(buffer&&) = delete; // ingot: put the bytes into a variable first

}} // namespace ingot::INGOT_V1
