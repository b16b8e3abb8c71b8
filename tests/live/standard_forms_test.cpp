// SPDX-License-Identifier: Apache-2.0
// Standard types that have another form in a block: a path is a text, an `expected` a variant, a
// tuple a pair or a record.
#include <ingot/live/live.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/pack.hpp>

#include <algorithm>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace standard_forms_test {

using ingot::live;

struct triple {
  std::int32_t a;
  ingot::string b;
  double c;
};
struct plain {
  std::filesystem::path file;
  std::filesystem::path other;
  std::expected<std::string, std::int32_t> text;
  std::expected<std::int32_t, std::string> error;
  std::tuple<std::int32_t, std::string> two;
  std::tuple<std::int32_t, std::string, double> three;
  std::vector<std::filesystem::path> files;
  std::vector<std::tuple<std::int32_t, std::string, double>> rows;
};
struct twin {
  ingot::string file;
  ingot::u8string other;
  ingot::variant<ingot::string, std::int32_t> text;
  ingot::variant<std::int32_t, ingot::string> error;
  std::pair<std::int32_t, ingot::string> two;
  triple three;
  ingot::vector<ingot::string> files;
  ingot::vector<triple> rows;
};

plain make_plain() {
  plain sample{};
  sample.file = "some/path/that/is/not/short";
  sample.other = std::filesystem::path(std::u8string(u8"gr\u00FC\u00DFe"));
  sample.text = "a text";
  sample.error = std::unexpected("an error of some length");
  sample.two = {1, "two"};
  sample.three = {1, "two", 3.0};
  sample.files = {"a", "b/c"};
  sample.rows = {{1, "r", 2.0}, {2, "a row with a longer text", 0.5}};
  return sample;
}

TEST(live_standard_forms, become_their_twins_with_the_same_packed_bytes) {
  const plain source = make_plain();
  const live<twin> block(source);
  EXPECT_EQ(block->file, "some/path/that/is/not/short");
  EXPECT_EQ(block->other.size(), 7U);
  EXPECT_EQ(block->text.index(), 0U);
  EXPECT_EQ(block->error.index(), 1U);
  EXPECT_EQ(block->two.second, "two");
  EXPECT_EQ(block->three.c, 3.0);
  EXPECT_EQ(block->files[1], "b/c");
  EXPECT_EQ(block->rows[1].b, "a row with a longer text");
  const auto expected = ingot::pack(source);
  const auto found = ingot::pack(*block);
  ASSERT_TRUE(expected && found);
  EXPECT_TRUE(std::ranges::equal(*expected, *found));
  const auto again = live<twin>::open(block.bytes());
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_TRUE(*again == block);
}

TEST(live_standard_forms, another_alternative_replaces_the_first) {
  plain source = make_plain();
  live<twin> block(source);
  source.text = std::unexpected(3);
  source.error = 4;
  block = source;
  EXPECT_EQ(*block->text.get_if<1>(), 3);
  EXPECT_EQ(*block->error.get_if<0>(), 4);
}

} // namespace standard_forms_test
