// SPDX-License-Identifier: Apache-2.0
// Compares the payload of a file with its checksums, while the payload is read from the first byte
// to the last. In version 2 of files, each part of 16 KiB has a checksum in a table after the
// payload, and the header has the checksum of the table. So an error names the part that is
// damaged, and parts that were swapped are damaged.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>

#include "checksum_stream.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

class payload_checker {
public:
  explicit payload_checker(const input_file& file) noexcept : header_(file.header()), file_(&file) {}
  /// For a file that is in memory.
  payload_checker(const file_header& header, bytes_view whole_file) noexcept
      : header_(header), in_memory_(whole_file) {}

  /// Adds the next bytes of the payload. Errors: `bad_checksum` after the last byte of a damaged
  /// part; `io` if the table can't be read.
  [[nodiscard]] result<void> add(bytes_view bytes);
  /// Call this after the last byte of the payload. Errors: as `add`.
  [[nodiscard]] result<void> finish();
  /// Compares the bytes of a compressed payload before its first block with their checksum.
  [[nodiscard]] result<void> check_head(bytes_view first, bytes_view rest) const;

private:
  [[nodiscard]] result<void> read(std::span<std::byte> to, std::uint64_t from) const;
  [[nodiscard]] std::unexpected<error> about(const error& err) const noexcept;
  [[nodiscard]] std::unexpected<error> damaged_table() const noexcept;
  /// Compares the checksum of the next part with the table.
  [[nodiscard]] result<void> compare(std::uint64_t sum);
  /// Returns the error for a part that is not as the table says: the table may be damaged instead.
  [[nodiscard]] result<void> blame() const;

  const file_header& header_;
  const input_file* file_ = nullptr; ///< null if the file is in memory
  bytes_view in_memory_;
  std::uint64_t part_ = 0;               ///< parts that were compared
  std::size_t filled_ = 0;               ///< bytes of the next part in `sum_`
  checksum_stream sum_;                  ///< sums the next part; in version 1 the payload
  checksum_stream table_;                ///< sums the table
  std::array<std::byte, 1024> window_{}; ///< contains a piece of the table
};

}}} // namespace ingot::INGOT_V1::detail
