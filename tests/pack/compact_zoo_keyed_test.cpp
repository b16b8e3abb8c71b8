// SPDX-License-Identifier: Apache-2.0
// The zoo's keyed types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/containers.hpp"

namespace compact_zoo_keyed_test {

TEST(compact_zoo, keyed_types_survive) { zoo::for_each_keyed(compact_test::every_round_trip{}); }

} // namespace compact_zoo_keyed_test
