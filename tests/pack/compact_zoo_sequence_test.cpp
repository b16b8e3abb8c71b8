// SPDX-License-Identifier: Apache-2.0
// The zoo's sequence types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/containers.hpp"

namespace compact_zoo_sequence_test {

TEST(compact_zoo, sequence_types_survive) { zoo::for_each_sequence(compact_test::every_round_trip{}); }

} // namespace compact_zoo_sequence_test
