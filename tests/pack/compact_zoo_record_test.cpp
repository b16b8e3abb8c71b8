// SPDX-License-Identifier: Apache-2.0
// The zoo's record types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/records.hpp"

namespace compact_zoo_record_test {

TEST(compact_zoo, record_types_survive) { zoo::for_each_record(compact_test::every_round_trip{}); }

} // namespace compact_zoo_record_test
