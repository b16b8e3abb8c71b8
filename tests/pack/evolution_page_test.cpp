// SPDX-License-Identifier: Apache-2.0
// The examples of docs/evolution.md: the page has the lines between two lines `// [page]` word for
// word. They are compiled and run.
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/evolution.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

// clang-format off
// [page]
struct item_v1 { // two years ago
  std::uint16_t level = 0;
  std::string caption;
  bool unused = false;
};
struct item { // today
  std::optional<std::string> title;
  double weight = 1.5;
  std::uint32_t level = 0;
};
template <>
inline constexpr auto ingot::annotations<item> =
    ingot::annotate(ingot::member<"title">(ingot::renamed_from("caption")));

void keep(const item_v1& old, std::vector<std::byte>& bytes, std::vector<std::byte>& description) {
  const auto packed = ingot::pack(old).value();
  bytes.assign(packed.begin(), packed.end());
  const ingot::bytes_view described = ingot::schema_bytes<item_v1>();
  description.assign(described.begin(), described.end());
}
ingot::result<item> read(ingot::bytes_view bytes, ingot::bytes_view description) {
  const auto conversion = ingot::evolution<item>::from(description); // once for all messages
  if (!conversion) return ingot::fail(conversion.error());
  return conversion->unpack(bytes); // unpack_compact for the compact profile
}
// [page]

// [page]
struct window_v1 {
  std::string title;
  std::uint16_t width_cm = 0;
};
struct window {
  std::string title;
  std::uint32_t width_mm = 0;
};
template <>
inline constexpr auto ingot::annotations<window_v1> = ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<window> = ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<window> {
  using type = window_v1;
  static window upgrade(window_v1&& old) { return {std::move(old.title), old.width_cm * 10U}; }
};
// [page]

// [page]
struct note_v1 {
  ingot::string text;
  std::uint16_t level = 0;
};
struct note {
  std::uint32_t level = 0;
  ingot::string text;
  ingot::vector<ingot::string> tags;
};

// The layout is layout_of<note_v1>().
ingot::result<ingot::live<note>> open(ingot::bytes_view block, ingot::bytes_view layout) {
  const auto conversion = ingot::live_evolution<note>::from(layout); // once for all blocks
  if (!conversion) return ingot::fail(conversion.error());
  return conversion->open(block);
}
// [page]
// clang-format on

namespace {

std::string ask() {
  // clang-format off
// [page]
const ingot::compatibility answer = ingot::compatible<item>(ingot::schema_of<item_v1>());
std::string text = answer ? answer.to_text() : "can't be read:\n" + answer.to_text();
// [page]
  // clang-format on
  return text;
}

std::string text_of(const std::string& name) {
  std::ifstream file(INGOT_SOURCE_DIR "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(evolution_page, shows_what_is_compiled_here) {
  const std::string page = text_of("docs/evolution.md");
  const std::string source = text_of("tests/pack/evolution_page_test.cpp");
  constexpr std::string_view mark = "\n// [page]\n";
  std::size_t shown = 0;
  for (std::size_t at = source.find(mark); at != std::string::npos; ++shown) {
    const std::size_t begin = at + mark.size();
    const std::size_t end = source.find(mark, begin);
    ASSERT_NE(end, std::string::npos);
    const std::string example = source.substr(begin, end - begin);
    EXPECT_NE(page.find("\n" + example + "\n```"), std::string::npos) << example;
    at = source.find(mark, end + 1);
  }
  EXPECT_EQ(shown, 4U);
}

TEST(evolution_page, reads_old_items) {
  std::vector<std::byte> bytes;
  std::vector<std::byte> description;
  keep({7, "sword", true}, bytes, description);
  const auto found = read(bytes, description);
  ASSERT_TRUE(found.has_value()) << found.error().message();
  EXPECT_EQ(found->title, "sword");
  EXPECT_EQ(found->weight, 1.5);
  EXPECT_EQ(found->level, 7U);
  EXPECT_EQ(ingot::unpack_evolved<item>(bytes, description)->title, "sword");
}
TEST(evolution_page, prints_what_differs) {
  EXPECT_NE(text_of("docs/evolution.md").find("```text\n" + ask() + "```"), std::string::npos) << ask();
}
TEST(evolution_page, upgrades_windows) {
  const auto bytes = ingot::pack(std::vector{window_v1{"front", 15}});
  const auto conversion =
      ingot::evolution<std::vector<window>>::from(ingot::schema_of<std::vector<window_v1>>());
  ASSERT_TRUE(conversion.has_value()) << conversion.error().message();
  const auto found = conversion->unpack(ingot::as_bytes_view(*bytes));
  ASSERT_TRUE(found.has_value()) << found.error().message();
  EXPECT_EQ(found->at(0).width_mm, 150U);
}
TEST(evolution_page, opens_old_blocks) {
  ingot::live<note_v1> old;
  old->text = "remember the milk";
  old->level = 3;
  const auto found = open(old.bytes(), ingot::layout_of<note_v1>());
  ASSERT_TRUE(found.has_value()) << found.error().message();
  EXPECT_EQ((*found)->text, "remember the milk");
  EXPECT_EQ((*found)->level, 3U);
}

} // namespace
