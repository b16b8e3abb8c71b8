// SPDX-License-Identifier: Apache-2.0
// Every scalar type of the zoo survives a round trip through text.
#include "json/zoo_round_trip.hpp"
#include "zoo/scalars.hpp"

namespace zoo_scalar_test {

TEST(json_zoo, every_scalar_type_round_trips) { zoo::for_each_scalar(json_test::every_type{}); }

} // namespace zoo_scalar_test
