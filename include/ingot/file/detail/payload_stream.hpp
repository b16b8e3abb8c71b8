// SPDX-License-Identifier: Apache-2.0
// The payload of a file in pieces, from the first byte to the last, for values that are decoded
// while the file is read.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/file/detail/fresh_pages.hpp>
#include <ingot/file/detail/input_file.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

class payload_stream {
public:
  /// Best size in bytes of a piece that is decoded into other memory. A piece of this size is still
  /// in the processor's cache when it is decoded. Allocators can usually provide a block of this
  /// size from free memory that they hold. They request larger blocks from the system.
  static constexpr std::size_t step = std::size_t{64} * 1024;

  /// If `check` is true, `read` and `finish` compare all bytes read with their checksums.
  payload_stream(const input_file& file, bool check) noexcept;

  /// Returns the number of bytes left.
  [[nodiscard]] std::uint64_t left() const noexcept { return size_ - done_; }
  /// Reads the next `to.size()` bytes. Requires that `to.size()` does not exceed `left()`.
  [[nodiscard]] result<void> read(std::span<std::byte> to, pages of = pages::there);
  /// Call this after the last byte was read. Compares the checksums, and checks the part of the
  /// file after the payload.
  [[nodiscard]] result<void> finish();

private:
  const input_file& file_;
  std::uint64_t size_;
  std::uint64_t done_ = 0;
  bool check_;
  alignas(64) std::array<std::byte, 2560> checker_; ///< a `payload_checker`, which is not public
};

}}} // namespace ingot::INGOT_V1::detail
