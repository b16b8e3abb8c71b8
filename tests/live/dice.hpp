// SPDX-License-Identifier: Apache-2.0
// Seeded random numbers as wide as sizes, so that tests draw the same operations on every platform;
// and the number of operations.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>

namespace live_test {

class dice {
public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  [[nodiscard]] std::size_t operator()() { return static_cast<std::size_t>(engine_()); }

private:
  std::mt19937_64 engine_;
};

/// Returns the number of operations on a container and its model: `usual`, or INGOT_LIVE_OPERATIONS
/// in the environment if that is greater.
template <std::integral N>
[[nodiscard]] N operations(N usual) {
  const char* const setting = std::getenv("INGOT_LIVE_OPERATIONS"); // NOLINT(concurrency-mt-unsafe)
  return setting == nullptr ? usual : std::max(usual, static_cast<N>(std::strtoul(setting, nullptr, 10)));
}

} // namespace live_test
