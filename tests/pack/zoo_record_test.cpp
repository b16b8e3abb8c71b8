// SPDX-License-Identifier: Apache-2.0
// The zoo's records: every one survives packing (see round_trip.hpp). Views of them are in zoo_record_view_test.cpp.
#include "round_trip.hpp"
#include "zoo/records.hpp"

namespace {

TEST(pack_zoo, record_types_round_trip) { zoo::for_each_record(pack_test::every_round_trip{}); }

} // namespace
