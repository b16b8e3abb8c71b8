// SPDX-License-Identifier: Apache-2.0
// A `key_finder` finds what `find` finds, wherever the last lookup found its key: in equal and in
// other objects, after changes, in other documents, and in bytes that were not validated.
#include <ingot/document/document.hpp>
#include <ingot/document/key_finder.hpp>
#include <ingot/document/live_value.hpp>
#include <ingot/document/peek.hpp>
#include <ingot/live/live.hpp>

#include "hostile/fenced_pages.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace key_finder_test {

using ingot::document;
using ingot::document_peek;
using ingot::key_finder;
using ingot::peek_value;
using ingot::value;

struct holder {
  ingot::live_value value;
};

template <class View>
void expect_equal(const View& found, const View& expected, std::string_view key) {
  EXPECT_EQ(found.kind(), expected.kind()) << key;
  EXPECT_EQ(found.value_or(std::int64_t{-1}), expected.value_or(std::int64_t{-1})) << key;
  EXPECT_EQ(found.value_or(-1.0), expected.value_or(-1.0)) << key;
  EXPECT_EQ(found.value_or(std::string_view("none")), expected.value_or(std::string_view("none"))) << key;
  EXPECT_EQ(found.size(), expected.size()) << key;
  const auto a = found.template as<bool>();
  const auto b = expected.template as<bool>();
  ASSERT_EQ(a.has_value(), b.has_value()) << key;
  if (!a) { // the messages also name the paths
    EXPECT_EQ(a.error().message(), b.error().message()) << key;
  }
}
/// Looks up by each finder in each object, in the order of the objects and against it.
template <class View, class Finders>
void expect_all(const std::vector<View>& objects, Finders& finders) {
  for (key_finder& finder : finders) {
    for (const View& object : objects)
      expect_equal(finder.find(object), object.find(finder.key()), finder.key().text());
    for (std::size_t i = objects.size(); i-- > 0;)
      expect_equal(finder.find(objects[i]), objects[i].find(finder.key()), finder.key().text());
  }
}
const std::array<std::string_view, 9> keys{"id",
                                           "price",
                                           "quantity",
                                           "a longer key",
                                           "exactly fifteen",
                                           "sixteen bytes it",
                                           "a key that is longer than a hash says",
                                           "",
                                           std::string_view("\0zero", 5)};
std::deque<key_finder> finders() {
  std::deque<key_finder> all;
  for (const std::string_view key : keys) all.emplace_back(key);
  all.emplace_back("missing");
  return all;
}
void fill(ingot::value_ref record, int i) {
  const auto set = [&](std::size_t key, const auto& v) { ASSERT_TRUE(record.set(keys[key], v).has_value()); };
  set(0, i);                           // in its cell if keys are shared
  set(1, i + 0.1);                     // a number in the heap
  set(2, 1'000'000 + i);               // an integer in the heap
  set(3, "text " + std::to_string(i)); // a short text
  set(4, i % 2 == 0);
  set(5, nullptr);
  set(6, std::string(200, 'x'));
  set(7, std::vector<int>{i, i});
  set(8, std::vector<std::string>{"a", "b"});
}
/// Records with equal keys, then objects with other keys, and values that are no objects.
document records(int count, bool shares) {
  document doc;
  for (int i = 0; i < count; ++i) {
    fill(*doc.root().append(nullptr), i);
    if (::testing::Test::HasFatalFailure()) return doc;
  }
  if (shares) doc.compact();
  return doc;
}
template <class View>
std::vector<View> elements(const View& root) {
  std::vector<View> all;
  for (std::size_t i = 0; i < root.size(); ++i) all.push_back(root[i]);
  return all;
}
void expect_in_every_view(document& doc) {
  auto by_handle = finders();
  expect_all(elements(std::as_const(doc).root()), by_handle);
  auto by_peek = finders();
  const auto peek = document_peek::over(doc.bytes());
  ASSERT_TRUE(peek.has_value());
  expect_all(elements(peek->root()), by_peek);
  ingot::live<holder> block;
  block->value = doc;
  auto by_view = finders();
  expect_all(elements(ingot::value_view(std::as_const(block)->value.root())), by_view);
  // One finder for all three: its position is in other bytes each time.
  for (key_finder& finder : by_handle) {
    for (std::size_t i = 0; i < doc.root().size(); ++i) {
      const value in_doc = std::as_const(doc)[i];
      const peek_value in_peek = peek->root()[i];
      expect_equal(finder.find(in_doc), in_doc.find(finder.key()), finder.key().text());
      expect_equal(finder.find(in_peek), in_peek.find(finder.key()), finder.key().text());
    }
  }
}

