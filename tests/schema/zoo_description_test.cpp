// SPDX-License-Identifier: Apache-2.0
// The promises of description_test.cpp, for every type of the zoo.
#include <ingot/schema/description.hpp>

#include "described_types.hpp"
#include "zoo/zoo.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace zoo_description_test {

using ingot::read_schema;
using ingot::schema_bytes;
using ingot::schema_id;
using ingot::schema_of;

TEST(description_of_the_zoo, gives_back_the_schema_it_was_created_from) {
  ingot_test::described_types known;
  std::size_t found = 0;
  zoo::for_each_type([&]<class T>(std::string_view name) {
    const auto read = read_schema(schema_bytes<T>());
    ASSERT_TRUE(read.has_value()) << name << ": " << read.error().message();
    EXPECT_EQ(read->id(), schema_id<T>) << name;
    EXPECT_EQ(*read, schema_of<T>()) << name;
    EXPECT_EQ(read->to_text(), schema_of<T>().to_text()) << name;
    EXPECT_TRUE(std::ranges::equal(schema_bytes(*read), schema_bytes<T>())) << name;
    for (const auto& [key, bytes] :
         {std::pair(std::string(name), schema_bytes<T>()),
          std::pair("vector_" + std::string(name), schema_bytes<std::vector<T>>())})
      found += known.expect(key, bytes) ? 1 : 0;
  });
  EXPECT_GE(found, 100U); // the types that the tests of the Python reader know
}

TEST(description_of_the_zoo, of_enumerations_is_the_one_that_the_tests_of_the_python_reader_know) {
  ingot_test::described_types known;
  EXPECT_TRUE(known.expect("colour", schema_bytes<zoo::colour>()));
  EXPECT_TRUE(known.expect("mood", schema_bytes<zoo::mood>()));
  EXPECT_TRUE(known.expect("answer", schema_bytes<zoo::answer>()));
  EXPECT_TRUE(known.expect("distance", schema_bytes<zoo::distance>()));
  EXPECT_TRUE(known.expect("vector_colour", schema_bytes<std::vector<zoo::colour>>()));
  EXPECT_TRUE(known.expect("vector_mood", schema_bytes<std::vector<zoo::mood>>()));
  EXPECT_TRUE(known.expect("vector_answer", schema_bytes<std::vector<zoo::answer>>()));
  EXPECT_TRUE(known.expect("vector_distance", schema_bytes<std::vector<zoo::distance>>()));
}

} // namespace zoo_description_test
