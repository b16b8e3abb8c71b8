// SPDX-License-Identifier: Apache-2.0
// Edits that read one node only. Unused bytes of a node stay zero, because the editor recognises
// free bytes after a value by zeros. A member that looks like zeros, a key without text, is not
// free. An error would let a value grow over its neighbour, or leave free bytes unused.
#include <ingot/document/document.hpp>

#include "document/exercise.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace document_quick_edit_test {

using namespace document_test;
using ingot::document;
using ingot::value_ref;
namespace doc = ingot::detail::doc;

using simple = std::variant<std::int64_t, double, std::string, bool>;

[[nodiscard]] simple any_simple(dice& random) {
  const auto what = random() % 16;
  if (what < 6) {
    const std::uint64_t drawn = random(); // shifted to fewer bits below
    const auto n = static_cast<std::int64_t>(drawn >> random() % 64);
    return random() % 2 == 0 ? n : -n;
  }
  if (what < 8) return static_cast<double>(random()) / 3;
  if (what == 8) return static_cast<double>(random() % 100);
  if (what == 9) return random() % 2 == 0;
  return std::string(random() % (random() % 8 == 0 ? 200 : 40), static_cast<char>('a' + random() % 26));
}
[[nodiscard]] bool is(const ingot::value& v, const simple& expected) {
  return std::visit(
      [&]<class T>(const T& e) {
        const auto read = v.as<T>();
        return read && *read == e;
      },
      expected);
}

/// Returns true if every byte of the root's node outside its elements is zero.
[[nodiscard]] bool dead_bytes_are_zero(const document& from) {
  const auto bytes = from.bytes();
  const doc::validated in{{bytes.data(), static_cast<std::uint32_t>(bytes.size())}};
  doc::node n;
  const auto root = doc::read_root(in);
  if (!root.owns_node() || !doc::find_node(in, root.position(), n)) return true;
  std::vector<bool> live(n.bytes);
  const auto columns = doc::columns_size(n.kind, n.wide, n.count);
  std::fill_n(live.begin(), columns, true);
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const std::uint32_t size = n.heap_bytes(i);
    if (size != 0) std::fill_n(live.begin() + static_cast<std::ptrdiff_t>(n.bytes - n.cell(i)), size, true);
  }
  for (std::uint32_t i = 0; i < n.bytes; ++i) {
    if (!live[i] && n.at[i] != std::byte{0}) return false;
  }
  return true;
}

TEST(document_quick_edit, members_hold_the_assigned_values_and_what_is_dead_is_zero) {
  for (std::uint64_t seed = 1; seed <= (sampled() ? 2U : 6U); ++seed) {
    SCOPED_TRACE(seed);
    dice random(seed);
    document edited(std::map<std::string, int>{});
    std::map<std::string, simple> twin;
    const std::vector<std::string> keys{"",      "a", "bc", "price", "quantity", "a key of 17 bytes",
                                        "venue", "x"};
    for (int step = 0; step < 1500; ++step) {
      const std::string& key = keys[random() % keys.size()];
      if (random() % 8 == 0) {
        ASSERT_EQ(*edited.root().erase(key), twin.erase(key) == 1);
      } else {
        const simple value = any_simple(random);
        const bool through_member = twin.contains(key) && random() % 2 == 0;
        value_ref member = edited.root().find(key);
        std::visit(
            [&](const auto& v) {
              ASSERT_TRUE(through_member ? member.set(v).has_value() : edited.root().set(key, v).has_value());
            },
            value);
        ASSERT_TRUE(!through_member || is(member, value)) << "a handle knows what was written through it";
        twin[key] = value;
      }
      ASSERT_EQ(edited.root().size(), twin.size());
      for (const auto& [k, v] : twin) ASSERT_TRUE(is(edited.find(k), v)) << step << ' ' << k;
      ASSERT_TRUE(dead_bytes_are_zero(edited)) << step;
    }
    EXPECT_TRUE(document::open(edited.bytes()).has_value());
  }
}

