// SPDX-License-Identifier: Apache-2.0
// Bytes as blocks that are compressed each by itself, and how they become what they were. Little-endian:
//    0  length of a block before compression, 2^12 to 2^26; the last has what is left
//   [4  where records are split into columns: the length of what follows, and what they consist of, see column_table.hpp]
//    .  for each block its length here, 4 bytes each: as long as before, and it is as before; shorter, and it is compressed
//    .  the blocks, one behind the other
// The codec, whether there are columns, and the length of the whole stand elsewhere: in the header of a file or of a message.
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

inline constexpr std::size_t least_block = std::size_t{1} << 12;
inline constexpr std::size_t max_block_length = std::size_t{1} << 26;
inline constexpr std::size_t usual_block = std::size_t{1} << 18;
/// How many times longer than here a block may have been: what the formats of the codecs allow at best. So the bytes that are there
/// bound the memory that is taken for them.
[[nodiscard]] constexpr std::uint64_t most_shrinking(codec method) noexcept {
  return method == codec::lz4 ? 255 : std::uint64_t{1} << 15;
}

/// What makes blocks smaller. In a header it is one byte.
struct block_coding {
  codec method = codec::none;
  bool columns = false; ///< records are split into columns, ahead of the codec

  [[nodiscard]] constexpr bool is_none() const noexcept { return method == codec::none && !columns; }
  [[nodiscard]] constexpr std::byte byte() const noexcept {
    return static_cast<std::byte>(static_cast<unsigned>(method) | (columns ? 4U : 0U));
  }
  /// False for a byte that means nothing.
  [[nodiscard]] constexpr bool take(std::byte from) noexcept {
    const auto value = std::to_integer<unsigned>(from);
    method = static_cast<codec>(value & 3U);
    columns = (value & 4U) != 0;
    return value < 8 && (value & 3U) != 3;
  }
  [[nodiscard]] constexpr std::uint64_t most_shrinking() const noexcept {
    return columns ? most_column_shrinking : detail::most_shrinking(method);
  }
  [[nodiscard]] constexpr std::size_t max_block_length() const noexcept {
    return columns ? most_column_block : detail::max_block_length;
  }
  /// How long a writer makes the blocks of `raw` bytes if it was told `asked`, 0: nothing. Longer columns are smaller, and no slower to
  /// read. But as many threads as there may be have two blocks each to work on.
  [[nodiscard]] constexpr std::size_t block_for(std::size_t asked, std::size_t raw) const noexcept {
    if (asked != 0) return std::clamp(asked, least_block, max_block_length());
    return columns ? std::clamp(std::bit_floor(raw / 32), usual_block, max_block_length()) : usual_block;
  }
  /// Bytes in front of the blocks that tell how many more there are.
  [[nodiscard]] constexpr std::size_t head_size() const noexcept { return columns ? 8 : 4; }
};
/// Whether `stored` bytes, blocks and all that belongs to them, can become `raw` ones.
[[nodiscard]] constexpr bool can_become(block_coding coding, std::uint64_t stored,
                                        std::uint64_t raw) noexcept {
  return raw / coding.most_shrinking() <= stored;
}

/// Appends the blocks to `out`. False, and `out` is as it was, if they would not be less than the bytes. With a plan of the bytes their records are split into columns.
/// Whoever waits is told of the bytes as half of what is to be done.
[[nodiscard]] result<bool> append_blocks(buffer& out, bytes_view bytes, const compression& how,
                                         progress_ref progress = {}, const column_plan* plan = nullptr);
/// The same, with columns if the plan has records; says what was done to the bytes: nothing, and `out` is as it was.
[[nodiscard]] result<block_coding> append_smaller(buffer& out, bytes_view bytes, const compression& how,
                                                  const column_plan& plan, progress_ref progress = {});

/// Where each block is, said by anybody.
class block_table {
public:
  /// By its first bytes, as many as a head has. `stored` is the length of all, `raw` what it becomes.
  [[nodiscard]] static result<block_table> begin(block_coding coding, std::uint64_t stored, std::size_t raw,
                                                 const std::byte* first);
  /// The bytes behind those: the kinds of records, and the lengths.
  [[nodiscard]] std::size_t rest_size() const noexcept { return kinds_size_ + 4 * count_; }
  /// Takes them, and holds them against each other and the whole.
  [[nodiscard]] result<void> take(buffer&& rest);

  struct place {
    std::size_t index = 0;
    std::uint64_t at = 0; ///< of the stored bytes
    std::size_t stored = 0;
    std::size_t raw_at = 0;
    std::size_t raw = 0;

    [[nodiscard]] bool is_compressed() const noexcept { return stored != raw; }
  };
  [[nodiscard]] block_coding coding() const noexcept { return coding_; }
  [[nodiscard]] const column_table& kinds() const noexcept { return kinds_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// The most bytes that a compressed block has here.
  [[nodiscard]] std::size_t longest() const noexcept { return longest_; }
  [[nodiscard]] place first() const noexcept;
  [[nodiscard]] place behind(const place& block) const noexcept;

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

/// Where blocks come from, asked for one after the other, by the calling thread.
class block_source {
public:
  /// Gives the stored bytes of that block: somewhere, or in `room`, which has as many.
  [[nodiscard]] virtual result<bytes_view> get(const block_table::place& block,
                                               std::span<std::byte> room) = 0;
  /// An error at one of the stored bytes becomes one about what they are in.
  [[nodiscard]] virtual error located(error err) const noexcept = 0;
  /// Whether blocks are in memory, so that no room is needed.
  [[nodiscard]] virtual bool in_memory() const noexcept = 0;

protected:
  block_source() = default;
  block_source(const block_source&) = default;
  block_source& operator=(const block_source&) = default;
  ~block_source() = default;
};

/// All blocks to `to`, which has as many bytes as they become: while some are decoded the next are fetched. Of several that are wrong the
/// first is named, whatever the threads. Of memory that `grows` no byte is written before it was reached for by the calling thread.
[[nodiscard]] result<void> read_blocks(const block_table& table, block_source& source,
                                       std::span<std::byte> to, unsigned threads, pages of = pages::there,
                                       growing_memory* grows = nullptr);

}}} // namespace ingot::INGOT_V1::detail
