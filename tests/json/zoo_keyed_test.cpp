// SPDX-License-Identifier: Apache-2.0
// Every keyed type of the zoo survives a round trip through text.
#include "json/zoo_round_trip.hpp"
#include "zoo/containers.hpp"

namespace zoo_keyed_test {

TEST(json_zoo, every_keyed_type_round_trips) { zoo::for_each_keyed(json_test::every_type{}); }

} // namespace zoo_keyed_test
