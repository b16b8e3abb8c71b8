// SPDX-License-Identifier: Apache-2.0
// A file of text is read like its text, and errors name the file.
#include <ingot/json/read_file.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace json = ingot::json;
using ingot::errc;

struct item {
  int id = 0;
  std::string name;
};

/// A temporary file, removed with the object.
struct temporary {
  std::filesystem::path path;
  explicit temporary(std::string_view text, const std::string& name = "read_file_test.json")
      : path(std::filesystem::path(testing::TempDir()) / name) {
    std::ofstream(path, std::ios::binary) << text;
  }
  temporary(const temporary&) = delete;
  temporary& operator=(const temporary&) = delete;
  ~temporary() { std::filesystem::remove(path); }
};

TEST(json_read_file, reads_what_the_text_says) {
  const temporary file(R"([{"id": 1, "name": "a"}, /* */ {"id": 2, "name": "b"}])");
  const json::read_options commented{.comments = json::comments::allow};
  const auto items = json::read_file<std::vector<item>>(file.path, commented);
  ASSERT_TRUE(items) << items.error();
  EXPECT_EQ((*items)[1].name, "b");
  const auto document = json::read_file(file.path, commented);
  ASSERT_TRUE(document) << document.error();
  EXPECT_EQ((*document)[0]["id"].value_or(0), 1);
}

TEST(json_read_file, reads_files_longer_than_a_piece) {
  std::string text = "[0";
  for (int i = 1; i < 20'000; ++i) text += ", " + std::to_string(i);
  const temporary file(text + "]");
  const auto numbers = json::read_file<std::vector<int>>(file.path);
  ASSERT_TRUE(numbers) << numbers.error();
  EXPECT_EQ(numbers->size(), 20'000u);
  EXPECT_EQ(numbers->back(), 19'999);
}

TEST(json_read_file, names_the_file_in_front_of_the_path) {
  const temporary file("[{\"id\": 1, \"name\": \"a\"},\n {\"id\": true}]");
  const auto items = json::read_file<std::vector<item>>(file.path);
  ASSERT_FALSE(items);
  EXPECT_EQ(items.error().code(), errc::type_mismatch);
  EXPECT_EQ(items.error().line(), 2u);
  EXPECT_EQ(items.error().path(), "[" + file.path.string() + "][1].id");
  const temporary torn("[1, 2", "read_file_torn.json");
  const auto document = json::read_file(torn.path);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code(), errc::truncated);
  EXPECT_TRUE(document.error().path().starts_with("[" + torn.path.string() + "]"));
}

TEST(json_read_file, says_why_a_file_cannot_be_read) {
  const std::filesystem::path folder = testing::TempDir();
  const auto missing = json::read_file(folder / "read_file_is_not_there.json");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), errc::io);
  EXPECT_NE(missing.error().message().find("read_file_is_not_there.json"), std::string::npos);
  EXPECT_FALSE(missing.error().found().empty());
  EXPECT_EQ(json::read_file<int>(folder).error().code(), errc::io);
  using namespace std::string_literals;
  EXPECT_EQ(json::read_file<int>("a\0b"s).error().code(), errc::io);
}

TEST(json_read_file, keeps_to_the_limit) {
  const temporary file("[1, 2, 3]");
  EXPECT_TRUE(json::read_file(file.path, {.max_bytes = 9}));
  const auto rejected = json::read_file<std::vector<int>>(file.path, {.max_bytes = 8});
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::too_large);
  EXPECT_FALSE(rejected.error().path().empty());
}

TEST(json_read_file, of_a_long_name_keeps_the_end) {
  const auto why = ingot::error{errc::io}.in_file(std::string(150, 'a') + "/end.json");
  EXPECT_TRUE(why.path().starts_with("[...a"));
  EXPECT_TRUE(why.path().ends_with("a/end.json]"));
}

} // namespace
