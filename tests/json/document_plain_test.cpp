// SPDX-License-Identifier: Apache-2.0
// Texts of nearly all kinds take a quick way. Without these it could forget a limit, an order of keys or a check that the other way keeps.
#include <ingot/document/writer.hpp>
#include <ingot/json/document.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace json_document_plain_test {

namespace json = ingot::json;
using ingot::errc;

/// That a text, whose keys are in order, is read to a document that is one, and written as it is.
void expect_kept(const std::string& text) {
  const auto read = json::read_document(text);
  ASSERT_TRUE(read) << read.error().message();
  const auto proved = ingot::document::open(read->bytes());
  ASSERT_TRUE(proved) << proved.error().message();
  const auto written = json::write(*read, {.key_order = json::key_order::sorted});
  ASSERT_TRUE(written) << written.error().message();
  ASSERT_EQ(*written, text);
}

TEST(json_document_plain, events_keep_the_depth_of_who_takes_them) {
  const std::string_view four = R"({"a":[[["text"]]]})";
  for (std::size_t open = 0; open < 3; ++open) {
    for (const std::size_t most : {3 + open, 4 + open, 5 + open}) {
      ingot::document_writer to({.max_depth = most});
      for (std::size_t i = 0; i < open; ++i) ASSERT_TRUE(to.begin_array());
      const auto told = json::read_events(four, to);
      ASSERT_EQ(told.has_value(), most >= 4 + open) << most << ", " << open;
      for (std::size_t i = 0; i < open; ++i) to.end();
      const auto made = to.finish();
      ASSERT_EQ(made.has_value(), most >= 4 + open);
      if (made) continue;
      EXPECT_EQ(told.error().code(), errc::too_deep);
      EXPECT_EQ(made.error().code(), errc::too_deep);
      EXPECT_EQ(told.error().path(), "a[0][0]");
    }
  }
}

TEST(json_document_plain, writing_keeps_the_limits) {
  const std::string deep = R"([[["text"]]])";
  const auto nested = json::read_document(deep);
  ASSERT_TRUE(nested);
  EXPECT_EQ(*json::write(*nested, {.max_depth = 3}), deep);
  const auto too_deep = json::write(*nested, {.max_depth = 2});
  ASSERT_FALSE(too_deep);
  EXPECT_EQ(too_deep.error().code(), errc::too_deep);
  for (const unsigned count : {1u, 10u, 600u, 3000u}) {
    std::string text = "[\"one\"";
    for (unsigned i = 0; i < count; ++i) text += ",\"word " + std::to_string(i) + "\"";
    text += "]";
    const auto list = json::read_document(text);
    ASSERT_TRUE(list);
    EXPECT_EQ(*json::write(*list, {.max_size = text.size()}), text);
    EXPECT_FALSE(json::write(*list, {.max_size = text.size() - 1}));
  }
}

TEST(json_document_plain, an_object_ends_after_keys_that_never_repeat_were_forgotten) {
  // So many records as make the paths of keys begin anew, at each place of the object around them, and with each number of keys known.
  for (unsigned count = 255; count < 290; ++count) {
    std::string records;
    for (unsigned i = 0; i < count; ++i) {
      records += (i == 0 ? R"({"k)" : R"(,{"k)") + std::to_string(1000 + i) + R"(":0)";
      records.append(R"(,"x":1,"y":2,"z":3)", std::size_t{6} * (i % 4)).append("}");
    }
    expect_kept(R"({"a":1,"b":2,"c":3,"d":[)" + records + "]}");
    expect_kept(R"({"a":1,"b":2,"c":[)" + records + R"(],"d":4,"e":[)" + records + R"(],"x":5,"y":6})");
  }
}

TEST(json_document_plain, objects_of_more_keys_than_a_path_has) {
  for (unsigned count = 30; count < 36; ++count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += (i == 0 ? "{\"k" : ",\"k") + std::to_string(100 + i) + "\":" + std::to_string(i);
    text += "}";
    expect_kept("[" + text + "," + text + "," + text + "]");
  }
}

TEST(json_document_plain, bytes_that_are_no_text_are_found_wherever_they_are) {
  for (const std::size_t at : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 39u}) {
    for (unsigned element = 0; element < 12; ++element) {
      ingot::document made = *json::read_document("[]");
      for (unsigned i = 0; i < 12; ++i) {
        std::string text(40, 'a');
        if (i == element) text[at] = '\xFF';
        ASSERT_TRUE(made.root().append(text));
      }
      const auto written = json::write(made);
      ASSERT_FALSE(written) << at << ", " << element;
      EXPECT_EQ(written.error().code(), errc::invalid_utf8);
    }
  }
}

TEST(json_document_plain, a_short_text_takes_little_memory_and_none_where_there_is_enough) {
  const auto one = json::read_document(R"({"id":1,"of":["a","b"]})");
  ASSERT_TRUE(one);
  std::string out;
  ASSERT_TRUE(json::write_to(out, *one));
  EXPECT_LE(out.capacity(), 256u);

  std::string reserved = "kept";
  reserved.reserve(1000);
  const char* const there = reserved.data();
  ASSERT_TRUE(json::write_to(reserved, *one));
  EXPECT_EQ(reserved.data(), there);
  EXPECT_EQ(reserved, "kept" + *json::write(*one));
}

TEST(json_document_plain, what_has_no_text_is_replaced_when_that_is_asked_for) {
  ingot::document made = *json::read_document(R"(["plain"])");
  ASSERT_TRUE(made.root().append(-std::numeric_limits<double>::infinity()));
  ASSERT_TRUE(made.root().append(1.5));
  EXPECT_FALSE(json::write(made));
  EXPECT_EQ(*json::write(made, {.non_finite = json::non_finite::null}), R"(["plain",null,1.5])");
  EXPECT_EQ(*json::write(made, {.non_finite = json::non_finite::strings}), R"(["plain","-Infinity",1.5])");
}

} // namespace json_document_plain_test
