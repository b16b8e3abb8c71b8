// SPDX-License-Identifier: Apache-2.0
// The payload of a file from its first byte to its last, in pieces, for values that are decoded as it comes in.
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
  /// What is best read at once where it is decoded into other memory: it is still in the processor's cache then, and allocators have room
  /// for so much in their hand, where more would be fresh from the system.
  static constexpr std::size_t step = std::size_t{64} * 1024;

  /// With `check`, what is read is held against its checksum, once all of it has been.
  payload_stream(const input_file& file, bool check) noexcept;

  /// Bytes that are still to come.
  [[nodiscard]] std::uint64_t left() const noexcept { return size_ - done_; }
  /// The next bytes, of which there are as many.
  [[nodiscard]] result<void> read(std::span<std::byte> to, pages of = pages::there);
  /// Behind the last byte: compares the checksums, and looks at what follows the payload.
  [[nodiscard]] result<void> finish() const;

private:
  const input_file& file_;
  std::uint64_t size_;
  std::uint64_t done_ = 0;
  bool check_;
  alignas(64) std::array<std::byte, 640> sum_; ///< a checksum in the making, of a type that users don't see
};

}}} // namespace ingot::INGOT_V1::detail
