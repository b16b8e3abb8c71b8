// SPDX-License-Identifier: Apache-2.0
// Something tried again and again, each time with another allocation that fails.
#pragma once

#include <ingot/core/error.hpp>

#include "hostile/failing_memory.hpp"

#include <cstddef>
#include <optional>

#include <gtest/gtest.h>

namespace failing {

/// What an operation said: nothing when it was done.
using outcome = std::optional<ingot::errc>;
template <class R>
[[nodiscard]] outcome code_of(const R& r) {
  return r ? std::nullopt : outcome{r.error().code()};
}

/// Lets each allocation of `attempt` fail, alone and with all behind it, and tells `then` what came of it and whether
/// something was not given back. How many failed.
template <class Attempt, class Then>
std::size_t each_allocation(const char* name, Attempt&& attempt, Then&& then) {
  std::size_t failures = 0;
  for (const bool for_ever : {false, true}) {
    for (std::size_t n = 1; !testing::Test::HasFailure(); ++n) {
      SCOPED_TRACE(testing::Message()
                   << name << ", allocation " << n << (for_ever ? " and all behind it" : ""));
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
