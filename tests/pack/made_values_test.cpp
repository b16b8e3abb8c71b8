// SPDX-License-Identifier: Apache-2.0
// Adapted classes without a default constructor, wherever readers create them from their stored
// form.
#include <ingot/pack/compact.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "zoo/annotated.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace made_values {

using zoo::serial_number;

struct by_number {
  bool operator()(const serial_number& a, const serial_number& b) const { return a.number() < b.number(); }
};
struct boxes {
  std::unique_ptr<serial_number> some;
  std::unique_ptr<serial_number> none;
  std::vector<std::unique_ptr<serial_number>> list;
};
struct keys {
  std::map<serial_number, int, by_number> map;
  std::set<serial_number, by_number> set;
  std::multiset<serial_number, by_number> many;
};

boxes filled_boxes() {
  boxes all;
  all.some = std::make_unique<serial_number>(7);
  all.list.push_back(std::make_unique<serial_number>(8));
  all.list.push_back(nullptr);
  return all;
}

} // namespace made_values

namespace {

using namespace made_values;

void expect_boxes(const ingot::result<boxes>& read) {
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_TRUE(read->some);
  EXPECT_EQ(*read->some, serial_number(7));
  EXPECT_FALSE(read->none);
  ASSERT_EQ(read->list.size(), 2U);
  EXPECT_EQ(*read->list[0], serial_number(8));
  EXPECT_FALSE(read->list[1]);
}

TEST(pack_of_types_without_default, has_them_in_pointers) {
  const boxes before = filled_boxes();
  const auto packed = ingot::pack(before);
  ASSERT_TRUE(packed);
  expect_boxes(ingot::unpack<boxes>(*packed));
  const auto compact = ingot::compact::pack(before);
  ASSERT_TRUE(compact);
  expect_boxes(ingot::compact::unpack<boxes>(*compact));
  boxes target = filled_boxes(); // an existing value is replaced
  *target.some = serial_number(1);
  ASSERT_TRUE(ingot::unpack_into(target, *packed));
  EXPECT_EQ(*target.some, serial_number(7));
}

TEST(pack_of_types_without_default, has_them_as_keys) {
  // In the order of their texts, "SN-1", "SN-12" and "SN-3".
  keys before;
  for (const std::uint32_t number : {1U, 12U, 3U}) {
    before.map.emplace(serial_number(number), static_cast<int>(number));
    before.set.insert(serial_number(number));
    before.many.insert({serial_number(number), serial_number(number)});
  }
  const auto packed = ingot::pack(before);
  ASSERT_TRUE(packed);
  const auto compact = ingot::compact::pack(before);
  ASSERT_TRUE(compact);
  for (const auto& after : {ingot::unpack<keys>(*packed), ingot::compact::unpack<keys>(*compact)}) {
    ASSERT_TRUE(after) << after.error().message();
    EXPECT_EQ(after->map, before.map);
    EXPECT_EQ(after->set, before.set);
    EXPECT_EQ(after->many, before.many);
  }
}

TEST(pack_of_types_without_default, rejects_keys_that_do_not_ascend) {
  const std::set<serial_number, by_number> two{serial_number(1), serial_number(2)};
  auto compact = ingot::compact::pack(two).value();
  std::size_t last = 0;
  for (std::size_t i = 0; i < compact.size(); ++i)
    if (compact[i] == std::byte{'2'}) last = i;
  ASSERT_NE(last, 0U);
  using set = std::set<serial_number, by_number>;
  compact[last] = std::byte{'1'};
  EXPECT_EQ(ingot::compact::unpack<set>(compact).error().code(), ingot::errc::duplicate_key);
  compact[last] = std::byte{'0'};
  EXPECT_EQ(ingot::compact::unpack<set>(compact).error().code(), ingot::errc::unsorted_keys);
}

} // namespace
