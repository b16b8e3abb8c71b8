// SPDX-License-Identifier: Apache-2.0
// Who waits for a large document is told how far it is, in order and to the end, and can stop it at each of these calls: what was there is there still.
#include <ingot/core/progress.hpp>
#include <ingot/document/document.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_progress_test {

using ingot::errc;

/// What was told. Says no at that call.
struct listener {
  std::size_t stop_at = static_cast<std::size_t>(-1);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> told{};

  bool operator()(std::uint64_t done, std::uint64_t total) {
    told.emplace_back(done, total);
    return told.size() <= stop_at;
  }
  void expect_all(std::uint64_t size, std::size_t at_least) const {
    ASSERT_GE(told.size(), at_least);
    EXPECT_TRUE(std::ranges::is_sorted(told, {}, [](const auto& each) { return each.first; }));
    for (const auto& [done, total] : told) EXPECT_LE(done, total);
    EXPECT_EQ(told.back(), std::pair(size, size));
  }
};
[[nodiscard]] std::vector<std::byte> copy_of(ingot::bytes_view bytes) { return {bytes.begin(), bytes.end()}; }

/// Two megabytes, with holes.
[[nodiscard]] ingot::document large() {
  ingot::document doc(ingot::ceiling{64 << 20});
  doc["all"] = std::vector<int>{};
  for (int i = 0; i < 9'000; ++i) {
    ingot::document each;
    each["name"] = "somebody whose name is number " + std::to_string(i);
    each["number"] = i;
    each["key " + std::to_string(i % 50)] = std::vector<double>{i + 0.5, 2, 3};
    each["text"] = std::string(static_cast<std::size_t>(i % 300), 't');
    EXPECT_TRUE(doc.root().at("/all").append(each));
  }
  for (std::size_t i = 0; i < 9'000; i += 3) doc["all"][i]["text"] = nullptr;
  return doc;
}

TEST(document_progress, of_compacting_is_told_and_who_stops_it_has_the_document_that_was) {
  ingot::document doc = large();
  const auto before = copy_of(doc.bytes());
  ingot::document expected = doc;
  expected.compact();
  for (std::size_t n = 0;; ++n) {
    listener heard{.stop_at = n};
    const auto done = doc.try_compact(heard);
    if (done) {
      heard.expect_all(before.size(), 5);
      break;
    }
    ASSERT_EQ(done.error().code(), errc::cancelled);
    ASSERT_EQ(heard.told.size(), n + 1) << "nobody is told any more who has said no";
    ASSERT_EQ(copy_of(doc.bytes()), before) << n;
  }
  EXPECT_EQ(copy_of(doc.bytes()), copy_of(expected.bytes())) << "told or not, it becomes the same";
  doc["more"] = std::string(1 << 20, 'm'); // it can still grow
  EXPECT_TRUE(ingot::document::open(doc.bytes()));
}

} // namespace document_progress_test
