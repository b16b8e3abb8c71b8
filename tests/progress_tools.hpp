// SPDX-License-Identifier: Apache-2.0
// Progress callbacks that record calls and cancel operations, shared by tests of progress.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace ingot_test {

/// Records progress. Cancels at the call with index `stop_at`.
struct listener {
  std::size_t stop_at = static_cast<std::size_t>(-1);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls{}; ///< done, and the total

  bool operator()(std::uint64_t done, std::uint64_t total) {
    calls.emplace_back(done, total);
    return calls.size() <= stop_at;
  }
  /// Returns true if `done` never decreased.
  [[nodiscard]] bool is_in_order() const {
    return std::ranges::is_sorted(calls, {}, [](const auto& each) { return each.first; });
  }
};

/// Tests cancel an operation at each of its n progress calls, so they run it n times. They cancel
/// at the first `all_until` calls, and skip more and more of the later ones, so that all runs
/// together cost four times the work, or twice in sampled tests. Complete tests cancel at each
/// call, except for long operations, which are `seldom` cancelled.
inline std::size_t all_until(bool seldom = false) {
  // NOLINTBEGIN(concurrency-mt-unsafe)
  const bool is_full = std::getenv("INGOT_TEST_FULL") != nullptr;
  const bool is_sampled = std::getenv("INGOT_TEST_SAMPLED") != nullptr;
  // NOLINTEND(concurrency-mt-unsafe)
  if (is_full) return seldom ? 3 : static_cast<std::size_t>(-1);
  return is_sampled ? 1 : seldom ? 2 : 3;
}
inline std::size_t next_stop(std::size_t n, std::size_t until = all_until()) { return n + 1 + n / until; }
/// Options of `stop_everywhere`.
struct stopping {
  bool is_placed = true;            ///< the error's offset is the position of the cancellation
  std::size_t rarely = all_until(); ///< from this call on, more and more calls are skipped
};

/// Thrown by a callback to end an operation.
struct enough {};
/// Calls `call(progress)` with callbacks that throw at the first, the second and the third report:
/// the exception reaches the caller, and nothing is reported after it.
template <class Call>
void throw_everywhere([[maybe_unused]] const Call& call) {
#ifdef __cpp_exceptions
  for (const std::size_t at : {1U, 2U, 3U}) {
    std::size_t calls = 0;
    const auto throws = [&](std::uint64_t, std::uint64_t) -> bool {
      if (++calls == at) throw enough{};
      return true;
    };
    bool is_thrown = false;
    try {
      static_cast<void>(call(ingot::progress_ref(throws)));
    } catch (const enough&) {
      is_thrown = true;
    }
    EXPECT_EQ(is_thrown, calls >= at) << "the exception was lost";
    EXPECT_LE(calls, at) << "a report after an exception";
  }
#endif
}

/// Repeats `call(progress)`, cancelled later each time, until it is not cancelled.
/// `judge(reported, is_done)` checks the calls of each run. After a cancellation there must be no
/// further call, and the error must have no path. Before that, `throw_everywhere`.
template <class Call, class Judge>
void stop_everywhere(const Call& call, const Judge& judge, const stopping& how = {}) {
  ingot_test::throw_everywhere(call);
  for (std::size_t n = 0;; n = next_stop(n, how.rarely)) {
    listener reported{.stop_at = n};
    const auto done = call(ingot::progress_ref(reported));
    ASSERT_FALSE(reported.calls.empty());
    EXPECT_TRUE(reported.is_in_order());
    judge(std::as_const(reported), done.has_value());
    if (done) return;
    ASSERT_EQ(done.error().code(), ingot::errc::cancelled) << done.error().message();
    EXPECT_EQ(done.error().path(), "") << "it is the fault of no member";
    if (how.is_placed) {
      EXPECT_EQ(done.error().offset(), reported.calls.back().first);
    }
    ASSERT_EQ(reported.calls.size(), n + 1) << "no call after the callback has returned false";
  }
}

} // namespace ingot_test
