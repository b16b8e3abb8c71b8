// SPDX-License-Identifier: Apache-2.0
// Documents that are valid except for their counts of the users of a shape or a long key. Opening
// such a document for writing counts the users again.
#pragma once

#include <ingot/document/document.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_test {

/// Returns one document for each count in a document of objects with the same keys.
[[nodiscard]] inline std::vector<std::vector<std::byte>> miscounted() {
  ingot::document doc;
  for (int i = 0; i < 30; ++i) {
    ingot::document each;
    each["a key of more than the thirty-two bytes that lie in nodes"] = i;
    each["name"] = "somebody";
    EXPECT_TRUE(doc.root().append(each));
  }
  doc.compact();
  const std::vector<std::byte> right(doc.bytes().begin(), doc.bytes().end());
  std::vector<std::vector<std::byte>> all;
  for (std::size_t at = 16; at + 4 <= right.size(); at += 4) {
    auto bytes = right;
    bytes[at] ^= std::byte{0x40};
    const auto opened = ingot::document::open(bytes);
    if (opened && std::ranges::equal(opened->bytes(), right)) all.push_back(std::move(bytes));
  }
  EXPECT_GE(all.size(), 2U);
  return all;
}

} // namespace document_test
