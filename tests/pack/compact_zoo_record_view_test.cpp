// SPDX-License-Identifier: Apache-2.0
// The zoo's record types in the compact profile. compact_agrees.hpp lists the checks.
#include "compact_agrees.hpp"
#include "zoo/records.hpp"

namespace compact_zoo_record_view_test {

TEST(compact_zoo, views_of_record_types_show_every_field) {
  zoo::for_each_record(compact_test::every_view{});
}

} // namespace compact_zoo_record_view_test
