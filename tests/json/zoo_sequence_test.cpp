// SPDX-License-Identifier: Apache-2.0
// Every sequence type of the zoo survives a round trip through text.
#include "json/zoo_round_trip.hpp"
#include "zoo/containers.hpp"

namespace zoo_sequence_test {

TEST(json_zoo, every_sequence_type_round_trips) { zoo::for_each_sequence(json_test::every_type{}); }

} // namespace zoo_sequence_test
