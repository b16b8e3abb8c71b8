// SPDX-License-Identifier: Apache-2.0
// Archives: decoding returns the value that was written, the same value has the same bytes on every
// machine, and reading in place gives the same values. The goldens are
// tests/golden/archive_<name>.hex.
#include "document/archive_exercise.hpp"
#include "golden_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace archive_round_trip_test {

using namespace archive_test;
using ingot::errc;

TEST(archive_golden, bytes_are_as_they_were_committed_on_every_machine) {
  for (const auto& [name, what, doc] : subjects()) {
    SCOPED_TRACE(name);
    const byte_vector bytes = archived(doc);
    const auto golden = ingot_test::golden("archive_" + std::string(name), what, bytes);
    ingot_test::expect_bytes(name, bytes, golden);
    const auto back = ingot::unarchive(golden);
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_TRUE(*back == doc);
    EXPECT_TRUE(exercise(golden));
  }
}

TEST(archive, random_documents_come_back_from_any_writer) {
  const std::size_t count = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 40 : 400;
  for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    document doc = random_document(seed).make();
    const byte_vector bytes = archived(doc);
    EXPECT_TRUE(exercise(bytes));
    const auto back = ingot::unarchive(bytes);
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_TRUE(*back == doc);
    // Edited, compacted and decoded documents with one value have the same archive.
    EXPECT_EQ(archived(*back), bytes);
    if (doc.root().is_object() && !doc.root().empty()) {
      doc["to and fro"] = std::string(200, 'x');
      ASSERT_TRUE(doc.root().erase("to and fro").has_value());
      EXPECT_EQ(archived(doc), bytes);
    }
    EXPECT_EQ(archived(document(*back)), bytes);
    EXPECT_TRUE(document::open(back->bytes()).has_value()) << "what is decoded is a proper document";
  }
}

TEST(archive, equal_values_are_equal_bytes_for_any_order_of_creation) {
  document one;
  document other;
  for (int i = 0; i < 50; ++i)
    one["key " + std::to_string(i)] = std::map<std::string, int>{{"id", i}, {"x", 1}};
  for (int i = 50; i-- != 0;) {
    other["key " + std::to_string(i)] = std::map<std::string, int>{{"x", 1}};
    static_cast<void>(other.root().set_at("/key " + std::to_string(i) + "/id", i));
  }
  EXPECT_EQ(archived(one), archived(other));
}

TEST(archive, of_a_part_is_that_of_a_document_of_it) {
  const auto all = subjects();
  document whole;
  for (const auto& [name, what, doc] : all) whole[name] = doc;
  for (const auto& [name, what, doc] : all) {
    const auto part = ingot::archive(std::as_const(whole)[name]);
    ASSERT_TRUE(part.has_value());
    EXPECT_TRUE(std::ranges::equal(*part, archived(doc))) << name;
  }
}

TEST(archive, keys_that_repeat_are_stored_once) {
  document doc;
  const std::string key(60, 'k');
  for (int i = 0; i < 100; ++i) {
    auto record = *doc.root().append(std::map<std::string, int>{{key, i % 60}});
    if (i % 2 == 0) static_cast<void>(record.set("half of them", true));
  }
  // A record takes a tag, a length and one byte per member.
  EXPECT_LT(archived(doc).size(), 100U * 4 + 60 + 40);
  const auto back = ingot::unarchive(archived(doc));
  ASSERT_TRUE(back.has_value());
  EXPECT_LT(back->bytes().size(), 100U * 24 + 400) << "and so they are in what is made of it";
}

