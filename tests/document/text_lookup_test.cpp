// SPDX-License-Identifier: Apache-2.0
// A lookup by text finds the same member as a lookup by a key that was made from the text. Both
// share neither hash nor comparison: in objects with few keys the lookup by text does not use a
// hash.
#include <ingot/document/detail/value_access.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/key_finder.hpp>
#include <ingot/document/peek.hpp>

#include "hostile/fenced_pages.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_text_lookup_test {

using ingot::document;
using ingot::document_key;

/// Looks up a text in each way, in an object of a document. The text ends where its memory ends, so
/// that a sanitizer reports each read before or after it.
void expect_by_each_lookup(const ingot::value& object, std::string_view text, std::int64_t expected) {
  const std::unique_ptr<char[]> alone(new char[text.size()]);
  if (!text.empty()) text.copy(alone.get(), text.size());
  const std::string_view exact(alone.get(), text.size());
  EXPECT_EQ(object.find(exact).value_or<std::int64_t>(-1), expected) << testing::PrintToString(text);
  EXPECT_EQ(object[exact].value_or<std::int64_t>(-1), expected);
  EXPECT_EQ(object.find(document_key(exact)).value_or<std::int64_t>(-1), expected);
  ingot::key_finder finder{document_key(exact)};
  for (int i = 0; i < 2; ++i) // the second time at the position where the first has found it
    EXPECT_EQ(finder.find(object).value_or<std::int64_t>(-1), expected) << testing::PrintToString(text);
}
/// Compares the results of both lookups, as above.
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

bool shares_keys(const ingot::value& object) {
  using access = ingot::detail::doc::access;
  const auto first = std::to_integer<unsigned>(access::start_of(object)[access::node_of(object)]);
  return (first & 7U) == static_cast<unsigned>(ingot::detail::doc::node_kind::shaped);
}
/// Five records with the keys `keys`, which share these keys. Some numbers are in cells.
document records_of(const std::vector<std::string>& keys) {
  document doc;
  for (int r = 0; r < 5; ++r) {
    auto record = doc.root().append(nullptr);
    EXPECT_TRUE(record.has_value());
    std::int64_t i = 0;
    for (const std::string& key : keys) {
      EXPECT_TRUE(record->set(document_key(key), i % 3 == 0 ? i % 50 + r : i * 1'000'000 + r).has_value());
      ++i;
    }
  }
  doc.compact();
  return doc;
}
/// Looks up all keys, and texts that differ from a key in one character or in length.
void expect_all_in_records(const document& doc, const std::vector<std::string>& keys) {
  std::map<std::string, std::int64_t> model;
  for (std::int64_t i = 0; const std::string& key : keys) model.emplace(key, i++);
  std::mt19937 draw(static_cast<unsigned>(keys.size()));
  for (std::size_t r = 0; r < doc.root().size(); ++r) {
    const ingot::value record = doc[r];
    ASSERT_TRUE(shares_keys(record));
    const auto expect = [&](const std::string& text) {
      const auto at = model.find(text);
      std::int64_t expected = -1;
      if (at != model.end()) {
        const std::int64_t i = at->second;
        expected = static_cast<std::int64_t>(r) + (i % 3 == 0 ? i % 50 : i * 1'000'000);
      }
      expect_by_each_lookup(record, text, expected);
    };
    for (const std::string& key : keys) {
      expect(key);
      if (key.empty()) continue;
      std::string other = key;
      char& changed = other[draw() % other.size()];
      changed = static_cast<char>(changed ^ 0x20);
      expect(other);
      expect(key.substr(1));
      expect(key + '\0');
    }
    expect("elsewhere");
    expect("");
  }
}

TEST(document_text_lookup, finds_among_shared_keys_what_a_key_of_the_text_finds) {
  std::mt19937 draw(14);
  for (const std::size_t count : std::initializer_list<std::size_t>{2, 3, 5, 6, 7, 8, 9, 15, 16, 17, 18, 31,
                                                                    32, 33, 34, 64, 100, 600}) {
    SCOPED_TRACE(count);
    std::set<std::string> keys;
    while (keys.size() < count) {
      std::string key = any_text(draw, 4 + draw() % 12);
      if (draw() % 8 == 0) key = any_text(draw, draw() % 40);
      if (!key.empty() && draw() % 4 == 0) key[0] = 0;
      keys.insert(std::move(key));
    }
    const std::vector<std::string> all(keys.begin(), keys.end());
    expect_all_in_records(records_of(all), all);
  }
}

