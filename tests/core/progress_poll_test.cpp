// SPDX-License-Identifier: Apache-2.0
// The progress of one call: which numbers its callback gets, when the call ends, and that nothing
// is polled without a callback.
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/detail/progress_tracker.hpp>
#include <ingot/core/progress.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace progress_poll_test {

using ingot::errc;
using ingot::progress_ref;
using ingot::detail::progress_poll;
using ingot::detail::progress_tracker;

constexpr std::uint64_t step = progress_tracker::step;
using reports = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Records the calls, and returns false at call number `no_at`, counted from 1.
struct recorder {
  std::size_t no_at = 0;
  reports calls{};
  bool operator()(std::uint64_t done, std::uint64_t total) {
    calls.emplace_back(done, total);
    return calls.size() != no_at;
  }
};

TEST(progress_poll, without_callback_is_never_due) {
  progress_poll unset;
  progress_poll null(nullptr, 100);
  progress_tracker silent;
  progress_tracker silent_too(progress_ref(), 100);
  progress_poll of_silent(&silent, 100);
  progress_poll of_silent_too(&silent_too, 100);
  for (progress_poll* each : {&unset, &null, &of_silent, &of_silent_too}) {
    EXPECT_FALSE(each->asks());
    for (std::size_t i = 0; i < 20'000; ++i) {
      ASSERT_TRUE(each->should_continue(std::uint64_t{1} << i % 64));
      ASSERT_TRUE(each->step_should_continue(i));
    }
    EXPECT_TRUE(each->should_continue(~std::uint64_t{0}));
    EXPECT_TRUE(each->should_continue_now(7));
    EXPECT_EQ(each->run_end(3, 1'000'000, 1'000), 1'000'000U) << "one run is the whole loop";
    EXPECT_FALSE(each->stopped());
  }
  EXPECT_TRUE(silent.finish().has_value());
  EXPECT_TRUE(silent_too.finish().has_value());
}

TEST(progress_poll, reports_every_256_kib_and_every_4096_steps) {
  recorder by;
  progress_tracker tracker(by, 10 * step);
  progress_poll poll(&tracker, 10 * step);
  ASSERT_TRUE(poll.asks());
  for (std::uint64_t done = 0; done < 3 * step + 10; ++done) ASSERT_TRUE(poll.should_continue(done));
  EXPECT_EQ(by.calls, (reports{{step, 10 * step}, {2 * step, 10 * step}, {3 * step, 10 * step}}));
  by.calls.clear();
  for (std::size_t i = 0; i < 2 * progress_poll::often; ++i) ASSERT_TRUE(poll.step_should_continue());
  EXPECT_EQ(by.calls, (reports{{3 * step, 10 * step}, {3 * step, 10 * step}})) << "no byte more is done";
  by.calls.clear();
  ASSERT_TRUE(poll.should_continue_now(4 * step));
  EXPECT_EQ(by.calls, (reports{{4 * step, 10 * step}}));
  EXPECT_EQ(poll.bytes_until_poll(4 * step), step);
  EXPECT_EQ(poll.bytes_until_poll(6 * step), 0U);
}

TEST(progress_poll, run_end_is_the_element_after_about_256_kib) {
  recorder by;
  progress_tracker tracker(by, step);
  const progress_poll poll(&tracker, step);
  EXPECT_EQ(poll.run_end(0, 10, 8), 10U) << "few elements are one run";
  EXPECT_EQ(poll.run_end(0, 1'000'000, 8), step / 8 + 1);
  EXPECT_EQ(poll.run_end(5, 1'000'000, 8), step / 8 + 6);
  EXPECT_EQ(poll.run_end(5, 100, 10 * step), 6U) << "an element that is larger is a run of its own";
  EXPECT_EQ(poll.run_end(0, 1'000'000, 0), 1'000'000U) << "elements without bytes take no time";
  EXPECT_EQ(poll.run_end(999'999, 1'000'000, 8), 1'000'000U);
}

TEST(progress_poll, after_a_cancellation_returns_false_and_calls_nobody) {
  for (const std::size_t no_at : {1U, 2U, 3U}) {
    recorder by{no_at};
    progress_tracker tracker(by, 10 * step);
    progress_poll poll(&tracker, 10 * step);
    std::uint64_t done = 0;
    while (poll.should_continue(done)) ++done;
    EXPECT_EQ(done, no_at * step);
    EXPECT_TRUE(poll.stopped());
    EXPECT_TRUE(tracker.stopped());
    for (std::size_t i = 0; i < 10'000; ++i) {
      ASSERT_FALSE(poll.should_continue(0));
      ASSERT_FALSE(poll.step_should_continue());
    }
    EXPECT_FALSE(poll.should_continue_now(9 * step));
    tracker.begin_pass();
    EXPECT_FALSE(progress_poll(&tracker, step).should_continue(step)) << "nor in the next pass";
    EXPECT_EQ(tracker.finish().error().code(), errc::cancelled);
    EXPECT_EQ(tracker.cancelled().error().offset(), no_at * step) << "the last number";
    EXPECT_EQ(tracker.cancelled().error().path(), "");
    EXPECT_EQ(by.calls.size(), no_at);
  }
}

TEST(progress_poll, steps_are_cancelled_as_well) {
  recorder by{2};
  progress_tracker tracker(by, 100);
  progress_poll poll(&tracker, 100);
  std::size_t steps = 0;
  while (poll.step_should_continue(steps)) ++steps;
  EXPECT_EQ(steps, 2 * progress_poll::often - 1);
  EXPECT_FALSE(poll.step_should_continue());
  EXPECT_FALSE(poll.should_continue(0));
  EXPECT_EQ(by.calls.size(), 2U);
}

TEST(progress_tracker, adds_passes_up_and_scales_them) {
  recorder by;
  progress_tracker tracker(by, 300, 100);
  EXPECT_TRUE(tracker.report(50, 100));
  EXPECT_TRUE(tracker.report(30, 100)) << "parts are nested: a smaller number repeats the last one";
  tracker.begin_pass(200);
  EXPECT_TRUE(tracker.report(10, 1'000)) << "ten of a thousand count as two of 200";
  EXPECT_TRUE(tracker.report(500, 1'000));
  EXPECT_TRUE(tracker.report(1'000, 1'000)) << "only the end of the call reports the total";
  EXPECT_TRUE(tracker.report(5'000, 1'000));
  ASSERT_TRUE(tracker.finish().has_value());
  EXPECT_EQ(by.calls,
            (reports{{50, 300}, {50, 300}, {102, 300}, {200, 300}, {200, 300}, {200, 300}, {300, 300}}));
}

TEST(progress_tracker, of_an_unknown_total_reports_the_size_at_the_end) {
  recorder by;
  progress_tracker tracker(by, progress_ref::unknown, 0);
  EXPECT_TRUE(tracker.report(7, progress_ref::unknown)) << "a pass that reports no bytes";
  tracker.begin_pass(progress_ref::unknown);
  EXPECT_TRUE(tracker.report(10, progress_ref::unknown));
  ASSERT_TRUE(tracker.finish(20).has_value());
  EXPECT_EQ(by.calls, (reports{{0, progress_ref::unknown}, {10, progress_ref::unknown}, {20, 20}}));

  recorder nothing;
  EXPECT_TRUE(progress_tracker(nothing, 0).finish().has_value());
  EXPECT_TRUE(nothing.calls.empty()) << "no bytes are not reported";
  recorder last{1};
  EXPECT_EQ(progress_tracker(last, 9).finish().error().offset(), 9U) << "the last report cancels too";
}

TEST(progress_tracker, copies_in_pieces_only_if_somebody_listens) {
  std::vector<std::byte> from(3 * step + 5, std::byte{3});
  std::vector<std::byte> to(from.size());
  recorder by;
  progress_tracker tracker(by, 2 * from.size(), from.size());
  EXPECT_TRUE(ingot::detail::copy_with_progress(to.data(), from, tracker));
  EXPECT_EQ(to, from);
  ASSERT_EQ(by.calls.size(), 4U);
  EXPECT_EQ(by.calls.back().first, from.size());
  std::vector<std::byte> again(from.size());
  recorder stops{2};
  progress_tracker stopped(stops, from.size());
  EXPECT_FALSE(ingot::detail::copy_with_progress(again.data(), from, stopped));
  EXPECT_EQ(stops.calls.size(), 2U);
  EXPECT_EQ(again.back(), std::byte{0}) << "the rest was not copied";
  progress_tracker silent;
  EXPECT_TRUE(ingot::detail::copy_with_progress(again.data(), from, silent));
  EXPECT_EQ(again, from);
}

#ifdef __cpp_exceptions
TEST(progress_tracker, keeps_what_the_callback_throws_until_the_call_ends) {
  std::size_t calls = 0;
  const auto throws = [&](std::uint64_t, std::uint64_t) -> bool {
    if (++calls == 2) throw std::runtime_error("enough");
    return true;
  };
  const auto stopped_by = [&](auto end) {
    calls = 0;
    progress_tracker tracker(throws, 10 * step);
    progress_poll poll(&tracker, 10 * step);
    static_assert(noexcept(poll.should_continue(0)) && noexcept(poll.step_should_continue()) &&
                  noexcept(tracker.report(0, 0)));
    std::uint64_t done = 0;
    while (poll.should_continue(done)) ++done;
    EXPECT_EQ(done, 2 * step);
    EXPECT_FALSE(poll.step_should_continue());
    EXPECT_TRUE(poll.stopped());
    EXPECT_EQ(calls, 2U);
    EXPECT_THROW(end(tracker), std::runtime_error);
  };
  stopped_by([](progress_tracker& tracker) { static_cast<void>(tracker.finish()); });
  stopped_by([](progress_tracker& tracker) { static_cast<void>(tracker.cancelled()); });
  stopped_by([](progress_tracker& tracker) { tracker.rethrow(); });
  const auto throws_at_end = [](std::uint64_t, std::uint64_t) -> bool { throw std::runtime_error("end"); };
  progress_tracker last(throws_at_end, 5);
  EXPECT_THROW(static_cast<void>(last.finish()), std::runtime_error);
}
#endif

TEST(listener_poll, calls_a_listener_that_reports_by_itself) {
  struct ask {
    std::size_t* calls;
    bool listens;
    bool operator()(std::uint64_t, std::uint64_t) const { return ++*calls != 2; }
    explicit operator bool() const { return listens; }
  };
  std::size_t calls = 0;
  const ask listens{&calls, true};
  ingot::detail::listener_poll poll(listens);
  std::size_t steps = 0;
  while (poll.step_should_continue()) ++steps;
  EXPECT_EQ(steps, 2 * progress_poll::often - 1);
  EXPECT_EQ(calls, 2U);
  EXPECT_TRUE(poll.stopped());
  poll.rethrow(); // nothing was thrown
  const ask silent{&calls, false};
  ingot::detail::listener_poll nobody(silent);
  EXPECT_FALSE(nobody.asks());
  EXPECT_TRUE(nobody.should_continue_now());
  EXPECT_EQ(calls, 2U);
#ifdef __cpp_exceptions
  struct thrower {
    bool operator()(std::uint64_t, std::uint64_t) const { throw std::runtime_error("enough"); }
    explicit operator bool() const { return true; }
  };
  const thrower throws;
  ingot::detail::listener_poll by(throws);
  EXPECT_FALSE(by.should_continue_now());
  EXPECT_THROW(by.rethrow(), std::runtime_error);
#endif
}

} // namespace progress_poll_test
