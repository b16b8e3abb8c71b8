// SPDX-License-Identifier: Apache-2.0
// The promises of description_test.cpp, for every type of the zoo.
#include <ingot/schema/description.hpp>

#include "zoo/zoo.hpp"

#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

namespace zoo_description_test {

using ingot::read_schema;
using ingot::schema_bytes;
using ingot::schema_id;
using ingot::schema_of;

TEST(description_of_the_zoo, gives_back_the_schema_it_was_created_from) {
  zoo::for_each_type([]<class T>(std::string_view name) {
    const auto read = read_schema(schema_bytes<T>());
    ASSERT_TRUE(read.has_value()) << name << ": " << read.error().message();
    EXPECT_EQ(read->id(), schema_id<T>) << name;
    EXPECT_EQ(*read, schema_of<T>()) << name;
    EXPECT_EQ(read->to_text(), schema_of<T>().to_text()) << name;
    EXPECT_TRUE(std::ranges::equal(schema_bytes(*read), schema_bytes<T>())) << name;
  });
}

} // namespace zoo_description_test
