// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/detail/checksum.hpp>

#include "checksum_stream.hpp"

namespace ingot { inline namespace INGOT_V1 { namespace detail {

std::uint64_t checksum(bytes_view bytes, std::uint64_t seed) noexcept {
#if INGOT_CHECKSUM_AVX2
  if (has_avx2()) return checksum_avx2(bytes, seed);
#endif
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}}} // namespace ingot::INGOT_V1::detail
