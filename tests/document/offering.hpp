// SPDX-License-Identifier: Apache-2.0
// Documents of every kind of node, and mutants of their bytes: each is offered to every way in, and what is accepted has everything
// done to it.
#pragma once

#include "document/exercise.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
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
  for (int i = 0; i < 6; ++i) doc["key " + std::to_string(i)] = i; // more than 16, which have an index
  return doc;
}
inline std::vector<byte_vector> goldens() {
  ingot::document edited = everything();
  ingot::document canonical(edited);
  ingot::document scalar(std::string("a root of text"));
  return {bytes_of(canonical), bytes_of(edited), bytes_of(scalar)};
}

/// Offers mutants and counts.
class offering {
public:
  explicit offering(std::string_view what) : what_(what) {}
  offering(const offering&) = delete;
  offering& operator=(const offering&) = delete;
  ~offering() {
    std::printf("[  counted ] %.*s: %zu tried, %zu accepted\n", static_cast<int>(what_.size()), what_.data(),
                tried, accepted);
  }
  bool offer(std::span<const std::byte> bytes) {
    ++tried;
    // An allocation of its own, so that sanitizers see what is read behind.
    const std::unique_ptr<std::uint64_t[]> memory(new std::uint64_t[bytes.size() / 8 + 1]);
    const std::span<std::byte> exact(reinterpret_cast<std::byte*>(memory.get()), bytes.size());
    const auto restore = [&] {
      if (!bytes.empty()) std::memcpy(exact.data(), bytes.data(), bytes.size());
    };
    restore();
    exercise_unproved(exact, tried);
    restore();
    auto in_place = ingot::document::open_in_place(exact);
    const bool good = in_place.has_value();
    if (good && tried % 4 == 0) exercise(*in_place, tried);
    auto opened = ingot::document::open(bytes);
    EXPECT_EQ(good, opened.has_value());
    if (!opened) {
      EXPECT_LE(opened.error().offset(), bytes.size()) << opened.error().message();
      return false;
    }
    ++accepted;
    exercise(*opened, tried);
    return true;
  }
  std::size_t tried = 0;
  std::size_t accepted = 0;

private:
  std::string_view what_;
};

} // namespace document_test
