// SPDX-License-Identifier: Apache-2.0
// Repeats an operation, each time with another allocation that fails.
#pragma once

#include <ingot/core/error.hpp>

#include "hostile/failing_memory.hpp"

#include <cstddef>
#include <optional>

#include <gtest/gtest.h>

namespace failing {

/// The error of an operation, or nothing if it succeeded.
using outcome = std::optional<ingot::errc>;
template <class R>
[[nodiscard]] outcome code_of(const R& r) {
  return r ? std::nullopt : outcome{r.error().code()};
}

/// Lets each allocation of `attempt` fail, alone and with all after it, and calls `then` with the
/// outcome and whether memory leaked. Returns the number of failed allocations.
template <class Attempt, class Then>
std::size_t each_allocation(const char* name, Attempt&& attempt, Then&& then) {
  std::size_t failures = 0;
  for (const bool for_ever : {false, true}) {
    for (std::size_t n = 1; !testing::Test::HasFailure(); ++n) {
      SCOPED_TRACE(testing::Message()
                   << name << ", allocation " << n << (for_ever ? " and all after it" : ""));
      const std::size_t before = memory.alive;
      memory.count = 0;
      memory.fail_at = n;
      memory.for_ever = for_ever;
      memory.active = true;
      const outcome o = attempt();
      memory.active = false;
      then(o, memory.alive != before);
      if (memory.count < n) break;
      ++failures;
    }
  }
  return failures;
}

} // namespace failing
