// SPDX-License-Identifier: Apache-2.0
// Who waits for a long message to be decoded is told how far it is, in order and to the end, and can stop it. Without this a program that reads a gigabyte
// has nothing to show, and no way out, for as long as that takes.
#include <ingot/core/detail/config.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/schema/schema.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace unpack_progress_test {

struct entry {
  std::string text;
  std::vector<std::uint16_t> numbers;
  std::uint32_t id = 0;
  bool operator==(const entry&) const = default;
};
struct world {
  std::uint8_t first = 0;
  std::vector<entry> entries;
  std::map<std::uint32_t, std::string> names;
  std::deque<std::optional<std::string>> notes;
  std::unordered_map<std::string, std::uint8_t> marks;
  std::vector<std::vector<entry>> pages;
  std::vector<double> plain;
  bool operator==(const world&) const = default;
};
/// The same, years later.
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

/// Stopped at one telling after the other, the later ones further apart, and then not: the last says that all is done.
template <class Call>
void stop_everywhere(std::uint64_t total, std::size_t least, const Call& call) {
  for (std::size_t n = 0;; n += 1 + n / 3) {
    listener heard{.stop_at = n};
    const auto done = call(ingot::progress_ref(heard));
    ASSERT_FALSE(heard.told.empty());
    EXPECT_TRUE(std::ranges::is_sorted(heard.told));
    for (const auto& each : heard.told) EXPECT_EQ(each.second, total);
    if (done) {
      EXPECT_EQ(heard.told.back().first, total);
      EXPECT_EQ(std::ranges::count(heard.told, std::pair(total, total)), 1) << "all is told once";
      EXPECT_GE(heard.told.size(), least);
      return;
    }
    ASSERT_EQ(done.error().code(), ingot::errc::cancelled) << done.error().message();
    EXPECT_EQ(done.error().path(), "") << "it is the fault of no member";
    EXPECT_EQ(heard.told.size(), n + 1) << "nobody is told any more who has said no";
  }
}

TEST(unpack_progress, of_packed_values_is_told_every_quarter_of_a_mebibyte) {
  const ingot::buffer bytes = ingot::pack(whole()).value();
  const std::size_t told = (bytes.size() - 800'000) / (std::size_t{256} << 10);
  ASSERT_GE(told, 10U);
  stop_everywhere(bytes.size(), told / 2, [&](ingot::progress_ref progress) {
    auto made = ingot::unpack<world>(bytes, ingot::trailing::refused, progress);
    EXPECT_TRUE(!made || *made == whole());
    return made;
  });
  world kept;
  stop_everywhere(bytes.size(), told / 2, [&](ingot::progress_ref progress) {
    return ingot::unpack_into(kept, bytes, ingot::trailing::refused, progress);
  });
  EXPECT_TRUE(kept == whole());
}

TEST(unpack_progress, of_compact_values_is_told) {
  const ingot::buffer bytes = ingot::compact::pack(whole()).value();
  stop_everywhere(bytes.size(), 6, [&](ingot::progress_ref progress) {
    auto made = ingot::compact::unpack<world>(bytes, ingot::trailing::refused, progress);
    EXPECT_TRUE(!made || *made == whole());
    return made;
  });
}

TEST(unpack_progress, of_values_of_an_older_type_is_told_three_times) {
  const auto way = ingot::evolution<new_world>::from(ingot::schema_bytes<world>());
  ASSERT_TRUE(way.has_value()) << way.error().message();
  const auto same = ingot::evolution<world>::from(ingot::schema_bytes<world>());
  const ingot::buffer packed = ingot::pack(whole()).value();
  const ingot::buffer compact = ingot::compact::pack(whole()).value();
  const auto check = [&](const auto& made) {
    if (!made) return;
    ASSERT_EQ(made->entries.size(), whole().entries.size());
    for (std::size_t i = 0; i < made->entries.size(); ++i) {
      ASSERT_EQ(made->entries[i].text, whole().entries[i].text);
      ASSERT_EQ(made->entries[i].added, "new");
    }
    EXPECT_EQ(made->names.size(), whole().names.size());
    EXPECT_EQ(made->pages[1].size(), whole().pages[1].size());
  };
  stop_everywhere(3 * packed.size(), 20, [&](ingot::progress_ref progress) {
    auto made = way->unpack(packed, progress);
    check(made);
    return made;
  });
  stop_everywhere(3 * compact.size(), 15, [&](ingot::progress_ref progress) {
    auto made = way->unpack_compact(compact, progress);
    check(made);
    return made;
  });
  stop_everywhere(packed.size(), 5,
                  [&](ingot::progress_ref progress) { return same->unpack(packed, progress); });
  stop_everywhere(compact.size(), 5,
                  [&](ingot::progress_ref progress) { return same->unpack_compact(compact, progress); });
}

TEST(unpack_progress, of_what_is_wrong_is_no_other_error) {
  ingot::buffer bytes = ingot::pack(whole()).value();
  for (std::size_t at = 5; at < bytes.size(); at += bytes.size() / 40) {
    const std::byte kept = bytes.data()[at];
    bytes.data()[at] ^= std::byte{0x81};
    listener heard;
    const auto quiet = ingot::unpack<world>(bytes);
    const auto told = ingot::unpack<world>(bytes, ingot::trailing::refused, heard);
    ASSERT_EQ(quiet.has_value(), told.has_value()) << at;
    if (!quiet) {
      EXPECT_EQ(quiet.error().message(), told.error().message()) << at;
    }
    bytes.data()[at] = kept;
  }
  const auto cut = ingot::bytes_view(bytes).first(bytes.size() - 1);
  EXPECT_EQ(ingot::unpack<world>(cut).error().message(),
            ingot::unpack<world>(cut, ingot::trailing::refused, listener{}).error().message());
}

TEST(unpack_progress, of_nothing_and_by_nobody) {
  listener heard;
  EXPECT_TRUE(ingot::unpack<std::vector<std::string>>(ingot::pack(std::vector<std::string>{}).value(),
                                                      ingot::trailing::refused, heard));
  EXPECT_EQ(heard.told.size(), 1U);
  EXPECT_TRUE(ingot::unpack<std::string>(ingot::bytes_view{}, ingot::trailing::refused, heard));
  EXPECT_EQ(heard.told.size(), 1U) << "of no bytes nobody is told";
  const ingot::buffer bytes = ingot::pack(whole()).value();
  EXPECT_TRUE(ingot::unpack<world>(bytes, ingot::trailing::refused, ingot::progress_ref()).value() ==
              whole());
}

#if INGOT_EXCEPTIONS
TEST(unpack_progress, what_is_thrown_goes_through) {
  const ingot::buffer bytes = ingot::pack(whole()).value();
  const auto throws = [](std::uint64_t, std::uint64_t) -> bool { throw 7; };
  EXPECT_THROW(static_cast<void>(ingot::unpack<world>(bytes, ingot::trailing::refused, throws)), int);
}
#endif

} // namespace unpack_progress_test
