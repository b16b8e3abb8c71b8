// SPDX-License-Identifier: Apache-2.0
// Keys of alternatives in documents: alternatives with equal names have no keys, and an alternative
// whose index changed is found. tests/json/variant_tags_test.cpp compares all representations.
#include <ingot/document/document.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <variant>

#include <gtest/gtest.h>

namespace document_variant_tags_test {

struct deposit {
  std::int64_t cents = 0;
};
struct withdrawal {
  std::int64_t cents = 0;
};
namespace other {
struct deposit {
  std::int64_t cents = 0;
};
} // namespace other
struct deposit_2 {
  std::int64_t cents = 0;
};
using before = std::variant<deposit, withdrawal>;
using after = std::variant<withdrawal, deposit>;
using alike = std::variant<deposit, withdrawal, other::deposit>;

} // namespace document_variant_tags_test
template <>
inline constexpr auto ingot::annotations<document_variant_tags_test::deposit_2> =
    ingot::annotate(ingot::type(ingot::renamed_from("deposit")));
namespace document_variant_tags_test {

using ingot::document;
using ingot::errc;

TEST(document_variant_tags, alternatives_of_one_name_have_their_index) {
  EXPECT_TRUE(document(alike(deposit{5}))["0"].exists());
  EXPECT_TRUE(document(alike(other::deposit{5}))["2"].exists());
  EXPECT_TRUE(document(alike(withdrawal{5}))["withdrawal"].exists());
  EXPECT_EQ(document(alike(other::deposit{5})).root().as<alike>().value().index(), 2U);
}

TEST(document_variant_tags, a_moved_alternative_is_found) {
  const document written(before(deposit{5}));
  EXPECT_EQ(std::get<deposit>(written.root().as<after>().value()).cents, 5);
}

TEST(document_variant_tags, an_index_where_a_name_is_due_is_rejected) {
  const auto read = document(std::map<std::string, deposit>{{"0", {5}}}).root().as<before>();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), errc::bad_variant);
  EXPECT_EQ(read.error().expected(), "the tag deposit, not the index of the alternative");
  EXPECT_EQ(read.error().found(), "0");
}

TEST(document_variant_tags, an_alternative_of_a_renamed_class_is_found_by_its_former_name) {
  using renamed = std::variant<withdrawal, deposit_2>;
  const document written(before(deposit{5}));
  EXPECT_EQ(std::get<deposit_2>(written.root().as_evolved<renamed>().value()).cents, 5);
  EXPECT_FALSE(written.root().as<renamed>());
}

} // namespace document_variant_tags_test
