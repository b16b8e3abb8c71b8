// SPDX-License-Identifier: Apache-2.0
// Computes digits on processors with the 52-bit multiplications of AVX-512 (Zen 4, Ice Lake and
// later). This takes a third of the instructions that digits.hpp takes.
#pragma once

#include "digits.hpp"

#include <cstdint>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define INGOT_JSON_IFMA 1
#else
#define INGOT_JSON_IFMA 0
#endif

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

#if INGOT_JSON_IFMA
[[nodiscard]] inline bool has_ifma() noexcept {
  static const bool has = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                          __builtin_cpu_supports("avx512vl") != 0 &&
                          __builtin_cpu_supports("avx512ifma") != 0 &&
                          __builtin_cpu_supports("avx512vbmi") != 0;
  return has;
}
/// As `put_natural`. This function and all functions below require a processor with these
/// instructions.
[[nodiscard, gnu::returns_nonnull]] char* put_natural_ifma(char* to, std::uint64_t value) noexcept;
/// Writes sixteen digits of a number below 10^16. Returns the number of digits without zeros at the
/// end, at least 1.
[[nodiscard]] unsigned put_sixteen_ifma(char* to, std::uint64_t value) noexcept;

/// Has the functions of `sixteen_digits` that writing a fraction needs.
class sixteen_digits_ifma {
public:
  explicit sixteen_digits_ifma(std::uint64_t value) noexcept : value_(value) {}
  void put(char* to) noexcept { size_ = put_sixteen_ifma(to, value_); }
  [[nodiscard]] unsigned size_without_zeros() const noexcept { return size_; }

private:
  std::uint64_t value_;
  unsigned size_ = 0;
};
#else
[[nodiscard]] constexpr bool has_ifma() noexcept { return false; }
[[nodiscard, gnu::returns_nonnull]] inline char* put_natural_ifma(char* to, std::uint64_t value) noexcept {
  return put_natural(to, value);
}
using sixteen_digits_ifma = sixteen_digits;
#endif

}}} // namespace ingot::INGOT_V1::json::detail
