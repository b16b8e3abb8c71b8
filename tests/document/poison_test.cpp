// SPDX-License-Identifier: Apache-2.0
// Under AddressSanitizer and Valgrind the memory of destroyed documents is poisoned. Documents in
// use are not: lookups read beyond nodes.
#include <ingot/document/document.hpp>

#include "poison_tools.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace document_poison_test {

#if INGOT_POISONS == 0

TEST(document_poison, without_the_sanitizer_nothing_is_poisoned) { EXPECT_FALSE(ingot::detail::poisons); }

#else

using ingot_test::readable;
using ingot_test::reported;
using document_poison = ingot_test::nothing_reported;

TEST_F(document_poison, a_document_that_ended) {
  std::string_view stale;
  {
    ingot::document doc;
    doc["list"] = std::vector<std::string>(9, "a text of some length that is stored on its own");
    stale = *doc["list"][0].as<std::string_view>();
    EXPECT_FALSE(reported(stale.data()));
    EXPECT_TRUE(doc.root().erase("list").has_value());
    EXPECT_FALSE(reported(stale.data()));
    doc["name"] = "a text";
    ASSERT_TRUE(doc.try_compact());
    EXPECT_FALSE(reported(doc.bytes().data() + doc.bytes().size()));
  }
  EXPECT_TRUE(reported(stale.data()));
  ingot::document next;
  next["name"] = "another text of some length that is stored";
  EXPECT_TRUE(readable(next.bytes()));
  EXPECT_TRUE(ingot::document::open(next.bytes()));
}

#endif

} // namespace document_poison_test
