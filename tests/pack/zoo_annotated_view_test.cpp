// SPDX-License-Identifier: Apache-2.0
// The zoo's annotated, evolvable, checked and adapted types: a view of each shows every field (see
// view_agrees.hpp).
#include "view_agrees.hpp"
#include "zoo/annotated.hpp"

namespace zoo_annotated_view_test {

TEST(pack_zoo, views_of_annotated_types_show_every_field) {
  zoo::for_each_annotated(pack_test::every_view{});
}

} // namespace zoo_annotated_view_test
