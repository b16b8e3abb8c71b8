// SPDX-License-Identifier: Apache-2.0
// Bytes as blocks that are compressed each by itself, and how they become what they were. Little-endian:
//    0  length of a block before compression, 2^12 to 2^26; the last has what is left
//    4  for each block its length here, 4 bytes each: as long as before, and it is as before; shorter, and it is compressed
//    .  the blocks, one behind the other
// The codec and the length of the whole stand elsewhere: in the header of a file or of a message.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot::inline v1::detail {

inline constexpr std::size_t least_block = std::size_t{1} << 12;
inline constexpr std::size_t most_block = std::size_t{1} << 26;
/// How many times longer than here a block may have been: what the formats of the codecs allow at best. So the bytes that are there
/// bound the memory that is taken for them.
[[nodiscard]] constexpr std::uint64_t most_shrinking(codec method) noexcept {
  return method == codec::lz4 ? 255 : std::uint64_t{1} << 15;
}
/// Whether `stored` bytes, blocks and all that belongs to them, can become `raw` ones.
[[nodiscard]] constexpr bool can_become(codec method, std::uint64_t stored, std::uint64_t raw) noexcept {
  return raw / most_shrinking(method) <= stored;
}

/// Appends the blocks to `out`. False, and `out` is as it was, if they would not be less than the bytes. Whoever waits is told of the bytes as
/// half of what is to be done.
[[nodiscard]] result<bool> append_blocks(buffer& out, bytes_view bytes, const compression& how,
                                         progress_ref progress = {});

/// Where each block is, said by anybody.
class block_table {
public:
  /// By its first four bytes. `stored` is the length of all, `raw` what it becomes.
  [[nodiscard]] static result<block_table> begin(codec method, std::uint64_t stored, std::size_t raw,
                                                 const std::byte* first) noexcept;
  /// The bytes of the lengths, behind the first four.
  [[nodiscard]] std::size_t lengths_size() const noexcept { return 4 * count_; }
  /// Takes them, and holds them against each other and the whole.
  [[nodiscard]] result<void> take(buffer&& lengths) noexcept;

  struct place {
    std::size_t index = 0;
    std::uint64_t at = 0; ///< of the stored bytes
    std::size_t stored = 0;
    std::size_t raw_at = 0;
    std::size_t raw = 0;

    [[nodiscard]] bool is_compressed() const noexcept { return stored != raw; }
  };
  [[nodiscard]] codec method() const noexcept { return method_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// The most bytes that a compressed block has here.
  [[nodiscard]] std::size_t longest() const noexcept { return longest_; }
  [[nodiscard]] place first() const noexcept;
  [[nodiscard]] place behind(const place& block) const noexcept;

private:
  [[nodiscard]] std::size_t raw_length(std::size_t index) const noexcept;
  [[nodiscard]] std::size_t stored_length(std::size_t index) const noexcept;

  codec method_ = codec::none;
  std::uint64_t stored_ = 0;
  std::size_t raw_ = 0;
  std::size_t block_ = 0;
  std::size_t count_ = 0;
  std::size_t longest_ = 0;
  buffer lengths_;
};

/// Where blocks come from, asked for one after the other, by the calling thread.
class block_source {
public:
  /// Gives the stored bytes of that block: somewhere, or in `room`, which has as many.
  [[nodiscard]] virtual result<bytes_view> get(const block_table::place& block,
                                               std::span<std::byte> room) = 0;
  /// An error at one of the stored bytes becomes one about what they are in.
  [[nodiscard]] virtual error located(error why) const noexcept = 0;
  /// Whether blocks are in memory, so that no room is needed.
  [[nodiscard]] virtual bool in_memory() const noexcept = 0;

protected:
  block_source() = default;
  block_source(const block_source&) = default;
  block_source& operator=(const block_source&) = default;
  ~block_source() = default;
};

/// All blocks to `to`, which has as many bytes as they become: while some are decoded the next are fetched. Of several that are wrong the
/// first is named, whatever the threads.
[[nodiscard]] result<void> read_blocks(const block_table& table, block_source& source,
                                       std::span<std::byte> to, unsigned threads);

} // namespace ingot::inline v1::detail
