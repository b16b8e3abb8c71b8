// SPDX-License-Identifier: Apache-2.0
// Unchecked bytes: a lookup finds a field, a scalar is overwritten, and a member is added where a
// node has free bytes, with no pass over the other bytes. Untrusted bytes are in
// validation_test.cpp.
#include <ingot/document/document.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/live/live.hpp>

#include "hostile/fenced_pages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace document_peek_test {

using ingot::document;
using ingot::document_peek;
using ingot::errc;

struct holder {
  ingot::live_value value;
};

std::vector<std::byte> message() {
  document doc;
  doc["price"] = 1.1;
  doc["count"] = 100'000;
  doc["text"] = "eight ch";
  doc["list"] = std::vector<int>{1, 2, 3};
  doc["order"] = std::map<std::string, std::string>{{"symbol", "ABC"}};
  for (int i = 0; i < 40; ++i) doc["key " + std::to_string(i)] = i;
  return {doc.bytes().begin(), doc.bytes().end()};
}

TEST(document_peek, stores_an_array_of_characters_as_a_document_does) {
  using four = std::array<char, 4>;
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  const auto expect_same = [](const auto& text) {
    document doc;
    doc["text"] = "123456789";
    doc["list"] = std::vector<std::string>{"b", "a long text"};
    ASSERT_TRUE(doc["list"].erase(std::size_t{1})); // leaves space in the node
    std::vector<std::byte> bytes(doc.bytes().begin(), doc.bytes().end());
    auto peek = *document_peek::edit(bytes);
    auto value = peek["text"];
    ASSERT_TRUE(peek.set(value, text));
    ASSERT_TRUE(peek.append(peek["list"], text));
    doc["text"] = text;
    ASSERT_TRUE(doc["list"].append(text));
    EXPECT_EQ(value.value_or("none"), doc["text"].value_or("none"));
    EXPECT_TRUE(*document::open(bytes) == doc);
  };
  const four text{'a', 'b', 'c', 'd'};
  const auto at_end = pages.at_end(std::as_bytes(std::span(text)));
  // no byte after the array is read
  expect_same(*reinterpret_cast<const char (*)[4]>(at_end.data()));
  expect_same(*reinterpret_cast<const four*>(at_end.data()));
  expect_same("literal");
  expect_same("a\0b\0\0");
  expect_same(std::array<char, 5>{'a', 'b'});
  expect_same(u8"text");
}

TEST(document_peek, finds_fields) {
  const auto bytes = message();
  const auto peek = document_peek::over(bytes);
  ASSERT_TRUE(peek.has_value());
  EXPECT_EQ((*peek)["price"].value_or(0.0), 1.1);
  EXPECT_EQ((*peek)["order"]["symbol"].as<std::string_view>(), "ABC");
  EXPECT_EQ((*peek)["order"]["symbol"].value_or("none"), "ABC");
  EXPECT_EQ((*peek)["price"].value_or("none"), "none");
  EXPECT_EQ((*peek)["list"][2].value_or(0), 3);
  EXPECT_EQ((*peek)["key 39"].value_or(0), 39);
  EXPECT_FALSE((*peek)["none"].exists());
  EXPECT_EQ(peek->root().size(), 45U);
  std::size_t found = 0;
  for (std::size_t i = 0; i < peek->root().size(); ++i)
    found += peek->root().find(peek->root().key(i)).exists();
  EXPECT_EQ(found, 45U);
}

/// Bytes of a document with `n` members. Keys have 1 to 17 bytes. Values are integers of all
/// lengths, and texts of 0 to 24 bytes.
struct small_message {
  document doc;
  std::vector<std::string> keys;

