// SPDX-License-Identifier: Apache-2.0
// Documents with every kind of node, and mutants of their bytes. Each mutant is offered to every
// function that opens documents. Every operation runs on accepted ones.
#pragma once

#include "document/exercise.hpp"
#include "live/offering_of.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace document_test {

/// Every kind of node and value.
inline ingot::document everything() {
  ingot::document doc;
  doc["small"] = 7;
  doc["int24"] = 100'000;
  doc["int64"] = -(std::int64_t{1} << 50);
  doc["large"] = ~std::uint64_t{0};
  doc["real"] = 0.1;
  doc["float"] = 0.375;
  doc["yes"] = true;
  doc["nothing"] = nullptr;
  doc["text"] = "short text";
  doc["long text"] = std::string(200, 'x');
  doc["bytes"] = std::vector<std::byte>(9, std::byte{7});
  doc["packed"] = std::vector<int>{1, 300, -5};
  doc["empty"] = std::vector<int>{};
  doc["a key that takes more than thirty-two bytes"] = 1;
  doc["mixed"] = nullptr;
  for (int i = 0; i < 3; ++i) {
    doc["records"] = doc["records"].is_array() ? doc["records"] : doc["mixed"];
    auto record =
        doc.root().find("records").append(std::map<std::string, int>{{"id", i}, {"price", 9000 * i}});
    static_cast<void>(record->set("another key that takes more than thirty-two bytes", "value"));
  }
  static_cast<void>(doc.root().find("mixed").append("in an array"));
  static_cast<void>(doc.root().find("mixed").append(2.5));
  // More than 16, which have an index
  for (int i = 0; i < 6; ++i) doc["key " + std::to_string(i)] = i;
  return doc;
}
inline std::vector<byte_vector> goldens() {
  ingot::document edited = everything();
  ingot::document canonical(edited);
  ingot::document scalar(std::string("a root of text"));
  return {bytes_of(canonical), bytes_of(edited), bytes_of(scalar)};
}

/// Defines how documents are opened, and which operations run on them.
struct any_document {
  static auto open(std::span<const std::byte> bytes) { return ingot::document::open(bytes); }
  static auto open_in_place(std::span<std::byte> bytes) { return ingot::document::open_in_place(bytes); }
  static void look_at_unvalidated(std::span<std::byte> bytes, std::size_t number) {
    exercise_unvalidated(bytes, number);
  }
  static void use_in_place(ingot::document& doc, std::size_t number) {
    if (number % 4 == 0) exercise(doc, number);
  }
  static void use(ingot::document& doc, std::size_t number) { exercise(doc, number); }
};
using offering = live_test::offering_of<any_document>;

} // namespace document_test
