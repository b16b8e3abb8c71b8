// SPDX-License-Identifier: Apache-2.0
// Texts whose keys were chosen to share buckets. See tests/protobuf/collisions_test.cpp for other
// readers.
#include <ingot/json/json.hpp>

#include "colliding_keys.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace {

using ingot::errc;

using namespace colliding_keys;

template <class T>
std::string rejected_path(const std::string& text) {
  comparisons = 0;
  const auto outcome = ingot::json::read<T>(text);
  EXPECT_FALSE(outcome);
  EXPECT_LT(comparisons, max_comparisons);
  EXPECT_EQ(outcome.error().code(), errc::too_many_collisions) << outcome.error().message();
  return std::string(outcome.error().path());
}

TEST(collisions, texts_are_rejected) {
  std::string set_text = "[";
  std::string map_text = "{";
  for (std::size_t i = 0; i < many; ++i) {
    set_text += (i == 0 ? "" : ",") + std::to_string(i);
    map_text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":1";
  }
  set_text += "]";
  map_text += "}";
  rejected_path<bad_set>(set_text);
  rejected_path<bad_multiset>(set_text);
  EXPECT_TRUE(rejected_path<bad_map>(map_text).starts_with("["));
  EXPECT_EQ(ingot::json::read<bad_set>(set_text, {.max_collisions = many}).value().size(), many);
  EXPECT_EQ(ingot::json::read<bad_map>(map_text, {.max_collisions = many}).value().size(), many);
}

TEST(collisions, a_key_that_is_repeated_counts_each_time) {
  std::string text = "[0";
  for (std::size_t i = 1; i < 60; ++i) text += "," + std::to_string(i);
  for (std::size_t i = 0; i < many; ++i) text += ",60,0,61,62,63,64,65,66";
  text += "]";
  comparisons = 0;
  const auto outcome =
      ingot::json::read<bad_set>(text, {.duplicate_keys = ingot::json::duplicate_keys::last_wins});
  EXPECT_FALSE(outcome);
  EXPECT_LT(comparisons, 20'000);
}

} // namespace