TEST(document_text_lookup, tells_shared_keys_of_one_length_apart) {
  std::mt19937 draw(15);
  for (std::size_t length = 2; length <= 20; ++length) {
    for (const std::size_t count : std::initializer_list<std::size_t>{3, 6, 7, 16, 32, 33}) {
      SCOPED_TRACE(testing::Message() << length << ' ' << count);
      std::set<std::string> keys;
      for (std::size_t i = 0; i < 20 * count && keys.size() < count; ++i) keys.insert(any_text(draw, length));
      const std::vector<std::string> all(keys.begin(), keys.end());
      expect_all_in_records(records_of(all), all);
    }
  }
}

/// The shape of 2,500 keys is wide; the records, whose numbers are in cells, are not.
TEST(document_text_lookup, finds_among_the_keys_of_a_wide_shape) {
  std::vector<std::string> keys;
  for (int i = 0; i < 2500; ++i) keys.push_back("a key " + std::to_string(100'000'000 + i));
  document doc;
  for (int r = 0; r < 3; ++r) {
    std::map<std::string, int> members;
    for (int i = 0; i < 2500; ++i) members.emplace(keys[static_cast<std::size_t>(i)], i % 100 + r);
    ASSERT_TRUE(doc.root().append(members).has_value());
  }
  doc.compact();
  for (std::size_t r = 0; r < 3; ++r) {
    const ingot::value record = doc[r];
    ASSERT_TRUE(shares_keys(record));
    for (std::size_t i = 0; i < keys.size(); i += 7)
      expect_by_each_lookup(record, keys[i], static_cast<std::int64_t>(i % 100 + r));
    expect_by_each_lookup(record, "a key 99999999", -1);
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
    const std::vector<std::string> keys(same.begin(), same.begin() + static_cast<std::ptrdiff_t>(count));
    expect_all_in_records(records_of(keys), keys);
  }
}

/// A handle that was found among shared keys follows changes, and changes the value. Its errors
/// have the path.
TEST(document_text_lookup, members_with_shared_keys_can_be_changed) {
  for (const std::size_t count : std::initializer_list<std::size_t>{3, 7, 40}) {
    SCOPED_TRACE(count);
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) keys.push_back("key number " + std::to_string(i));
    document doc = records_of(keys);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view text = keys[i];
      const ingot::value before = std::as_const(doc)[1].find(text);
      ingot::value_ref member = doc.root()[std::size_t{1}].find(text);
      ASSERT_TRUE(member.exists());
      const auto wrong = member.as<std::string>();
      ASSERT_FALSE(wrong.has_value());
      EXPECT_EQ(wrong.error().path(), "[1]." + keys[i]);
      const auto number = static_cast<std::int64_t>(i * 7);
      ASSERT_TRUE(member.set(number).has_value());
      EXPECT_EQ(member.value_or<std::int64_t>(-1), number);
      EXPECT_EQ(before.value_or<std::int64_t>(-1), number);
      EXPECT_EQ(doc[1].find(document_key(text)).value_or<std::int64_t>(-1), number);
      ASSERT_TRUE(member.set(number << 40).has_value()); // no more in its cell
      EXPECT_EQ(before.value_or<std::int64_t>(-1), number << 40);
    }
    const std::string_view elsewhere = "elsewhere";
    const auto none = std::as_const(doc)[1].find(elsewhere).as<int>();
    const auto no_key = std::as_const(doc)[1].find(document_key(elsewhere)).as<int>();
    ASSERT_FALSE(none.has_value() || no_key.has_value());
    EXPECT_EQ(none.error().message(), no_key.error().message());
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

