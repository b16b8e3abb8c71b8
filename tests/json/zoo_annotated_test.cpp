// SPDX-License-Identifier: Apache-2.0
// Every annotated type of the zoo survives a round trip through text.
#include "json/zoo_round_trip.hpp"
#include "zoo/annotated.hpp"

namespace zoo_annotated_test {

TEST(json_zoo, every_annotated_type_round_trips) { zoo::for_each_annotated(json_test::every_type{}); }

} // namespace zoo_annotated_test