  explicit small_message(std::size_t n, std::size_t shift) {
    for (std::size_t i = 0; i < n; ++i) {
      keys.push_back(std::string(1 + (i + shift) % 17, 'k') + (i < 17 ? "" : std::to_string(i)));
      if (i % 3 == 0) {
        doc[keys.back()] = std::string((i + 5 * shift) % 25, 'v');
      } else {
        const auto magnitude = std::int64_t{1} << (i * 7 + shift * 5) % 63;
        doc[keys.back()] = i % 3 == 1 ? magnitude : -magnitude;
      }
    }
    doc.compact();
  }
};
/// Finds a member of the root in two ways and expects the same result: `peek[key]` uses attributes
/// of the root that `open` read, and `root().find(key)` reads them again.
ingot::peek_value found_twice(const document_peek& peek, std::string_view key) {
  const auto found = peek[key];
  const auto anew = peek.root().find(key);
  const bool same =
      found.kind() == anew.kind() &&
      (found.kind() == ingot::value_kind::text
           ? found.value_or(std::string_view{}).data() == anew.value_or(std::string_view{}).data()
           : found.value_or(std::int64_t{7}) == anew.value_or(std::int64_t{7}));
  EXPECT_TRUE(same) << key;
  return found;
}
/// Reads the value of a key. The text must be inside the bytes.
void expect_inside(const document_peek& peek, std::span<const std::byte> bytes, std::string_view key) {
  const auto found = peek[key];
  if (found.kind() != ingot::value_kind::text) return;
  const auto text = found.value_or(std::string_view{});
  const auto* const begin = reinterpret_cast<const char*>(bytes.data());
  ASSERT_TRUE(text.empty() || (text.data() >= begin && text.data() + text.size() <= begin + bytes.size()));
}

TEST(document_peek, finds_what_lies_at_either_end_of_the_bytes) {
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  for (std::size_t n = 1; n <= 40; ++n) {
    for (std::size_t shift = 0; shift < 25; ++shift) {
      const small_message of(n, shift);
      for (const bool end : {false, true}) {
        const auto bytes = end ? pages.at_end(of.doc.bytes()) : pages.at_begin(of.doc.bytes());
        const auto peek = document_peek::over(bytes);
        ASSERT_TRUE(peek.has_value());
        for (std::size_t i = 0; i < n; ++i) {
          const auto& key = of.keys[i];
          const auto expected = of.doc[key];
          const auto found = found_twice(*peek, key);
          ASSERT_EQ(found.kind(), expected.kind()) << n << ' ' << shift << ' ' << i;
          ASSERT_EQ(found.value_or(std::int64_t{7}), expected.value_or(std::int64_t{7}));
          ASSERT_EQ(found.value_or(std::string_view("no")), expected.value_or(std::string_view("no")));
        }
        ASSERT_FALSE((*peek)["none"].exists());
      }
    }
  }
}
TEST(document_peek, stays_in_bytes_that_were_cut_or_changed) {
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  for (const std::size_t n : {1U, 2U, 5U, 8U, 16U, 17U, 33U}) {
    for (std::size_t shift = 0; shift < 3; ++shift) {
      const small_message of(n, shift);
      const std::vector<std::byte> whole(of.doc.bytes().begin(), of.doc.bytes().end());
      // The bytes are cut anywhere, with a header that gives their length, and the root node is at
      // any position. Of a larger message only every third size is tested, with each shift other
      // ones.
      const std::size_t step = n > 8 && std::getenv("INGOT_TEST_FULL") == nullptr ? 3 : 1;
      for (std::size_t size = 16 + shift % step; size <= whole.size(); size += step) {
        for (std::uint32_t root = 0; root <= whole.size() + 8;
             root += root < 24 || root + 24 > size ? 1 : 8) {
          auto cut = whole;
          cut.resize(size);
          const auto used = static_cast<std::uint32_t>(size);
          std::memcpy(cut.data() + 8, &used, sizeof used);
          if (root != 0) std::memcpy(cut.data() + 12, &root, sizeof root);
          const auto bytes = pages.at_end(cut);
          const auto peek = document_peek::over(bytes);
          if (!peek) continue;
          for (const auto& key : of.keys) expect_inside(*peek, bytes, key);
          static_cast<void>(found_twice(*peek, of.keys[size % n]));
        }
      }
      for (std::size_t at = 12; at < whole.size(); ++at) {
        for (const unsigned other : {0U, 1U, 2U, 8U, 0x3FU, 0x40U, 0x7FU, 0x80U, 0xFFU}) {
          auto changed = whole;
          changed[at] = static_cast<std::byte>(other);
          for (const bool end : {false, true}) {
            const auto bytes = end ? pages.at_end(changed) : pages.at_begin(changed);
            const auto peek = document_peek::over(bytes);
            ASSERT_TRUE(peek.has_value());
            for (const auto& key : of.keys) expect_inside(*peek, bytes, key);
          }
        }
      }
    }
  }
}
TEST(document_peek, finds_the_value_of_a_single_short_key_right_after_the_header) {
  document doc;
  doc["a"] = 1;
  doc.compact();
  const std::vector<std::byte> bytes(doc.bytes().begin(), doc.bytes().end());
  const auto peek = document_peek::over(bytes);
  ASSERT_TRUE(peek.has_value());
  EXPECT_EQ(bytes.size(), 32U);
  EXPECT_EQ((*peek)["a"].value_or(0), 1);
  EXPECT_FALSE((*peek)["b"].exists());
}

