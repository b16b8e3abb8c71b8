// SPDX-License-Identifier: Apache-2.0
// Changes of documents that were not validated, which may need more bytes: equal to the same
// changes of a `document`, inside the memory for any bytes, and nothing is changed after an error.
#include <ingot/document/document.hpp>
#include <ingot/document/peek_editor.hpp>

#include "document/offering.hpp"
#include "document/peek_exercise.hpp"
#include "hostile/fenced_pages.hpp"
#include "live/dice.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace peek_editor_test {

using ingot::document;
using ingot::errc;
using ingot::peek_editor;
using ingot::peek_value;
using ingot::value_ref;
using live_test::dice;
using peek_exercise::change_everywhere;
using peek_exercise::code_of;
using peek_exercise::some_key;
using peek_exercise::strings;
using peek_exercise::with_value;

/// The bytes of a document at the beginning of memory with `spare` more bytes.
std::vector<std::byte> memory_of(const document& doc, std::size_t spare) {
  std::vector<std::byte> memory(doc.bytes().begin(), doc.bytes().end());
  memory.resize(memory.size() + spare, std::byte{0xA5});
  return memory;
}
/// Expects that `open` accepts the bytes, as the value `expected`.
void expect_document(const peek_editor& editor, const document& expected) {
  const auto opened = document::open(editor.bytes());
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  ASSERT_TRUE(*opened == expected);
}
/// A value in both documents, at the end of a random path.
struct both_values {
  value_ref in_document;
  peek_value peeked;
};
both_values some_value(document& doc, const peek_editor& editor, dice& random) {
  both_values at{doc.root(), editor.root()};
  for (std::size_t depth = random() % 5; depth != 0 && at.in_document.size() != 0; --depth) {
    const std::size_t index = random() % at.in_document.size();
    const bool by_key = at.in_document.is_object() && random() % 2 == 0;
    const std::string key(at.peeked.key(index));
    at = both_values{value_ref(at.in_document[index]), by_key ? at.peeked.find(key) : at.peeked[index]};
  }
  return at;
}
/// Makes one change in both documents. Their results are the same, unless the editor has no space.
/// Returns false if the editor has no space; `doc` then has the change, and the bytes do not.
bool change_both(document& doc, peek_editor& editor, dice& random) {
  const std::vector<std::byte> before(editor.bytes().begin(), editor.bytes().end());
  auto [in_document, peeked] = some_value(doc, editor, random);
  std::optional<errc> expected;
  std::optional<errc> found;
  const std::string key = [&] {
    if (in_document.is_object() && in_document.size() != 0 && random() % 2 == 0)
      return std::string(peeked.key(random() % peeked.size()));
    return some_key(random);
  }();
  const std::size_t index = random() % (in_document.size() + 2);
  const auto both = [&](const auto& a, const auto& b) {
    expected = code_of(a);
    found = code_of(b);
  };
  switch (random() % 8) {
  case 0:
  case 1:
    with_value(random, [&](const auto& to) {
      both(in_document.set(to), editor.set(peeked, to));
      if (!found) {
        EXPECT_EQ(peeked.kind(), in_document.kind());
      }
    });
    break;
  case 2:
  case 3:
    with_value(random, [&](const auto& to) {
      const auto set = editor.set(peeked, key, to);
      both(in_document.set(key, to), set);
      if (set) {
        EXPECT_EQ(set->kind(), in_document[key].kind());
        EXPECT_EQ(peeked.size(), in_document.size());
      }
    });
    break;
  case 4:
    with_value(random, [&](const auto& to) { both(in_document.append(to), editor.append(peeked, to)); });
    break;
  case 5:
    with_value(random, [&](const auto& to) {
      both(in_document.insert(index, to), editor.insert(peeked, index, to));
    });
    break;
  case 6: {
    const auto erased = editor.erase(peeked, key);
    const auto reference = in_document.erase(key);
    both(reference, erased);
    if (erased) {
      EXPECT_EQ(*erased, *reference);
    }
    break;
  }
  default: both(in_document.erase(index), editor.erase(peeked, index)); break;
  }
  if (found) {
    EXPECT_TRUE(std::ranges::equal(editor.bytes(), before)) << "changed after an error";
  }
  if (found == errc::no_space) return false;
  EXPECT_EQ(found, expected);
  return true;
}
/// A random document: canonical, or as its changes have left it.
document some_document(dice& random) {
  document doc;
  if (random() % 8 == 0) return doc;
  if (random() % 8 == 0) with_value(random, [&](const auto& to) { EXPECT_TRUE(doc.root().set(to)); });
  std::vector<std::byte> memory = memory_of(doc, std::size_t{1} << 16);
  peek_editor editor = *peek_editor::over(memory);
  const std::size_t changes = random() % 60;
  for (std::size_t i = 0; i < changes; ++i) {
    if (!change_both(doc, editor, random)) break;
  }
  if (random() % 4 == 0) {
    document copy;
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(copy.root().append(doc));
    doc = copy;
  }
  if (random() % 2 == 0) doc.compact();
  return doc;
}