TEST(key_finder, equal_records_with_shared_keys) {
  document doc = records(20, true);
  expect_in_every_view(doc);
}
TEST(key_finder, equal_records_with_keys_of_their_own) {
  document doc = records(20, false);
  expect_in_every_view(doc);
}
/// The handle can be used as one that `find` gives: it names its path, and ends when it should.
TEST(key_finder, returns_handles_that_follow_changes) {
  document doc = records(3, true);
  key_finder price("price");
  static_cast<void>(price.find(std::as_const(doc)[0]));
  const value found = price.find(std::as_const(doc)[1]);
  EXPECT_EQ(found.value_or(0.0), 1.1);
  const auto wrong = found.as<int>();
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().path(), "[1].price");
  ASSERT_TRUE(doc.root()[std::size_t{1}].set("price", 7.5).has_value());
  EXPECT_EQ(price.find(std::as_const(doc)[1]).value_or(0.0), 7.5);
}
TEST(key_finder, unlike_objects_and_values_without_members) {
  document doc = records(4, true);
  const auto append = [&](const auto& v) { ASSERT_TRUE(doc.root().append(v).has_value()); };
  append(7);
  append("text");
  append(std::vector<int>{1, 2});
  append(nullptr);
  ASSERT_TRUE(doc.root().append(nullptr)->set("price", 5).has_value()); // one key
  ASSERT_TRUE(doc.root().append(nullptr)->set("prico", 6).has_value()); // a key of the same length
  ingot::value_ref large = *doc.root().append(nullptr);                 // a wide node
  for (int i = 0; i < 9000; ++i) ASSERT_TRUE(large.set("key " + std::to_string(i), i).has_value());
  ASSERT_TRUE(large.set("id", 70'000).has_value());
  fill(*doc.root().append(nullptr), 12); // equal keys, but not shared
  expect_in_every_view(doc);
  doc.compact();
  expect_in_every_view(doc);
  auto all = finders();
  for (key_finder& finder : all) EXPECT_FALSE(finder.find(value()).exists());
  for (key_finder& finder : all) EXPECT_FALSE(finder.find(peek_value()).exists());
}
/// The second document has the same sizes and positions as the first, but other keys there. Some
/// keys begin with another key, and have the same bytes at its position.
TEST(key_finder, other_documents_at_the_same_positions) {
  const std::vector<std::array<std::string, 3>> forms{{"aaaa", "bbbb", "cccc"},
                                                      {"aaab", "bbbb", "cccd"},
                                                      {"cccc", "aaaa", "bbbb"},
                                                      {"aaaaa", "bbb", "cccc"},
                                                      {"aaaa", "bbbbcccc", "d"}};
  std::deque<key_finder> all;
  for (const char* const key : {"aaaa", "bbbb", "cccc", "aaab", "aaaaa", "bbb", "bbbbcccc", "d", "cccd"})
    all.emplace_back(key);
  for (int round = 0; round < 3; ++round) {
    for (const auto& form : forms) {
      document doc;
      for (int i = 0; i < 4; ++i) {
        ingot::value_ref record = *doc.root().append(nullptr);
        for (std::size_t k = 0; k < 3; ++k)
          ASSERT_TRUE(record.set(form[k], i * 100'000 + static_cast<int>(k)).has_value());
      }
      if (round != 1) doc.compact();
      for (key_finder& finder : all) {
        for (const value each : doc.root().elements())
          expect_equal(finder.find(each), each.find(finder.key()), finder.key().text());
        const auto peek = document_peek::over(doc.bytes());
        for (std::size_t i = 0; i < 4; ++i)
          expect_equal(finder.find(peek->root()[i]), peek->root()[i].find(finder.key()), finder.key().text());
      }
    }
  }
}
/// Equal hashes at equal positions: only the bytes of the keys differ.
TEST(key_finder, keys_with_equal_hashes) {
  std::vector<std::string> same;
  for (int i = 100'000'000; same.size() < 2; ++i) { // one in 4,096 has the hash of the first
    std::string text = std::to_string(i);
    if (same.empty() || ingot::document_key(text).hash() == ingot::document_key(same.front()).hash())
      same.push_back(std::move(text));
  }
  for (const bool shares : {false, true}) {
    std::vector<document> docs(2);
    for (std::size_t d = 0; d < 2; ++d) {
      for (int i = 0; i < 3; ++i) {
        auto record = *docs[d].root().append(nullptr);
        ASSERT_TRUE(record.set(same[d], 100'000 + i).has_value());
        ASSERT_TRUE(record.set("other", i).has_value());
      }
      if (shares) docs[d].compact();
    }
    for (const std::string& key : same) {
      key_finder finder(key);
      for (int round = 0; round < 2; ++round) {
        for (const document& doc : docs) {
          for (std::size_t i = 0; i < 3; ++i) expect_equal(finder.find(doc[i]), doc[i].find(key), key);
          const auto peek = document_peek::over(doc.bytes());
          for (std::size_t i = 0; i < 3; ++i)
            expect_equal(finder.find(peek->root()[i]), peek->root()[i].find(key), key);
        }
      }
    }
  }
}
/// A document may share two sets of keys, with one key at another index in each.
TEST(key_finder, two_shapes_in_one_document) {
  document doc;
  for (int i = 0; i < 8; ++i) {
    auto record = *doc.root().append(nullptr);
    for (const char* const key : {"id", "price", "quantity"})
      ASSERT_TRUE(record.set(key, 100'000 * (i + 1) + key[0]).has_value());
    if (i % 2 == 0) continue;
    for (const char* const key : {"side", "venue", "account", "note"})
      ASSERT_TRUE(record.set(key, 200'000 * (i + 1) + key[0]).has_value());
  }
  doc.compact();
  expect_in_every_view(doc);
}
/// A finder has found its key among 100 members, and then looks in an object of one member in the
/// last bytes of a document.
TEST(key_finder, fewer_members_than_before) {
  document large;
  for (int i = 0; i < 100; ++i) large["key " + std::to_string(i)] = i;
  document small;
  small["one"] = 1;
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  const auto bytes = pages.at_end(small.bytes());
  const auto in_small = document::open_in_place(bytes);
  ASSERT_TRUE(in_small.has_value());
  const auto peek = document_peek::over(bytes);
  ASSERT_TRUE(peek.has_value());
  for (int i = 0; i < 100; ++i) {
    const std::string key = "key " + std::to_string(i);
    key_finder finder(key);
    ASSERT_EQ(finder.find(std::as_const(large).root()).value_or(-1), i);
    EXPECT_FALSE(finder.find(std::as_const(*in_small).root()).exists());
    ASSERT_EQ(finder.find(std::as_const(large).root()).value_or(-1), i);
    EXPECT_FALSE(finder.find(peek->root()).exists());
  }
}
/// Members are added, erased and overwritten, and the document is compacted, between lookups.
TEST(key_finder, documents_that_change_between_lookups) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 draw(seed);
    document doc = records(6, seed % 2 == 0);
    auto all = finders();
    for (int step = 0; step < 120; ++step) {
      ingot::value_ref record = doc.root()[std::size_t{draw() % 6}];
      const std::string_view key = keys[draw() % keys.size()];
      switch (draw() % 8) {
      case 0: static_cast<void>(record.erase(ingot::document_key(key))); break;
      case 1: ASSERT_TRUE(record.set(key, std::string(draw() % 40, 'y')).has_value()); break;
      case 2: ASSERT_TRUE(record.set(key, static_cast<int>(draw() % 100)).has_value()); break;
      case 3: ASSERT_TRUE(record.set("other " + std::to_string(draw() % 4), 1).has_value()); break;
      case 4:
        if (draw() % 4 == 0) doc.compact();
        break;
      case 5: fill(*doc.root().append(nullptr), step); break;
      case 6:
        if (doc.root().size() > 6) {
          ASSERT_TRUE(doc.root().erase(doc.root().size() - 1).has_value());
        }
        break;
      default: ASSERT_TRUE(record.set(key, step + 0.5).has_value()); break;
      }
      for (key_finder& finder : all) {
        const value each = std::as_const(doc)[draw() % 6];
        expect_equal(finder.find(each), each.find(finder.key()), finder.key().text());
      }
    }
  }
}

/// Finders that have learned positions in a document read its bytes with one byte changed, and
/// fewer bytes. Bytes before and after the document can't be read.
TEST(key_finder, malicious_bytes_after_valid_ones) {
  for (const bool shares : {true, false}) {
    document doc;
    for (int i = 0; i < 3; ++i) {
      ingot::value_ref record = *doc.root().append(nullptr);
      ASSERT_TRUE(record.set("id", i).has_value());
      ASSERT_TRUE(record.set("price", i + 0.1).has_value());
      ASSERT_TRUE(record.set("a longer key", "text").has_value());
    }
    if (shares) doc.compact();
    const std::vector<std::byte> valid(doc.bytes().begin(), doc.bytes().end());
    const hostile::fenced_pages pages(valid.size());
    ASSERT_TRUE(pages.ready());
    std::uint64_t sum = 0;
    const auto look = [&](key_finder& finder, std::span<const std::byte> bytes) {
      const auto peek = document_peek::over(bytes);
      if (!peek) return;
      for (std::size_t i = 0; i < 3; ++i) {
        const peek_value found = finder.find(peek->root()[i]);
        sum += static_cast<std::uint64_t>(found.kind()) + found.value_or(std::string_view()).size();
        if (const std::string_view text = found.value_or(std::string_view()); !text.empty()) {
          const auto* const at = reinterpret_cast<const std::byte*>(text.data());
          EXPECT_TRUE(at >= bytes.data() && at + text.size() <= bytes.data() + bytes.size());
        }
      }
    };
    for (const char* const key : {"id", "price", "a longer key"}) {
      key_finder learned(key);
      look(learned, valid);
      for (std::size_t at = 0; at < valid.size(); ++at) {
        for (const unsigned bits : {0x01U, 0x80U, 0xFFU, 0x3CU}) {
          std::vector<std::byte> changed = valid;
          changed[at] ^= static_cast<std::byte>(bits);
          for (const bool ends : {false, true}) {
            key_finder finder = learned;
            // the second time, with what it has learned from these bytes
            look(finder, ends ? pages.at_end(changed) : pages.at_begin(changed));
            look(finder, ends ? pages.at_end(changed) : pages.at_begin(changed));
            look(finder, valid);
          }
        }
      }
      for (std::size_t size = 16; size < valid.size(); size += 8) {
        std::vector<std::byte> shorter(valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(size));
        const auto used = static_cast<std::uint32_t>(size);
        std::memcpy(shorter.data() + offsetof(ingot::detail::doc::document_header, used), &used, sizeof used);
        key_finder finder = learned;
        look(finder, pages.at_end(shorter));
      }
    }
    const volatile std::uint64_t read = sum; // any value, but the compiler must compute it
    static_cast<void>(read);
  }
}

} // namespace key_finder_test
