// SPDX-License-Identifier: Apache-2.0
// Protobuf's bytes as reflected types: of the message that `to_proto` prints of them. The bytes may be anybody's.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/core/error.hpp>
#include <ingot/protobuf/detail/take_parts.hpp>
#include <ingot/protobuf/options.hpp>

#include <type_traits>
#include <utility>

namespace ingot::inline v1::protobuf {

/// Reads into an object that is there, live ones for instance; members that the message lacks become zero, empty or absent, whatever their
/// initialisers say, for proto3 leaves out zeros. Unknown fields, and known ones of another wire type, are passed over. Where a field comes twice
/// the last scalar, text or entry of a key counts, messages are merged, and lists go on; lists of scalars may be packed or not. Arrays have all their elements or none.
/// A document's field without bytes is null. Then `range`, `max_size`, `utf8`, versions and hooks are asked. Errors carry the offset and the path: truncated, bad_length, bad_variant (a wire type), out_of_range,
/// bad_enum, missing_member (an enumeration that has no zero, an adapted class that refuses it), invalid_utf8, too_long, duplicate_key (of sets, and of maps that are none of protobuf's), too_deep (`options::max_depth`),
/// unsupported (groups), too_large (2 GiB), what limits and hooks say, no_memory. After one, `out` is valid and holds some of the message.
/// O(bytes) and what the containers take; memory at most a constant of the type for each byte.
template <class T>
[[nodiscard]] result<void> read_into(T& out, bytes_view bytes, const options& how = {}) {
  static_assert(ingot::detail::require_storable<T>());
  return ingot::detail::guard_memory([&]() -> result<void> {
    if (bytes.size() > detail::most_bytes)
      return fail(error{errc::too_large}.with_expected("a message of less than 2 GiB"));
    detail::reading from(bytes, how.max_depth);
    if (!detail::take_whole(from, out)) return from.why().failure();
    return {};
  });
}
/// A new value. Errors and rules as `read_into`.
template <class T>
[[nodiscard]] result<T> read(bytes_view bytes, const options& how = {}) {
  if constexpr (std::is_default_constructible_v<T> && kind_of<T> != kind::adapted) {
    return ingot::detail::guard_memory([&]() -> result<T> {
      result<T> made{std::in_place};
      if (const auto done = read_into(*made, bytes, how); !done) return fail(done.error());
      return made;
    });
  } else {
    static_assert(kind_of<T> == kind::adapted,
                  "ingot::protobuf: read makes a default-constructed object first: give the class a default "
                  "constructor, or specialise ingot::adapt");
    auto stored = read<adapted_t<T>>(bytes, how);
    if (!stored) return fail(stored.error());
    return ingot::detail::adapt_from<T>(std::move(*stored));
  }
}

} // namespace ingot::inline v1::protobuf
