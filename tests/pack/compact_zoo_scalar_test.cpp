// SPDX-License-Identifier: Apache-2.0
// The zoo's scalar types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/scalars.hpp"

namespace compact_zoo_scalar_test {

TEST(compact_zoo, scalar_types_survive) { zoo::for_each_scalar(compact_test::every_round_trip{}); }

TEST(compact_zoo, views_of_scalar_types_show_every_field) {
  zoo::for_each_scalar(compact_test::every_view{});
}

} // namespace compact_zoo_scalar_test
