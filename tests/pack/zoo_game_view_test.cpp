// SPDX-License-Identifier: Apache-2.0
// The zoo's workloads' types: a view of each shows every field (see view_agrees.hpp).
#include "view_agrees.hpp"
#include "zoo/games.hpp"

namespace zoo_game_view_test {

TEST(pack_zoo, views_of_game_types_show_every_field) { zoo::for_each_game(pack_test::every_view{}); }

} // namespace zoo_game_view_test
