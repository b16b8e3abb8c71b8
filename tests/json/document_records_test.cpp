// SPDX-License-Identifier: Apache-2.0
// Without these tests, an object that begins like the one before it could get that object's order
// of keys, or hide a repeated key.
#include <ingot/json/document.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace json_document_records_test {

namespace json = ingot::json;

TEST(json_document_records, each_is_what_it_is_alone) {
  std::vector<std::string> records;
  for (unsigned i = 0; i < 700; ++i) { // more continuations than the reader remembers
    std::string text = R"({"id":)" + std::to_string(i);
    if (i % 2 == 0) text += R"(,"a name that has more than sixteen bytes":"x")";
    if (i % 3 == 0) text += R"(,"k)" + std::to_string(i) + R"(":[1,2],"in":{"id":0.5,"y":{}})";
    if (i % 5 == 0) text += R"(,"\u0061":null)";
    if (i % 7 == 0) text += ",\"" + std::string(40, 'l') + R"(":true)";
    records.push_back(text + "}");
  }
  std::string all;
  for (const auto& each : records) all += (all.empty() ? "[" : ",") + each;
  const auto read = json::read_document(all + "]");
  ASSERT_TRUE(read) << read.error().message();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto alone = json::read_document(records[i]);
    ASSERT_TRUE(alone);
    ASSERT_TRUE((*read)[i] == alone->root()) << records[i];
    ASSERT_EQ(*json::write((*read)[i]), *json::write(*alone));
  }
}

TEST(json_document_records, a_repeated_key_is_rejected_however_often_the_others_came) {
  const std::string good = R"({"id":1,"name":2},)";
  for (const char* last :
       {R"({"id":1,"id":2})", R"({"id":1,"name":2,"id":3})", R"({"id":1,"name":2,"\u0069d":3})"}) {
    const auto read = json::read_document("[" + good + good + last + "]");
    ASSERT_FALSE(read) << last;
    EXPECT_EQ(read.error().code(), ingot::errc::duplicate_key);
  }
}

} // namespace json_document_records_test
