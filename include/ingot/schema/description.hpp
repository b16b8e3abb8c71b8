// SPDX-License-Identifier: Apache-2.0
// A schema as bytes, to be kept beside data: who finds the data later, with another type or with none, learns from them
// what was written. docs/format.md says what each byte means.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/core/error.hpp>
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
#include <vector>

namespace ingot::inline v1 {

namespace detail {

template <class T>
inline constexpr bool names_can_be_described = [] {
  schema_walk walk;
  walk.look_at_names();
  describe<T>(walk);
  return walk.names_are_plain();
}();

} // namespace detail

/// The bytes of a schema that is not empty. Schemas that are equal have equal bytes, whatever types they came from.
/// O(n log n) in the schema's nodes.
[[nodiscard]] inline std::vector<std::byte> schema_bytes(const schema& described) {
  const std::string text = detail::description_writer(described.nodes()).write(described.root_index());
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// The description of `T`, with everything that `schema_id<T>` covers: names, kinds, widths, order, enumerators, versions,
/// annotations that change bytes. Made by the first call; the bytes live as long as the process.
template <class T>
[[nodiscard]] bytes_view schema_bytes() {
  using plain = std::remove_const_t<T>;
  static_assert(detail::require_storable<plain>());
  static_assert(
      detail::names_can_be_described<plain>,
      "ingot: names of members and enumerators are carried in descriptions as UTF-8 without control "
      "characters: give this one another name by ingot::rename");
  static const std::vector<std::byte> bytes = schema_bytes(schema_of<plain>());
  return bytes;
}

/// Foreign bytes as a schema: accepted are exactly the bytes that a `schema_bytes` could have made, which may lie in each
/// other 128 parts deep. Errors name the byte; `no_memory`. Time O(n log n) in the bytes, memory at most 512 bytes for each.
[[nodiscard]] inline result<schema> read_schema(bytes_view bytes) {
  return detail::guard_memory([&]() -> result<schema> {
    schema found;
    const result<std::uint32_t> root = detail::description_reader(bytes, found.nodes_).read();
    if (!root) return fail(root.error());
    found.root_ = *root;
    return found;
  });
}

} // namespace ingot::inline v1
