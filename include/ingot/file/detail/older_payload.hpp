// SPDX-License-Identifier: Apache-2.0
// Prepares payloads of files, and records of logs, for the decoder of the current type. Rewrites
// bytes of another version of the type, by the schema in their file. These functions are compiled
// once, in the library: they know the current type only by its graph (see type_graph.hpp).
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/read_limits.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/options.hpp>
#include <ingot/schema/detail/type_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns the bytes of the schema that `describe` describes, as `schema_bytes` does.
[[nodiscard]] buffer description_bytes(type_describer describe);

/// Reads the payload into memory that is not zeroed first.
[[nodiscard]] result<buffer> read_bytes(const input_file& file, const load_options& options);

/// Bytes to decode, and their properties.
struct bytes_to_decode {
  bytes_view bytes;
  bool is_compact = false;
  bool is_rewritten = false; ///< true: positions in `bytes` are not positions in the file
  read_limits limits{};
};

/// Rewrites packed or compact bytes of another version of a type as packed bytes of the current
/// type. Move only.
class older_version {
public:
  older_version() noexcept = default;
  older_version(older_version&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {}
  older_version& operator=(older_version&& other) noexcept {
    std::swap(plan_, other.plan_);
    return *this;
  }
  older_version(const older_version&) = delete;
  older_version& operator=(const older_version&) = delete;
  ~older_version();

  /// Returns the conversion from the file's schema to the type. Errors: `schema_mismatch`, with the
  /// path of the first member that prevents the conversion.
  [[nodiscard]] static result<older_version> of(const input_file& file, type_drawer type);
  explicit operator bool() const noexcept { return plan_ != nullptr; }

  /// Replaces the bytes by bytes of the current type, and stores the new bytes in `storage`. Does
  /// nothing if the bytes are packed and both versions have the same packed form. If `tracker` is
  /// not null, it reports two passes: validating the bytes and rewriting them. Errors: those of
  /// validating the bytes, with the offset in the bytes and the path in the older version;
  /// `too_large`, `no_memory`, `cancelled`.
  [[nodiscard]] result<void> rewrite(bytes_to_decode& what, std::vector<std::byte>& storage,
                                     progress_tracker* tracker) const;

private:
  struct conversion;
  explicit older_version(const conversion* plan) noexcept : plan_(plan) {}
  const conversion* plan_ = nullptr; ///< owned
};

}}} // namespace ingot::INGOT_V1::detail