TEST(archive, sinks_are_filled_or_left_as_they_were) {
  const document doc(std::vector<int>{1, 2, 3});
  const auto bytes = archived(doc);
  std::vector<std::byte> storage(bytes.size());
  EXPECT_EQ(ingot::archive_to(std::span<std::byte>(storage), doc.root()).value_or(0), bytes.size());
  EXPECT_EQ(storage, bytes);
  ingot::span_sink small(std::span<std::byte>(storage).first(bytes.size() - 1));
  const auto rejected = ingot::archive_to(small, doc.root());
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().code(), errc::no_space);
  EXPECT_EQ(small.size(), 0U);
  byte_vector appended{std::byte{1}};
  ASSERT_TRUE(ingot::archive_to(appended, doc.root()).has_value());
  EXPECT_EQ(appended.size(), bytes.size() + 1);
  EXPECT_EQ(ingot::archive(doc["no such member"]).error().code(), errc::missing_member);
}

TEST(archive, says_what_is_wrong_and_where) {
  document doc;
  doc["list"] = std::vector<std::map<std::string, int>>{{{"price", 1000}}};
  const byte_vector bytes = archived(doc);
  const auto rejected = [&](std::size_t at, unsigned byte) {
    auto mutant = bytes;
    mutant[at] = static_cast<std::byte>(byte);
    return ingot::unarchive(mutant).error();
  };
  EXPECT_EQ(rejected(0, 'x').code(), errc::not_ingot);
  EXPECT_EQ(rejected(4, 1).code(), errc::wrong_version);
  EXPECT_EQ(rejected(5, 1).code(), errc::bad_padding);
  EXPECT_EQ(rejected(6, 100).code(), errc::truncated);
  EXPECT_EQ(rejected(6, 1).code(), errc::trailing_bytes);
  const auto price = rejected(bytes.size() - 1, 0); // 1000 becomes 232, which fits into one byte
  EXPECT_EQ(price.code(), errc::not_canonical);
  EXPECT_EQ(price.path(), "list[0].price");
  EXPECT_EQ(price.offset(), bytes.size() - 3);
  EXPECT_EQ(ingot::unarchive({}).error().code(), errc::truncated);
}

struct order {
  std::int64_t id = 0;
  std::string who;
  std::vector<double> fills;
  std::optional<std::string> note;
  bool operator==(const order&) const = default;
};

