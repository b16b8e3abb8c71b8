// SPDX-License-Identifier: Apache-2.0
// Lookups of keys in objects: any number of keys, and any hashes. Keys that were made to collide
// are an attack: a lookup must cost a binary search, not a walk.
#include <ingot/document/detail/key_edit.hpp>
#include <ingot/document/document.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_keys_test {

using namespace ingot::literals;
using ingot::document;

/// A new key is inserted after all lanes with a smaller hash. A hash that is wrongly compared as
/// smaller would make the key unreachable.
TEST(document_keys, lanes_below_are_compared_without_a_sign) {
  namespace doc = ingot::detail::doc;
  const std::array<std::uint16_t, 16> hashes{0,      1,      2,      0x7FFE, 0x7FFF, 0x8000, 0x8001, 0x8001,
                                             0x9000, 0xC000, 0xFFF0, 0xFFFE, 0xFFFF, 0,      0x8000, 0xFFFF};
  for (std::uint32_t wanted = 0; wanted <= 0xFFFF; ++wanted) {
    std::uint32_t expected = 0;
    for (std::size_t i = 0; i < hashes.size(); ++i)
      expected |= static_cast<std::uint32_t>(hashes[i] < wanted) << i;
    ASSERT_EQ(doc::lanes_below(reinterpret_cast<const std::byte*>(hashes.data()), wanted), expected)
        << wanted;
  }
}

/// Keys of one to fifteen bytes are hashed and compared as two numbers. The loads of these overlap
/// differently for each length.
TEST(document_keys, of_every_length_have_the_hash_of_their_bytes_and_differ_from_all_others) {
  namespace doc = ingot::detail::doc;
  std::string text;
  for (std::size_t n = 0; n <= 40; ++n, text.push_back(static_cast<char>(0xB7 - 7 * n))) {
    SCOPED_TRACE(n);
    const ingot::document_key key(text);
    // One byte at a time, as docs/format.md defines it.
    const auto at = [&](std::size_t from, std::size_t count) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < count; ++i)
        word |= std::uint64_t{static_cast<unsigned char>(text[from + i])} << 8 * i;
      return word;
    };
    std::uint64_t s = ingot::detail::first_seed ^ n * ingot::detail::text_factor;
    std::uint64_t x = at(0, n < 8 ? n : 8);
    std::uint64_t y = n < 8 ? x : at(n - 8, 8);
    if (n > 16) {
      std::size_t done = 0;
      for (; n - done > 16; done += 16) s = ingot::detail::fold(s, at(done, 8), at(done + 8, 8));
      x = at(n - 16, 8);
    }
    EXPECT_EQ(key.hash(), (ingot::detail::fold(s, x, y) >> 48 & 0xFFF0) | (n < 16 ? n : 0));
    if (n == 0 || n > doc::length_mask) continue;
    std::string with_zero = text;
    with_zero[0] = '\0';
    EXPECT_EQ(ingot::document_key(with_zero).hash() & doc::length_mask, 0);
    std::vector<std::byte> stored(8, std::byte{0xEE});
    for (const char each : text) stored.push_back(static_cast<std::byte>(each));
    stored.insert(stored.end(), 8, std::byte{0xEE});
    EXPECT_TRUE(key.is_at(stored.data() + 8));
    for (std::size_t i = 0; i < n; ++i) {
      stored[8 + i] ^= std::byte{1};
      EXPECT_FALSE(key.is_at(stored.data() + 8)) << i;
      stored[8 + i] ^= std::byte{1};
    }
  }
}

