// SPDX-License-Identifier: Apache-2.0
// A record that contains itself, whose graph is the first thing that a program asks for.
#include <ingot/schema/compatible.hpp>
#include <ingot/schema/schema.hpp>

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace graph_first_test {

struct knot {
  std::string name;
  std::vector<knot> parts;
  std::unique_ptr<knot> next;
};

TEST(compatible, describes_a_record_that_contains_itself) {
  EXPECT_FALSE(ingot::compatible<knot>(ingot::schema()));
  EXPECT_TRUE(ingot::compatible<knot>(ingot::schema_of<knot>()).changes().empty());
}

} // namespace graph_first_test
