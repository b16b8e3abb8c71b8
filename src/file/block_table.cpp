// SPDX-License-Identifier: Apache-2.0
#include <ingot/core/endian.hpp>

#include "blocks.hpp"

#include <algorithm>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

constexpr std::size_t stored_length_size = 4;

} // namespace

result<block_table> block_table::begin(block_coding coding, std::uint64_t stored, std::size_t raw,
                                       const std::byte* first) {
  const auto block = load_le<std::uint32_t>(first);
  if (block < min_block_length || block > coding.max_block_length()) {
    return fail(error{errc::bad_length}
                    .with_expected(coding.columns ? "the length of a block, 2^12 to 2^20"
                                                  : "the length of a block, 2^12 to 2^26")
                    .with_found(block));
  }
  block_table table;
  table.coding_ = coding;
  if (coding.columns) {
    const auto size = load_le<std::uint32_t>(first + 4);
    if (size > max_table_size || size > stored - coding.head_size()) {
      return fail(error{errc::bad_length, 4}
                      .with_expected("the length of the description of records, up to 2^16")
                      .with_found(size));
    }
    table.kinds_size_ = size;
  }
  table.stored_ = stored;
  table.raw_ = raw;
  table.block_ = block;
  table.count_ = raw / block + (raw % block != 0 ? 1 : 0);
  // A block has at least one byte. So the stored bytes limit the number of lengths, and thereby the
  // memory for the lengths.
  if ((stored - coding.head_size() - table.kinds_size_) / (stored_length_size + 1) < table.count_)
    return fail(error{errc::truncated, stored}.with_expected("the length of each block, and the blocks"));
  return table;
}

std::size_t block_table::size_in(bytes_view stored, block_coding coding, std::size_t raw) noexcept {
  const auto block = load_le<std::uint32_t>(stored.data());
  const std::size_t kinds = coding.columns ? load_le<std::uint32_t>(stored.data() + 4) : 0;
  return coding.head_size() + kinds + stored_length_size * (raw / block + (raw % block != 0 ? 1 : 0));
}

std::size_t block_table::raw_length(std::size_t index) const noexcept {
  return std::min(block_, raw_ - index * block_);
}
std::size_t block_table::stored_length(std::size_t index) const noexcept {
  return load_le<std::uint32_t>(rest_.data() + kinds_size_ + stored_length_size * index);
}

result<void> block_table::take(buffer&& rest) {
  rest_ = std::move(rest);
  if (coding_.columns) {
    auto kinds = column_table::read(bytes_view(rest_).first(kinds_size_));
    if (!kinds) {
      error err = kinds.error();
      return fail(err.with_offset(err.offset() + coding_.head_size()));
    }
    kinds_ = std::move(*kinds);
  }
  std::uint64_t left = stored_ - coding_.head_size() - rest_.size();
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t length = stored_length(i);
    const std::size_t raw = raw_length(i);
    if (length == 0 || length > raw || !can_become(coding_, length, raw)) {
      return fail(error{errc::bad_length, coding_.head_size() + kinds_size_ + stored_length_size * i}
                      .with_expected("a length that a block of this size can have")
                      .with_found(length));
    }
    if (length > left) return fail(error{errc::truncated, stored_}.with_expected("all bytes of the blocks"));
    left -= length;
    if (length != raw) longest_ = std::max(longest_, length);
  }
  if (left != 0)
    return fail(error{errc::trailing_bytes, stored_ - left}.with_expected("the end of the last block"));
  return {};
}

block_table::location block_table::first() const noexcept {
  location found;
  found.at = coding_.head_size() + rest_.size();
  if (count_ != 0) {
    found.stored = stored_length(0);
    found.raw = raw_length(0);
  }
  return found;
}
block_table::location block_table::next(const location& block) const noexcept {
  location found;
  found.index = block.index + 1;
  found.at = block.at + block.stored;
  found.raw_at = block.raw_at + block.raw;
  if (found.index < count_) {
    found.stored = stored_length(found.index);
    found.raw = raw_length(found.index);
  }
  return found;
}

}}} // namespace ingot::INGOT_V1::detail
