// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstdint>

#if defined(__x86_64__) && !defined(__AVX2__) && (defined(__GNUC__) || defined(__clang__))
#define INGOT_CHECKSUM_AVX2 1
#else
#define INGOT_CHECKSUM_AVX2 0
#endif

namespace ingot { inline namespace INGOT_V1 { namespace detail {

#if INGOT_CHECKSUM_AVX2
[[nodiscard]] inline bool has_avx2() noexcept {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
/// Returns the same result as `checksum`. This function and `add_avx2` require a processor with
/// AVX2.
[[nodiscard]] std::uint64_t checksum_avx2(bytes_view bytes, std::uint64_t seed) noexcept;
/// Adds bytes to the checksum in `state`, an `XXH3_state_t`.
void add_avx2(void* state, bytes_view bytes) noexcept;
#endif

}}} // namespace ingot::INGOT_V1::detail
