// SPDX-License-Identifier: Apache-2.0
// Who waits for a large value to be packed is told how far it is, in order and to the end, and can stop it. Without this a program that saves a gigabyte has
// nothing to show, and no way out, for as long as that takes; and what it is given must be the bytes that everybody else gets.
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
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace pack_progress_test {

using ingot_test::listener;

struct world {
  pack_test::long_world most = pack_test::make_long_world();
  std::vector<std::variant<std::string, double>> either;
};

world make() {
  world w;
  for (std::uint32_t n = 0; n < 2'400; ++n) w.either.emplace_back(std::string(n % 400, 'e'));
  return w;
}
const world& whole() {
  static const world made = make();
  return made;
}

/// Stopped everywhere, and then not: what is written then is what is written anyway.
template <class Call>
void stop_everywhere(const ingot::buffer& bytes, std::uint64_t total, const Call& call) {
  const std::size_t least = (bytes.size() - 800'000) / (std::size_t{320} << 10);
  ASSERT_GE(least, 8U);
  const auto write = [&](ingot::progress_ref progress) {
    auto written = call(progress);
    EXPECT_TRUE(!written || std::ranges::equal(*written, bytes));
    return written;
  };
  ingot_test::stop_everywhere(write, [&](const listener& heard, bool is_done) {
    if (!is_done) return;
    EXPECT_EQ(heard.told.back(), std::pair(std::uint64_t{bytes.size()}, std::uint64_t{bytes.size()}));
    for (std::size_t i = 0; i + 1 < heard.told.size(); ++i) {
      EXPECT_EQ(heard.told[i].second, total);
      EXPECT_LT(heard.told[i].first, bytes.size()) << "all is told once";
      if (i != 0) {
        EXPECT_LT(heard.told[i].first - heard.told[i - 1].first, 1'100'000U) << "numbers are one step";
      }
    }
    EXPECT_GE(heard.told.size(), least);
  });
}

TEST(pack_progress, of_packed_values_is_told_every_quarter_of_a_mebibyte) {
  const ingot::buffer bytes = ingot::pack(whole()).value();
  stop_everywhere(bytes, bytes.size(),
                  [](ingot::progress_ref progress) { return ingot::pack(whole(), progress); });
}

TEST(pack_progress, of_compact_values_is_told_how_much_there_is) {
  const ingot::buffer bytes = ingot::compact::pack(whole()).value();
  stop_everywhere(bytes, ingot::progress_ref::unknown,
                  [](ingot::progress_ref progress) { return ingot::compact::pack(whole(), progress); });
}

TEST(pack_progress, of_small_values_is_told_once_and_of_nobody_nothing) {
  listener heard;
  const pack_test::long_entry small{"text", {1, 2}, 3};
  EXPECT_EQ(ingot::pack(small, heard).value().size(), ingot::pack(small).value().size());
  EXPECT_EQ(ingot::compact::pack(std::uint64_t{300}, heard).value().size(), 8U);
  EXPECT_EQ(heard.told.size(), 2U);
  EXPECT_TRUE(ingot::pack(small, ingot::progress_ref()).has_value());
}

TEST(pack_progress, what_cannot_be_written_is_told_before_anything_is) {
  listener heard;
  std::map<double, std::string> bad;
  bad.emplace(std::numeric_limits<double>::quiet_NaN(), "x");
  EXPECT_EQ(ingot::pack(bad, heard).error().code(), ingot::errc::invalid_value);
  EXPECT_EQ(ingot::compact::pack(bad, heard).error().code(), ingot::errc::invalid_value);
  EXPECT_TRUE(heard.told.empty());
}

} // namespace pack_progress_test
