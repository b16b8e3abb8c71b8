// SPDX-License-Identifier: Apache-2.0
// Every operation on every game type of the zoo.
#include "hostile/every_operation.hpp"
#include "zoo/games.hpp"

void hostile::add_games(std::vector<subject>& subjects) { zoo::for_each_game(collector{subjects}); }
