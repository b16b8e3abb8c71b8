// SPDX-License-Identifier: Apache-2.0
// The text of a type gives a document that can be read as the type, and a document of a type gives
// the type's text.
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>

#include "document/conversion_zoo.hpp"

#include <gtest/gtest.h>

namespace json_document_forms_test {

using document_conversion_types::everything;

TEST(json_document_forms, text_of_a_type_is_a_document_that_reads_as_the_type) {
  const auto text = ingot::json::write(document_conversion_types::sample()).value();
  const auto doc = ingot::json::read_document(text).value();
  const auto read = doc.root().as<everything>();
  ASSERT_TRUE(read) << read.error().message() << "\n" << text;
  EXPECT_EQ(ingot::json::write(*read).value(), text);
}

TEST(json_document_forms, a_document_of_a_type_is_text_that_reads_as_the_type) {
  const auto sample = document_conversion_types::sample();
  const auto text = ingot::json::write(ingot::document(sample)).value();
  const auto read = ingot::json::read<everything>(text);
  ASSERT_TRUE(read) << read.error().message() << "\n" << text;
  EXPECT_EQ(ingot::json::write(*read).value(), ingot::json::write(sample).value());
}

} // namespace json_document_forms_test
