// SPDX-License-Identifier: Apache-2.0
// Compact messages with the type's schema_id in front; see typed.hpp. The bits of the schema_id are
// inverted, so that a reader of packed messages rejects compact messages of the same type.
#pragma once

#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/detail/typed_head.hpp>
#include <ingot/schema/schema_id.hpp>

#include <cstddef>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace compact {

/// Appends the inverted `schema_id` of `T` in 8 bytes and the compact form of `value` to `sink`.
/// Returns the total number of bytes. Errors, guarantees and complexity: as `compact::pack_to`.
template <packable T, sink S>
[[nodiscard]] constexpr result<std::size_t> pack_typed_to(S& sink, const T& value) {
  return detail::write_typed(
      sink, ~schema_id<T>, [&value] { return compact::packed_size(value); },
      [&value](auto& rest) { return compact::pack_to(rest, value); });
}
/// As the overload for a sink, but writes to the start of `memory`. Returns the number of bytes
/// written.
template <packable T>
[[nodiscard]] constexpr result<std::size_t> pack_typed_to(std::span<std::byte> memory, const T& value) {
  span_sink sink{memory};
  return compact::pack_typed_to(sink, value);
}
/// Returns the inverted `schema_id` of `T` in 8 bytes and the compact form of `value`. Errors: as
/// `compact::pack`.
template <packable T>
[[nodiscard]] constexpr result<buffer> pack_typed(const T& value) {
  return detail::make_typed(~schema_id<T>, [&value](buffer& rest) { return compact::pack_to(rest, value); });
}

/// Decodes the output of `compact::pack_typed` into `out`. Errors: as `ingot::unpack_typed_into`.
template <unpackable T, byte_range R>
[[nodiscard]] constexpr result<void> unpack_typed_into(T& out, const R& bytes,
                                                       const unpack_options& options = {}) {
  return detail::read_typed(as_bytes_view(bytes), ~schema_id<T>, schema_id<T>,
                            [&](bytes_view message) { return compact::unpack_into(out, message, options); });
}
/// Decodes the output of `compact::pack_typed` into a new value. Errors: as
/// `ingot::unpack_typed_into`.
template <unpackable T, byte_range R>
[[nodiscard]] constexpr result<T> unpack_typed(const R& bytes, const unpack_options& options = {}) {
  return detail::read_typed(as_bytes_view(bytes), ~schema_id<T>, schema_id<T>,
                            [&](bytes_view message) { return compact::unpack<T>(message, options); });
}
/// Returns a view of the output of `compact::pack_typed`. The view borrows the bytes. Errors: as
/// `ingot::open_typed`.
template <packable T, byte_range R>
[[nodiscard]] result<view<T>> open_typed(const R& bytes) {
  return detail::read_typed(as_bytes_view(bytes), ~schema_id<T>, schema_id<T>,
                            [](bytes_view message) { return view<T>::open(message); });
}
/// Not available: the buffer would be destroyed before the view is used.
template <packable T>
void open_typed(buffer&&) = delete; // ingot: put the bytes into a variable first

}}} // namespace ingot::INGOT_V1::compact
