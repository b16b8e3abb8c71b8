// SPDX-License-Identifier: Apache-2.0
// Under AddressSanitizer documents that ended are poisoned. Others are not: lookups read past
// nodes.
#include <ingot/document/document.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#if INGOT_POISONS == 1
#include <sanitizer/asan_interface.h>
#endif

namespace document_poison_test {

#if INGOT_POISONS != 1

TEST(document_poison, without_the_sanitizer_nothing_is_poisoned) {
  EXPECT_EQ(ingot::detail::poisons, INGOT_POISONS != 0);
}

#else

template <class T>
[[nodiscard]] bool reported(const T* object) {
  return __asan_region_is_poisoned(const_cast<T*>(object), sizeof(T)) != nullptr;
}
[[nodiscard]] bool readable(ingot::bytes_view bytes) {
  return __asan_region_is_poisoned(const_cast<std::byte*>(bytes.data()), bytes.size()) == nullptr;
}

TEST(document_poison, a_document_that_ended) {
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
