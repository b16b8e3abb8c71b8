// SPDX-License-Identifier: Apache-2.0
// The slots of a leaf's entries: if a slot is lost or listed twice, a value is lost or overwritten.
#include <ingot/live/detail/slot_order.hpp>

#include "live/dice.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace live_test;
using ingot::detail::slot_order;

std::vector<unsigned> first_slots(std::uint64_t order, std::size_t n) {
  std::vector<unsigned> slots;
  for (std::size_t i = 0; i < n; ++i) slots.push_back(slot_order::slot(order, i));
  return slots;
}

TEST(live_slot_order, entries_come_and_go_at_every_rank_and_no_slot_is_lost) {
  dice random(11);
  std::uint64_t order = slot_order::identity;
  std::vector<unsigned> model; // the slot of each rank
  for (int step = 0; step < 100'000; ++step) {
    // The free slot that is used or freed is the last one
    const bool at_the_end = random() % 2 == 0;
    if (model.size() < 16 && (model.empty() || random() % 2 == 0)) {
      const std::size_t rank = random() % (model.size() + 1);
      const unsigned slot = at_the_end ? slot_order::last(order) : slot_order::slot(order, model.size());
      order = at_the_end ? slot_order::inserted_last(order, rank)
                         : slot_order::inserted(order, rank, model.size());
      model.insert(model.begin() + static_cast<std::ptrdiff_t>(rank), slot);
    } else {
      const std::size_t rank = random() % model.size();
      order = at_the_end ? slot_order::erased_to_last(order, rank)
                         : slot_order::erased(order, rank, model.size());
      model.erase(model.begin() + static_cast<std::ptrdiff_t>(rank));
    }
    ASSERT_EQ(first_slots(order, model.size()), model);
    ASSERT_TRUE(slot_order::is_valid(order, 16));
  }
}

} // namespace
