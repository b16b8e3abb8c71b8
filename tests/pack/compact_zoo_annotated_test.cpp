// SPDX-License-Identifier: Apache-2.0
// The zoo's annotated types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/annotated.hpp"

namespace compact_zoo_annotated_test {

TEST(compact_zoo, annotated_types_survive) { zoo::for_each_annotated(compact_test::every_round_trip{}); }

} // namespace compact_zoo_annotated_test
