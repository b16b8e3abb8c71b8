// SPDX-License-Identifier: Apache-2.0
// Checksum of bytes that come in pieces.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/file/detail/checksum.hpp>

#include "checksum_avx2.hpp"

#include <cstdint>

// xxHash is compiled into this library, so that programs need not link another library.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

class checksum_stream {
public:
  explicit checksum_stream(std::uint64_t seed = 0) noexcept {
    // Older versions of xxHash read the state's previous seed in the next call. So the state is
    // reset first.
    static_cast<void>(XXH3_64bits_reset(&state_));
    if (seed != 0) static_cast<void>(XXH3_64bits_reset_withSeed(&state_, seed));
  }
  void add(bytes_view bytes) noexcept {
#if INGOT_CHECKSUM_AVX2
    if (has_avx2()) return add_avx2(&state_, bytes);
#endif
    static_cast<void>(XXH3_64bits_update(&state_, bytes.data(), bytes.size()));
  }
  /// Begins another checksum, with the seed 0.
  void restart() noexcept { static_cast<void>(XXH3_64bits_reset(&state_)); }
  [[nodiscard]] std::uint64_t finish() const noexcept { return XXH3_64bits_digest(&state_); }

private:
  XXH3_state_t state_;
};

}}} // namespace ingot::INGOT_V1::detail
