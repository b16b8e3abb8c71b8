// SPDX-License-Identifier: Apache-2.0
// Blocks as text for people: the form of the text. Types that ingot can't print have no stream
// operator of ingot's.
#include <ingot/live/box.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/print.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace print_test {

struct part {
  std::uint32_t id;
  ingot::string name;
};
struct whole {
  ingot::vector<part> parts;
  ingot::map<std::int16_t, ingot::vector<float>> curves;
  ingot::optional<ingot::string> note;
  std::pair<bool, std::uint8_t> both;
};
struct chain {
  ingot::box<chain> next;
  std::uint32_t id;
};
struct chains {
  ingot::vector<chain> all;
};

template <class T>
concept streamed = requires(std::ostream& to, const T& value) { to << value; };

} // namespace print_test

using namespace print_test;

TEST(live_print, a_block_is_one_line) {
  ingot::live<whole> block;
  auto& added = block->parts.emplace_back();
  added.id = 7;
  added.name = "a \"name\"";
  block->curves[-3] = {0.5f, 2.0f};
  std::ostringstream text;
  text << block << ' ' << block->curves;
  EXPECT_EQ(text.str(),
            R"({parts: [{id: 7, name: "a \"name\""}], curves: {-3: [0.5, 2]}, note: none, both: (false, 0)})"
            " {-3: [0.5, 2]}");
}

// Otherwise including the header would break programs that print such types in another way: test
// frameworks use their own form if there is no <<.
TEST(live_print, types_that_hold_themselves_have_no_stream_operator) {
  static_assert(streamed<ingot::live<whole>> && streamed<ingot::vector<part>> && streamed<ingot::string>);
  static_assert(!streamed<ingot::box<chain>> && !streamed<ingot::vector<chain>>);
  static_assert(!streamed<ingot::live<chain>> && !streamed<ingot::live<chains>>);
  ingot::live<chain> block;
  EXPECT_EQ(block->next, nullptr);
}
