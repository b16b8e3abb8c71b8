// SPDX-License-Identifier: Apache-2.0
// A lookup by text finds the same member as a lookup by a key that was made from the text. Both
// share neither hash nor comparison: in objects with few keys the lookup by text does not use a
// hash.
#include <ingot/document/document.hpp>

#include "hostile/fenced_pages.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_text_lookup_test {

using ingot::document;
using ingot::document_key;

/// Compares the results of both lookups. The text ends where its memory ends, so that a sanitizer
/// reports each read before or after it.
void expect_the_same(const document& doc, std::string_view text, std::int64_t expected) {
  const std::unique_ptr<char[]> alone(new char[text.size()]);
  if (!text.empty()) text.copy(alone.get(), text.size());
  const std::string_view exact(alone.get(), text.size());
  EXPECT_EQ(doc.find(exact).value_or<std::int64_t>(-1), expected) << testing::PrintToString(text);
  EXPECT_EQ(doc.root()[exact].value_or<std::int64_t>(-1), expected);
  EXPECT_EQ(doc.find(document_key(exact)).value_or<std::int64_t>(-1), expected);
}
/// Looks up every member, and for each of them texts that differ a little from its key.
void expect_all(const document& doc, const std::map<std::string, std::int64_t>& model) {
  const auto expected = [&](const std::string& text) {
    const auto at = model.find(text);
    return at == model.end() ? -1 : at->second;
  };
  for (const auto& [key, number] : model) {
    expect_the_same(doc, key, number);
    for (std::size_t i = 0; i < key.size(); ++i) {
      std::string other = key;
      other[i] = static_cast<char>(other[i] ^ 0x20);
      expect_the_same(doc, other, expected(other));
    }
    if (!key.empty()) expect_the_same(doc, key.substr(1), expected(key.substr(1)));
    expect_the_same(doc, key + '\0', expected(key + '\0'));
  }
}
std::string any_text(std::mt19937& draw, std::size_t n) {
  std::string text(n, 'a');
  for (char& c : text) c = static_cast<char>('a' + draw() % 3);
  return text;
}

/// Keys of all lengths: lengths that are in a hash, longer ones, and keys that begin with a zero.
/// The numbers of keys are those for which each kind of lookup is used, and its limits.
TEST(document_text_lookup, finds_what_a_key_of_the_text_finds) {
  std::mt19937 draw(11);
  for (const std::size_t count : std::initializer_list<std::size_t>{
           0, 1, 2, 3, 5, 6, 7, 8, 9, 15, 16, 17, 18, 31, 32, 33, 34, 64, 100, 600}) {
    SCOPED_TRACE(count);
    document doc;
    doc = std::map<std::string, int>{};
    std::map<std::string, std::int64_t> model;
    for (std::int64_t number = 0; model.size() < count; ++number) {
      std::string key = any_text(draw, 4 + draw() % 12);
      if (draw() % 8 == 0) key = any_text(draw, draw() % 40);
      if (!key.empty() && draw() % 4 == 0) key[0] = 0;
      if (!model.emplace(key, number).second) continue;
      ASSERT_TRUE(doc.root().set(document_key(key), number).has_value());
    }
    expect_all(doc, model);
    expect_the_same(doc, "elsewhere", -1);
    expect_the_same(doc, "", model.contains("") ? model[""] : -1);
    doc.compact();
    expect_all(doc, model);
  }
}

/// All keys have the same length, and the length is part of the hash. So only the bytes tell keys
/// apart, in any order of the keys.
TEST(document_text_lookup, tells_keys_of_one_length_apart) {
  std::mt19937 draw(12);
  for (std::size_t length = 1; length <= 17; ++length) {
    for (const std::size_t count : std::initializer_list<std::size_t>{2, 6, 7, 16, 32, 40}) {
      SCOPED_TRACE(testing::Message() << count << " of " << length);
      document doc;
      doc = std::map<std::string, int>{};
      std::map<std::string, std::int64_t> model;
      for (std::int64_t number = 0; number < 400 && model.size() < count; ++number) {
        const std::string key = any_text(draw, length);
        if (!model.emplace(key, number).second) continue;
        ASSERT_TRUE(doc.root().set(document_key(key), number).has_value());
      }
      expect_all(doc, model);
    }
  }
}

/// Keys with one hash are adjacent: the first hash that matches belongs to one of them, maybe not
/// to the wanted one.
TEST(document_text_lookup, tells_keys_of_one_hash_apart) {
  std::vector<std::string> same;
  for (int i = 100'000'000; same.size() < 40; ++i) { // one in 4,096 has the hash of the first
    std::string text = std::to_string(i);
    if (same.empty() || document_key(text).hash() == document_key(same.front()).hash())
      same.push_back(std::move(text));
  }
  for (const std::size_t count : std::initializer_list<std::size_t>{2, 3, 6, 7, 20, 40}) {
    SCOPED_TRACE(count);
    document doc;
    doc = std::map<std::string, int>{};
    std::map<std::string, std::int64_t> model;
    for (std::size_t i = 0; i < count; ++i) {
      model.emplace(same[i], static_cast<std::int64_t>(i));
      ASSERT_TRUE(doc.root().set(document_key(same[i]), static_cast<std::int64_t>(i)).has_value());
    }
    expect_all(doc, model);
  }
}

