// SPDX-License-Identifier: Apache-2.0
// The zoo's record types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/records.hpp"

namespace compact_zoo_widest_test {

TEST(compact_zoo, the_widest_record_survives) { zoo::for_each_widest(compact_test::every_round_trip{}); }

} // namespace compact_zoo_widest_test
