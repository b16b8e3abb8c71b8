// SPDX-License-Identifier: Apache-2.0
// A schema as bytes, to be stored with data. A program without the type, or with another version of
// it, learns from these bytes how to read the data. docs/format.md defines each byte.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/growing_buffer.hpp>
#include <ingot/core/detail/never_destroyed.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/schema/detail/description_reader.hpp>
#include <ingot/schema/detail/description_writer.hpp>
#include <ingot/schema/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

/// Returns the bytes of a schema. Requires that the schema is not empty. Equal schemas with equal
/// names of types, keys of tags and annotations for protobuf have equal bytes. O(n log n) in the
/// nodes of the schema. Throws `std::bad_alloc`.
[[nodiscard]] INGOT_CHECKED inline buffer schema_bytes(const schema& described) {
  INGOT_REQUIRE(!described.empty(), broken_empty("ingot::schema", "schema_bytes()"));
  const std::string text = detail::description_writer(described.nodes()).write(described.root_index());
  detail::growing_buffer bytes;
  bytes.append(text);
  return bytes.take();
}

/// Returns the description of `T`, with everything that `schema_id<T>` covers: names, kinds,
/// widths, order, enumerators, versions, and the annotations that change bytes. The description
/// also contains the names of the records' and enumerations' types, without namespaces. The first
/// call creates the description; the bytes stay valid as long as the process runs.
template <class T>
[[nodiscard]] bytes_view schema_bytes() {
  using plain = std::remove_const_t<T>;
  static_assert(detail::require_describable<plain>());
  static const detail::never_destroyed<buffer> bytes([] { return schema_bytes(schema_of<plain>()); });
  return *bytes;
}

/// Reads untrusted bytes as a schema. Accepts exactly the bytes that `schema_bytes` can write, with
/// parts nested at most 128 deep. Errors: the code of a defect and its position in bytes;
/// `no_memory`. Time O(n log n) in the bytes, and at most 512 bytes of memory for each byte.
[[nodiscard]] inline result<schema> read_schema(bytes_view bytes) {
  return detail::catch_bad_alloc([&]() -> result<schema> {
    schema found;
    const result<std::uint32_t> root = detail::description_reader(bytes, found.nodes_).read();
    if (!root) return fail(root.error());
    found.root_ = *root;
    return found;
  });
}

}} // namespace ingot::INGOT_V1
