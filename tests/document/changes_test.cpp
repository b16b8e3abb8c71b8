// SPDX-License-Identifier: Apache-2.0
// Patches bring a copy up to date after any change of the original, have a size in proportion to
// the change, and are safe to apply.
#include <ingot/document/changes.hpp>

#include "document/exercise.hpp"
#include "document/forged_patch.hpp"
#include "golden_file.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace document_changes_test {

using namespace document_test;
using ingot::document;
using ingot::document_snapshot;
using ingot::errc;

document copy_of(const document& from) { return document::open(from.bytes()).value(); }

document orders() {
  document doc;
  doc["id"] = 1;
  doc["price"] = 1000;
  doc["orders"] = nullptr; // becomes an array with its first element
  for (int i = 0; i < 40; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_TRUE(doc["orders"].append(nullptr)); // and this becomes an object with its first member
    doc["orders"][at]["number"] = i;
    doc["orders"][at]["state"] = i % 3 == 0 ? "filled" : "open";
    doc["orders"][at]["a key that is longer than thirty-two characters"] = "and a text that is no short one";
  }
  return doc;
}

TEST(document_changes, bring_a_copy_up_to_date) {
  document here = orders();
  document there = copy_of(here);
  auto since = document_snapshot::of(here).value();

  here["price"] = 1005;
  here["orders"][17]["state"] = "cancelled";
  ASSERT_FALSE(there == here);
  const auto patch = since.changes(here).value();
  ASSERT_TRUE(there.apply(patch));
  EXPECT_TRUE(there == here);
  EXPECT_EQ(there["orders"][17]["state"].as<std::string>(), "cancelled");

  static_cast<void>(here["orders"].clear());
  here["note"] = std::string(5'000, 'n');
  ASSERT_TRUE(there.apply(since.changes(here).value())) << "from where the last patch ended";
  EXPECT_TRUE(there == here);
  expect_whole(there);
}

TEST(document_changes, cost_the_units_that_changed) {
  document here = orders();
  auto since = document_snapshot::of(here).value();
  EXPECT_EQ(since.changes(here).value().size(), 32U) << "nothing changed";
  here["price"] = 1001;
  EXPECT_EQ(since.changes(here).value().size(), 32U + 2 + 8) << "a number in place";
  EXPECT_EQ(since.changes(here).value().size(), 32U) << "a change is in one patch only";
}

TEST(document_changes, of_anything_done_for_long_keep_a_copy_equal) {
  dice random(7);
  document here;
  document there;
  auto since = document_snapshot::of(here).value();
  const int rounds = sampled() ? 300 : 1'500;
  for (int i = 0; i < rounds; ++i) {
    if (here.bytes().size() > 150'000 || !here.root().is_object()) here = orders();
    change_all(here, random, 1 + random() % 60);
    if (random() % 16 == 0) here.compact();
    if (random() % 16 == 0) here.trim();
    const auto patch = since.changes(here);
    ASSERT_TRUE(patch) << patch.error().message();
    const auto applied = there.apply(*patch);
    ASSERT_TRUE(applied) << i << ": " << applied.error().message();
    ASSERT_TRUE(there == here) << i;
    if (i % 50 == 0) expect_whole(there);
    if (random() % 8 == 0) there = copy_of(there); // a copy of a copy serves equally
  }
}

TEST(document_changes, to_another_state_are_rejected) {
  document here = orders();
  document there = copy_of(here);
  auto since = document_snapshot::of(here).value();
  here["price"] = 1;
  const auto first = since.changes(here).value();
  here["price"] = 2;
  const auto second = since.changes(here).value();

  const auto early = there.apply(second);
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code(), errc::state_mismatch);
  ASSERT_TRUE(there.apply(first));
  const auto again = there.apply(first);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), errc::state_mismatch);
  there["id"] = 5;
  EXPECT_FALSE(there.apply(second)) << "the copy was changed, too";
  there["id"] = 1;
  ASSERT_TRUE(there.apply(second)) << "and changed back";
  EXPECT_TRUE(there == here);
}

