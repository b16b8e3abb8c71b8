// SPDX-License-Identifier: Apache-2.0
// Finds the damaged parts of a file, and names the bytes that are lost.
//
//   if (auto found = ingot::find_damage("world.ingot"); found && found->lost_bytes != 0)
//     for (const auto& lost : found->ranges()) tell(lost.offset, lost.size);
//
//   ingot::damage_report lost; // loads what is left: the lost bytes are zeros
//   auto world = ingot::load<ingot::live<World>>("world.ingot", {.zero_damaged = &lost});
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/file/file_system.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 {

/// The bytes of a file's payload that are lost. Has a fixed size: the memory does not depend on the
/// file.
struct damage_report {
  /// Lost bytes, one after the other.
  struct range {
    std::uint64_t offset = 0;      ///< in the payload, before compression
    std::uint64_t size = 0;        ///< in bytes of the payload
    std::uint64_t file_offset = 0; ///< position in the file of the bytes that contain them
    std::uint64_t file_size = 0;   ///< in bytes of the file
  };
  /// Maximum number of ranges that are listed. Further ranges are only counted.
  static constexpr std::size_t max_listed = 64;

  /// Returns the first ranges, ascending. O(1). The span is valid as long as the report.
  [[nodiscard]] std::span<const range> ranges() const noexcept {
    return std::span(listed).first(range_count < max_listed ? static_cast<std::size_t>(range_count)
                                                            : max_listed);
  }

  std::uint64_t range_count = 0;          ///< number of ranges, listed or not
  std::uint64_t lost_bytes = 0;           ///< bytes of the payload in all ranges
  std::array<range, max_listed> listed{}; ///< use `ranges()`
};

/// Finds the bytes of the payload that are lost because parts of the file are damaged. Compares the
/// file with its checksums, but does not validate the value. A payload of more than 16 KiB has a
/// checksum for each 16 KiB of it in the file. If such a part is damaged, its bytes are lost; of a
/// compressed payload, all blocks that lie in this part, even in a piece of it. The whole payload
/// is lost if it has only one checksum, or if the table of checksums or the table of blocks is
/// damaged. Damage of the header is an error, and damage of the schema is not looked for.
///
/// O(bytes of the file). Takes memory of at most 32 bytes for each part; for a compressed payload,
/// also for the bytes before its first block.
///
/// Errors: as `peek_file`; `unsupported` for logs and for files that are edited in place, which
/// have no checksum of the payload (`recover` checks a log); `no_memory`.
[[nodiscard]] result<damage_report> find_damage(path_ref path, file_system& system = system_files());

}} // namespace ingot::INGOT_V1
