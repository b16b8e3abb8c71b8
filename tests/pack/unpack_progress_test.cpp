// SPDX-License-Identifier: Apache-2.0
// Decoding a long message calls the progress callback, in order and to the end, and the callback
// can cancel it. Without this a program that reads a gigabyte can neither show progress nor stop.
#include <ingot/core/detail/config.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/schema.hpp>

#include "pack/long_world.hpp"
#include "progress_tools.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace unpack_progress_test {

using ingot_test::listener;
using world = pack_test::long_world;

/// The same type in a later version.
struct new_entry {
  std::uint64_t id = 0;
  std::string text;
  std::vector<std::uint32_t> numbers;
  std::string added = "new";
};
struct new_world {
  std::vector<new_entry> entries;
  std::map<std::uint64_t, std::string> names;
  std::vector<std::vector<new_entry>> pages;
};

const world& whole() {
  static const world value = pack_test::make_long_world();
  return value;
}

/// Cancelled at one call after the other, with growing distances, and then not: the last call
/// reports the total.
template <class Call>
void stop_everywhere(std::uint64_t total, std::size_t min_calls, const Call& call) {
  const auto judge = [&](const listener& reported, bool is_done) {
    for (const auto& each : reported.calls) EXPECT_EQ(each.second, total);
    if (!is_done) return;
    EXPECT_EQ(reported.calls.back().first, total);
    EXPECT_EQ(std::ranges::count(reported.calls, std::pair(total, total)), 1) << "the total is reported once";
    EXPECT_GE(reported.calls.size(), min_calls);
  };
  ingot_test::stop_everywhere(call, judge, {.is_placed = false, .rarely = ingot_test::all_until(true)});
}

