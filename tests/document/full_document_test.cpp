// SPDX-License-Identifier: Apache-2.0
// Documents that fill all of their memory can be copied and compacted, also where the canonical
// form takes more bytes.
#include <ingot/document/document.hpp>

#include "document/exercise.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace full_document_test {

using namespace document_test;
using ingot::document;

constexpr std::size_t text_count = 1'500;

/// Pairs of objects that share a shape. In the canonical form they do not, because sharing pays
/// from three objects on. Texts fill the rest, up to the maximum size.
document pairs_of_records() {
  document records(ingot::max_block_size{1 << 22});
  for (std::size_t i = 0; i < 600; ++i) {
    const std::string key = std::to_string(10'000 + i) + "-and-more-of-it";
    for (int k = 0; k < 12; ++k)
      static_cast<void>(records.root().append(std::map<std::string, int>{{key, 1}}));
  }
  records.compact();
  for (std::size_t i = records.root().size(); i-- != 0;) {
    if (i % 12 > 1) static_cast<void>(records.root().erase(i));
  }
  for (std::size_t i = 0; i < text_count; ++i) static_cast<void>(records.root().append(nullptr));
  // Opened with the least maximum size. Erased values leave free bytes, which texts fill, too.
  auto opened = document::open(records.bytes(), {.max_size = {1}});
  EXPECT_TRUE(opened.has_value());
  const std::size_t first = opened->root().size() - text_count;
  for (std::size_t i = 0, length = 60'000; i < text_count; ++i) {
    while (length > 40 && !opened->root()[first + i].set(std::string(length, 't'))) length -= 8;
  }
  return std::move(*opened);
}

TEST(document_full, canonical_form_may_exceed_the_maximum_size) {
  document doc = pairs_of_records();
  const std::size_t limit = doc.max_size();
  ASSERT_GT(doc.bytes().size() + 512, limit) << "not full";
  const document copy(doc);
  EXPECT_TRUE(copy == doc);
  const auto tried = doc.try_copy({.max_size = {1}});
  ASSERT_TRUE(tried.has_value()) << tried.error().message();
  EXPECT_TRUE(*tried == doc);
  ASSERT_TRUE(doc.try_compact());
  EXPECT_TRUE(doc == copy);
  EXPECT_GT(doc.bytes().size(), limit) << "or this test shows nothing";
  expect_whole(doc);
}

TEST(document_full, opened_in_place_without_space_is_copied) {
  const document doc = pairs_of_records();
  std::vector<std::byte> bytes = bytes_of(doc);
  const auto there = document::open_in_place(bytes);
  ASSERT_TRUE(there.has_value());
  const document copy(*there);
  EXPECT_TRUE(copy == doc);
}

} // namespace full_document_test