TEST(document_changes, damaged_anywhere_are_rejected_and_leave_the_copy_as_it_was) {
  document here = orders();
  document there = copy_of(here);
  auto since = document_snapshot::of(here).value();
  here["orders"][3]["state"] = "a longer text than there was";
  static_cast<void>(here["orders"].erase(20));
  auto patch = since.changes(here).value();
  const auto before = bytes_of(there);
  for (std::size_t i = 0; i < patch.size(); ++i) {
    ASSERT_FALSE(there.apply(ingot::bytes_view(patch).first(i))) << i;
    for (unsigned bit = 0; bit < 8; ++bit) {
      patch[i] ^= std::byte{static_cast<unsigned char>(1U << bit)};
      ASSERT_FALSE(there.apply(patch)) << i << ", bit " << bit;
      patch[i] ^= std::byte{static_cast<unsigned char>(1U << bit)};
    }
  }
  ingot::buffer longer = patch;
  longer.append(ingot::bytes_view(patch).first(1));
  EXPECT_FALSE(there.apply(longer));
  EXPECT_EQ(bytes_of(there), before);
  ASSERT_TRUE(there.apply(patch));
  EXPECT_TRUE(there == here);
}

TEST(document_changes, forged_are_rejected_or_lead_to_a_document) {
  document here = orders();
  const document base = copy_of(here);
  auto since = document_snapshot::of(here).value();
  here["orders"][3]["state"] = "a longer text than there was";
  static_cast<void>(here["orders"][5].clear());
  static_cast<void>(here["orders"].erase(20));
  const auto patch = since.changes(here).value();
  const auto header = ingot::detail::doc::patch_header::read(patch).value();
  std::vector<std::byte> body(patch.begin() + 32, patch.end());
  std::size_t accepted = 0;
  dice random(11);
  const std::size_t step = sampled() ? 7 : 1;
  for (std::size_t bit = 0; bit < 8 * body.size(); bit += step) {
    const auto mask = std::byte{static_cast<unsigned char>(1U << bit % 8)};
    body[bit / 8] ^= mask;
    document there = copy_of(base);
    if (there.apply(forge(base, body, header.used, header.root))) {
      ++accepted;
      exercise(there, random());
    }
    body[bit / 8] ^= mask;
  }
  EXPECT_GT(accepted, 0U) << "another letter is another document";
  for (const std::uint32_t used : {16U, 24U, header.used - 8, header.used + 8, 500'000U}) {
    document there = copy_of(base);
    EXPECT_FALSE(there.apply(forge(base, body, used, header.root))) << used;
  }
}

TEST(document_changes, that_need_more_than_a_copy_may_have_are_rejected) {
  document here = orders();
  const auto bytes = bytes_of(here);
  auto since = document_snapshot::of(here).value();
  here["much"] = std::string(100'000, 'm');
  const auto patch = since.changes(here).value();

  auto small = document::open(bytes, {.max_size = {bytes.size()}}).value();
  const auto before = bytes_of(small);
  const auto rejected = small.apply(patch);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::no_space);
  EXPECT_EQ(bytes_of(small), before);

  std::vector<std::uint64_t> received(bytes.size() / 8);
  std::memcpy(received.data(), bytes.data(), bytes.size());
  auto in_place = document::open_in_place(std::as_writable_bytes(std::span(received))).value();
  EXPECT_EQ(in_place.apply(patch).error().code(), errc::no_space);
}

TEST(document_changes, are_applied_in_memory_of_another_owner) {
  std::vector<std::byte> memory(300'000);
  auto there = document::in(memory).value();
  document here;
  auto since = document_snapshot::of(here).value();
  here["much"] = std::string(100'000, 'm');
  ASSERT_TRUE(there.apply(since.changes(here).value()));
  EXPECT_TRUE(there == here);
  here["much"] = nullptr;
  ASSERT_TRUE(there.apply(since.changes(here).value()));
  EXPECT_TRUE(there == here);
  there["more"] = "it can grow";
  expect_whole(there);
}

/// `{"id": 7, "price": 1000, "balance": -20}`, before the price is 1001.
document golden_base() {
  document doc;
  doc["id"] = 7;
  doc["price"] = 1000;
  doc["balance"] = -20;
  doc.compact();
  return doc;
}

TEST(document_changes, are_the_bytes_of_the_format) {
  document here = golden_base();
  auto since = document_snapshot::of(here).value();
  here["price"] = 1001;
  const auto patch = since.changes(here).value();
  const auto golden = ingot_test::golden("document_patch");
  document there = golden_base();
  if constexpr (std::endian::native == std::endian::little) {
    EXPECT_EQ(patch, golden);
    ASSERT_TRUE(there.apply(golden));
    EXPECT_TRUE(there == here);
  } else {
    EXPECT_EQ(there.apply(golden).error().code(), errc::layout_mismatch);
  }
}

} // namespace document_changes_test
