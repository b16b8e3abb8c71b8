// SPDX-License-Identifier: Apache-2.0
// C++ types as documents and back: what goes in comes out, and what doesn't fit is an error that says where.
#include <ingot/document/document.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_test_types {

enum class side : std::uint8_t { buy, sell };

struct fill {
  std::int64_t quantity = 0;
  double price = 0;
  bool operator==(const fill&) const = default;
};
struct order {
  std::uint64_t id = 0;
  std::string symbol;
  side where = side::buy;
  std::optional<std::string> note;
  std::vector<fill> fills;
  std::map<std::string, std::vector<int>> tags;
  std::array<float, 2> range{};
  std::pair<int, bool> two;
  std::chrono::seconds time{};
  bool operator==(const order&) const = default;
};
struct tree {
  int value = 0;
  std::vector<tree> children;
};

} // namespace document_test_types

namespace document_read_test {

using namespace document_test_types;
using ingot::document;
using ingot::errc;

order sample() {
  return {7,
          "ABC",
          side::sell,
          "a note",
          {{100, 1.5}, {1, 0.1}},
          {{"x", {1, 2, 3}}, {"empty", {}}},
          {1, 2.5F},
          {3, true},
          std::chrono::seconds(99)};
}
template <class T>
void round_trip(const T& from) {
  document doc;
  doc = from;
  const auto back = doc.root().as<T>();
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_TRUE(*back == from);
  doc.compact();
  EXPECT_TRUE(*doc.root().as<T>() == from);
}

TEST(document_read, records_and_containers_come_back) {
  round_trip(sample());
  round_trip(std::vector<order>(20, sample()));
  round_trip(std::vector<bool>{true, false});
  round_trip(std::set<std::string>{"a", "b"});
  round_trip(std::unordered_map<std::string, double>{{"a", 1}, {"b", 0.1}});
  round_trip(std::tuple<int, std::string>{1, "two"});
  round_trip(std::vector<std::vector<int>>{{}, {1}, {70'000, -1}});
  round_trip(std::vector<std::uint64_t>{~std::uint64_t{0}, 1});
  round_trip(std::string(100'000, 'x'));
}

TEST(document_read, what_does_not_fit_says_where) {
  document doc;
  doc = std::vector<order>{sample(), sample()};
  const auto refusal = [&] {
    const auto read = doc.root().as<std::vector<order>>();
    return read ? std::string("read")
                : std::string(ingot::to_string(read.error().code())) + " at " +
                      std::string(read.error().path());
  };
  EXPECT_EQ(refusal(), "read");
  static_cast<void>(doc.at("/1/fills/0/quantity").set("many"));
  EXPECT_EQ(refusal(), "wrong type at [1].fills[0].quantity");
  static_cast<void>(doc.at("/1/fills/0/quantity").set(1));
  static_cast<void>(doc.at("/0/tags/x").append(std::int64_t{1} << 40));
  EXPECT_EQ(refusal(), "out of range at [0].tags[x][3]");
  static_cast<void>(doc.at("/0").set("tags", std::map<std::string, int>{}));
  static_cast<void>(doc.at("/0").set("where", "hold"));
  EXPECT_EQ(refusal(), "unknown enumerator at [0].where");
  static_cast<void>(doc.at("/0").set("where", 1));
  EXPECT_EQ(refusal(), "read");
  static_cast<void>(doc.at("/0").set("extra", 1));
  EXPECT_EQ(refusal(), "unknown member at [0]");
  static_cast<void>(doc.at("/0").erase("extra"));
  static_cast<void>(doc.at("/0").erase("note")); // optional
  EXPECT_EQ(refusal(), "read");
  static_cast<void>(doc.at("/0").erase("symbol"));
  EXPECT_EQ(refusal(), "missing member at [0]");
}

TEST(document_read, recursive_types_end_at_128_levels) {
  document doc;
  ingot::value_ref at = doc.root();
  for (int i = 0; i < 200; ++i) {
    static_cast<void>(at.set("value", i));
    static_cast<void>(at.set("children", std::vector<int>{}));
    at = at.find("children");
    static_cast<void>(at.append(nullptr));
    at = at[0];
  }
  EXPECT_EQ(doc.root().as<tree>().error().code(), errc::too_deep);
}

} // namespace document_read_test
