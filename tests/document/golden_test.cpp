// SPDX-License-Identifier: Apache-2.0
// The bytes of canonical documents never change: every compiler produces the committed bytes and
// opens them. A machine with the other byte order rejects them with `layout_mismatch`.
#include <ingot/document/document.hpp>

#include "golden_file.hpp"

#include <bit>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace document_golden_test {

using ingot::document;

void hold_against(std::string_view name, std::string_view what, document& doc) {
  doc.compact();
  constexpr bool little = std::endian::native == std::endian::little;
  const auto golden = ingot_test::golden(name, std::string(what) + "; little-endian",
                                         little ? std::optional(doc.bytes()) : std::nullopt);
  const auto opened = document::open(golden);
  if (little) {
    ingot_test::expect_bytes(name, doc.bytes(), golden);
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    EXPECT_TRUE(*opened == doc);
  } else {
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), ingot::errc::layout_mismatch);
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
