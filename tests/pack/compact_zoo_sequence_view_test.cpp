// SPDX-License-Identifier: Apache-2.0
// The zoo's sequence types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/containers.hpp"

namespace compact_zoo_sequence_view_test {

TEST(compact_zoo, views_of_sequence_types_show_every_field) {
  zoo::for_each_sequence(compact_test::every_view{});
}

} // namespace compact_zoo_sequence_view_test
