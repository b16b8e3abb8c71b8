// SPDX-License-Identifier: Apache-2.0
// Encodes and decodes one block with one codec. Only this file and its source use the codecs'
// libraries.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/file/compression.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

enum class codec_outcome : std::uint8_t {
  done,
  rejected, ///< too little space, or bytes that the codec never writes
  no_memory,
};

/// Encoder for one thread. Allocates memory when it is first needed.
class block_encoder {
public:
  explicit block_encoder(const compression& how) noexcept : how_(how) {}
  block_encoder(const block_encoder&) = delete;
  block_encoder& operator=(const block_encoder&) = delete;
  ~block_encoder();

  /// Writes the encoded bytes to `to`, and the number of encoded bytes to `length`.
  [[nodiscard]] codec_outcome encode(bytes_view raw, std::span<std::byte> to, std::size_t& length) noexcept;

private:
  [[nodiscard]] codec_outcome encode_at_length(bytes_view raw, std::span<std::byte> to,
                                               std::size_t& length) noexcept;

  compression how_;
  void* state_ = nullptr;
  buffer scratch_;
};

/// Decoder for one thread. Allocates memory when it is first needed.
class block_decoder {
public:
  explicit block_decoder(codec method) noexcept : method_(method) {}
  block_decoder(const block_decoder&) = delete;
  block_decoder& operator=(const block_decoder&) = delete;
  ~block_decoder();

  /// Decodes all of `stored` and fills `to`, or rejects `stored`. Writes no bytes outside of `to`.
  [[nodiscard]] codec_outcome decode(bytes_view stored, std::span<std::byte> to) noexcept {
    std::size_t length = 0;
    const codec_outcome outcome = decode_up_to(stored, to, length);
    return outcome == codec_outcome::done && length != to.size() ? codec_outcome::rejected : outcome;
  }
  /// As `decode`, but may fill only the beginning of `to`. Writes the number of bytes to `length`.
  [[nodiscard]] codec_outcome decode_up_to(bytes_view stored, std::span<std::byte> to,
                                           std::size_t& length) noexcept;

private:
  codec method_;
  void* state_ = nullptr;
};

}}} // namespace ingot::INGOT_V1::detail