TEST(document_keys, are_found_at_every_number_of_them) {
  document doc;
  std::vector<std::string> keys;
  for (int n = 0; n < 300; ++n) {
    keys.push_back("key" + std::to_string(n * n));
    doc[keys.back()] = n;
    for (std::size_t i = 0; i < keys.size(); ++i)
      ASSERT_EQ(doc.find(keys[i]).value_or(-1), static_cast<int>(i)) << n;
    ASSERT_FALSE(doc.contains("absent"));
  }
  ASSERT_TRUE(document::open(doc.bytes()).has_value());
  while (!keys.empty()) { // and in reverse, where the index shrinks
    const std::string last = keys[keys.size() / 2];
    keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2));
    ASSERT_TRUE(*doc.root().erase(last));
    ASSERT_FALSE(doc.contains(last));
    for (const auto& key : keys) ASSERT_TRUE(doc.contains(key));
    if (keys.size() % 16 < 2) {
      ASSERT_TRUE(document::open(doc.bytes()).has_value());
    }
  }
}

TEST(document_keys, of_one_hash_are_in_order_and_found) {
  // Texts with equal hashes, found by search.
  std::map<std::uint16_t, std::vector<std::string>> by_hash;
  const std::vector<std::string>* alike = nullptr;
  for (int i = 0; alike == nullptr; ++i) {
    const std::string text = std::to_string(i);
    auto& same = by_hash[ingot::document_key(text).hash()];
    same.push_back(text);
    if (same.size() == 20) alike = &same;
  }
  document doc;
  for (const auto& key : *alike) doc[key] = key;
  for (int i = 0; i < 50; ++i) doc["other " + std::to_string(i)] = i;
  for (const auto& key : *alike) EXPECT_EQ(doc.find(key).as<std::string>(), key);
  const auto opened = document::open(doc.bytes());
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_TRUE(*opened == doc);
}

TEST(document_keys, of_every_length_are_distinguished) {
  document doc;
  for (std::size_t n = 0; n < 80; ++n) doc[std::string(n, 'k')] = n;
  for (std::size_t n = 0; n < 80; ++n) {
    EXPECT_EQ(doc.find(std::string(n, 'k')).value_or(99U), n);
    if (n != 0) {
      EXPECT_FALSE(doc.contains(std::string(n - 1, 'k') + 'x'));
    }
  }
  doc.compact();
  EXPECT_TRUE(document::open(doc.bytes()).has_value());
}

/// Unused bytes of a heap are zeros. A key that begins with zeros must not be taken for unused
/// bytes, however the values beside it change.
TEST(document_keys, that_begin_with_zeros_are_not_taken_for_dead_bytes) {
  document doc;
  std::vector<std::string> keys;
  for (std::size_t n = 0; n <= 36; ++n) {
    keys.emplace_back(n, '\0');
    keys.push_back(std::string(n, '\0') + 'k');
    keys.push_back('k' + std::string(n, '\0'));
  }
  std::mt19937 dice(7);
  std::map<std::string, std::int64_t> numbers;
  std::map<std::string, std::string> texts;
  for (const auto& key : keys) ASSERT_TRUE(doc.root().set(key, 0));
  for (int turn = 0; turn < 20'000; ++turn) {
    const std::string& key = keys[dice() % keys.size()];
    const auto bits = dice() % 60;
    if (turn % 3 == 0) {
      const std::string text(dice() % 30, turn % 2 == 0 ? '\0' : 't');
      ASSERT_TRUE(doc.root().set(key, text));
      texts[key] = text;
      numbers.erase(key);
    } else {
      const std::int64_t number = std::int64_t{1} << bits;
      ASSERT_TRUE(doc.root().set(key, number));
      numbers[key] = number;
      texts.erase(key);
    }
    if (turn % 97 == 0) {
      ASSERT_TRUE(*doc.root().erase(key));
      ASSERT_FALSE(doc.contains(key));
      ASSERT_TRUE(doc.root().set(key, 0));
      numbers[key] = 0;
      texts.erase(key);
    }
    if (turn % 512 != 0) continue;
    for (const auto& [name, value] : numbers) ASSERT_EQ(doc.find(name).value_or(std::int64_t{-1}), value);
    for (const auto& [name, value] : texts) ASSERT_EQ(doc.find(name).as<std::string>(), value);
    const auto opened = document::open(doc.bytes());
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    ASSERT_TRUE(*opened == doc);
  }
}