/// An array has no position of a shape: the numbers in its cells, taken for one, lead far away.
TEST(document_text_lookup, an_array_has_no_members) {
  document source;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(source.root().append(-1 - i).has_value());
  ASSERT_TRUE(source.root().append("text").has_value());
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  const auto opened = document::open_in_place(pages.at_end(source.bytes()));
  ASSERT_TRUE(opened.has_value());
  for (const std::string_view text : {"text", "quantity", "exactly fifteen", "sixteen bytes it"})
    EXPECT_FALSE(std::as_const(*opened).root().find(text).exists());
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

/// Looks up `text` in an object in all ways, validated and not. `expected` is -1 if there is no
/// such member.
void expect_in_all_views(const ingot::value& object, const ingot::peek_value& peek, std::string_view wanted,
                         std::int64_t expected) {
  const std::unique_ptr<char[]> alone(new char[wanted.size()]); // see `expect_the_same`
  if (!wanted.empty()) wanted.copy(alone.get(), wanted.size());
  const std::string_view text(alone.get(), wanted.size());
  const document_key key(text);
  EXPECT_EQ(object.find(text).value_or<std::int64_t>(-1), expected) << testing::PrintToString(text);
  EXPECT_EQ(object.find(key).value_or<std::int64_t>(-1), expected);
  EXPECT_EQ(object.contains(key), expected != -1);
  EXPECT_EQ(peek.find(key).value_or<std::int64_t>(-1), expected);
  if (expected == -1) {
    EXPECT_FALSE(object.find(text).exists());
    EXPECT_FALSE(peek.find(key).exists());
  }
}
/// Compares lookups in objects of one form with the members that were stored.
void expect_records(document& doc, const std::vector<std::map<std::string, std::int64_t>>& models) {
  const auto peek = ingot::document_peek::over(doc.bytes());
  ASSERT_TRUE(peek.has_value());
  for (std::size_t i = 0; i < models.size(); ++i) {
    const ingot::value object = std::as_const(doc)["list"][i]["nested"];
    const ingot::peek_value seen = peek->root()["list"][i]["nested"];
    ASSERT_EQ(object.size(), models[i].size());
    ASSERT_EQ(seen.size(), models[i].size());
    std::size_t index = 0;
    for (const auto& [key, value] : object.members()) {
      const auto at = models[i].find(std::string(key));
      ASSERT_NE(at, models[i].end());
      EXPECT_EQ(value.value_or<std::int64_t>(-1), at->second);
      EXPECT_EQ(object[index].value_or<std::int64_t>(-1), at->second);
      EXPECT_EQ(seen[index].value_or<std::int64_t>(-1), at->second);
      ++index;
    }
    for (const auto& [key, number] : models[i]) {
      expect_in_all_views(object, seen, key, number);
      const std::string other = key + "?";
      if (!models[i].contains(other)) expect_in_all_views(object, seen, other, -1);
      std::string changed = key;
      if (!changed.empty()) changed.back() = static_cast<char>(changed.back() ^ 0x40);
      if (!models[i].contains(changed)) expect_in_all_views(object, seen, changed, -1);
    }
    // through a handle that can change the document
    for (const auto& [key, number] : models[i])
      EXPECT_EQ(doc.root().find("list")[i]["nested"][key].value_or(std::int64_t{-1}), number);
  }
}

/// Objects whose keys are shared, and wide ones, have lookups of their own. Each lookup finds what
/// was stored: numbers in cells and in heaps, keys of all lengths, and keys with one hash.
TEST(document_text_lookup, shared_and_wide_objects_agree_with_a_map) {
  std::mt19937 draw(13);
  std::vector<std::string> same;
  for (int i = 100'000'000; same.size() < 4; ++i) {
    std::string text = std::to_string(i);
    if (same.empty() || document_key(text).hash() == document_key(same.front()).hash())
      same.push_back(std::move(text));
  }
  for (const std::size_t count :
       std::initializer_list<std::size_t>{1, 2, 3, 6, 7, 16, 17, 32, 33, 100, 2000}) {
    SCOPED_TRACE(count);
    std::vector<std::string> keys;
    for (std::map<std::string, int> seen; keys.size() < count;) {
      std::string key = any_text(draw, count > 32 || draw() % 8 == 0 ? 3 + draw() % 40 : 1 + draw() % 15);
      if (draw() % 8 == 0) key[0] = 0;
      if (count > 6 && keys.size() < same.size()) key = same[keys.size()];
      if (count == 2) key += " that is long enough to be shared";
      if (seen.emplace(key, 0).second) keys.push_back(std::move(key));
    }
    document doc;
    std::vector<std::map<std::string, std::int64_t>> models(8);
    doc["list"] = std::vector<int>{};
    for (auto& model : models) {
      ingot::value_ref record = *doc.root().find("list").append(nullptr);
      ingot::value_ref nested = *record.set("nested", std::map<std::string, int>{});
      for (const auto& key : keys) {
        const auto drawn = static_cast<std::int64_t>(draw());
        const std::int64_t number = drawn % 2 == 0 ? drawn % 100 : drawn << 20;
        model.emplace(key, number);
        ASSERT_TRUE(nested.set(document_key(key), number).has_value());
      }
    }
    expect_records(doc, models);
    doc.compact();
    expect_records(doc, models);
  }
}

/// An error names a member that is missing, however the keys of the object are stored.
TEST(document_text_lookup, errors_name_members_that_shared_keys_do_not_have) {
  document doc;
  doc["list"] = std::vector<int>{};
  ingot::value_ref list = doc.root().find("list");
  for (int i = 0; i < 8; ++i)
    ASSERT_TRUE(list.append(std::map<std::string, int>{{"quantity", i}, {"price", i}}).has_value());
  doc["plain"] = std::map<std::string, int>{{"quantity", 0}, {"price", 0}};
  doc.compact();
  const document& read = doc;
  const ingot::value record = read["list"][3];
  ASSERT_EQ(record["price"].value_or(0), 3);
  for (const std::string& name :
       {std::string("id"), std::string("none"), std::string("a key of more bytes"), std::string(300, 'n')}) {
    const auto path = [&](const ingot::value& missing) {
      return std::string(missing.as<int>().error().path());
    };
    const std::string expected = path(read["plain"][name]);
    EXPECT_NE(expected.find(name.substr(0, 16)), std::string::npos);
    EXPECT_EQ(path(record[name]), expected);
    EXPECT_EQ(path(record[document_key(name)]), expected);
  }
}

/// Arrays become wide above 6,500 records or 8,191 numbers.
TEST(document_text_lookup, wide_arrays_give_every_element) {
  for (const bool records : {false, true}) {
    document doc;
    doc["list"] = std::vector<int>{};
    ingot::value_ref list = doc.root().find("list");
    for (int i = 0; i < 9000; ++i) {
      if (records)
        ASSERT_TRUE(list.append(std::map<std::string, int>{{"number", i}, {"name", -i}}).has_value());
      else ASSERT_TRUE(list.append(i % 3 == 0 ? std::int64_t{i} << 40 : std::int64_t{i}).has_value());
    }
    for (const bool compacts : {false, true}) {
      if (compacts) doc.compact();
      const auto peek = ingot::document_peek::over(doc.bytes());
      const ingot::value read = std::as_const(doc)["list"];
      const ingot::peek_value seen = peek->root()["list"];
      for (int i = 0; i < 9000; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t number = !records && i % 3 == 0 ? std::int64_t{i} << 40 : i;
        ASSERT_EQ((records ? read[at]["number"] : read[at]).value_or(std::int64_t{-1}), number);
        ASSERT_EQ((records ? seen[at]["number"] : seen[at]).value_or(std::int64_t{-1}), number);
      }
      EXPECT_FALSE(read[9000].exists());
      EXPECT_FALSE(seen[9000].exists());
    }
  }
}

/// Each bit of an object with shared keys is wrong once, between pages that can't be read.
TEST(document_text_lookup, damaged_shared_keys_are_read_within_the_bytes) {
  document doc;
  doc["list"] = std::vector<int>{};
  for (int i = 0; i < 4; ++i) {
    ingot::value_ref each = *doc.root().find("list").append(nullptr);
    for (const char* key : {"x", "quantity", "price", "a key of more bytes", "symbol", "side", "venue"})
      ASSERT_TRUE(each.set(key, std::int64_t{1} << 10 * i).has_value());
  }
  doc.compact();
  const hostile::fenced_pages pages(doc.bytes().size());
  ASSERT_TRUE(pages.ready());
  const auto at_the_end = [&](auto&& change) {
    const auto bytes = pages.at_end(doc.bytes());
    change(bytes);
    if (const auto peek = ingot::document_peek::over(bytes)) {
      std::size_t found = 0;
      for (std::size_t i = 0; i < 5; ++i) {
        const auto record = peek->root()["list"][i];
        for (const char* key : {"x", "quantity", "price", "a key of more bytes", "none"})
          found += record.find(key).value_or(std::int64_t{0}) != 0;
      }
      return found;
    }
    return std::size_t{0};
  };
  EXPECT_EQ(at_the_end([](auto) {}), 16U);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < doc.bytes().size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit)
      changed += at_the_end([&](auto bytes) { bytes[i] ^= static_cast<std::byte>(1U << bit); }) != 16;
    for (const unsigned whole : {0U, 0xFFU})
      changed += at_the_end([&](auto bytes) { bytes[i] = static_cast<std::byte>(whole); }) != 16;
  }
  EXPECT_GT(changed, 0U);
}

} // namespace document_text_lookup_test