/// Nodes for which there is no quick lookup: wide ones, and objects with the keys of a shape.
TEST(document_text_lookup, finds_in_objects_of_every_kind) {
  document doc;
  for (int i = 0; i < 20; ++i) {
    auto each = doc.root().append(nullptr);
    ASSERT_TRUE(each.has_value());
    ASSERT_TRUE(each->set("quantity", std::int64_t{i}).has_value());
    ASSERT_TRUE(each->set("price", std::int64_t{100 + i}).has_value());
  }
  doc.compact(); // gives them a shape
  for (std::size_t i = 0; i < 20; ++i) {
    const ingot::value each = doc.root()[i];
    EXPECT_EQ(each.find(std::string("quantity")).value_or<std::int64_t>(-1), static_cast<std::int64_t>(i));
    EXPECT_EQ(each.find(std::string("price")).value_or<std::int64_t>(-1), static_cast<std::int64_t>(100 + i));
    EXPECT_FALSE(each.find(std::string("weight")).exists());
  }
  document wide;
  wide = std::map<std::string, int>{};
  for (int i = 0; i < 600; ++i)
    ASSERT_TRUE(wide.root().set("a long text " + std::to_string(i), std::string(100, 'x')).has_value());
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(wide.find("a long text " + std::to_string(i)).length(), 100U);
    EXPECT_FALSE(wide.find("a long texT " + std::to_string(i)).exists());
  }
  EXPECT_FALSE(doc.find(std::string("quantity")).exists()); // an array has no such member
  EXPECT_FALSE(ingot::value().find(std::string("quantity")).exists());
}

/// No byte outside the text or the document is read, whichever loads the compiler generates:
/// unreadable pages begin there.
TEST(document_text_lookup, reads_nothing_beside_the_text_and_the_document) {
  std::mt19937 draw(13);
  const hostile::fenced_pages texts(1);
  const hostile::fenced_pages pages(65'536);
  ASSERT_TRUE(texts.ready() && pages.ready());
  for (const std::size_t count :
       std::initializer_list<std::size_t>{0, 1, 2, 5, 6, 7, 16, 17, 32, 33, 48, 200}) {
    SCOPED_TRACE(count);
    std::map<std::string, std::int64_t> model;
    for (std::int64_t number = 0; model.size() < count; ++number) {
      std::string key = any_text(draw, draw() % 20);
      if (!key.empty() && draw() % 8 == 0) key[0] = 0;
      model.emplace(std::move(key), number);
    }
    const document source(model);
    for (const bool at_end : {false, true}) {
      const std::span<std::byte> bytes =
          at_end ? pages.at_end(source.bytes()) : pages.at_begin(source.bytes());
      const auto opened = document::open_in_place(bytes);
      ASSERT_TRUE(opened.has_value());
      const auto ask = [&](const std::string& key) {
        const auto found = model.find(key);
        const std::int64_t expected = found == model.end() ? -1 : found->second;
        const std::span<const std::byte> key_bytes = std::as_bytes(std::span(key));
        for (const std::span<std::byte> text : {texts.at_begin(key_bytes), texts.at_end(key_bytes)}) {
          const std::string_view exact(reinterpret_cast<const char*>(text.data()), text.size());
          EXPECT_EQ(opened->find(exact).value_or<std::int64_t>(-1), expected) << testing::PrintToString(key);
          EXPECT_EQ(opened->find(document_key(exact)).value_or<std::int64_t>(-1), expected);
        }
      };
      for (const auto& each : model) ask(each.first);
      for (std::size_t n = 0; n < 40; ++n) ask(any_text(draw, n));
    }
  }
}

/// An argument that is a key, or converts to one, is looked up as a key.
TEST(document_text_lookup, what_becomes_a_key_is_no_text) {
  struct derived_key : document_key {
    using document_key::document_key;
  };
  struct field {
    operator document_key() const { return "price"; }
  };
  document doc;
  doc["price"] = 7;
  EXPECT_EQ(doc.find(derived_key("price")).value_or(0), 7);
  EXPECT_EQ(std::as_const(doc).root()[derived_key("price")].value_or(0), 7);
  EXPECT_EQ(doc.find(field()).value_or(0), 7);
  EXPECT_EQ(std::as_const(doc).root().find(field()).value_or(0), 7);
}

/// A handle that has ended reads as absent, also when a member with that key is now at its
/// position.
TEST(document_text_lookup, of_a_handle_that_has_ended_finds_nothing) {
  document doc;
  doc = std::map<std::string, int>{};
  ASSERT_TRUE(doc.root().set("inner", std::map<std::string, int>{{"some key", 1}}).has_value());
  const ingot::value_ref inner = doc.root().find(std::string("inner"));
  EXPECT_EQ(inner.find(std::string("some key")).value_or<std::int64_t>(-1), 1);
  ASSERT_TRUE(*doc.root().erase("inner"));
  ASSERT_TRUE(doc.root().set("inner", std::map<std::string, int>{{"some key", 2}}).has_value());
  EXPECT_FALSE(inner.find(std::string("some key")).exists());
  EXPECT_FALSE(inner.exists());
}

} // namespace document_text_lookup_test