// One class serves both: its results must be the same for validated and for unchecked bytes.
TEST(peek_value, answers_as_a_view_of_validated_bytes_does) {
  const auto bytes = message();
  ingot::live<holder> block;
  block->value = document::open(bytes).value();
  const ingot::value_view validated = block->value.root();
  const ingot::peek_value seen = document_peek::over(bytes)->root();
  const auto same = [](const auto& self, const ingot::value_view& a, const ingot::peek_value& b) -> bool {
    const bool alike = a.kind() == b.kind() && a.exists() == b.exists() && a.is_object() == b.is_object() &&
                       a.size() == b.size() && a.empty() == b.empty() && a.length() == b.length() &&
                       a.value_or(-1) == b.value_or(-1) && a.value_or(0.5) == b.value_or(0.5) &&
                       a.value_or(std::string_view("?")) == b.value_or(std::string_view("?"));
    // Also the index after the last one
    for (std::size_t i = 0; alike && a.exists() && i <= a.size(); ++i) {
      if (a.key(i) != b.key(i) || !self(self, a[i], b[i])) return false;
    }
    return alike;
  };
  EXPECT_TRUE(same(same, validated, seen));
  for (const char* path : {"", "/list/1", "/order/symbol", "/order/none", "/text/0", "list"})
    EXPECT_TRUE(same(same, validated.at(path), seen.at(path))) << path;
  EXPECT_TRUE(seen.contains("text") && !seen.contains("texts"));
  EXPECT_TRUE(seen["order"].is_object() && seen["list"].is_array() && seen["none"]["more"].empty());
}

