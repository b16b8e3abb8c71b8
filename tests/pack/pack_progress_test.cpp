// SPDX-License-Identifier: Apache-2.0
// Who waits for a large value to be packed is told how far it is, in order and to the end, and can stop it. Without this a program that saves a gigabyte has
// nothing to show, and no way out, for as long as that takes; and what it is given must be the bytes that everybody else gets.
#include <ingot/core/progress.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace pack_progress_test {

struct entry {
  std::string text;
  std::vector<std::uint16_t> numbers;
  std::uint32_t id = 0;
};
struct world {
  std::uint8_t first = 0;
  std::vector<entry> entries;
  std::map<std::uint32_t, std::string> names;
  std::deque<std::optional<std::string>> notes;
  std::unordered_map<std::string, std::uint8_t> marks;
  std::vector<std::vector<entry>> pages;
  std::vector<std::variant<std::string, double>> either;
  std::vector<double> plain;
};

world make() {
  world w;
  const auto make_entry = [](std::uint32_t n) {
    return entry{std::string(n % 700, 'a'), std::vector<std::uint16_t>(n % 200, std::uint16_t{7}), n};
  };
  for (std::uint32_t n = 0; n < 2'400; ++n) {
    w.entries.push_back(make_entry(n));
    w.names.emplace(n, std::string(n % 500, 'b'));
    w.notes.emplace_back(n % 3 == 0 ? std::nullopt : std::optional(std::string(n % 600, 'c')));
    w.marks.emplace(std::string(n % 300, 'm') + std::to_string(n), std::uint8_t{1});
    w.either.emplace_back(std::string(n % 400, 'e'));
  }
  w.pages.resize(2);
  for (std::uint32_t n = 0; n < 1'200; ++n) w.pages[1].push_back(make_entry(n));
  w.plain.assign(100'000, 0.5);
  return w;
}
const world& whole() {
  static const world made = make();
  return made;
}

struct listener {
  std::size_t stop_at = static_cast<std::size_t>(-1);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> told{};
  bool operator()(std::uint64_t done, std::uint64_t total) {
    told.emplace_back(done, total);
    return told.size() <= stop_at;
  }
};

/// Stopped at one telling after the other, and then not: what is written then is what is written anyway.
template <class Call>
void stop_everywhere(const ingot::buffer& bytes, std::uint64_t total, const Call& call) {
  const std::size_t least = (bytes.size() - 800'000) / (std::size_t{320} << 10);
  ASSERT_GE(least, 8U);
  for (std::size_t n = 0;; ++n) {
    listener heard{.stop_at = n};
    const auto done = call(ingot::progress_ref(heard));
    ASSERT_FALSE(heard.told.empty());
    EXPECT_TRUE(std::ranges::is_sorted(heard.told, {}, [](const auto& each) { return each.first; }));
    if (done) {
      EXPECT_TRUE(std::ranges::equal(*done, bytes));
      EXPECT_EQ(heard.told.back(), std::pair(std::uint64_t{bytes.size()}, std::uint64_t{bytes.size()}));
      for (std::size_t i = 0; i + 1 < heard.told.size(); ++i) {
        EXPECT_EQ(heard.told[i].second, total);
        EXPECT_LT(heard.told[i].first, bytes.size()) << "all is told once";
        if (i != 0) {
          EXPECT_LT(heard.told[i].first - heard.told[i - 1].first, 1'100'000U) << "numbers are one step";
        }
      }
      EXPECT_GE(heard.told.size(), least);
      return;
    }
    ASSERT_EQ(done.error().code(), ingot::errc::cancelled) << done.error().message();
    EXPECT_EQ(done.error().path(), "") << "it is the fault of no member";
    EXPECT_EQ(done.error().offset(), heard.told.back().first);
    EXPECT_EQ(heard.told.size(), n + 1) << "nobody is told any more who has said no";
  }
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
  const entry small{"text", {1, 2}, 3};
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
