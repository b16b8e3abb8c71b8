// SPDX-License-Identifier: Apache-2.0
// Packing a large value calls the progress callback, in order and to the end, and the callback can
// cancel it. Without this a program that saves a gigabyte can neither show progress nor stop. The
// bytes must equal those of a call without callback.
#include <ingot/core/progress.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>

#include "pack/long_world.hpp"
#include "progress_tools.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace pack_progress_test {

using ingot_test::listener;

struct world {
  pack_test::long_world longest = pack_test::make_long_world();
  std::vector<std::variant<std::string, double>> either;
};

world make() {
  world w;
  for (std::uint32_t n = 0; n < 2'400; ++n) w.either.emplace_back(std::string(n % 400, 'e'));
  return w;
}
const world& whole() {
  static const world value = make();
  return value;
}

/// Cancelled at each call, and then not: the final bytes are those of a call without callback.
template <class Call>
void stop_everywhere(const ingot::buffer& bytes, std::uint64_t total, const Call& call) {
  const std::size_t min_calls = bytes.size() / (std::size_t{320} << 10);
  ASSERT_GE(min_calls, 8U);
  const auto write = [&](ingot::progress_ref progress) {
    auto written = call(progress);
    EXPECT_TRUE(!written || std::ranges::equal(*written, bytes));
    return written;
  };
  ingot_test::stop_everywhere(write, [&](const listener& reported, bool is_done) {
    if (!is_done) return;
    EXPECT_EQ(reported.calls.back(), std::pair(std::uint64_t{bytes.size()}, std::uint64_t{bytes.size()}));
    const auto written =
        std::ranges::find_if(reported.calls, [](const auto& each) { return each.first != 0; });
    EXPECT_NE(written, reported.calls.begin()) << "what is measured first is many elements";
    for (auto each = reported.calls.begin(); each != written; ++each)
      EXPECT_EQ(each->second, ingot::progress_ref::unknown) << "the total is not known yet";
    std::uint64_t before = 0;
    for (auto each = written; each + 1 != reported.calls.end(); ++each) {
      EXPECT_EQ(each->second, total);
      EXPECT_LT(each->first, bytes.size()) << "the total is reported once";
      EXPECT_LT(each->first - before, 300'000U);
      before = each->first;
    }
    EXPECT_GE(static_cast<std::size_t>(reported.calls.end() - written), min_calls);
  });
}

TEST(pack_progress, of_packed_values_is_reported_every_quarter_of_a_mebibyte) {
  const ingot::buffer bytes = ingot::pack(whole()).value();
  stop_everywhere(bytes, bytes.size(),
                  [](ingot::progress_ref progress) { return ingot::pack(whole(), progress); });
}

TEST(pack_progress, of_compact_values_reports_the_total) {
  const ingot::buffer bytes = ingot::compact::pack(whole()).value();
  stop_everywhere(bytes, ingot::progress_ref::unknown,
                  [](ingot::progress_ref progress) { return ingot::compact::pack(whole(), progress); });
}

/// Returns the number of progress calls, and how many of them come before the first byte. The bytes
/// equal those of a call without callback.
template <class T>
std::pair<std::size_t, std::size_t> calls_of(const T& value, bool compact) {
  const auto write = [&](ingot::progress_ref progress) {
    return compact ? ingot::compact::pack(value, progress) : ingot::pack(value, progress);
  };
  std::pair<std::size_t, std::size_t> calls;
  const auto count = [&calls](std::uint64_t done, std::uint64_t) {
    ++calls.first;
    calls.second += done == 0 ? 1 : 0;
    return true;
  };
  const ingot::buffer bytes = write(count).value();
  EXPECT_TRUE(std::ranges::equal(bytes, write({}).value()));
  for (const std::size_t stop_at : {std::size_t{0}, calls.first / 2, calls.first - 1}) {
    listener reported{.stop_at = stop_at};
    EXPECT_EQ(write(reported).error().code(), ingot::errc::cancelled);
    EXPECT_EQ(reported.calls.size(), stop_at + 1) << "no call after the callback has returned false";
  }
  return calls;
}

TEST(pack_progress, of_a_single_storage_is_reported_every_quarter_of_a_mebibyte) {
  struct padded {
    std::uint64_t number;
    std::uint8_t byte;
  };
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  for (const bool compact : {false, true}) {
    EXPECT_GE(calls_of(std::vector<std::uint32_t>(mebibyte, 7), compact).first, 16U);
    EXPECT_GE(calls_of(std::string(4 * mebibyte + 1, 'x'), compact).first, 17U);
    EXPECT_GE(calls_of(std::vector<padded>(mebibyte / 2), compact).first, 16U);
    EXPECT_GE(calls_of(std::vector<bool>(2 * mebibyte, true), compact).first, 7U);
  }
}

TEST(pack_progress, of_work_that_writes_nothing_is_reported_every_few_thousand_elements) {
  const std::vector<std::string> empty(100'000);
  std::unordered_map<std::uint32_t, std::uint8_t> unsorted;
  for (std::uint32_t n = 0; n < 50'000; ++n) unsorted.emplace(n * 7919, std::uint8_t{1});
  for (const bool compact : {false, true}) {
    EXPECT_GE(calls_of(empty, compact).second, 100'000U / 4096) << "each is measured";
    EXPECT_GE(calls_of(unsorted, compact).second, 16 * 50'000U / 4096)
        << "each is compared as often as it is halved";
  }
}

TEST(pack_progress, of_small_values_is_reported_once) {
  listener reported;
  const pack_test::long_entry small{"text", {1, 2}, 3};
  EXPECT_EQ(ingot::pack(small, reported).value().size(), ingot::pack(small).value().size());
  EXPECT_EQ(ingot::compact::pack(std::uint64_t{300}, reported).value().size(), 8U);
  EXPECT_EQ(reported.calls.size(), 2U);
  EXPECT_TRUE(ingot::pack(small, ingot::progress_ref()).has_value());
}

TEST(pack_progress, what_cannot_be_written_is_reported_before_anything_is) {
  listener reported;
  std::map<double, std::string> bad;
  bad.emplace(std::numeric_limits<double>::quiet_NaN(), "x");
  EXPECT_EQ(ingot::pack(bad, reported).error().code(), ingot::errc::not_canonical);
  EXPECT_EQ(ingot::compact::pack(bad, reported).error().code(), ingot::errc::not_canonical);
  EXPECT_TRUE(reported.calls.empty());
}

} // namespace pack_progress_test
