// SPDX-License-Identifier: Apache-2.0
// Reads protobuf messages into reflected types. `to_proto` prints the message type for a C++ type.
// The bytes may be untrusted.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/protobuf/detail/take_messages.hpp>
#include <ingot/protobuf/options.hpp>

#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf {

/// Reads into an existing object. The object may be in a live block.
///
/// Members that are missing from the message become zero, empty or absent, regardless of their
/// initializers, because proto3 omits zeros. Unknown fields, including groups, are skipped. A known
/// field with another wire type is an error. If a field is repeated, the last scalar or string
/// counts, and the last entry for each key counts. Repeated messages are merged. Repeated lists are
/// appended. Lists of scalars may be packed or not. Arrays must have all their elements or none. A
/// document field without bytes is null. After reading, `range`, `max_size`, `utf8`, versions and
/// hooks are checked.
///
/// Errors have the offset and the path: truncated, bad_length, bad_variant (an unknown wire type,
/// or the end of another group), type_mismatch (another wire type than the field's), out_of_range,
/// bad_enum, not_canonical (a key that is NaN), missing_member (an enumeration without zero, or an
/// adapted class that rejects zero), invalid_utf8, too_long, duplicate_key (in sets, and in maps
/// that are not protobuf maps), too_deep (`options::max_depth`), too_large (2 GiB), those of limits
/// and hooks, no_memory, cancelled (by `options::progress`). After an error `out` is valid and
/// holds a part of the message.
///
/// O(bytes), and the time that the containers need for insertions. The memory for each byte of the
/// message is limited; the limit depends on the type.
template <class T>
[[nodiscard]] result<void> read_into(T& out, bytes_view bytes, const options& how = {}) {
  static_assert(ingot::detail::require_storable<T>());
  return ingot::detail::catch_bad_alloc([&]() -> result<void> {
    if (bytes.size() > detail::max_bytes)
      return fail(error{errc::too_large}.with_expected("a message of less than 2 GiB"));
    detail::reading from(bytes, how);
    if (!detail::decode_message(from, out)) return from.failure();
    return from.finish();
  });
}
/// Returns a new value. Rules and errors are those of `read_into`.
template <class T>
[[nodiscard]] result<T> read(bytes_view bytes, const options& how = {}) {
  if constexpr (std::is_default_constructible_v<T> && kind_of<T> != kind::adapted) {
    return ingot::detail::catch_bad_alloc([&]() -> result<T> {
      result<T> value{std::in_place};
      if (const auto done = read_into(*value, bytes, how); !done) return fail(done.error());
      return value;
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

}}} // namespace ingot::INGOT_V1::protobuf
