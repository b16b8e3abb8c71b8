// SPDX-License-Identifier: Apache-2.0
// The zoo's records: a view of each shows every field (see view_agrees.hpp).
#include "view_agrees.hpp"
#include "zoo/records.hpp"

namespace zoo_record_view_test {

TEST(pack_zoo, views_of_record_types_show_every_field) { zoo::for_each_record(pack_test::every_view{}); }

} // namespace zoo_record_view_test