TEST(document_quick_edit, what_grows_by_little_is_zero_between_its_columns_and_its_heap) {
  document edited(std::map<std::string, int>{});
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(edited.root().set(std::to_string(i), i % 48));
    ASSERT_TRUE(dead_bytes_are_zero(edited)) << i;
    // Another value grows beside it, so that neither can grow in place.
    ASSERT_TRUE(i != 0 || edited.root().set("object", std::map<std::string, int>{}));
    ASSERT_TRUE(edited.root().find("object").set(std::to_string(i), i % 48));
  }
}

TEST(document_quick_edit, elements_hold_the_assigned_values_and_what_is_dead_is_zero) {
  dice random(7);
  document edited(std::vector<std::string>{"an array with a node"});
  std::vector<simple> twin{std::string("an array with a node")};
  for (int step = 0; step < 3000; ++step) {
    const simple value = any_simple(random);
    const std::size_t at = twin.empty() ? 0 : random() % twin.size();
    std::visit(
        [&](const auto& v) {
          if (twin.empty() || (twin.size() < 40 && random() % 3 == 0)) {
            const auto appended = edited.root().append(v);
            ASSERT_TRUE(appended && is(*appended, value));
            twin.emplace_back(value);
          } else if (random() % 4 == 0) {
            const std::size_t which = random() % 2 == 0 ? twin.size() - 1 : at;
            const ingot::value last = edited[twin.size() - 1];
            ASSERT_TRUE(edited.root().erase(which));
            EXPECT_FALSE(last.exists()) << "handles to elements end when one is erased";
            twin.erase(twin.begin() + static_cast<std::ptrdiff_t>(which));
          } else {
            ASSERT_TRUE(edited[at].set(v));
            twin[at] = value;
          }
        },
        value);
    ASSERT_EQ(edited.root().size(), twin.size());
    for (std::size_t i = 0; i < twin.size(); ++i) ASSERT_TRUE(is(edited[i], twin[i])) << step << ' ' << i;
    EXPECT_FALSE(edited[twin.size()].exists());
    ASSERT_TRUE(dead_bytes_are_zero(edited)) << step;
  }
  EXPECT_TRUE(document::open(edited.bytes()).has_value());
}

/// Heaps grow down: the last inserted value has the lowest position. So `first` is right after the
/// value of `second`.
TEST(document_quick_edit, a_key_without_text_is_not_taken_for_dead_bytes) {
  for (std::size_t now = 0; now <= 40; ++now) {
    document edited(std::map<std::string, int>{});
    ASSERT_TRUE(edited.root().set("", 7));
    ASSERT_TRUE(edited.root().set("second", std::string(20, 'l')));
    ASSERT_TRUE(edited.root().set("second", std::string("s")));
    ASSERT_TRUE(edited.root().set("second", std::string(now, 'n')));
    EXPECT_EQ(edited.find("").value_or(0), 7) << now;
    EXPECT_EQ(edited.find("second").value_or(std::string_view{}), std::string(now, 'n'));
    EXPECT_TRUE(document::open(edited.bytes()).has_value());
    for (std::int64_t n = 1; n < std::int64_t{1} << 61; n *= 4) {
      ASSERT_TRUE(edited.root().set("second", n));
      EXPECT_EQ(edited.find("").value_or(0), 7) << n;
    }
    EXPECT_TRUE(document::open(edited.bytes()).has_value());
  }
}

TEST(document_quick_edit, keys_of_every_length_are_put_in_and_the_document_is_validated) {
  // Keys of 1 to 16 bytes are compared as words. Keys of up to 32 bytes are stored in their node,
  // longer ones in nodes of their own. The record of an empty key looks like unused bytes. A node
  // with enough free bytes would tempt an editor to write all of them in one way.
  for (const std::size_t others : std::initializer_list<std::size_t>{1, 2, 4, 17, 33, 40}) {
    for (const std::size_t length :
         std::initializer_list<std::size_t>{0, 1, 15, 16, 17, 31, 32, 33, 40, 127, 128, 132, 255, 256, 300}) {
      document doc;
      for (std::size_t i = 0; i < others; ++i)
        ASSERT_TRUE(doc.root().set("member " + std::to_string(i), std::string(30, 'x')));
      for (std::size_t i = 0; i < others; ++i)
        ASSERT_TRUE(doc.root().set("member " + std::to_string(i), 1)); // free bytes
      const std::string key(length, 'k');
      ASSERT_TRUE(doc.root().set(key, 7));
      EXPECT_EQ(doc.root()[key].as<int>(), 7) << length;
      EXPECT_EQ(doc.root().size(), others + 1);
      const auto opened = document::open(doc.bytes());
      ASSERT_TRUE(opened.has_value()) << others << ' ' << length << ": " << opened.error().message();
      EXPECT_EQ((*opened)[key].as<int>(), 7) << length;
      EXPECT_TRUE(doc.root().erase(key));
      EXPECT_FALSE(doc.root().contains(key));
      EXPECT_TRUE(document::open(doc.bytes()).has_value()) << others << ' ' << length;
    }
  }
}

