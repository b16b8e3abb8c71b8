// SPDX-License-Identifier: Apache-2.0
// Checks that a memory limit either rejects bytes or has no effect on the result.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/read_limits.hpp>

#include <cstdint>
#include <string>

namespace fuzz {

/// Calls `read(max_memory)` with the default and with `limit`. `same` compares two values. Returns
/// the contradiction between the two results, or empty text.
template <class Read, class Same>
std::string read_with_limit(std::uint64_t limit, const Read& read, const Same& same) {
  const auto without = read(ingot::read_limits::by_input);
  const auto within = read(limit);
  if (within) {
    if (!without) return "refused without a limit: " + without.error().message();
    return same(*without, *within) ? "" : "another value with a limit";
  }
  const ingot::errc code = within.error().code();
  if (code == ingot::errc::too_much_memory) return {};
  if (without) return "refused with a limit: " + within.error().message();
  return code == without.error().code() ? "" : "two reasons: " + within.error().message();
}

} // namespace fuzz
