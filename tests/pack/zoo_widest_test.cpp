// SPDX-License-Identifier: Apache-2.0
// As many members as an aggregate may have, through the viewable profile.
#include "pack/round_trip.hpp"
#include "zoo/records.hpp"

#include <gtest/gtest.h>

TEST(pack_zoo, the_widest_record_round_trips) { zoo::for_each_widest(pack_test::every_round_trip{}); }