TEST(peek_editor, changes_equal_those_of_a_document) {
  std::size_t changes = 0;
  for (std::uint64_t seed = 1; seed <= live_test::operations(150U); ++seed) {
    SCOPED_TRACE(seed);
    dice random(seed);
    document doc = some_document(random);
    std::vector<std::byte> memory = memory_of(doc, 60'000);
    auto editor = *peek_editor::over(memory);
    for (int i = 0; i < 60; ++i, ++changes) {
      if (!change_both(doc, editor, random)) break;
      ASSERT_NO_FATAL_FAILURE(expect_document(editor, doc));
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(changes, 6'000U);
}

TEST(peek_editor, without_space_nothing_is_changed) {
  std::size_t full = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    dice random(seed);
    document doc = some_document(random);
    std::vector<std::byte> memory = memory_of(doc, random() % 600);
    const std::size_t size = memory.size();
    auto editor = *peek_editor::over(memory);
    for (int i = 0; i < 100; ++i) {
      const document before = doc;
      if (!change_both(doc, editor, random)) {
        ++full;
        doc = before;
      }
      ASSERT_NO_FATAL_FAILURE(expect_document(editor, doc));
      ASSERT_FALSE(HasFailure());
      ASSERT_LE(editor.bytes().size(), size);
    }
  }
  EXPECT_GT(full, 1'000U);
}

TEST(peek_editor, a_list_grows_until_the_memory_is_full) {
  document doc;
  doc["first"] = 1;
  doc["list"] = std::vector<std::string>{"one"};
  doc["last"] = std::string(50, 't');
  doc.compact();
  std::vector<std::byte> memory = memory_of(doc, 10'000);
  auto editor = *peek_editor::over(memory);
  std::vector<std::string> expected{"one"};
  for (;;) {
    const std::string text = "element " + std::to_string(expected.size());
    auto list = editor["list"];
    const auto done = editor.append(list, text);
    if (!done) {
      EXPECT_EQ(done.error().code(), errc::no_space);
      EXPECT_EQ(done.error().path(), "list");
      break;
    }
    expected.push_back(text);
    EXPECT_EQ(list.size(), expected.size());
  }
  // Nodes grow by a half, and their former bytes stay: at least a quarter is in use.
  EXPECT_GT(expected.size(), 2'500 / sizeof("element 100"));
  doc["list"] = expected;
  expect_document(editor, doc);
}

TEST(peek_editor, the_last_node_grows_in_place) {
  document doc;
  doc["first"] = 1;
  doc["list"] = std::vector<std::string>{"one"};
  doc.compact(); // the list is the last node
  std::vector<std::byte> memory = memory_of(doc, 20'000);
  auto editor = *peek_editor::over(memory);
  std::size_t bytes = 0;
  for (int i = 0; i < 500; ++i) {
    auto list = editor["list"];
    const std::string text = "element " + std::to_string(i);
    ASSERT_TRUE(editor.append(list, text));
    ASSERT_TRUE(doc["list"].append(text));
    bytes += 1 + text.size() + 2;
  }
  expect_document(editor, doc);
  EXPECT_LT(editor.bytes().size(), doc.bytes().size() / 2 + bytes * 5 / 4 + 64) << "no former bytes are left";
}

TEST(peek_editor, a_text_in_its_own_node_grows_within_the_node) {
  document doc;
  doc["text"] = std::string(300, 'a');
  doc["next"] = 1;
  std::vector<std::byte> memory = memory_of(doc, 2'000);
  auto editor = *peek_editor::over(memory);
  auto at = editor["text"];
  ASSERT_TRUE(editor.set(at, std::string(200, 'b')));
  EXPECT_EQ(at.length(), 200U);
  EXPECT_EQ(editor.bytes().size(), doc.bytes().size());
  const std::string_view bytes(reinterpret_cast<const char*>(memory.data()), memory.size());
  EXPECT_EQ(bytes.find("aa"), std::string_view::npos) << "bytes of the longer text";
  ASSERT_TRUE(editor.set(at, std::string(290, 'c')));
  EXPECT_EQ(editor.bytes().size(), doc.bytes().size());
  // A part of itself
  ASSERT_TRUE(editor.set(at, at.value_or(std::string_view()).substr(100)));
  EXPECT_EQ(at.value_or(std::string_view()), std::string(190, 'c'));
  ASSERT_TRUE(editor.set(at, std::string(1'000, 'd')));
  EXPECT_GT(editor.bytes().size(), doc.bytes().size() + 1'000);
  doc["text"] = std::string(1'000, 'd');
  expect_document(editor, doc);
}

TEST(peek_editor, stores_text_of_its_own_bytes) {
  document doc;
  doc["short"] = "some text of the document";
  doc["long"] = std::string(500, 'l');
  doc["list"] = std::vector<std::string>{"a"};
  doc.compact();
  std::vector<std::byte> memory = memory_of(doc, 4'000);
  auto editor = *peek_editor::over(memory);
  for (const char* from : {"short", "long"}) {
    auto list = editor["list"];
    const auto text = editor[from].as<std::string_view>();
    ASSERT_TRUE(editor.append(list, *text));
    ASSERT_TRUE(doc["list"].append(std::string(*doc[from].as<std::string_view>())));
    expect_document(editor, doc);
  }
  auto at = editor["short"];
  ASSERT_TRUE(editor.set(at, *editor["long"].as<std::string_view>()));
  auto root = editor.root();
  ASSERT_TRUE(editor.set(root, *editor["short"].as<std::string_view>(), 1));
  doc["short"] = std::string(500, 'l');
  doc[std::string(500, 'l')] = 1;
  expect_document(editor, doc);
}

TEST(peek_editor, objects_that_share_their_keys_get_keys_of_their_own) {
  for (const std::size_t key_length : {4U, 20U, 40U}) {
    document doc;
    std::vector<std::string> keys;
    for (int i = 0; i < 9; ++i) keys.push_back(std::string(key_length, 'k') + std::to_string(i));
    for (int i = 0; i < 6; ++i) {
      auto record = *doc.root().append(nullptr);
      for (const auto& key : keys) ASSERT_TRUE(record.set(key, i));
    }
    doc.compact();
    std::vector<std::byte> memory = memory_of(doc, 8'000);
    auto editor = *peek_editor::over(memory);
    auto record = editor.root()[1];
    ASSERT_TRUE(editor.set(record, "another", "text")); // a key that the shape lacks
    ASSERT_TRUE(doc[1].set("another", "text"));
    expect_document(editor, doc);
    record = editor.root()[2];
    ASSERT_TRUE(editor.set(record, keys[3], std::string(100, 't'))); // the object keeps the shape
    ASSERT_TRUE(doc[2].set(keys[3], std::string(100, 't')));
    expect_document(editor, doc);
    record = editor.root()[3];
    ASSERT_EQ(editor.erase(record, keys[5]), true);
    ASSERT_TRUE(doc[3].erase(keys[5]));
    expect_document(editor, doc);
    // The uses of long keys are never too low: an editor that does not count again must not
    // release a key that is in use.
    auto unchecked = document::open_unchecked(editor.bytes());
    ASSERT_TRUE(unchecked.has_value());
    while (unchecked->root().size() > 1) ASSERT_TRUE(unchecked->root().erase(std::size_t{0}));
    while (doc.root().size() > 1) ASSERT_TRUE(doc.root().erase(std::size_t{0}));
    EXPECT_TRUE(*unchecked == doc);
    const auto opened = document::open(unchecked->bytes());
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
  }
}

TEST(peek_editor, wide_nodes_grow) {
  document doc;
  std::vector<std::string> texts;
  for (int i = 0; i < 3'000; ++i) texts.push_back("text number " + std::to_string(i));
  doc["list"] = texts;
  strings members;
  for (int i = 0; i < 3'000; ++i) members["member " + std::to_string(i)] = texts[static_cast<std::size_t>(i)];
  doc["object"] = members;
  doc.compact();
  std::vector<std::byte> memory = memory_of(doc, 1'000'000);
  auto editor = *peek_editor::over(memory);
  for (int i = 0; i < 200; ++i) {
    auto array = editor["list"];
    ASSERT_TRUE(editor.insert(array, static_cast<std::size_t>(i) * 7, i << 20));
    ASSERT_TRUE(doc["list"].insert(static_cast<std::size_t>(i) * 7, i << 20));
    auto object = editor["object"];
    const std::string key = "new member " + std::to_string(i);
    ASSERT_TRUE(editor.set(object, key, key));
    ASSERT_TRUE(doc["object"].set(key, key));
    ASSERT_EQ(editor.erase(object, "member " + std::to_string(i * 3)), true);
    ASSERT_TRUE(doc["object"].erase("member " + std::to_string(i * 3)));
  }
  expect_document(editor, doc);
}

TEST(peek_editor, a_narrow_node_becomes_wide) {
  document doc;
  doc["list"] = std::vector<std::string>(250, std::string(120, 't'));
  doc.compact();
  std::vector<std::byte> memory = memory_of(doc, 400'000);
  auto editor = *peek_editor::over(memory);
  for (int i = 0; i < 60; ++i) {
    auto array = editor["list"];
    ASSERT_TRUE(editor.append(array, std::string(100, 'u')));
    ASSERT_TRUE(doc["list"].append(std::string(100, 'u')));
    if (i % 10 == 0) expect_document(editor, doc);
  }
  expect_document(editor, doc);
}

TEST(peek_editor, an_empty_document_gets_a_root) {
  std::vector<std::byte> memory = memory_of(document(), 1'000);
  const auto root_of = [&](const auto& value) {
    auto fresh = memory;
    auto editor = *peek_editor::over(fresh);
    auto root = editor.root();
    EXPECT_TRUE(root.is_null());
    EXPECT_TRUE(editor.set(root, value));
    document doc;
    doc = value;
    expect_document(editor, doc);
  };
  root_of(1), root_of(std::string("text")), root_of(std::string(300, 't')), root_of(std::vector<int>{1, 2});
  root_of(strings{{"a", "b"}}), root_of(nullptr), root_of(true), root_of(strings());
  auto editor = *peek_editor::over(memory);
  auto root = editor.root();
  const auto member = editor.set(root, "key", std::vector<int>{1, 2, 70'000});
  ASSERT_TRUE(member.has_value());
  EXPECT_EQ((*member)[2].value_or(0), 70'000);
  EXPECT_EQ(root.size(), 1U);
}

TEST(peek_editor, a_value_in_a_node_that_moved_is_found_no_more) {
  document doc;
  doc["list"] = std::vector<std::string>{"one"};
  doc["after"] = std::vector<std::string>{"two"};
  doc.compact();
  std::vector<std::byte> memory = memory_of(doc, 1'000);
  auto editor = *peek_editor::over(memory);
  auto element = editor["list"][0];
  ASSERT_TRUE(element.exists());
  auto list = editor["list"];
  ASSERT_TRUE(editor.append(list, std::string(50, 'm')));
  const std::vector<std::byte> before(editor.bytes().begin(), editor.bytes().end());
  EXPECT_EQ(code_of(editor.set(element, 1)), errc::missing_member);
  EXPECT_EQ(code_of(editor.set(element, std::string(100, 'l'))), errc::missing_member);
  EXPECT_TRUE(std::ranges::equal(editor.bytes(), before));
  element = editor["list"][0];
  EXPECT_TRUE(editor.set(element, 1));
}

/// The other document has equal bytes, so each position is that of a value in both.
TEST(peek_editor, a_value_of_another_document_is_missing) {
  document doc;
  doc["number"] = 1;
  doc["short"] = "a text";
  doc["long"] = std::string(300, 'l');
  doc["list"] = std::vector<std::string>{"one", "two"};
  doc["few"] = std::vector<int>{1, 2, 3};
  doc["object"] = strings{{"key", "value"}};
  doc.compact();
  std::vector<std::byte> memory = memory_of(doc, 2'000);
  std::vector<std::byte> other_memory = memory;
  const std::vector<std::byte> before = memory;
  auto editor = *peek_editor::over(memory);
  auto other = *peek_editor::over(other_memory);
  const auto change_all = [&](peek_editor& by, std::optional<errc> expected) {
    const auto expect = [&](const char* pointer, const auto& change) {
      peek_value at = other.root().at(pointer);
      ASSERT_TRUE(at.exists()) << pointer;
      EXPECT_EQ(code_of(change(at)), expected) << pointer;
    };
    expect("/number", [&](peek_value& at) { return by.set(at, 2); });
    expect("/number", [&](peek_value& at) { return by.set(at, std::vector<int>{1, 2}); });
    expect("/short", [&](peek_value& at) { return by.set(at, "6 more"); });
    expect("/short", [&](peek_value& at) { return by.set(at, std::string(200, 't')); });
    expect("/long", [&](peek_value& at) { return by.set(at, std::string(250, 'm')); });
    expect("/list/1", [&](peek_value& at) { return by.set(at, 7); });
    expect("/few/1", [&](peek_value& at) { return by.set(at, 7); });
    expect("/list", [&](peek_value& at) { return by.append(at, "three"); });
    expect("/list", [&](peek_value& at) { return by.insert(at, 0, "zero"); });
    expect("/list", [&](peek_value& at) { return by.erase(at, 0); });
    expect("/object", [&](peek_value& at) { return by.set(at, "key", "text"); });
    expect("/object", [&](peek_value& at) { return by.set(at, "new", doc); });
    expect("/object", [&](peek_value& at) { return by.erase(at, "key"); });
    expect("", [&](peek_value& at) { return by.set(at, 1); });
  };
  change_all(editor, errc::missing_member);
  EXPECT_EQ(memory, before);
  EXPECT_EQ(other_memory, before);
  auto list = other["list"];
  const auto appended = editor.append(list, "three");
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().path(), "list");
  change_all(other, std::nullopt);
}

/// Erasing an element moves the reference to a node to another index.
TEST(peek_editor, a_value_in_a_node_whose_reference_was_moved_still_changes) {
  document doc;
  for (const char* const text : {"one", "two", "three"})
    ASSERT_TRUE(doc.root().append(std::vector<std::string>{text}));
  doc.compact();
  std::vector<std::byte> memory = memory_of(doc, 1'000);
  auto editor = *peek_editor::over(memory);
  auto root = editor.root();
  auto element = root[1][0];
  ASSERT_TRUE(editor.erase(root, 0));
  ASSERT_TRUE(editor.set(element, std::string(100, 't')));
  ASSERT_TRUE(doc.root().erase(std::size_t{0}));
  ASSERT_TRUE(doc.root()[std::size_t{0}][std::size_t{0}].set(std::string(100, 't')));
  expect_document(editor, doc);
}

TEST(peek_editor, errors_have_the_path) {
  document doc;
  doc["a"]["b"] = 1;
  std::vector<std::byte> memory = memory_of(doc, 1'000);
  auto editor = *peek_editor::over(memory);
  auto number = editor["a"]["b"];
  const auto appended = editor.append(number, 1);
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code(), errc::type_mismatch);
  EXPECT_EQ(appended.error().path(), "a.b");
  auto object = editor["a"];
  const auto set = editor.set(object, "list", std::vector<std::vector<int>>{});
  EXPECT_TRUE(set);
  auto none = editor["a"]["none"];
  EXPECT_EQ(code_of(editor.set(none, 1)), errc::missing_member);
  EXPECT_EQ(code_of(editor.append(none, 1)), errc::missing_member);
  EXPECT_EQ(code_of(editor.erase(none, 0)), errc::missing_member);
  EXPECT_EQ(code_of(editor.erase(object, 9)), errc::out_of_range);
  EXPECT_EQ(editor.erase(object, "none"), false);
  EXPECT_EQ(code_of(peek_editor::over(std::span(memory).first(20))), errc::truncated);
}

template <class Result>
std::string path_of(const Result& of) {
  if (of) return "no error";
  return std::string(of.error().path());
}

TEST(peek_editor, errors_have_the_path_that_a_document_gives_them) {
  document doc(ingot::max_block_size{1 << 16});
  doc["a"]["list"] = std::vector<std::string>{"one", "two"};
  doc["a"]["number"] = 1;
  std::vector<std::byte> memory = memory_of(doc, 100);
  auto editor = *peek_editor::over(memory);
  const std::string long_text(400'000, 't'); // neither has so much space
  const std::vector<std::set<double>> not_accepted{{1}, {std::numeric_limits<double>::quiet_NaN()}};
  auto object = editor["a"];
  auto list = editor["a"]["list"];
  auto number = editor["a"]["number"];
  const auto expect_paths = [&](const auto& value) {
    EXPECT_EQ(path_of(editor.set(object, "key", value)), path_of(doc["a"].set("key", value)));
    EXPECT_EQ(path_of(editor.set(object, "list", value)), path_of(doc["a"].set("list", value)));
    EXPECT_EQ(path_of(editor.set(number, "key", value)), path_of(doc["a"]["number"].set("key", value)));
    EXPECT_EQ(path_of(editor.set(number, value)), path_of(doc["a"]["number"].set(value)));
    EXPECT_EQ(path_of(editor.append(list, value)), path_of(doc["a"]["list"].append(value)));
    EXPECT_EQ(path_of(editor.insert(list, 1, value)), path_of(doc["a"]["list"].insert(1, value)));
  };
  expect_paths(long_text);
  expect_paths(not_accepted);
  EXPECT_EQ(path_of(editor.set(object, "key", long_text)), "a.key");
  EXPECT_EQ(path_of(editor.set(object, "key", not_accepted)), "a.key[1][0]");
  EXPECT_EQ(path_of(editor.append(list, not_accepted)), "a.list[2][1][0]");
  EXPECT_EQ(path_of(editor.insert(list, 9, 1)), "a.list[9]");
  EXPECT_EQ(path_of(editor.set(number, "key", 1)), "a.number");
}

TEST(peek_editor, stays_in_the_memory_whatever_the_bytes_are) {
  document shared;
  for (int i = 0; i < 4; ++i) {
    auto record = *shared.root().append(nullptr);
    for (int k = 0; k < 7; ++k) ASSERT_TRUE(record.set("key " + std::to_string(k), k * i));
    ASSERT_TRUE(record.set(std::string(40, 'k'), std::string(150, 't')));
    ASSERT_TRUE(record.set("list", std::vector<int>{i, 300}));
  }
  shared.compact();
  document scalar;
  scalar = std::string(10, 't');
  const hostile::fenced_pages pages(16'384);
  ASSERT_TRUE(pages.ready());
  const std::vector<std::vector<std::byte>> sources{memory_of(document_test::everything(), 0),
                                                    memory_of(shared, 0), memory_of(scalar, 0)};
  // Each byte gets a few values, or all values of the list and both ends of the pages.
  const bool full = std::getenv("INGOT_TEST_FULL") != nullptr; // NOLINT(concurrency-mt-unsafe)
  std::uint64_t seed = 0;
  for (const auto& source : sources) {
    for (std::size_t at = 8; at < source.size(); ++at) {
      for (const unsigned to : {0x00U, 0x01U, 0x08U, 0x10U, 0x85U, 0xFFU, 0x100U, 0x101U}) {
        dice random(++seed);
        if (!full && random() % 4 != 0) continue;
        auto memory = source;
        // The last two flip a bit.
        memory[at] = to < 0x100 ? static_cast<std::byte>(to)
                                : memory[at] ^ (to == 0x100 ? std::byte{1} : std::byte{0x20});
        static constexpr std::array spares{0U, 40U, 2'000U};
        memory.resize(memory.size() + spares[seed % spares.size()], std::byte{0xA5});
        ASSERT_LE(memory.size(), 16'384U);
        SCOPED_TRACE(testing::Message() << at << ' ' << to << ' ' << seed);
        ASSERT_NO_FATAL_FAILURE(change_everywhere(pages.at_end(memory), random));
        if (full) {
          ASSERT_NO_FATAL_FAILURE(change_everywhere(pages.at_begin(memory), random));
        }
      }
    }
  }
}

TEST(peek_editor, a_node_with_an_element_that_is_not_sound_does_not_grow) {
  document doc;
  doc["list"] = std::vector<std::string>{"one", "two"};
  doc["after"] = std::vector<std::string>{"three"};
  doc.compact();
  std::size_t not_sound = 0;
  for (unsigned tag = 0; tag < 256; ++tag) {
    std::vector<std::byte> memory = memory_of(doc, 1'000);
    const std::string_view text(reinterpret_cast<const char*>(memory.data()), memory.size());
    const std::size_t at = text.find("\x83one");
    ASSERT_NE(at, std::string_view::npos);
    memory[at] = static_cast<std::byte>(tag);
    auto editor = *peek_editor::over(memory);
    if (editor["list"][0].exists()) continue;
    ++not_sound;
    auto list = editor["list"];
    EXPECT_EQ(code_of(editor.append(list, std::string(100, 't'))), errc::bad_length) << tag;
  }
  EXPECT_GT(not_sound, 0U);
}

TEST(peek_editor, a_damaged_node_does_not_grow) {
  document doc;
  doc["list"] = std::vector<std::string>{"one", "two"};
  doc["after"] = std::vector<std::string>{"three"};
  doc.compact();
  std::vector<std::byte> memory = memory_of(doc, 1'000);
  // Both elements of the list at the same bytes
  const auto list = std::search(memory.begin(), memory.end(), std::begin("\x83one"), std::end("\x83one") - 1,
                                [](std::byte a, char b) { return a == static_cast<std::byte>(b); });
  ASSERT_NE(list, memory.end());
  std::size_t damaged = 0;
  for (std::size_t at = 16; at + 12 < doc.bytes().size(); at += 8) {
    std::uint16_t cells[2];
    std::memcpy(cells, memory.data() + at + 8, sizeof cells);
    if (memory[at] != std::byte{1} || cells[0] != 4 || cells[1] != 8) continue;
    cells[1] = 4;
    std::memcpy(memory.data() + at + 8, cells, sizeof cells);
    const std::uint16_t heap = 4;
    std::memcpy(memory.data() + at + 6, &heap, sizeof heap);
    ++damaged;
  }
  ASSERT_EQ(damaged, 1U);
  auto editor = *peek_editor::over(memory);
  auto array = editor["list"];
  EXPECT_EQ(array[1].value_or(std::string_view()), "one");
  const auto appended = editor.append(array, std::string(100, 't'));
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code(), errc::bad_length);
  EXPECT_EQ(appended.error().path(), "list");
}

} // namespace peek_editor_test