TEST(document_keys, hash_as_the_page_of_the_bytes_says) {
  // The table of docs/format.md. tests/python/test_hash.py compares it with these values and with
  // the definition there.
  constexpr std::pair<std::string_view, std::uint16_t> expected[] = {
      {"", 0x4EF0},
      {"a", 0x6CE1},
      {"id", 0x7482},
      {"name", 0xDC74},
      {"balance", 0xBDE7},
      {"quantity", 0x2728},
      {"sixteen bytes it", 0x4B30},
      {"more than sixteen bytes", 0xF0B0},
  };
  for (const auto& [key, hash] : expected) EXPECT_EQ(ingot::document_key(key).hash(), hash) << key;
}

TEST(document_keys, that_are_constants_carry_their_hash) {
  static_assert("price"_key.hash() == ingot::document_key("price").hash());
  document doc;
  doc["price"] = 1;
  EXPECT_EQ(doc["price"_key].value_or(0), 1);
}

TEST(document_keys, that_are_long_are_stored_once_when_compact) {
  document doc;
  const std::string long_key(500, 'k');
  for (int i = 0; i < 20; ++i) {
    auto record = doc.root().append(nullptr);
    static_cast<void>(record->set(long_key, i));
    static_cast<void>(record->set("own " + std::to_string(i), i));
  }
  EXPECT_GT(doc.bytes().size(), 20 * long_key.size());
  doc.compact();
  EXPECT_LT(doc.bytes().size(), 2 * long_key.size() + 20 * 64);
  auto opened = document::open(doc.bytes());
  ASSERT_TRUE(opened.has_value());
  for (std::size_t i = 0; i < 20; ++i) static_cast<void>(opened->root()[i].erase(long_key));
  EXPECT_FALSE(opened->root()[19].contains(long_key));
  opened->compact();
  EXPECT_LT(opened->bytes().size(), long_key.size() + 200);
}

/// Nodes with and without keys, narrow and wide. A column that moved by a wrong distance would give
/// a member the value or the hash of another.
TEST(document_keys, columns_open_and_close_gaps_anywhere) {
  namespace doc = ingot::detail::doc;
  for (const auto kind : {doc::node_kind::array, doc::node_kind::object, doc::node_kind::shaped}) {
    for (const bool wide : {false, true}) {
      const std::size_t head = doc::head_size(kind, wide);
      const std::size_t word = wide ? 4 : 2;
      const std::size_t both = word + (doc::has_keys(kind) ? 2 : 0);
      for (std::uint32_t count = 0; count <= 80; count += count < 36 ? 1 : 11) {
        const auto columns_of = [&](std::vector<std::uint32_t> cells) {
          std::vector<std::byte> node(head + both * (count + 1) + 24, std::byte{0});
          std::byte* const hashes = node.data() + head + word * cells.size();
          for (std::size_t i = 0; i < cells.size(); ++i) {
            doc::store_word(node.data() + head + word * i, cells[i], wide);
            if (doc::has_keys(kind)) doc::store(hashes + 2 * i, static_cast<std::uint16_t>(cells[i] * 7));
          }
          // A heap
          for (std::size_t i = node.size() - 24; i < node.size(); ++i) node[i] = std::byte{0xEE};
          return node;
        };
        std::vector<std::uint32_t> cells;
        for (std::uint32_t i = 0; i < count; ++i) cells.push_back(1000 + i);
        for (std::uint32_t i = 0; i <= count; ++i) {
          std::vector<std::uint32_t> more = cells;
          more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), 500);
          auto node = columns_of(cells);
          doc::insert_column(node.data(), kind, wide, count, i, 500, 3500);
          ASSERT_EQ(node, columns_of(more)) << wide << ' ' << count << ' ' << i;
          doc::erase_column(node.data(), kind, wide, count + 1, i);
          ASSERT_EQ(node, columns_of(cells)) << wide << ' ' << count << ' ' << i;
        }
      }
    }
  }
}

} // namespace document_keys_test
