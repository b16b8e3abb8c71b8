// SPDX-License-Identifier: Apache-2.0
// Saves and loads packable values. The functions that encode and decode a type are compiled for
// each type, and are called through pointers. All other functions are compiled once, in the
// library.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/atomic_value.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/older_payload.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/file/options.hpp>
#include <ingot/pack/detail/encoder.hpp>
#include <ingot/pack/detail/level.hpp>
#include <ingot/schema/detail/type_graph.hpp>
#include <ingot/schema/detail/walk.hpp>

#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The description of a type that its files contain. `bytes` are valid until the process ends.
struct embedded_schema {
  schema_form form = schema_form::none;
  bytes_view bytes;
};

/// The bytes of the schema of one type; null before the first use.
struct schema_cache {
  atomic_value<const buffer*> bytes;
};
/// Returns the description of a type whose files contain packed or compact bytes.
[[nodiscard]] embedded_schema cached_schema(schema_cache& cache, type_describer describe);

/// The functions of a packable type that `save` needs.
struct saved_type {
  std::uint64_t schema_id;
  schema_cache* cache;
  type_describer describe;
  /// encodes without progress reports, and executes fewer instructions than `packed` and `compact`
  result<std::size_t> (*pack)(buffer& to, bool is_compact, const void* value);
  const encoder* packed;
  const encoder* compact;
};
/// The functions of a packable type that `load` needs.
struct loaded_type {
  type_drawer draw;
  /// decodes the bytes of `from` into the object at `out`
  bool (*read)(reader& from, bool is_compact, void* out);
};

/// Saves the value. Errors: as `save`.
[[nodiscard]] result<void> save_packed(file_system& system, path_ref path, const saved_type& type,
                                       const void* value, const save_options& options);
/// Saves bytes that are in memory. Errors: as `save`.
[[nodiscard]] result<void> save_bytes(file_system& system, path_ref path, const file_info& info,
                                      bytes_view payload, bytes_view schema, const save_options& options);

/// Opens the file and loads the object at `out`. Errors: as `load`.
[[nodiscard]] result<void> load_packed(file_system& system, path_ref path, const file_identity& wanted,
                                       const loaded_type& type, void* out, const load_options& options);
/// Reads the payload of a file into the object at `out`. `schema_id` is the fingerprint of the type
/// of this object.
[[nodiscard]] result<void> read_packed(const input_file& file, std::uint64_t schema_id,
                                       const loaded_type& type, void* out, const load_options& options);
/// Decodes bytes of the current type into the object at `out`, with progress unless `tracker` is
/// null. The offset of an error is 0 for bytes that were rewritten.
[[nodiscard]] result<void> decode_packed(const bytes_to_decode& what, const loaded_type& type, void* out,
                                         progress_tracker* tracker);

}}} // namespace ingot::INGOT_V1::detail