TEST(archive_view, reads_fields_records_and_containers) {
  const order written{7, "somebody", {0.5, 1.25}, std::nullopt};
  document doc;
  doc["orders"] = std::vector<order>{written, {8, "", {}, "late"}};
  doc["list"] = std::vector<int>{1, 300, 70'000};
  const auto bytes = archived(doc);
  auto opened = ingot::archive_view::over(bytes);
  ASSERT_TRUE(opened.has_value());
  const ingot::archive_view view = std::move(*opened);
  using namespace ingot::literals;
  EXPECT_EQ(view["orders"_key][0]["id"].value_or(0), 7);
  EXPECT_EQ(view.at("/orders/1/note").value_or(std::string()), "late");
  EXPECT_EQ(view.at("/orders/1/note").value_or("none"), "late");
  EXPECT_EQ(view.at("/orders/0/id").value_or("none"), "none");
  EXPECT_EQ(view.at("/orders/0").value_or(order()), written);
  EXPECT_EQ(view["list"].value_or(std::vector<int>()), (std::vector<int>{1, 300, 70'000}));
  EXPECT_EQ(view["list"][1].value_or(0), 300);
  EXPECT_EQ(view.at("/list/2").to_document()->root().value_or(0), 70'000);
  EXPECT_EQ(view["orders"].size(), 2U);
  EXPECT_FALSE(view.at("/orders/2").exists());
  EXPECT_FALSE(view.at("/orders/x").exists());
  EXPECT_FALSE(view["list"]["id"].exists());
  EXPECT_EQ(view["list"].as<std::string>().error().code(), errc::type_mismatch);
  EXPECT_EQ(view["nobody"].as<int>().error().code(), errc::missing_member);
  EXPECT_EQ(view["list"][2].as<std::int8_t>().error().code(), errc::out_of_range);
}

/// Overwrites a value in the archive and in a copy of the document. Both archives must then be
/// equal.
template <class T>
void expect_replaced(const ingot::archive_view& view, const ingot::archive_value& target,
                     const std::vector<std::size_t>& path, const document& doc, const T& with) {
  document edited(doc);
  ingot::value_ref there = edited.root();
  for (const std::size_t index : path) there = there[index];
  ASSERT_TRUE(there.set(with).has_value());
  const auto replaced = view.replace(target, with);
  ASSERT_TRUE(replaced.has_value()) << replaced.error().message();
  EXPECT_TRUE(std::ranges::equal(*replaced, archived(edited)));
}

TEST(archive_view, overwritten_in_place_it_is_the_archive_of_the_changed_document) {
  struct step {
    ingot::archive_value value;
    std::vector<std::size_t> path;
  };
  std::size_t done = 0;
  const std::uint64_t count = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 10 : 60;
  for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const document doc = random_document(1000 + seed).make();
    const auto bytes = archived(doc);
    const auto view = ingot::archive_view::over(bytes);
    ASSERT_TRUE(view.has_value());
    std::vector<step> left{{view->root(), {}}};
    while (!left.empty() && !HasFailure()) {
      const step now = left.back();
      left.pop_back();
      for (std::size_t i = 0; i < now.value.size(); ++i) {
        left.push_back({now.value[i], now.path});
        left.back().path.push_back(i);
      }
      if (now.value.size() != 0) {
        const auto rejected = view->replace(now.value, 1);
        EXPECT_TRUE(!rejected && rejected.error().code() == errc::type_mismatch);
        continue;
      }
      switch (++done % 8) {
      case 0: expect_replaced(*view, now.value, now.path, doc, nullptr); break;
      case 1: expect_replaced(*view, now.value, now.path, doc, 0.1); break;
      case 2: expect_replaced(*view, now.value, now.path, doc, std::string(130, 'x')); break;
      case 3: expect_replaced(*view, now.value, now.path, doc, byte_vector(20, std::byte{9})); break;
      case 4: expect_replaced(*view, now.value, now.path, doc, true); break;
      case 5: expect_replaced(*view, now.value, now.path, doc, std::int64_t{1} << 40); break;
      default: expect_replaced(*view, now.value, now.path, doc, 5U); break;
      }
    }
  }
  EXPECT_GT(done, count);
}

TEST(archive_view, makes_a_document_of_a_part_with_the_requested_maximum_size) {
  document doc(ingot::max_block_size{1 << 22});
  doc["long"] = std::string(1'000'000, 'x');
  doc["part"] = std::vector<int>{1, 2, 3};
  const auto bytes = archived(doc);
  const auto view = ingot::archive_view::over(bytes);
  ASSERT_TRUE(view.has_value());
  auto part = view->find("part").to_document({.max_size = ingot::max_block_size{1 << 16}});
  ASSERT_TRUE(part.has_value());
  EXPECT_TRUE(part->root().set(std::string(20'000, 'x')).has_value());
  EXPECT_FALSE(part->root().set(std::string(400'000, 'x')).has_value());
  EXPECT_EQ(view->root().to_document({.max_size = ingot::max_block_size{1 << 16}}).value(), doc)
      << "the value itself fits";
}

TEST(archive_view, overwritten_by_what_no_archive_holds_says_so) {
  const auto bytes = archived(document(std::vector<std::string>{"a", "b"}));
  const auto view = ingot::archive_view::over(bytes);
  ASSERT_TRUE(view.has_value());
  constexpr std::size_t size = sizeof(std::size_t) == 8 ? std::size_t{1} << 31 : 0x7FFF'FFF0;
  const char one = 'x'; // no byte after it is read
  const auto rejected = view->replace(view->root()[1], std::string_view(&one, size));
  ASSERT_FALSE(rejected.has_value());
  EXPECT_EQ(rejected.error().code(), errc::too_large);
  EXPECT_EQ(view->replace(view->root()[1], ingot::bytes_view(reinterpret_cast<const std::byte*>(&one), size))
                .error()
                .code(),
            errc::too_large);
}

TEST(archive_view, overwritten_by_an_array_of_characters_stores_it_as_a_document_does) {
  struct {
    char text[4];
    char after[4];
  } both{{'a', 'b', 'c', 'd'}, "xyz"}; // no byte after the array is read
  const document doc(std::vector<std::string>{"a", "b"});
  const auto bytes = archived(doc);
  const auto view = ingot::archive_view::over(bytes);
  ASSERT_TRUE(view.has_value());
  const auto target = view->root()[1];
  expect_replaced(*view, target, {1}, doc, both.text);
  expect_replaced(*view, target, {1}, doc, "literal");
  expect_replaced(*view, target, {1}, doc, "a\0b\0\0");
  expect_replaced(*view, target, {1}, doc, std::array<char, 5>{'a', 'b'});
}

TEST(archive_view, keeps_every_bit_of_a_number_that_it_overwrites_by) {
  const auto bytes = archived(document(std::vector<double>{0.1, 0.2}));
  const auto view = ingot::archive_view::over(bytes);
  ASSERT_TRUE(view.has_value());
  for (const std::uint64_t bits : {0x7FF0'0000'0000'0001U, 0x7FF7'FFFF'FFFF'FFFFU, 0x7FF8'0000'0000'0001U}) {
    // A signalling NaN is never passed as a double: some machines would change it
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    const auto replaced = view->replace(view->root()[1], number);
    ASSERT_TRUE(replaced.has_value());
    EXPECT_EQ(ingot::load_le<std::uint64_t>(replaced->data() + replaced->size() - 8), bits);
    const auto back = ingot::unarchive(*replaced);
    ASSERT_TRUE(back.has_value());
    EXPECT_TRUE(std::ranges::equal(archived(*back), *replaced));
  }
}

TEST(archive_view, overwritten_into_its_own_bytes_is_what_it_is_elsewhere) {
  const auto bytes = archived(document(std::map<std::string, std::string>{{"a", "text"}, {"b", "more"}}));
  const auto replaced = [](const auto& from, auto& sink) {
    const auto view = ingot::archive_view::over(ingot::bytes_view(from)).value();
    return view.replace_to(sink, view["a"], std::string(100, 'x')).value_or(0);
  };
  byte_vector expected;
  ASSERT_GT(replaced(bytes, expected), bytes.size());

  byte_vector vector = bytes;
  vector.shrink_to_fit();
  ASSERT_EQ(replaced(vector, vector), expected.size());
  EXPECT_EQ(byte_vector(vector.begin() + static_cast<std::ptrdiff_t>(bytes.size()), vector.end()), expected);

  ingot::buffer buffer;
  ASSERT_TRUE(buffer.append(bytes));
  ASSERT_EQ(replaced(buffer, buffer), expected.size());
  EXPECT_TRUE(std::ranges::equal(ingot::bytes_view(buffer).subspan(bytes.size()), expected));

  byte_vector memory = bytes;
  memory.resize(expected.size());
  ingot::span_sink over(memory);
  ASSERT_EQ(replaced(std::span(memory).first(bytes.size()), over), expected.size());
  EXPECT_EQ(memory, expected);
}

TEST(archive_view, finds_members_among_many_keys) {
  // With so many keys an object has no bit set, but lists the indices of its keys.
  document doc(ingot::max_block_size{1 << 22});
  std::map<std::string, int> all;
  std::map<std::string, int> numbers;
  for (int i = 0; i < 5'000; ++i) {
    all["key " + std::to_string(i)] = i;
    if (i % 4 != 0) numbers["key " + std::to_string(i)] = -i;
  }
  doc["all"] = all;
  doc["most"] = numbers;
  const auto bytes = archived(doc);
  const auto view = ingot::archive_view::over(bytes);
  ASSERT_TRUE(view.has_value());
  for (int i = 0; i < 5'000; i += 7) {
    const std::string key = "key " + std::to_string(i);
    EXPECT_EQ(view->root()["all"][key].value_or(-1), i);
    EXPECT_EQ(view->root()["most"][key].value_or(1), i % 4 != 0 ? -i : 1);
  }
}

} // namespace archive_round_trip_test
