// SPDX-License-Identifier: Apache-2.0
// A block's bytes are its memory: a value is in the message as soon as it is assigned. Before a
// block is sent, `check` reports what `open` would report: the same code, position, path and
// message, whatever was assigned to which member.
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include "zoo/rejected.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace live_closure_test {

using zoo::gear;
using zoo::level;

struct part {
  gear at{};
  std::int32_t percent = 0;         ///< 0 to 100
  ingot::string text;               ///< UTF-8
  ingot::vector<std::uint16_t> few; ///< at most 3
  zoo::span_of_days days;
};
} // namespace live_closure_test
template <>
inline constexpr auto ingot::annotations<live_closure_test::part> =
    ingot::annotate(ingot::member<"percent">(ingot::range(0, 100)), ingot::member<"text">(ingot::utf8),
                    ingot::member<"few">(ingot::max_size(3)));
namespace live_closure_test {

struct machine {
  gear at{};
  level of{};
  std::array<gear, 3> row{};
  std::pair<std::uint8_t, level> pair{};
  zoo::booking booking;
  ingot::vector<gear> gears;
  ingot::vector<part> parts;
  ingot::map<std::uint32_t, level> levels;
  ingot::map<std::uint32_t, part> by_number;
  ingot::multimap<std::uint32_t, gear> repeated;
  ingot::flat_map<std::uint32_t, gear> flat;
  ingot::hash_map<ingot::string, part> hashed;
  ingot::set<level> set;
  ingot::hash_set<gear> hashes;
  ingot::queue<gear> queue;
  ingot::optional<part> optional_or_box;
  ingot::box<part> boxed;
  ingot::variant<std::uint32_t, gear, ingot::string> either;
  ingot::pool<part> pool;
  ingot::vector<machine> inner;
};

using block = ingot::live<machine>;

void fill(machine& m, bool deeper) {
  m.gears = {gear::back, gear::forth};
  m.parts.resize(2);
  m.levels[5] = level::high;
  m.by_number[7].text = "a text that has a storage of its own";
  m.by_number[9];
  m.repeated.emplace(3u, gear::park);
  m.flat[4] = gear::back;
  m.hashed["key"].percent = 50;
  m.set.insert(level::low);
  m.hashes.insert(gear::forth);
  m.queue.push_back(gear::park);
  m.optional_or_box.emplace();
  m.boxed.emplace();
  m.either = gear::back;
  m.pool.get(m.pool.add())->percent = 1;
  if (deeper) {
    m.inner.resize(2);
    fill(m.inner[1], false);
  }
}

struct spoiling {
  std::string_view path;
  std::function<void(machine&)> edit;
};
std::vector<std::pair<std::string_view, std::function<void(part&)>>> of_parts() {
  return {
      {"at", [](part& p) { p.at = gear{3}; }},    {"percent", [](part& p) { p.percent = -1; }},
      {"text", [](part& p) { p.text = "\xFF"; }}, {"text", [](part& p) { p.text = std::string(40, '\x80'); }},
      {"few", [](part& p) { p.few.resize(4); }},  {"days", [](part& p) { p.days = {2, 1}; }}};
}
std::vector<spoiling> of_machines() {
  std::vector<spoiling> all{
      {"at", [](machine& m) { m.at = gear{200}; }},
      {"of", [](machine& m) { m.of = level{1}; }},
      {"row[2]", [](machine& m) { m.row[2] = gear{3}; }},
      {"pair.second", [](machine& m) { m.pair.second = level{-1}; }},
      {"booking.guests", [](machine& m) { m.booking.guests = 5; }},
      {"booking.days", [](machine& m) { m.booking.days.last = -1; }},
      {"gears[1]", [](machine& m) { m.gears[1] = gear{9}; }},
      {"", [](machine& m) { m.levels[5] = level{9}; }},
      {"", [](machine& m) { m.repeated.begin()->second = gear{9}; }},
      {"", [](machine& m) { m.flat[4] = gear{9}; }},
      {"", [](machine& m) { m.set.insert(level{55}); }},
      {"", [](machine& m) { m.hashes.insert(gear{55}); }},
      {"", [](machine& m) { m.queue.push_back(gear{55}); }},
      {"", [](machine& m) { m.either = gear{8}; }},
  };
  for (const auto& [path, edit] : of_parts()) {
    const auto add = [&](auto&& part_of) {
      all.push_back({"", [part_of, edit = edit](machine& m) { edit(part_of(m)); }});
    };
    add([](machine& m) -> part& { return m.parts[1]; });
    add([](machine& m) -> part& { return m.by_number[7]; });
    add([](machine& m) -> part& { return m.hashed["key"]; });
    add([](machine& m) -> part& { return *m.optional_or_box; });
    add([](machine& m) -> part& { return *m.boxed; });
    add([](machine& m) -> part& { return *m.pool.begin(); });
  }
  return all;
}

void expect_checked(const block& b, std::string_view path) {
  const auto checked = b.check();
  const auto opened = block::open(b.bytes());
  ASSERT_FALSE(opened);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message(), opened.error().message());
  EXPECT_EQ(checked.error().code(), opened.error().code());
  EXPECT_EQ(checked.error().offset(), opened.error().offset());
  EXPECT_EQ(checked.error().path(), opened.error().path());
  EXPECT_NE(checked.error().path(), "");
  if (!path.empty()) {
    EXPECT_EQ(checked.error().path(), path);
  }
  const auto viewed = ingot::live_view<machine>::open(b.bytes());
  ASSERT_FALSE(viewed);
  EXPECT_EQ(viewed.error().message(), checked.error().message());
}

TEST(live_closure, check_says_what_open_says) {
  const auto edits = of_machines();
  for (std::size_t i = 0; i < edits.size(); ++i) {
    SCOPED_TRACE(i);
    block b;
    fill(*b, true);
    ASSERT_TRUE(b.check()) << b.check().error().message();
    ASSERT_TRUE(block::open(b.bytes()));
    edits[i].edit(*b);
    expect_checked(b, edits[i].path);
    ASSERT_TRUE(b.try_compact()); // the order of storages makes no difference
    expect_checked(b, edits[i].path);
    block nested;
    fill(*nested, true);
    edits[i].edit(nested->inner[1]);
    expect_checked(nested, edits[i].path.empty() ? std::string() : "inner[1]." + std::string(edits[i].path));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(live_closure, check_accepts_what_was_edited_and_asks_no_allocator) {
  block b;
  EXPECT_TRUE(b.check());
  fill(*b, true);
  b->parts.erase(b->parts.begin());
  b->by_number.erase(7);
  b->gears.clear();
  EXPECT_TRUE(b.check()) << b.check().error().message();
  const std::vector<std::byte> before(b.bytes().begin(), b.bytes().end());
  EXPECT_TRUE(b.check());
  EXPECT_TRUE(std::ranges::equal(b.bytes(), before));
  alignas(16) std::array<std::byte, 8192> memory{};
  std::ranges::copy(before, memory.begin());
  auto in_place = block::open_in_place(std::span(memory).first(before.size()));
  ASSERT_TRUE(in_place);
  EXPECT_TRUE(in_place->check());
  (*in_place)->at = gear{9};
  EXPECT_EQ(in_place->check().error().path(), "at");
  block gone = std::move(b);
  // NOLINTNEXTLINE(bugprone-use-after-move)
  EXPECT_EQ(b.check().error().code(), ingot::errc::invalid_value);
}

} // namespace live_closure_test
