// SPDX-License-Identifier: Apache-2.0
// Every record type of the zoo survives a round trip through text.
#include "json/zoo_round_trip.hpp"
#include "zoo/records.hpp"

namespace zoo_record_test {

TEST(json_zoo, every_record_type_round_trips) { zoo::for_each_record(json_test::every_type{}); }

} // namespace zoo_record_test
