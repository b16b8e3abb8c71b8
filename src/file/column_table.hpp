// SPDX-License-Identifier: Apache-2.0
// Table of the record kinds of a payload. The table is before the blocks, so that the blocks can be
// read without the type:
//    0  number of kinds of records, 1 to 255
//    .  for each kind the number of columns, 1 to 256 (number), then the width of each column in
//       bytes (numbers)
//
// Numbers have 7 bits in each byte. Kinds count from 1. Kind 0 is bytes without a description: one
// column of width 1.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::size_t max_record_kinds = 255; ///< kind 0, which is bytes, does not count
inline constexpr std::size_t max_columns = 256;
inline constexpr std::size_t max_stride = 65'535;
inline constexpr std::size_t max_table_size = std::size_t{1} << 16;
/// Maximum length of a block of columns before splitting. Each thread needs memory for three such
/// blocks.
inline constexpr std::size_t max_column_block = std::size_t{1} << 20;
/// Maximum ratio of the length of a block of columns to its stored length, for any codec.
inline constexpr std::uint64_t max_column_ratio = std::uint64_t{1} << 15;
/// Returns the maximum size of a block of `raw` bytes after it is split into columns, and before it
/// is compressed.
[[nodiscard]] constexpr std::size_t max_split(std::size_t raw) noexcept { return 2 * raw + 64; }

/// Form of a column in a block. The numbers are stored in files and messages: they never change.
enum class column_form : std::uint8_t {
  raw = 0,      ///< the values in order
  shuffled = 1, ///< the first bytes of all values, then their second bytes, and so on
  delta = 2,    ///< differences between consecutive values, shuffled
  /// A common value. Then one bit for each value: set if the value differs from the common value.
  /// Then the differing values, shuffled.
  sparse = 3,
  constant = 4, ///< one value, the value of all records
  palette = 5,  ///< the distinct values, then an index for each value
};
/// Form of the records of one kind in a block.
enum class record_form : std::uint8_t { rows = 0, columns = 1 };

/// Returns true for the widths of numbers. Columns of other widths are only `raw` or `constant`.
[[nodiscard]] constexpr bool is_number_width(std::size_t width) noexcept {
  return width == 1 || width == 2 || width == 4 || width == 8;
}

class column_table {
public:
  column_table() { kinds_.push_back({1, {1}}); }

  /// Reads a table and checks all limits. Offsets of errors count from the first byte.
  [[nodiscard]] static result<column_table> read(bytes_view bytes);
  [[nodiscard]] std::vector<std::byte> bytes() const;

  /// Returns the kind of records with these columns. Adds the kind if the table does not have it.
  /// Returns 0 if the columns exceed a limit, if there are too many kinds, or if the table has no
  /// space for another kind.
  std::uint8_t add(std::vector<std::uint16_t> widths);

  /// Returns the number of kinds, including kind 0.
  [[nodiscard]] std::size_t size() const noexcept { return kinds_.size(); }
  [[nodiscard]] std::size_t stride(std::size_t kind) const noexcept { return kinds_[kind].stride; }
  [[nodiscard]] std::span<const std::uint16_t> widths(std::size_t kind) const noexcept {
    return kinds_[kind].widths;
  }

private:
  struct record_kind {
    std::size_t stride = 0;
    std::vector<std::uint16_t> widths;
  };
  std::vector<record_kind> kinds_;
  std::size_t added_ = 1; ///< size in bytes of the added kinds in the table, including their count
};

/// Reads numbers and bytes from the front of a byte range. Reads nothing after the end of the
/// range.
struct split_reader {
  const std::byte* at = nullptr;
  std::size_t left = 0;

  /// Returns null if fewer than `n` bytes are left.
  [[nodiscard]] const std::byte* take(std::size_t n) noexcept {
    if (n > left) return nullptr;
    const std::byte* const taken = at;
    at += n;
    left -= n;
    return taken;
  }
  /// Reads a number of at most 32 bits. Accepts only the shortest encoding of the number.
  [[nodiscard]] bool number(std::uint32_t& to) noexcept {
    to = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      if (left == 0) return false;
      const auto next = std::to_integer<std::uint32_t>(*at++);
      --left;
      if (shift == 28 && next > 15) return false;
      to |= (next & 0x7FU) << shift;
      if (next < 0x80) return next != 0 || shift == 0;
    }
    return false;
  }
};

}}} // namespace ingot::INGOT_V1::detail
