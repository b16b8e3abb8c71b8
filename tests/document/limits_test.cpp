// SPDX-License-Identifier: Apache-2.0
// Nodes at the sizes where their form changes: more bytes of keys, more bytes of values, more
// elements than a narrow node can count. Each grows across the limit and shrinks back, and is the
// same document on both sides of it.
#include <ingot/document/document.hpp>

#include "document/exercise.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_limits_test {

using namespace document_test;
using ingot::document;

constexpr ingot::max_block_size block_limit{std::size_t{1} << 23};

/// Expects that the document opens with the same value, and that its canonical form opens.
void expect_opens(const document& doc) {
  const auto opened = document::open(doc.bytes(), {.max_size = block_limit});
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  ASSERT_TRUE(*opened == doc);
  const document copy(doc);
  const auto again = document::open(copy.bytes(), {.max_size = block_limit});
  ASSERT_TRUE(again.has_value()) << again.error().message();
  ASSERT_TRUE(*again == doc);
}
/// Returns true if `size` differs from `limit` by at most `reach`.
bool is_near(std::size_t size, std::size_t limit, std::size_t reach) {
  return size + reach >= limit && size <= limit + reach;
}

TEST(document_limits, of_the_bytes_of_keys) {
  document doc(block_limit);
  std::vector<std::string> keys;
  std::size_t pool = 0;
  const auto expect_found = [&] {
    expect_opens(doc);
    for (std::size_t i = 0; i < keys.size(); ++i)
      ASSERT_EQ(doc.find(keys[i]).value_or(-1), static_cast<int>(i));
    ASSERT_FALSE(doc.contains("none"));
  };
  while (pool < 70'000) {
    std::string key = std::to_string(keys.size()) + std::string(31 - keys.size() % 5, 'k');
    key.resize(std::min<std::size_t>(key.size(), 32));
    pool += key.size();
    doc[key] = keys.size();
    keys.push_back(std::move(key));
    if (is_near(pool, 65'536, 40) || is_near(pool, 32'768, 40)) expect_found();
  }
  expect_found();
  // Objects with the same keys share them, and separate again.
  document many(block_limit);
  many = std::vector<int>{};
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(many.root().append(doc));
  many.compact();
  EXPECT_LT(many.bytes().size(), 2 * doc.bytes().size());
  expect_opens(many);
  for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(many[i] == doc.root());
  ASSERT_TRUE(*many[1].erase(keys[7]));
  ASSERT_TRUE(many[2].rename(keys[8], "another"));
  ASSERT_FALSE(many[1].contains(keys[7]));
  ASSERT_TRUE(many[0] == doc.root());
  expect_opens(many);
  while (pool > 60'000) {
    ASSERT_TRUE(*doc.root().erase(keys.back()));
    pool -= keys.back().size();
    keys.pop_back();
    if (is_near(pool, 65'536, 40)) expect_found();
  }
  doc.compact(); // narrow again
  expect_found();
  dice random(9);
  change_all(doc, random, 40);
  expect_opens(doc);
}

TEST(document_limits, of_the_bytes_of_values) {
  for (const bool is_object : {false, true}) {
    document doc(block_limit);
    std::vector<std::string> model;
    std::size_t heap = 0;
    const auto at = [&](std::size_t i) {
      return is_object ? doc.find(std::to_string(i)) : std::as_const(doc)[i];
    };
    const auto expect_all = [&] {
      expect_opens(doc);
      for (std::size_t i = 0; i < model.size(); ++i) ASSERT_EQ(at(i).as<std::string_view>(), model[i]);
    };
    while (heap < 70'000) {
      std::string text(100 + model.size() % 28, 'v');
      text[0] = static_cast<char>('a' + model.size() % 26);
      if (is_object) doc[std::to_string(model.size())] = text;
      else ASSERT_TRUE(doc.root().append(text));
      heap += text.size() + 1;
      model.push_back(std::move(text));
      if (is_near(heap, 32'768, 260) || is_near(heap, 65'536, 260)) expect_all();
    }
    expect_all();
    // Shorter and longer in place, across the limit and back.
    for (std::size_t i = 0; i < model.size(); ++i) {
      model[i] = "s";
      ASSERT_TRUE((is_object ? doc.root().find(std::to_string(i)) : doc.root()[i]).set("s"));
      heap -= 100;
      if (i % 64 == 0) expect_all();
    }
    doc.compact();
    expect_all();
    for (std::size_t i = 0; i < model.size(); i += 3) {
      model[i] = std::string(120, 'l');
      ASSERT_TRUE((is_object ? doc.root().find(std::to_string(i)) : doc.root()[i]).set(model[i]));
    }
    expect_all();
  }
}

TEST(document_limits, of_elements) {
  document doc(block_limit);
  std::vector<std::int64_t> model;
  for (std::int64_t i = 0; i < 8'100; ++i) model.push_back(i % 2 == 0 ? i : i * 100'000);
  doc = model;
  const auto expect_all = [&] {
    expect_opens(doc);
    ASSERT_EQ(doc.root().as<std::vector<std::int64_t>>(), model);
  };
  while (model.size() < 8'300) {
    model.insert(model.begin() + 5, static_cast<std::int64_t>(model.size()));
    ASSERT_TRUE(doc.root().insert(5, model[5]));
    if (is_near(model.size(), 8'192, 3)) expect_all();
  }
  doc.compact();
  expect_all();
  while (model.size() > 8'100) {
    model.erase(model.begin() + 3);
    ASSERT_TRUE(doc.root().erase(std::size_t{3}));
    if (is_near(model.size(), 8'192, 3)) expect_all();
  }
  doc.compact();
  expect_all();
}

TEST(document_limits, of_the_document) {
  // The longest text that fits under the maximum size, and one byte more.
  document doc(ingot::max_block_size{1 << 16});
  std::size_t fits = 0;
  for (std::size_t step = 1 << 16; step != 0; step /= 2) {
    if (doc.root().set(std::string(fits + step, 'x')).has_value()) fits += step;
    ASSERT_TRUE(doc.root().set(nullptr));
  }
  EXPECT_GT(fits, doc.max_size() / 4);
  ASSERT_TRUE(doc.root().set(std::string(fits, 'x')));
  expect_opens(doc);
  EXPECT_LE(doc.bytes().size(), doc.max_size());
  ASSERT_TRUE(doc.root().set(nullptr));
  EXPECT_EQ(doc.root().set(std::string(fits + 1, 'x')).error().code(), ingot::errc::no_space);
  EXPECT_TRUE(doc.root().is_null());
}

/// The whole span is used, up to its last eight bytes, when the document is compacted. This happens
/// in place, since there is no other memory for it.
TEST(document_limits, a_document_in_a_full_span_is_compacted_there_and_nothing_outside_is_touched) {
  for (const std::size_t size : {2'000U, 4'096U, 9'000U, 70'000U}) {
    SCOPED_TRACE(size);
    constexpr std::size_t fence = 64;
    std::vector<std::uint64_t> storage((size + 2 * fence) / 8, 0xA5A5'A5A5'A5A5'A5A5U);
    const auto all = std::as_writable_bytes(std::span(storage));
    const auto span = all.subspan(fence, size / 8 * 8);
    const auto untouched = [&] {
      const auto is_fence = [](std::byte b) { return b == std::byte{0xA5}; };
      return std::ranges::all_of(all.first(fence), is_fence) &&
             std::ranges::all_of(all.subspan(fence + span.size()), is_fence);
    };
    auto borrowed = document::in(span);
    ASSERT_TRUE(borrowed.has_value());
    document& doc = *borrowed;
    doc = std::map<std::string, int>{};
    // With texts that become shorter until no further one fits
    const auto fill = [&](std::size_t step) {
      std::size_t n = 0;
      for (std::size_t length = 300; length != 0;) {
        if (doc.root().set(std::to_string(step) + "/" + std::to_string(n), std::string(length, 'x'))) ++n;
        else length /= 2;
      }
      return n;
    };
    ASSERT_GT(fill(0), 0U);
    document twin(ingot::max_block_size{std::size_t{1} << 20});
    for (std::size_t round = 1; round < 4; ++round) {
      // Every other member of the former round is erased, and others take their bytes: members are
      // in no order then.
      for (std::size_t n = 0; doc.root().contains(std::to_string(round - 1) + "/" + std::to_string(n));
           n += 2)
        ASSERT_TRUE(*doc.root().erase(std::to_string(round - 1) + "/" + std::to_string(n)));
      static_cast<void>(fill(round));
      twin = doc; // in memory of its own
      twin.compact();
      const auto before = bytes_of(doc);
      ASSERT_TRUE(doc.try_compact());
      EXPECT_EQ(bytes_of(doc), bytes_of(twin)) << "canonical, as by copy";
      EXPECT_LE(doc.bytes().size(), before.size());
      EXPECT_TRUE(doc == twin);
      EXPECT_TRUE(doc.bytes().data() >= span.data() && doc.bytes().data() < span.data() + span.size());
      EXPECT_TRUE(untouched());
      EXPECT_TRUE(document::open(doc.bytes()).has_value());
      static_cast<void>(fill(round * 10));
      ASSERT_TRUE(doc.try_compact());
      // A member that does not fit leaves the document unchanged, canonical and full.
      const auto full = bytes_of(doc);
      EXPECT_FALSE(doc.root().set("no bytes", std::string(size, 'y')));
      EXPECT_TRUE(document::open(doc.bytes()).has_value());
      ASSERT_TRUE(doc.try_compact());
      EXPECT_EQ(bytes_of(doc), full);
      EXPECT_TRUE(untouched());
    }
  }
}

/// True if `open` takes `option` where its options are.
template <class Option>
concept opens_with = requires(ingot::bytes_view bytes, Option option) { document::open(bytes, option); };

TEST(document_limits, a_size_without_the_name_of_its_option_does_not_compile) {
  static_assert(opens_with<ingot::block_options>);
  static_assert(!opens_with<ingot::max_block_size>);
  static_assert(!opens_with<ingot::progress_ref>);
  const document doc;
  EXPECT_EQ(document::open(doc.bytes())->max_size(), doc.max_size());
}

} // namespace document_limits_test
