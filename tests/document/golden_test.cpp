// SPDX-License-Identifier: Apache-2.0
// The bytes of canonical documents never change: every compiler makes those that were committed, and opens them. On a machine of the
// other byte order they are refused by name.
//
// Run with INGOT_WRITE_GOLDENS=1 in the environment, the test writes the files that are missing. It never overwrites one.
#include <ingot/document/document.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace document_golden_test {

using ingot::document;

void hold_against(std::string_view name, std::string_view what, document& doc) {
  doc.compact();
  const auto path = std::filesystem::path(INGOT_SOURCE_DIR) / "tests/golden" / (std::string(name) + ".hex");
  constexpr bool little = std::endian::native == std::endian::little;
  if (little && std::getenv("INGOT_WRITE_GOLDENS") != nullptr && !std::filesystem::exists(path)) {
    std::ofstream file(path);
    file << "# " << what << "; little-endian\n";
    const auto bytes = doc.bytes();
    constexpr std::string_view digits = "0123456789abcdef";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto byte = std::to_integer<std::size_t>(bytes[i]);
      file << digits[byte / 16] << digits[byte % 16] << (i % 16 == 15 || i + 1 == bytes.size() ? '\n' : ' ');
    }
  }
  std::vector<std::byte> golden;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    for (unsigned byte = 0; words >> std::hex >> byte;) golden.push_back(static_cast<std::byte>(byte));
  }
  ASSERT_FALSE(golden.empty()) << path;
  const auto opened = document::open(golden);
  if (little) {
    const auto bytes = doc.bytes();
    const auto [a, b] = std::ranges::mismatch(bytes, golden);
    EXPECT_TRUE(a == bytes.end() && b == golden.end()) << name << ": they part at byte " << a - bytes.begin();
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    EXPECT_TRUE(*opened == doc);
  } else {
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), ingot::errc::other_layout);
  }
}

TEST(document_golden, a_small_object) {
  document doc;
  doc["id"] = 7;
  doc["name"] = "text";
  doc["list"] = std::vector<int>{1, 300};
  doc["half"] = 0.5;
  hold_against("document_small", "a small object", doc);
}

TEST(document_golden, every_kind_of_value_and_node) {
  document doc;
  for (int i = 0; i < 20; ++i) doc["key " + std::to_string(i)] = 1 << i;
  doc["negative"] = -(std::int64_t{1} << 40);
  doc["large"] = ~std::uint64_t{0};
  doc["real"] = 0.1;
  doc["zero"] = -0.0;
  doc["yes"] = true;
  doc["no"] = false;
  doc["null"] = nullptr;
  doc["empty"] = "";
  doc["long"] = std::string(200, 'x');
  doc["bytes"] = std::vector<std::byte>(3, std::byte{7});
  doc["mixed"] = std::vector<std::vector<int>>{{}, {-1, 1}, {70'000}};
  doc["a key that takes more than thirty-two bytes"] = std::map<std::string, int>{};
  for (int i = 0; i < 4; ++i)
    static_cast<void>(
        doc.root().set_at("/records/" + std::to_string(i),
                          std::map<std::string, int>{{"id", i}, {"price", 100 * i}, {"quantity", 1}}));
  hold_against("document_everything", "every kind of value and node", doc);
}

TEST(document_golden, a_list_of_records) {
  document doc;
  for (int i = 0; i < 10; ++i)
    static_cast<void>(
        doc.root().append(std::map<std::string, int>{{"id", i}, {"price", 100'000 * i}, {"quantity", 1}}));
  hold_against("document_records", "ten records of one shape", doc);
}

TEST(document_golden, a_root_of_text) {
  document doc;
  doc = "just text";
  hold_against("document_text", "a root of text", doc);
}

TEST(document_golden, a_wide_node) {
  document doc;
  std::vector<int> many;
  for (int i = 0; i < 9'000; ++i) many.push_back(i);
  doc = many;
  doc.compact();
  EXPECT_EQ(doc.bytes()[16], std::byte{9});
  EXPECT_EQ(doc.bytes().size(), 16U + 16 + 36'000);
  EXPECT_TRUE(document::open(doc.bytes()).has_value());
}

TEST(document_golden, a_node_that_is_shorter_wide_is_wide) {
  document doc;
  doc = std::vector<int>(100, 1 << 28);
  doc.compact();
  EXPECT_EQ(doc.bytes()[16], std::byte{9});
  EXPECT_EQ(doc.bytes().size(), 16U + 16 + 400);
}

} // namespace document_golden_test
