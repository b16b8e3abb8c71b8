// SPDX-License-Identifier: Apache-2.0
// The zoo's scalars and fixed things: every one survives packing, and a view of it shows every field (see round_trip.hpp, view_agrees.hpp).
#include "round_trip.hpp"
#include "view_agrees.hpp"
#include "zoo/scalars.hpp"

namespace {

TEST(pack_zoo, scalar_types_round_trip) { zoo::for_each_scalar(pack_test::every_round_trip{}); }

TEST(pack_zoo, views_of_scalar_types_show_every_field) { zoo::for_each_scalar(pack_test::every_view{}); }

} // namespace
