// SPDX-License-Identifier: Apache-2.0
// Every game type of the zoo survives a round trip through text.
#include "json/zoo_round_trip.hpp"
#include "zoo/games.hpp"

namespace zoo_game_test {

TEST(json_zoo, every_game_type_round_trips) { zoo::for_each_game(json_test::every_type{}); }

} // namespace zoo_game_test
