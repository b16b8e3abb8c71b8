// SPDX-License-Identifier: Apache-2.0
// The workloads' types: every one survives packing, and a view of it shows every field (see round_trip.hpp, view_agrees.hpp).
#include "round_trip.hpp"
#include "view_agrees.hpp"
#include "zoo/games.hpp"

namespace {

TEST(pack_zoo, game_types_round_trip) { zoo::for_each_game(pack_test::every_round_trip{}); }

TEST(pack_zoo, views_of_game_types_show_every_field) { zoo::for_each_game(pack_test::every_view{}); }

} // namespace
