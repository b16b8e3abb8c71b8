// SPDX-License-Identifier: Apache-2.0
// Seeded random numbers of the width of sizes, so that tests draw the same operations each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace live_test {

class dice {
public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  [[nodiscard]] std::size_t operator()() { return static_cast<std::size_t>(engine_()); }

private:
  std::mt19937_64 engine_;
};

} // namespace live_test
