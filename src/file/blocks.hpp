// SPDX-License-Identifier: Apache-2.0
// Splits bytes into blocks that are compressed independently, and restores the bytes. Format,
// little-endian:
//    0  length of a block before compression, 2^12 to 2^26; the last block may be shorter
//   [4  if records are split into columns: length of the next part, which is the table of
//       record kinds, see column_table.hpp]
//    .  for each block its stored length, 4 bytes each: if it equals the length before
//       compression, the block is stored uncompressed; if it is less, the block is compressed
//    .  the blocks in order
//
// The codec, the use of columns, and the total length are stored in the header of the file or
// message.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/detail/fresh_pages.hpp>

#include "column_plan.hpp"
#include "column_table.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

inline constexpr std::size_t min_block_length = std::size_t{1} << 12;
inline constexpr std::size_t max_block_length = std::size_t{1} << 26;
inline constexpr std::size_t usual_block = std::size_t{1} << 18;
/// Maximum ratio of a block's length before compression to its stored length. The formats of the
/// codecs allow no higher ratio. So the length of the stored bytes limits the memory that is
/// allocated for the decompressed bytes.
[[nodiscard]] constexpr std::uint64_t max_ratio(codec method) noexcept {
  return method == codec::lz4 ? 255 : std::uint64_t{1} << 15;
}

/// Compression method of the blocks, stored in one byte of a header.
struct block_coding {
  codec method = codec::none;
  bool columns = false; ///< true if records are split into columns before compression

  [[nodiscard]] constexpr bool is_none() const noexcept { return method == codec::none && !columns; }
  [[nodiscard]] constexpr std::byte byte() const noexcept {
    return static_cast<std::byte>(static_cast<unsigned>(method) | (columns ? 4U : 0U));
  }
  /// Sets the method from the byte of the header. Returns false for an invalid byte.
  [[nodiscard]] constexpr bool take(std::byte from) noexcept {
    const auto value = std::to_integer<unsigned>(from);
    method = static_cast<codec>(value & 3U);
    columns = (value & 4U) != 0;
    return value < 8 && (value & 3U) != 3;
  }
  [[nodiscard]] constexpr std::uint64_t max_ratio() const noexcept {
    return columns ? max_column_ratio : detail::max_ratio(method);
  }
  [[nodiscard]] constexpr std::size_t max_block_length() const noexcept {
    return columns ? max_column_block : detail::max_block_length;
  }
  /// Returns the block length for `raw` bytes. `requested` is the writer's option; 0 selects the
  /// default. Longer blocks of columns compress better, and reading such blocks is not slower. But
  /// by default, a long input is divided into at least 32 blocks, so that 16 threads get two blocks
  /// each.
  [[nodiscard]] constexpr std::size_t block_for(std::size_t requested, std::size_t raw) const noexcept {
    if (requested != 0) return std::clamp(requested, min_block_length, max_block_length());
    return columns ? std::clamp(std::bit_floor(raw / 32), usual_block, max_block_length()) : usual_block;
  }
  /// Returns the size of the first part of the table. This part determines the size of the second
  /// part.
  [[nodiscard]] constexpr std::size_t head_size() const noexcept { return columns ? 8 : 4; }
};
/// Returns false if `stored` bytes, including tables, are too few to be decompressed to `raw` bytes
/// at the maximum ratio.
[[nodiscard]] constexpr bool can_become(block_coding coding, std::uint64_t stored,
                                        std::uint64_t raw) noexcept {
  return raw / coding.max_ratio() <= stored;
}

/// Appends the blocks to `out`. If the blocks would not be smaller than `bytes`, leaves `out`
/// unchanged and returns false. If there is a plan, splits the records of the bytes into columns.
/// The total that the progress callback gets is twice the size of `bytes`, because a caller that
/// saves a file then also writes the result.
[[nodiscard]] result<bool> append_blocks(buffer& out, bytes_view bytes, const compression& how,
                                         progress_ref progress = {}, const column_plan* plan = nullptr);
/// As `append_blocks`, with columns if the plan has records. Returns the compression used. `out` is
/// unchanged if the result has neither a codec nor columns.
[[nodiscard]] result<block_coding> append_smaller(buffer& out, bytes_view bytes, const compression& how,
                                                  const column_plan& plan, progress_ref progress = {});

/// Positions of the blocks. The bytes of the table are untrusted.
class block_table {
public:
  /// Reads the first part of the table, which has `head_size()` bytes. `stored` is the total stored
  /// length, `raw` the length after decompression.
  [[nodiscard]] static result<block_table> begin(block_coding coding, std::uint64_t stored, std::size_t raw,
                                                 const std::byte* first);
  /// Returns the size of the second part of the table: the kinds of records, and the lengths.
  [[nodiscard]] std::size_t rest_size() const noexcept { return kinds_size_ + 4 * count_; }
  /// Returns the size of the table of a payload that this library has compressed.
  [[nodiscard]] static std::size_t size_in(bytes_view stored, block_coding coding, std::size_t raw) noexcept;
  /// Reads the second part of the table. Checks all lengths against each other and against the
  /// total.
  [[nodiscard]] result<void> take(buffer&& rest);

  struct location {
    std::size_t index = 0;
    std::uint64_t at = 0; ///< position in the stored bytes
    std::size_t stored = 0;
    std::size_t raw_at = 0;
    std::size_t raw = 0;

    [[nodiscard]] bool is_compressed() const noexcept { return stored != raw; }
  };
  [[nodiscard]] block_coding coding() const noexcept { return coding_; }
  [[nodiscard]] const column_table& kinds() const noexcept { return kinds_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Returns the stored length of the longest compressed block.
  [[nodiscard]] std::size_t longest() const noexcept { return longest_; }
  [[nodiscard]] location first() const noexcept;
  [[nodiscard]] location next(const location& block) const noexcept;

private:
  [[nodiscard]] std::size_t raw_length(std::size_t index) const noexcept;
  [[nodiscard]] std::size_t stored_length(std::size_t index) const noexcept;

  block_coding coding_;
  column_table kinds_;
  std::size_t kinds_size_ = 0;
  std::uint64_t stored_ = 0;
  std::size_t raw_ = 0;
  std::size_t block_ = 0;
  std::size_t count_ = 0;
  std::size_t longest_ = 0;
  buffer rest_;
};

/// Source of blocks. The calling thread requests them in order.
class block_source {
public:
  /// Returns the stored bytes of a block: a view of the source's memory, or of `storage`. `storage`
  /// has the size of the stored block.
  [[nodiscard]] virtual result<bytes_view> get(const block_table::location& block,
                                               std::span<std::byte> storage) = 0;
  /// Converts an error about the stored bytes to an error about the file or message.
  [[nodiscard]] virtual error located(error err) const noexcept = 0;
  /// Returns true if blocks are already in memory, so that `get` needs no `storage`.
  [[nodiscard]] virtual bool in_memory() const noexcept = 0;

protected:
  block_source() = default;
  block_source(const block_source&) = default;
  block_source& operator=(const block_source&) = default;
  ~block_source() = default;
};

/// Decodes all blocks to `to`, which has the size of the result. Blocks are fetched while the
/// blocks before them are decoded. If several blocks are invalid, the error names the first of
/// these blocks, for any number of threads. If `grows` is not null, the calling thread calls
/// `grows->reach` for the bytes of a block before any thread writes these bytes.
[[nodiscard]] result<void> read_blocks(const block_table& table, block_source& source,
                                       std::span<std::byte> to, unsigned threads, pages of = pages::there,
                                       growing_memory* grows = nullptr);

}}} // namespace ingot::INGOT_V1::detail