TEST(document_quick_edit, what_became_shorter_grows_again_where_it_is) {
  document edited(std::map<std::string, int>{});
  ASSERT_TRUE(edited.root().set("other", 1));
  ASSERT_TRUE(edited.root().set("text", std::string(24, 'l')));
  ASSERT_TRUE(edited.root().set("last", 1));
  const char* const there = edited.find("text").value_or(std::string_view{}).data();
  for (const std::size_t length : std::initializer_list<std::size_t>{4U, 17U, 5U, 23U, 1U, 22U}) {
    ASSERT_TRUE(edited.root().set("text", std::string(length, 's')));
    EXPECT_EQ(edited.find("text").value_or(std::string_view{}).data(), there) << length;
  }
}

TEST(document_quick_edit, texts_of_all_lengths_follow_one_another) {
  const auto text = [](std::size_t length, char first) {
    std::string repeated(length, first);
    for (std::size_t i = 0; i < length; ++i)
      repeated[i] = static_cast<char>(first + static_cast<char>(i % 25));
    return repeated;
  };
  // The value that is overwritten is the first in the heap, between others, the last, or the only
  // one of a document of a few bytes.
  for (const auto& keys : std::initializer_list<std::vector<std::string>>{
           {"a", "bc", "def"}, {"bc", "a", "def"}, {"bc", "def", "a"}, {"a"}}) {
    for (std::size_t before = 0; before <= 34; ++before) {
      document edited(std::map<std::string, int>{});
      for (const auto& key : keys) ASSERT_TRUE(edited.root().set(key, text(key == "a" ? before : 3, key[0])));
      for (std::size_t now = 0; now <= 34; ++now) {
        value_ref member = edited.root().find("a");
        ASSERT_TRUE(member.set(text(now, 'A')));
        ASSERT_EQ(member.value_or(std::string_view{}), text(now, 'A')) << before << ' ' << now;
        // A value that is not text
        ASSERT_TRUE(now % 2 == 0 || member.set(static_cast<int>(before)));
        ASSERT_TRUE(edited.root().find("a").set(text(before, 'a')));
        for (const auto& key : keys)
          ASSERT_EQ(edited.find(key).value_or(std::string_view{}), text(key == "a" ? before : 3, key[0]))
              << before << ' ' << now;
        ASSERT_TRUE(dead_bytes_are_zero(edited)) << before << ' ' << now;
      }
      ASSERT_TRUE(document::open(edited.bytes()).has_value()) << before;
    }
  }
}

TEST(document_quick_edit, text_of_the_document_itself_may_be_put_anywhere_in_it) {
  document edited(std::map<std::string, int>{});
  ASSERT_TRUE(edited.root().set("a", "0123456789abcdefghij"));
  for (const std::size_t from : {0U, 1U, 7U, 19U}) {
    const auto text = edited.find("a").value_or(std::string_view{});
    const std::string expected(text.substr(std::min(from, text.size())));
    ASSERT_TRUE(edited.root().find("a").set(text.substr(std::min(from, text.size()))));
    EXPECT_EQ(edited.find("a").value_or(std::string_view{}), expected);
    ASSERT_TRUE(
        edited.root().set("copy of " + std::to_string(from), edited.find("a").value_or(std::string_view{})));
    EXPECT_EQ(edited.find("copy of " + std::to_string(from)).value_or(std::string_view{}), expected);
  }
  const auto key = edited.find("a").value_or(std::string_view{});
  const std::string name(key);
  ASSERT_TRUE(edited.root().set(key, 5)) << "also as a key";
  EXPECT_EQ(edited.find(name).value_or(0), 5);
}

} // namespace document_quick_edit_test
