// SPDX-License-Identifier: Apache-2.0
// The maximum number of members of an aggregate, in the viewable profile.
#include "hostile/round_trip.hpp"
#include "zoo/records.hpp"

#include <gtest/gtest.h>

TEST(pack_zoo, the_widest_record_round_trips) {
  zoo::for_each_widest([]<class T>(std::string_view name) {
    for (std::uint64_t seed = 0; seed < 24; ++seed)
      EXPECT_EQ(hostile::round_trip<T>(seed), "") << name << seed;
  });
}
