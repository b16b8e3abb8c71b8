// SPDX-License-Identifier: Apache-2.0
// The zoo's sets and maps: a view of each shows every field (see view_agrees.hpp).
#include "view_agrees.hpp"
#include "zoo/containers.hpp"

namespace zoo_keyed_view_test {

TEST(pack_zoo, views_of_keyed_types_show_every_field) { zoo::for_each_keyed(pack_test::every_view{}); }

} // namespace zoo_keyed_view_test
