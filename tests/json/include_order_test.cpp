// SPDX-License-Identifier: Apache-2.0
// Calls of json.hpp with documents mean the same wherever json/document.hpp is included: before
// them, between them, or after the first of them.
#include <ingot/json/json.hpp>

namespace include_order {

/// A header of a program that does not know documents.
template <class T>
ingot::result<std::string> text_of(const T& value) {
  return ingot::json::write(value);
}
template <class T>
ingot::result<void> read_to(T&& value, std::string_view text) {
  return ingot::json::read_into(value, text);
}

} // namespace include_order

#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>

namespace include_order {

ingot::result<std::string> early(const ingot::document& doc) { return ingot::json::write(doc); }
ingot::result<std::size_t> early_to(std::string& out, const ingot::value& v) {
  return ingot::json::write_to(out, v, {.indent = 1});
}
ingot::result<ingot::document> early_read(std::string_view text) {
  return ingot::json::read<ingot::document>(text);
}

} // namespace include_order

#include <ingot/core/buffer.hpp>
#include <ingot/json/document.hpp>

#include <gtest/gtest.h>

namespace include_order {

struct holder {
  ingot::live_value extra;
};

TEST(json_include_order, any_order_gives_the_same_text) {
  const ingot::document doc = ingot::json::read_document(R"({"a": [1, 2.5], "b": {"c": null}})").value();
  const std::string text = ingot::json::write(doc).value();
  EXPECT_EQ(early(doc).value(), text);
  EXPECT_EQ(text_of(doc).value(), text);
  EXPECT_EQ(text_of(doc["a"]).value(), ingot::json::write(doc["a"]).value());
  std::string indented;
  const auto written = early_to(indented, doc["a"]);
  EXPECT_EQ(written.value(), indented.size());
  EXPECT_EQ(indented, ingot::json::write(doc["a"], {.indent = 1}).value());
  EXPECT_EQ(early_read(text).value(), doc);
  ingot::buffer sink;
  EXPECT_EQ(ingot::json::write_to(sink, doc["a"]).value(), text_of(doc["a"])->size());
}

TEST(json_include_order, every_handle_and_view_is_written_by_a_call_of_a_header_without_documents) {
  ingot::document doc = ingot::json::read_document(R"({"a": [1, 2.5]})").value();
  EXPECT_EQ(text_of(doc.root()).value(), R"({"a":[1,2.5]})");
  EXPECT_EQ(text_of(doc["a"]).value(), "[1,2.5]");
  EXPECT_EQ(text_of(doc["a"][0]).value(), "1");
  ingot::live<holder> block;
  block->extra = doc;
  EXPECT_EQ(text_of(block->extra.root()).value(), R"({"a":[1,2.5]})");
  EXPECT_EQ(text_of(block->extra["a"]).value(), "[1,2.5]");
  EXPECT_EQ(text_of(doc["zz"]["y"]).error().code(), ingot::errc::missing_member);
  EXPECT_TRUE(read_to(doc.root().find("a"), "[3]"));
  EXPECT_EQ(text_of(doc).value(), R"({"a":[3]})");
}

} // namespace include_order
