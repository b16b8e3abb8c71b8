// SPDX-License-Identifier: Apache-2.0
// Decodes a block that was split into columns.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>

#include "block_codec.hpp"
#include "column_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Decoder for one thread. Allocates memory when it is first used: at most the decoded size of a
/// block.
class column_decoder {
public:
  explicit column_decoder(const column_table& table) noexcept : table_(table) {}
  column_decoder(const column_decoder&) = delete;
  column_decoder& operator=(const column_decoder&) = delete;
  ~column_decoder() = default;

  /// Decodes all of `split` and fills `to`, or rejects `split`. Writes no bytes outside of `to`.
  [[nodiscard]] codec_outcome decode(bytes_view split, std::span<std::byte> to) noexcept;

private:
  /// Records of one kind in the block.
  struct gathered {
    std::size_t records = 0;
    std::size_t runs = 0;
    std::size_t first = 0; ///< beginning of the first run
    const std::byte* next =
        nullptr; ///< records to be copied to their positions; null if they are there already
  };
  struct column {
    column_form form = column_form::raw;
    std::size_t width = 0;
    std::size_t values = 0;            ///< shuffled: number of values; palette: size of the palette
    unsigned bits = 0;                 ///< palette: bits of an index
    const std::byte* base = nullptr;   ///< sparse: the common value; palette: the values
    const std::byte* chosen = nullptr; ///< sparse: a bit for each value; palette: the indexes
    const std::byte* data = nullptr;
    std::size_t used = 0;   ///< sparse: values already used
    std::uint64_t last = 0; ///< delta: the previous value
  };

  [[nodiscard]] bool read_runs(split_reader& in, std::size_t size) noexcept;
  [[nodiscard]] codec_outcome read_records(split_reader& in, std::size_t kind,
                                           std::span<std::byte> to) noexcept;
  [[nodiscard]] static bool read_column(split_reader& in, column& result_column, std::size_t n) noexcept;
  [[nodiscard]] bool join(std::size_t kind, std::size_t n, std::byte* to) noexcept;
  void put_in_place(std::span<std::byte> to) noexcept;

  const column_table& table_;
  std::uint32_t runs_ = 0;
  const std::byte* kinds_of_runs_ = nullptr;
  split_reader counts_of_runs_;
  buffer storage_; ///< records that are not contiguous in the block
  std::size_t storage_used_ = 0;
  std::array<gathered, max_record_kinds + 1> kinds_;
  std::array<column, max_columns> columns_;
};

}}} // namespace ingot::INGOT_V1::detail