TEST(unpack_progress, of_packed_values_is_reported_every_quarter_of_a_mebibyte) {
  const ingot::buffer bytes = ingot::pack(whole()).value();
  const std::size_t expected_calls = (bytes.size() - 800'000) / (std::size_t{256} << 10);
  ASSERT_GE(expected_calls, 10U);
  stop_everywhere(bytes.size(), expected_calls / 2, [&](ingot::progress_ref progress) {
    auto outcome = ingot::unpack<world>(bytes, {.progress = progress});
    EXPECT_TRUE(!outcome || *outcome == whole());
    return outcome;
  });
  world target;
  stop_everywhere(bytes.size(), expected_calls / 2, [&](ingot::progress_ref progress) {
    return ingot::unpack_into(target, bytes, {.progress = progress});
  });
  EXPECT_TRUE(target == whole());
}

TEST(unpack_progress, of_compact_values_is_reported) {
  const ingot::buffer bytes = ingot::compact::pack(whole()).value();
  stop_everywhere(bytes.size(), 6, [&](ingot::progress_ref progress) {
    auto outcome = ingot::compact::unpack<world>(bytes, {.progress = progress});
    EXPECT_TRUE(!outcome || *outcome == whole());
    return outcome;
  });
}

TEST(unpack_progress, of_a_single_storage_is_reported_every_quarter_of_a_mebibyte) {
  struct padded {
    std::uint64_t number = 7;
    std::uint8_t byte = 1;
    bool operator==(const padded&) const = default;
  };
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  // Packed elements of one size whose form in memory differs are one step.
  const auto check = [](const auto& value, bool packed_at_once = true) {
    using type = std::remove_cvref_t<decltype(value)>;
    const ingot::buffer packed = ingot::pack(value).value();
    stop_everywhere(packed.size(), packed_at_once ? 1 : packed.size() >> 18,
                    [&](ingot::progress_ref progress) {
                      auto outcome = ingot::unpack<type>(packed, {.progress = progress});
                      EXPECT_TRUE(!outcome || *outcome == value);
                      return outcome;
                    });
    const ingot::buffer compact = ingot::compact::pack(value).value();
    stop_everywhere(compact.size(), compact.size() >> 18, [&](ingot::progress_ref progress) {
      auto outcome = ingot::compact::unpack<type>(compact, {.progress = progress});
      EXPECT_TRUE(!outcome || *outcome == value);
      return outcome;
    });
  };
  check(std::vector<std::uint32_t>(mebibyte, 7), std::endian::native != std::endian::little);
  check(std::vector<padded>(mebibyte / 4));
  check(std::vector<bool>(2 * mebibyte, true));
  check(std::deque<double>(mebibyte / 4, 0.5));
}

TEST(unpack_progress, of_values_of_an_older_type_is_reported_three_times) {
  const auto conversion = ingot::evolution<new_world>::from(ingot::schema_bytes<world>());
  ASSERT_TRUE(conversion.has_value()) << conversion.error().message();
  const auto same = ingot::evolution<world>::from(ingot::schema_bytes<world>());
  const ingot::buffer packed = ingot::pack(whole()).value();
  const ingot::buffer compact = ingot::compact::pack(whole()).value();
  const auto check = [&](const auto& outcome) {
    if (!outcome) return;
    ASSERT_EQ(outcome->entries.size(), whole().entries.size());
    for (std::size_t i = 0; i < outcome->entries.size(); ++i) {
      ASSERT_EQ(outcome->entries[i].text, whole().entries[i].text);
      ASSERT_EQ(outcome->entries[i].added, "new");
    }
    EXPECT_EQ(outcome->names.size(), whole().names.size());
    EXPECT_EQ(outcome->pages[1].size(), whole().pages[1].size());
  };
  stop_everywhere(3 * packed.size(), 20, [&](ingot::progress_ref progress) {
    auto outcome = conversion->unpack(packed, {.progress = progress});
    check(outcome);
    return outcome;
  });
  stop_everywhere(3 * compact.size(), 15, [&](ingot::progress_ref progress) {
    auto outcome = conversion->unpack_compact(compact, {.progress = progress});
    check(outcome);
    return outcome;
  });
  stop_everywhere(packed.size(), 5,
                  [&](ingot::progress_ref progress) { return same->unpack(packed, {.progress = progress}); });
  stop_everywhere(compact.size(), 5, [&](ingot::progress_ref progress) {
    return same->unpack_compact(compact, {.progress = progress});
  });
}

TEST(unpack_progress, of_what_is_wrong_is_no_other_error) {
  ingot::buffer bytes = ingot::pack(whole()).value();
  for (std::size_t at = 5; at < bytes.size(); at += bytes.size() / 40) {
    const std::byte saved = bytes.data()[at];
    bytes.data()[at] ^= std::byte{0x81};
    listener reported;
    const auto quiet = ingot::unpack<world>(bytes);
    const auto with_progress = ingot::unpack<world>(bytes, {.progress = reported});
    ASSERT_EQ(quiet.has_value(), with_progress.has_value()) << at;
    if (!quiet) {
      EXPECT_EQ(quiet.error().message(), with_progress.error().message()) << at;
    }
    bytes.data()[at] = saved;
  }
  const auto cut = ingot::bytes_view(bytes).first(bytes.size() - 1);
  EXPECT_EQ(ingot::unpack<world>(cut).error().message(),
            ingot::unpack<world>(cut, {.progress = listener{}}).error().message());
}

TEST(unpack_progress, of_no_bytes_and_without_a_callback) {
  listener reported;
  EXPECT_TRUE(ingot::unpack<std::vector<std::string>>(ingot::pack(std::vector<std::string>{}).value(),
                                                      {.progress = reported}));
  EXPECT_EQ(reported.calls.size(), 1U);
  EXPECT_TRUE(ingot::unpack<std::string>(ingot::bytes_view{}, {.progress = reported}));
  EXPECT_EQ(reported.calls.size(), 1U) << "no call for no bytes";
  const ingot::buffer bytes = ingot::pack(whole()).value();
  EXPECT_TRUE(ingot::unpack<world>(bytes, {.progress = ingot::progress_ref()}).value() == whole());
}

#if INGOT_EXCEPTIONS
TEST(unpack_progress, what_is_thrown_goes_through) {
  const ingot::buffer bytes = ingot::pack(whole()).value();
  const auto throws = [](std::uint64_t, std::uint64_t) -> bool { throw 7; };
  EXPECT_THROW(static_cast<void>(ingot::unpack<world>(bytes, {.progress = throws})), int);
}
#endif

} // namespace unpack_progress_test
