// SPDX-License-Identifier: Apache-2.0
// Inner loop of the checksum for processors with AVX2. On such processors this loop is twice as
// fast as the portable loop; see checksum_stream.hpp.
#include "checksum_avx2.hpp"

#if INGOT_CHECKSUM_AVX2

// The headers of intrinsics are included before the target changes, because the functions of these
// headers have targets of their own.
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define XXH_INLINE_ALL
#define XXH_VECTOR 2 // XXH_AVX2
#include <xxhash.h>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

std::uint64_t checksum_avx2(bytes_view bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}
void add_avx2(void* state, bytes_view bytes) noexcept {
  static_cast<void>(XXH3_64bits_update(static_cast<XXH3_state_t*>(state), bytes.data(), bytes.size()));
}

}}} // namespace ingot::INGOT_V1::detail

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
