// SPDX-License-Identifier: Apache-2.0
// The zoo's game types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/games.hpp"

namespace compact_zoo_game_test {

TEST(compact_zoo, game_types_survive) { zoo::for_each_game(compact_test::every_round_trip{}); }

TEST(compact_zoo, views_of_game_types_show_every_field) { zoo::for_each_game(compact_test::every_view{}); }

} // namespace compact_zoo_game_test
