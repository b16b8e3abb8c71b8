// SPDX-License-Identifier: Apache-2.0
// The zoo's scalars and fixed things: a view of each shows every field (see view_agrees.hpp).
#include "view_agrees.hpp"
#include "zoo/scalars.hpp"

namespace zoo_scalar_view_test {

TEST(pack_zoo, views_of_scalar_types_show_every_field) { zoo::for_each_scalar(pack_test::every_view{}); }

} // namespace zoo_scalar_view_test