TEST(peek_value, elements_and_members_are_those_of_a_validated_document) {
  for (const int count : {0, 1, 5, 20, 300, 9'000}) { // empty, packed, narrow and wide
    document doc;
    std::vector<int> numbers;
    std::vector<std::string> texts;
    std::map<std::string, std::string> members;
    for (int i = 0; i < count; ++i) {
      numbers.push_back(i * 1'000);
      texts.push_back("text " + std::to_string(i));
      members["key " + std::to_string(i)] = texts.back();
    }
    doc["numbers"] = numbers;
    doc["texts"] = texts;
    doc["members"] = members;
    doc.compact();
    const std::vector<std::byte> bytes(doc.bytes().begin(), doc.bytes().end());
    const auto peek = document_peek::over(bytes);
    ASSERT_TRUE(peek.has_value());
    std::vector<int> found;
    for (const auto& each : (*peek)["numbers"].elements()) found.push_back(each.value_or(-1));
    EXPECT_EQ(found, numbers);
    EXPECT_EQ((*peek)["numbers"].elements().size(), numbers.size());
    std::vector<std::string> found_texts;
    for (const auto& each : (*peek)["texts"].elements()) found_texts.emplace_back(each.value_or("none"));
    EXPECT_EQ(found_texts, texts);
    std::map<std::string, std::string> found_members;
    for (const auto& [key, value] : (*peek)["members"].members())
      found_members.emplace(key, value.value_or("none"));
    EXPECT_EQ(found_members, members);
    std::size_t values = 0;
    for (const auto& each : (*peek)["members"].elements()) values += each.is_string() ? 1 : 0;
    EXPECT_EQ(values, members.size());
    EXPECT_TRUE((*peek)["texts"].members().empty());
    EXPECT_TRUE((*peek)["none"].elements().empty());
    EXPECT_TRUE((*peek)["none"].members().empty());
  }
}

TEST(peek_value, an_element_that_is_not_sound_is_absent_and_its_error_has_the_path) {
  document doc;
  doc["list"] = std::vector<std::string>{"first", "second", "third"};
  doc.compact();
  std::vector<std::byte> bytes(doc.bytes().begin(), doc.bytes().end());
  // The second text is longer than the bytes after it.
  std::size_t at = 0;
  while (std::memcmp(bytes.data() + at + 1, "second", 6) != 0) ++at;
  bytes[at] = std::byte{0xFF};
  const auto peek = document_peek::over(bytes);
  ASSERT_TRUE(peek.has_value());
  std::vector<std::string> found;
  for (const auto& each : (*peek)["list"].elements()) {
    const auto text = each.as<std::string_view>();
    found.emplace_back(text ? *text : text.error().path());
    EXPECT_EQ(each.exists(), text.has_value());
    if (!text) {
      EXPECT_EQ(text.error().code(), errc::missing_member);
    }
  }
  EXPECT_EQ(found, (std::vector<std::string>{"first", "list[1]", "third"}));
}

/// A document of objects with `count` members each: every kind of value, keys of every length, and
/// some objects with the same keys.
document with_members(int count) {
  document source;
  for (int record = 0; record < 3; ++record) {
    ingot::value_ref object = *source.root().append(nullptr);
    for (int i = 0; i < count; ++i) {
      const std::string key = std::string(static_cast<std::size_t>(i) % 40, 'k') + std::to_string(i);
      const auto put = [&](const auto& value) { EXPECT_TRUE(object.set(key, value).has_value()); };
      switch (i % 11) {
      case 0: put(i); break;
      case 1: put(std::int64_t{-1} << i % 63); break;
      case 2: put(i + 0.1); break;
      case 3: put(0.5F); break;
      case 4: put(~std::uint64_t{0}); break;
      case 5: put(std::string(static_cast<std::size_t>(i) % 120, 't')); break;
      case 6: put(std::string(200, 't')); break;
      case 7: put(i % 2 == 0); break;
      case 8: put(nullptr); break;
      case 9: put(std::vector<int>{1, i, -300}); break;
      default: put(std::map<std::string, int>{{"inner", i}});
      }
    }
  }
  source.compact();
  return source;
}

TEST(document_peek, what_is_found_by_key_is_what_is_there_by_index) {
  for (const int count : {1, 2, 7, 15, 16, 17, 40, 300, 2'000}) {
    const document source = with_members(count);
    const std::vector<std::byte> bytes(source.bytes().begin(), source.bytes().end());
    const auto peek = document_peek::over(bytes);
    ASSERT_TRUE(peek.has_value());
    for (std::size_t record = 0; record < 3; ++record) {
      const auto object = peek->root()[record];
      ASSERT_EQ(object.size(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < object.size(); ++i) {
        const auto by_index = object[i];
        const auto by_key = object.find(object.key(i));
        ASSERT_TRUE(by_key.exists() && by_key.kind() == by_index.kind()) << count << ' ' << object.key(i);
        EXPECT_EQ(by_key.as<std::int64_t>().value_or(-7), by_index.as<std::int64_t>().value_or(-7));
        EXPECT_EQ(by_key.as<std::uint64_t>().value_or(7), by_index.as<std::uint64_t>().value_or(7));
        EXPECT_EQ(by_key.as<double>().value_or(-7), by_index.as<double>().value_or(-7));
        EXPECT_EQ(by_key.as<std::string>().value_or(""), by_index.as<std::string>().value_or(""));
        EXPECT_EQ(by_key["inner"].value_or(-1), by_index["inner"].value_or(-1));
        EXPECT_EQ(by_key[1].value_or(-1), by_index[1].value_or(-1));
        EXPECT_FALSE(object.find(std::string(object.key(i)) + "?").exists());
      }
    }
  }
}

TEST(document_peek, what_is_found_lies_in_the_bytes) {
  // Changes each byte of a node's head and of its columns, in memory that ends where the document
  // does.
  const document source = [] {
    document one;
    for (int i = 0; i < 12; ++i) one["key " + std::to_string(i)] = i % 2 == 0 ? 1 << 2 * i : i;
    one.compact();
    return one;
  }();
  const auto whole = source.bytes();
  std::int64_t sum = 0;
  for (std::size_t at = 12; at < whole.size(); ++at) {
    for (const unsigned to : {0x00U, 0x01U, 0x02U, 0x08U, 0x10U, 0x7FU, 0x80U, 0xFFU}) {
      const std::vector<std::byte> bytes = [&] {
        std::vector<std::byte> changed(whole.begin(), whole.end());
        changed[at] = static_cast<std::byte>(to);
        return changed;
      }();
      const auto peek = document_peek::over(bytes);
      if (!peek) continue;
      for (int i = 0; i < 12; ++i) {
        const auto found = found_twice(*peek, "key " + std::to_string(i));
        sum += found.value_or(0);
        const std::string text = found.as<std::string>().value_or("");
        EXPECT_LE(text.size(), bytes.size());
      }
    }
  }
  EXPECT_NE(sum, 0);
}

TEST(document_peek, a_value_that_begins_or_ends_after_the_bytes_is_absent) {
  // A node whose length is greater than that of all bytes, with the key at any position up to their
  // end. The bytes after them look like a value.
  document source;
  source["abcd"] = "12345";
  source.compact();
  constexpr std::size_t node = 16;
  constexpr std::size_t size = 64;
  // The number 7, wherever a value starts
  std::vector<std::byte> bytes(size + 64, std::byte{64 + 16 + 7});
  std::copy(source.bytes().begin(), source.bytes().begin() + node + 12, bytes.begin());
  const auto used = static_cast<std::uint32_t>(size);
  std::memcpy(bytes.data() + 8, &used, 4);
  std::size_t found = 0;
  std::size_t absent = 0;
  for (std::size_t at = node + 12; at + 4 <= size + 8; ++at) { // position of the key
    auto damaged = bytes;
    std::memcpy(damaged.data() + at, "abcd", 4);
    const std::size_t value = at + 4;
    for (const std::size_t length : {0U, 1U, 40U}) {
      damaged[value] = static_cast<std::byte>(128 + length);
      for (std::size_t says = (at - node + 7) / 8 * 8; says <= 128; says += 8) {
        const auto eighths = static_cast<std::uint16_t>(says / 8);
        const auto cell = static_cast<std::uint16_t>(says - (at - node));
        std::memcpy(damaged.data() + node + 2, &eighths, 2);
        std::memcpy(damaged.data() + node + 8, &cell, 2);
        const auto peek = document_peek::over(damaged);
        ASSERT_TRUE(peek.has_value());
        const auto there = found_twice(*peek, "abcd");
        if (value + 1 + length > size) {
          EXPECT_FALSE(there.exists()) << at << ' ' << length << ' ' << says;
          ++absent;
        } else if (there.exists()) {
          EXPECT_EQ(there.length(), length);
          ++found;
        }
      }
    }
  }
  EXPECT_GT(found, 0U);
  EXPECT_GT(absent, 0U);
}

TEST(document_peek, a_count_of_keys_beyond_the_bytes_finds_none) {
  document source;
  source["abcd"] = 7;
  source.compact();
  for (unsigned count = 2; count < 0x10000; count += count < 100 ? 1 : 97) {
    // The bytes end at the length in their header, and memory ends there, too.
    std::vector<std::byte> bytes(source.bytes().begin(), source.bytes().end());
    const auto counted = static_cast<std::uint16_t>(count);
    std::memcpy(bytes.data() + 20, &counted, 2);
    const auto peek = document_peek::over(bytes);
    ASSERT_TRUE(peek.has_value());
    if (8 + 4 * std::size_t{count} + 16 > bytes.size()) {
      EXPECT_FALSE(found_twice(*peek, "abcd").exists()) << count;
      EXPECT_FALSE(found_twice(*peek, "efgh").exists()) << count;
    }
  }
}

TEST(document_peek, a_root_in_the_last_bytes_has_no_members) {
  document source;
  source["abcd"] = 7;
  source.compact();
  const std::vector<std::byte> good(source.bytes().begin(), source.bytes().end());
  const std::byte object = good[16]; // the first byte of its node
  const auto size = static_cast<std::uint32_t>(good.size());
  for (std::uint32_t root = size - 15; root < size + 16; ++root) {
    auto bytes = good; // memory ends with them
    std::memcpy(bytes.data() + 12, &root, 4);
    if (root < size) bytes[root] = object;
    const auto peek = document_peek::over(bytes);
    ASSERT_TRUE(peek.has_value());
    EXPECT_FALSE(found_twice(*peek, "abcd").exists()) << root;
  }
}

TEST(document_peek, any_root_can_be_searched_for_members) {
  std::vector<document> roots(9);
  static_cast<void>(roots[1].root().set(7));
  static_cast<void>(roots[2].root().set("a text"));
  static_cast<void>(roots[3].root().set(std::vector<int>{1, 2, 3}));
  static_cast<void>(roots[4].root().set(std::map<std::string, int>{}));
  roots[5]["key"] = 1;
  roots[6][std::string(3, '\0')] = 1; // its hash does not contain its length
  for (int i = 0; i < 300; ++i) roots[7]["a key of more than fifteen bytes " + std::to_string(i)] = i;
  // A wide node
  for (int i = 0; i < 5'000; ++i) roots[8]["key " + std::to_string(i)] = std::string(20, 'v');
  for (auto& root : roots) {
    root.compact();
    std::vector<std::byte> bytes(root.bytes().begin(), root.bytes().end());
    for (const bool edited : {false, true}) {
      const auto peek = edited ? document_peek::edit(bytes) : document_peek::over(bytes);
      ASSERT_TRUE(peek.has_value());
      std::size_t met = 0;
      for (const auto& [key, value] : std::as_const(root).root().members()) {
        ASSERT_EQ(found_twice(*peek, key).kind(), value.kind());
        ++met;
      }
      EXPECT_EQ(met, root.root().is_object() ? root.root().size() : 0U);
      EXPECT_FALSE(found_twice(*peek, "none").exists());
      EXPECT_FALSE(found_twice(*peek, "").exists());
    }
  }
}

TEST(document_peek, overwrites_what_takes_as_many_bytes) {
  auto bytes = message();
  auto peek = document_peek::edit(bytes);
  ASSERT_TRUE(peek.has_value());
  const auto set = [&](const char* key, const auto& to) {
    auto at = (*peek)[key];
    const auto o = peek->set(at, to);
    return o ? errc{} : o.error().code();
  };
  EXPECT_EQ(set("price", 2.2), errc{});
  EXPECT_EQ(set("count", 100'001), errc{});
  EXPECT_EQ(set("count", std::int64_t{1} << 40), errc::no_space);
  EXPECT_EQ(set("text", "8 others"), errc{});
  EXPECT_EQ(set("text", "more than eight"), errc::no_space);
  EXPECT_EQ(set("order", 1), errc::type_mismatch);
  EXPECT_EQ(set("none", 1), errc::missing_member);
  auto element = (*peek)["list"][1];
  EXPECT_TRUE(peek->set(element, 77).has_value());
  EXPECT_EQ(peek->set(element, 300).error().code(), errc::no_space); // an array of bytes
  const auto opened = document::open(bytes);
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(opened->find("price").value_or(0.0), 2.2);
  EXPECT_EQ(opened->find("text").value_or(std::string_view()), "8 others");
  EXPECT_EQ(opened->at("/list/1").value_or(0), 77);
  auto read_only = document_peek::over(bytes);
  auto at = (*read_only)["price"];
  EXPECT_EQ(read_only->set(at, 3.3).error().code(), errc::no_space);
}

/// The other document has equal bytes, so each position is that of a value in both.
TEST(document_peek, a_value_of_another_document_is_missing) {
  auto whole = document::open(message());
  ASSERT_TRUE(whole.has_value());
  for (int i = 20; i < 24; ++i) ASSERT_TRUE(whole->root().erase("key " + std::to_string(i)));
  ASSERT_TRUE((*whole)["list"].set(std::vector<std::string>{"b", "a long text"}));
  ASSERT_TRUE((*whole)["list"].erase(std::size_t{1})); // leaves space in the node
  std::vector<std::byte> bytes(whole->bytes().begin(), whole->bytes().end());
  std::vector<std::byte> other_bytes = bytes;
  auto peek = document_peek::edit(bytes);
  auto other = document_peek::edit(other_bytes);
  ASSERT_TRUE(peek.has_value() && other.has_value());
  const auto code_of = [](const auto& done) { return done ? errc{} : done.error().code(); };
  auto price = (*other)["price"];
  auto text = (*other)["text"];
  auto root = other->root();
  EXPECT_EQ(code_of(peek->set(price, 2.2)), errc::missing_member);
  EXPECT_EQ(code_of(peek->set(text, "8 others")), errc::missing_member);
  EXPECT_EQ(code_of(peek->set(root, 1)), errc::missing_member);
  EXPECT_EQ(code_of(peek->set(root, "new", 1)), errc::missing_member);
  EXPECT_EQ(code_of(peek->append((*other)["list"], "c")), errc::missing_member);
  EXPECT_EQ(bytes, other_bytes);
  EXPECT_EQ(price.value_or(0.0), 1.1);
  // In its own document each of them changes, also through a copy of the peek.
  document_peek copy = *other;
  EXPECT_EQ(code_of(copy.set(price, 2.2)), errc{});
  EXPECT_EQ(code_of(copy.set(text, "8 others")), errc{});
  EXPECT_EQ(code_of(copy.set(root, "new", 1)), errc{});
  EXPECT_EQ(code_of(copy.append((*other)["list"], "c")), errc{});
}

TEST(document_peek, leaves_no_byte_of_a_longer_text) {
  document doc;
  doc["first"] = 1;
  doc["text"] = "secret";
  doc["last"] = "other";
  std::vector<std::byte> bytes(doc.bytes().begin(), doc.bytes().end());
  auto peek = *document_peek::edit(bytes);
  auto text = peek["text"];
  ASSERT_TRUE(peek.set(text, "pub").has_value());
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_EQ(all.find("ret"), std::string_view::npos);
  EXPECT_EQ((*document::open(bytes))["text"].value_or("none"), "pub");
}

/// The object's node has space, but its keys are those of other objects.
TEST(document_peek, adds_no_key_to_shared_ones) {
  document doc;
  for (int i = 0; i < 4; ++i) {
    auto record = *doc.root().append(nullptr);
    ASSERT_TRUE(record.set("quantity", i).has_value());
    ASSERT_TRUE(record.set("price", 100'000 + i).has_value());
  }
  doc.compact();
  ASSERT_TRUE(doc[1].set("price", "a text for which the node grows").has_value());
  ASSERT_TRUE(doc[1].set("price", 1).has_value());
  std::vector<std::byte> bytes(doc.bytes().begin(), doc.bytes().end());
  const std::vector<std::byte> before = bytes;
  auto peek = *document_peek::edit(bytes);
  EXPECT_EQ(peek.set(peek.root()[1], "new", 1).error().code(), errc::no_space);
  EXPECT_EQ(bytes, before);
}

TEST(document_peek, adds_where_a_node_has_space) {
  auto whole = document::open(message());
  for (int i = 20; i < 24; ++i) static_cast<void>(whole->root().erase("key " + std::to_string(i)));
  std::vector<std::byte> bytes(whole->bytes().begin(), whole->bytes().end());
  auto peek = document_peek::edit(bytes);
  int added = 0;
  while (peek->set(peek->root(), "new " + std::to_string(added), added).has_value()) ++added;
  EXPECT_GT(added, 0);
  EXPECT_EQ(peek->set(peek->root(), "price", 1).error().code(), errc::duplicate_key);
  const auto opened = document::open(bytes);
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_EQ(opened->root().size(), 41U + static_cast<unsigned>(added));
  EXPECT_EQ(opened->find("new 0").value_or(-1), 0);
  EXPECT_EQ(opened->find("key 17").value_or(-1), 17);
}

TEST(document_peek, finds_what_it_or_a_copy_of_it_added) {
  document doc;
  for (int i = 0; i < 20; ++i) doc["key " + std::to_string(i)] = i;
  for (int i = 10; i < 20; ++i) ASSERT_TRUE(doc.root().erase("key " + std::to_string(i)));
  std::vector<std::byte> bytes(doc.bytes().begin(), doc.bytes().end());
  auto peek = document_peek::edit(bytes);
  ASSERT_TRUE(peek.has_value());
  const document_peek copy = *peek;
  const auto root = peek->root();
  ASSERT_TRUE(peek->set(root, "added", 5));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(found_twice(*peek, "key " + std::to_string(i)).value_or(-1), i);
    EXPECT_EQ(found_twice(copy, "key " + std::to_string(i)).value_or(-1), i);
  }
  EXPECT_EQ(found_twice(*peek, "added").value_or(-1), 5);
  EXPECT_EQ(found_twice(copy, "added").value_or(-1), 5);
  EXPECT_EQ(root.find("added").value_or(-1), 5);
}

TEST(document_peek, opened_again_finds_what_another_added) {
  document doc;
  for (int i = 0; i < 20; ++i) doc["key " + std::to_string(i)] = i;
  for (int i = 10; i < 20; ++i) ASSERT_TRUE(doc.root().erase("key " + std::to_string(i)));
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  const auto bytes = pages.at_end(doc.bytes());
  const auto before = document_peek::over(bytes);
  auto peek = document_peek::edit(bytes);
  ASSERT_TRUE(before.has_value() && peek.has_value());
  for (int i = 10; i < 20; ++i) {
    if (!peek->set(peek->root(), "key " + std::to_string(i), i)) break;
    const auto after = document_peek::over(bytes);
    ASSERT_TRUE(after.has_value());
    for (int known = 0; known <= i; ++known) {
      const auto key = "key " + std::to_string(known);
      EXPECT_EQ(found_twice(*after, key).value_or(-1), known);
      static_cast<void>((*before)[key].value_or(-1)); // any value, but from inside the bytes
    }
  }
  EXPECT_EQ(peek->root().find("key 10").value_or(-1), 10);
}

TEST(document_peek, an_object_that_was_emptied_has_no_members_until_it_is_filled_again) {
  document doc;
  doc["abcd"] = 1;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(*doc.root().erase("abcd"));
    const std::vector<std::byte> empty(doc.bytes().begin(), doc.bytes().end());
    EXPECT_FALSE(doc["abcd"].exists());
    EXPECT_FALSE(found_twice(*document_peek::over(empty), "abcd").exists());
    doc["abcd"] = i;
    const std::vector<std::byte> filled(doc.bytes().begin(), doc.bytes().end());
    EXPECT_EQ(found_twice(*document_peek::over(filled), "abcd").value_or(-1), i);
  }
}

/// Keys with different forms of records: keys whose length is in the hash, and keys whose record
/// starts with the length.
TEST(document_peek, adds_keys_of_every_length_and_with_zeros) {
  std::vector<std::string> keys;
  for (std::size_t n = 0; n <= 32; ++n) {
    keys.push_back(std::string("the key that is of all lengths and more").substr(0, n));
    if (n != 0) keys.emplace_back(n, '\0');
    if (n > 1) keys.push_back('\0' + std::string(n - 1, 'k'));
  }
  for (const auto& key : keys) {
    SCOPED_TRACE(testing::Message() << key.size() << " bytes, the first " << (key.empty() ? -1 : key[0]));
    document whole;
    whole["before"] = 1;
    whole["other"] = std::string(100, 't');
    ASSERT_TRUE(whole.root().erase("other").has_value()); // the erased bytes are enough for the key
    std::vector<std::byte> bytes(whole.bytes().begin(), whole.bytes().end());
    auto peek = document_peek::edit(bytes);
    ASSERT_TRUE(peek->set(peek->root(), key, 70'000).has_value());
    EXPECT_EQ(peek->find(key).value_or(0), 70'000);
    auto opened = document::open(bytes);
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    EXPECT_EQ(opened->find(key).value_or(0), 70'000);
    EXPECT_EQ(opened->find("before").value_or(0), 1);
    EXPECT_EQ(opened->root().size(), 2U);
  }
}

} // namespace document_peek_test
