// SPDX-License-Identifier: Apache-2.0
// The zoo's annotated types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/annotated.hpp"

namespace compact_zoo_annotated_view_test {

TEST(compact_zoo, views_of_annotated_types_show_every_field) {
  zoo::for_each_annotated(compact_test::every_view{});
}

} // namespace compact_zoo_annotated_view_test
