// SPDX-License-Identifier: Apache-2.0
// The zoo's strings, sequences and variable alternatives: a view of each shows every field (see
// view_agrees.hpp).
#include "view_agrees.hpp"
#include "zoo/containers.hpp"

namespace zoo_sequence_view_test {

TEST(pack_zoo, views_of_sequence_types_show_every_field) { zoo::for_each_sequence(pack_test::every_view{}); }

} // namespace zoo_sequence_view_test
