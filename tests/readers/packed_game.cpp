// SPDX-License-Identifier: Apache-2.0
// Packed messages of the zoo's types of games.
#include "readers/messages.hpp"
#include "zoo/games.hpp"

void readers::add_games(std::vector<kind_of_message>& all) {
  zoo::for_each_game(adder<form::packed>{all, hostile::subjects()});
}
