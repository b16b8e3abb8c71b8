// SPDX-License-Identifier: Apache-2.0
// What the records of a payload consist of, as it stands in front of its blocks, so that they can be read without the type:
//    0  number of kinds of records, 1 to 255
//    .  for each of them how many columns, 1 to 256 (number), then the width of each in bytes (numbers)
// Numbers have 7 bits a byte. Kinds count from 1: kind 0 are bytes of which nothing is known, one column of width 1.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::size_t most_record_kinds = 255; ///< besides bytes
inline constexpr std::size_t max_columns = 256;
inline constexpr std::size_t max_stride = 65'535;
inline constexpr std::size_t most_table = std::size_t{1} << 16;
/// A block of columns is no longer, before: threads have room for three of them.
inline constexpr std::size_t most_column_block = std::size_t{1} << 20;
/// How many times longer than here a block of columns may have been, whatever its codec.
inline constexpr std::uint64_t most_column_shrinking = std::uint64_t{1} << 15;
/// What a block of so many bytes may be when it is split, before its codec.
[[nodiscard]] constexpr std::size_t max_split(std::size_t raw) noexcept { return 2 * raw + 64; }

/// How a column lies in a block. The numbers are in files and messages: they never change.
enum class column_form : std::uint8_t {
  raw = 0,      ///< the values, one behind the other
  shuffled = 1, ///< their first bytes, then their second ones, ...
  delta = 2,    ///< each less the one before it, shuffled
  sparse = 3,   ///< a value, a bit for each that says whether it is another one, those shuffled
  constant = 4, ///< the value that all are
  palette = 5,  ///< the values there are, then for each which one it is
};
/// How records of one kind lie in a block.
enum class record_form : std::uint8_t { rows = 0, columns = 1 };

/// Only of columns as wide as a number there is more than to be raw or constant.
[[nodiscard]] constexpr bool is_number_width(std::size_t width) noexcept {
  return width == 1 || width == 2 || width == 4 || width == 8;
}

class column_table {
public:
  column_table() { kinds_.push_back({1, {1}}); }

  /// Holds them against all limits. Offsets of errors count from the first byte.
  [[nodiscard]] static result<column_table> read(bytes_view bytes);
  [[nodiscard]] std::vector<std::byte> bytes() const;

  /// The kind of records of such columns; 0 if they can't be one, or if there are too many kinds already, or no room for another in the table.
  std::uint8_t add(std::vector<std::uint16_t> widths);

  /// How many kinds there are, bytes included.
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
  std::size_t added_ = 1; ///< how many bytes those that were added take, with their number
};

/// Takes bytes off the front of others, as long as there are any.
struct split_reader {
  const std::byte* at = nullptr;
  std::size_t left = 0;

  /// Null where there aren't as many.
  [[nodiscard]] const std::byte* take(std::size_t n) noexcept {
    if (n > left) return nullptr;
    const std::byte* const taken = at;
    at += n;
    left -= n;
    return taken;
  }
  /// A number of at most 32 bits, as short as it can be.
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
