// SPDX-License-Identifier: Apache-2.0
// Assigning to a member below members that do not exist creates the objects on the way.
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace nested_assignment_test {

using ingot::document;

std::string error_of(const std::function<void()>& call) {
#if INGOT_EXCEPTIONS
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
#endif
  return {};
}

TEST(nested_assignment, creates_each_missing_object) {
  document doc;
  doc["address"]["city"] = "Rome";
  doc["address"]["street"]["name"]["long"] = "Via Appia";
  doc["address"]["street"]["number"] = 7;

  document same;
  same.root().set_at("/address/city", "Rome").value();
  same.root().set_at("/address/street/name/long", "Via Appia").value();
  same.root().set_at("/address/street/number", 7).value();
  EXPECT_TRUE(doc == same);
  EXPECT_TRUE(document::open(doc.bytes()).has_value());
}

TEST(nested_assignment, a_null_member_becomes_an_object) {
  document doc;
  doc["empty"] = nullptr;
  doc["empty"]["a"]["b"] = 1;
  EXPECT_EQ(doc.root().at("/empty/a/b").as<int>(), 1);
}

TEST(nested_assignment, returns_a_handle_to_the_new_member) {
  document doc;
  ingot::value_ref city = (doc["address"]["place"]["city"] = "Rome");
  EXPECT_EQ(city.as<std::string>(), "Rome");
  ASSERT_TRUE(city.set("Paris").has_value());
  EXPECT_EQ(doc["address"]["place"]["city"].as<std::string>(), "Paris");
}

TEST(nested_assignment, copies_values_of_the_same_document) {
  document doc;
  doc["text"] = std::string(300, 't');
  doc["list"] = std::vector<int>{1, 2, 300};
  doc["copies"]["of"]["text"] = doc["text"];
  doc["copies"]["more"]["list"] = doc["list"];
  doc["copies"]["all"]["so far"] = doc.root();
  EXPECT_EQ(doc["copies"]["of"]["text"].as<std::string>(), std::string(300, 't'));
  EXPECT_TRUE(doc["copies"]["more"]["list"] == doc["list"]);
  EXPECT_TRUE(doc["copies"]["all"]["so far"]["copies"]["more"] == doc["copies"]["more"]);
  EXPECT_TRUE(document::open(doc.bytes()).has_value());
}

TEST(nested_assignment, keys_may_be_text_of_the_same_document) {
  document doc;
  doc["names"] = std::vector<std::string>{"a key that is longer than fifteen bytes", "short"};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto key = doc["names"][i].as<std::string_view>().value();
    doc["by name"][key][key] = 1;
  }
  EXPECT_EQ(
      doc["by name"]["a key that is longer than fifteen bytes"]["a key that is longer than fifteen bytes"]
          .as<int>(),
      1);
  EXPECT_EQ(doc["by name"]["short"]["short"].as<int>(), 1);
}

TEST(nested_assignment, reading_a_missing_member_creates_nothing) {
  document doc;
  doc["a"] = 1;
  EXPECT_FALSE(doc["x"]["y"]["z"].exists());
  EXPECT_FALSE(doc["a"]["y"].exists());
  EXPECT_EQ(doc["x"]["y"].as<int>().error().path(), "x.y");
  EXPECT_EQ(doc["x"]["y"].set(1).error().code(), ingot::errc::missing_member);
  EXPECT_EQ(doc.root().size(), 1U);
}

#if INGOT_EXCEPTIONS
TEST(nested_assignment, below_other_values_names_the_path_and_changes_nothing) {
  document doc;
  doc["number"] = 1;
  doc["list"] = std::vector<int>{1};
  const document before = doc;
  EXPECT_NE(error_of([&] { doc["number"]["a"]["b"] = 1; }).find("number.a.b"), std::string::npos);
  EXPECT_NE(error_of([&] { doc["list"]["a"]["b"] = 1; }).find("list.a.b"), std::string::npos);
  EXPECT_NE(error_of([&] { doc["list"][7]["b"]["c"] = 1; }).find("list[7].b.c"), std::string::npos);
  EXPECT_NE(error_of([&] { ingot::value_ref()["a"]["b"] = 1; }).find("a.b"), std::string::npos);
  EXPECT_TRUE(doc == before);
}
#endif

/// Fills `doc` until a value of `size` bytes does not fit.
void fill_up(document& doc, std::size_t size) {
  while (doc.root().set("f" + std::to_string(doc.root().size()), std::string(size, 'f'))) {
  }
}

#if INGOT_EXCEPTIONS
TEST(nested_assignment, without_space_stores_nothing) {
  const std::string text(100, 'x');
  std::size_t rejected = 0;
  for (std::size_t bytes = 1200; bytes < 2048; bytes += 8) {
    alignas(16) std::array<std::byte, 2048> memory{};
    auto doc = document::in(std::span(memory).first(bytes)).value();
    doc["null"] = nullptr;
    fill_up(doc, 150);
    const auto before = doc.stats();
    if (error_of([&] { doc["null"]["a"]["b"]["c"] = text; }).empty()) continue;
    ++rejected;
    EXPECT_TRUE(doc["null"].is_null());
    if (error_of([&] { doc["new"]["a"]["b"]["c"] = text; }).empty()) continue;
    EXPECT_FALSE(doc.contains("new"));
    EXPECT_EQ(doc.stats().live, before.live) << "what was built is released";
    EXPECT_TRUE(document::open(doc.bytes()).has_value());
  }
  EXPECT_GT(rejected, 10U);
}
#endif

struct order {
  ingot::string id;
  ingot::live_value extra;
};

TEST(nested_assignment, works_for_values_in_live_structs) {
  ingot::live<order> o;
  o->extra["address"]["city"] = "Rome";
  o->extra["address"]["street"]["number"] = 7;
  EXPECT_EQ(o->extra.at("/address/street/number").as<int>(), 7);
  EXPECT_EQ(o->extra["address"]["city"].as<std::string>(), "Rome");
  EXPECT_TRUE(ingot::live<order>::open(o.bytes()).has_value());
#if INGOT_EXCEPTIONS
  EXPECT_NE(error_of([&] { o->extra["address"]["city"]["part"]["x"] = 1; }).find("address.city.part.x"),
            std::string::npos);
#endif
  EXPECT_EQ(o->extra.at("/address").size(), 2U);
}

/// In an earlier version, each failed attempt took 900 bytes from the document for good: the first
/// element was built although the array itself had found no space.
TEST(failed_set, returns_the_space_of_parts_that_were_built) {
  document doc(ingot::max_block_size(65'536));
  doc["x"] = std::string(doc.max_size() - 6'000, 'x');
  std::vector<std::string> list(60'000, "b");
  list[0] = std::string(900, 'a');
  std::map<std::string, std::vector<std::string>> nested{{"list", list}};
  const std::size_t before = doc.stats().live;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(doc.root().set("y", list).error().code(), ingot::errc::no_space);
    EXPECT_EQ(doc.root().set("y", nested).error().code(), ingot::errc::no_space);
    EXPECT_EQ(doc.stats().live, before);
  }
  EXPECT_TRUE(document::open(doc.bytes()).has_value());
}

struct part {
  std::string name;
  std::vector<std::string> words;
  std::variant<int, std::string> choice;
  std::map<std::string, std::string> by_key;
};

TEST(failed_set, leaves_the_used_bytes_as_they_were) {
  const std::string text(60, 't');
  const part record{text, {text, text}, text, {{"a", text}, {"b", text}}};
  const std::vector<part> records(3, record);
  const std::map<std::string, part> table{{"first", record}, {"second", record}};
  std::vector<std::string> many(400, text);
  document other;
  other["table"] = table;
  std::size_t failed = 0;
  for (std::size_t bytes = 1'000; bytes < 4'096; bytes += 64) {
    alignas(16) std::array<std::byte, 4'096> memory{};
    auto doc = document::in(std::span(memory).first(bytes)).value();
    doc["list"] = std::vector<int>{1, 2, 3, 4, 5, 6};
    doc["text"] = "";
    const auto attempt = [&](auto&& change) {
      const std::size_t before = doc.stats().live;
      if (change()) return;
      ++failed;
      EXPECT_EQ(doc.stats().live, before) << bytes;
    };
    attempt([&] { return doc.root().set("record", record).has_value(); });
    attempt([&] { return doc.root().set("records", records).has_value(); });
    attempt([&] { return doc["text"].set(table).has_value(); });
    attempt([&] { return doc["list"].append(many).has_value(); });
    attempt([&] { return doc["list"].insert(2, table).has_value(); });
    attempt([&] { return doc.root().set("copy", other).has_value(); });
    attempt([&] { return doc.root().set(other.root()).has_value(); });
    EXPECT_TRUE(document::open(doc.bytes()).has_value());
  }
  EXPECT_GT(failed, 50U);
}

} // namespace nested_assignment_test
