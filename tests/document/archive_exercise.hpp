// SPDX-License-Identifier: Apache-2.0
// Documents to archive, and all operations on bytes that may be an archive: decoding, reading in
// place, and a comparison of both.
#pragma once

#include <ingot/document/archive_view.hpp>
#include <ingot/document/writer.hpp>

#include "live/dice.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace archive_test {

using ingot::document;
using ingot::value_kind;
using live_test::dice;
using byte_vector = std::vector<std::byte>;

[[nodiscard]] inline byte_vector archived(const document& doc) {
  byte_vector bytes;
  const auto written = ingot::archive_to(bytes, doc.root());
  EXPECT_TRUE(written.has_value());
  return bytes;
}

struct subject {
  std::string_view name;
  std::string_view what;
  document doc;
};
/// Small documents with a few values of each kind. The names are those of the golden files.
[[nodiscard]] inline std::vector<subject> subjects() {
  std::vector<subject> all;
  const auto add = [&](std::string_view name, std::string_view what) -> document& {
    return all.emplace_back(subject{name, what, document()}).doc;
  };
  static_cast<void>(add("null", "null"));
  add("text", "a root of text") = "a root of text";
  add("empty_object", "an empty object") = std::map<std::string, int>{};
  add("small", "a small object") = std::map<std::string, int>{{"id", 7}, {"price", 1000}, {"balance", -20}};
  add("integers", "integers of all lengths, which are no packed array because of the text") = nullptr;
  {
    document& doc = all.back().doc;
    static_cast<void>(doc.root().append("text"));
    for (int bits = 0; bits < 64; bits += 7) {
      static_cast<void>(doc.root().append(std::int64_t{1} << bits));
      static_cast<void>(doc.root().append(static_cast<std::int64_t>(~(std::uint64_t{1} << bits) + 1)));
    }
    for (const std::int64_t n :
         {std::int64_t{0}, std::int64_t{63}, std::int64_t{64}, std::int64_t{-16}, std::int64_t{-17},
          std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
      static_cast<void>(doc.root().append(n));
    static_cast<void>(doc.root().append(~std::uint64_t{0}));
  }
  add("packed", "arrays of integers of one width each") =
      std::map<std::string, std::vector<int>>{{"bytes", {-128, 127, 100}},
                                              {"three", {100'000, -100'000, 8'000'000}},
                                              {"mixed", {1, 2, 1'000'000, 4}}};
  add("reals", "doubles that take from none to eight bytes, and a float") =
      std::vector<double>{0.0,
                          -0.0,
                          1.0,
                          0.5,
                          100.25,
                          1234.5,
                          100'000.5,
                          0.1,
                          static_cast<double>(0.1F),
                          1e300,
                          5e-324,
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity()};
  add("texts", "strings and bytes of several lengths") =
      std::vector<std::string>{"", "x", std::string(47, 'a'), std::string(48, 'b'), std::string(200, 'c')};
  static_cast<void>(all.back().doc.root().append(byte_vector(3, std::byte{7})));
  static_cast<void>(all.back().doc.root().append(byte_vector{}));
  add("nested", "arrays and objects in one another") =
      std::map<std::string, std::vector<std::vector<int>>>{{"a", {{}, {1}, {70'000, 1}}}, {"b", {}}};
  add("records", "ten objects of the same keys") = nullptr;
  for (int i = 0; i < 10; ++i)
    static_cast<void>(all.back().doc.root().append(
        std::map<std::string, int>{{"id", i}, {"price", 100'000 * i}, {"quantity", 1}}));
  add("varied", "objects that have some of their keys in common") = nullptr;
  for (int i = 0; i < 8; ++i) {
    auto record = *all.back().doc.root().append(std::map<std::string, int>{{"id", i}});
    for (int k = 0; k < 12; ++k) {
      if ((i * 37 + k * 11) % 3 != 0) static_cast<void>(record.set("key " + std::to_string(k), k));
    }
  }
  add("long_keys", "keys of more than 32 bytes, one of them in two objects") = nullptr;
  for (const char* const other : {"one", "another key that takes more than thirty-two bytes"})
    static_cast<void>(all.back().doc.root().append(std::map<std::string, std::string>{
        {"a key that takes more than thirty-two bytes", "value"}, {other, "other"}}));
  add("sparse", "one object of many keys, and one of two of them") = nullptr;
  {
    std::map<std::string, int> many;
    for (int i = 0; i < 40; ++i) many["key " + std::to_string(i)] = i % 3;
    document& doc = all.back().doc;
    static_cast<void>(doc.root().append(many));
    static_cast<void>(doc.root().append(std::map<std::string, int>{{"key 7", 1}, {"key 33", 2}}));
    static_cast<void>(doc.root().append(std::map<std::string, bool>{{"key 0", true}, {"", false}}));
  }
  add("everything", "every kind of value") = std::map<std::string, std::string>{{"text", "short text"}};
  {
    document& doc = all.back().doc;
    doc["real"] = 0.1;
    doc["whole"] = 3.0;
    doc["yes"] = true;
    doc["no"] = false;
    doc["null"] = nullptr;
    doc["large"] = ~std::uint64_t{0};
    doc["list"] = std::vector<int>{1, 300, -5};
    doc["bytes"] = byte_vector(5, std::byte{1});
    doc["object"] = std::map<std::string, bool>{{"inner", true}};
  }
  return all;
}

/// Builds a random document from events.
class random_document {
public:
  explicit random_document(std::uint64_t seed) : random_(seed) {}
  [[nodiscard]] document make() {
    left_ = 10 + random_() % 150;
    ingot::document_writer to({.repeated_keys = ingot::key_policy::last_wins});
    value(to, 0);
    auto finished = to.finish();
    EXPECT_TRUE(finished.has_value());
    return finished ? std::move(*finished) : document();
  }

private:
  void value(ingot::document_writer& to, int depth) {
    if (left_ != 0) --left_;
    const auto container = random_() % 3;
    if (depth < 6 && left_ > 3 && (depth == 0 || container != 0)) {
      container == 1 ? to.begin_array() : to.begin_object();
      const bool numbers = random_() % 3 == 0;
      const auto bits = random_() % 64;
      for (auto n = random_() % 14; n != 0; --n) {
        if (container != 1) to.key(key());
        if (numbers && container == 1) to.integer(static_cast<std::int64_t>(random_()) >> bits);
        else value(to, depth + 1);
      }
      to.end();
      return;
    }
    switch (random_() % 9) {
    case 0: to.null(); break;
    case 1: to.boolean(random_() % 2 == 0); break;
    case 2: to.integer(static_cast<std::int64_t>(random_()) >> random_() % 64); break;
    case 3: to.unsigned_integer(random_() | std::uint64_t{1} << 63); break;
    case 4: to.number(std::bit_cast<double>(std::uint64_t{random_()} << random_() % 64)); break;
    case 5: to.number(static_cast<double>(random_() % 4096) / 16); break;
    case 6: to.binary(byte_vector(random_() % 60, std::byte{3})); break;
    default: to.text(std::string(random_() % (random_() % 8 == 0 ? 300 : 60), 't')); break;
    }
  }
  [[nodiscard]] std::string key() {
    std::string key_text = "key " + std::to_string(random_() % 30);
    if (random_() % 12 == 0) key_text.append(40, 'k');
    return random_() % 40 == 0 ? std::string() : key_text;
  }

  dice random_;
  std::size_t left_ = 0;
};

/// Expects that all values that are read in place equal the decoded ones.
inline void expect_agreement(const ingot::archive_value& root, const ingot::value& same) {
  std::vector<std::pair<ingot::archive_value, ingot::value>> left{{root, same}};
  while (!left.empty() && !testing::Test::HasFailure()) {
    const auto [mine, its] = left.back();
    left.pop_back();
    ASSERT_EQ(mine.kind(), its.kind());
    ASSERT_EQ(mine.size(), its.size());
    ASSERT_EQ(mine.length(), its.length());
    switch (its.kind()) {
    case value_kind::integer: ASSERT_EQ(mine.value_or(std::int64_t{0}), its.value_or(std::int64_t{1})); break;
    case value_kind::large_integer:
      ASSERT_EQ(mine.value_or(std::uint64_t{0}), its.value_or(std::uint64_t{1}));
      break;
    case value_kind::boolean: ASSERT_EQ(mine.value_or(false), its.value_or(false)); break;
    case value_kind::number:
      ASSERT_EQ(std::bit_cast<std::uint64_t>(mine.value_or(0.0)),
                std::bit_cast<std::uint64_t>(its.value_or(0.0)));
      break;
    case value_kind::text:
      ASSERT_EQ(mine.value_or(std::string_view("?")), its.value_or(std::string_view("!")));
      break;
    case value_kind::binary: ASSERT_EQ(mine.as<ingot::bytes_view>()->size(), its.length()); break;
    default: break;
    }
    if (its.is_object()) {
      auto member = its.members().begin();
      for (const auto& [key, value] : mine.members()) {
        ASSERT_EQ(key, (*member).key);
        ASSERT_EQ(mine.find(key).kind(), value.kind());
        left.emplace_back(mine.find(key), (*member).value);
        ++member;
      }
      ASSERT_TRUE(member == its.members().end());
    } else {
      std::size_t index = 0;
      for (const auto& value : mine.elements()) {
        ASSERT_EQ(value.kind(), mine[index].kind());
        left.emplace_back(mine[index], its[index]);
        ++index;
      }
      ASSERT_EQ(index, its.size());
    }
    ASSERT_FALSE(mine[mine.size()].exists());
    ASSERT_FALSE(mine.find("no such key").exists());
  }
}

/// Reads unchecked bytes in every way, at most `max_steps` values.
inline std::uint64_t look_around(ingot::bytes_view bytes, std::size_t max_steps = 150) {
  auto view = ingot::archive_view::over(bytes);
  if (!view) return 0;
  std::uint64_t sum = 0;
  std::vector<ingot::archive_value> left{view->root(), view->find("id"), view->at("/0/price")};
  while (!left.empty() && max_steps-- != 0) {
    const auto v = left.back();
    left.pop_back();
    sum += static_cast<std::uint64_t>(v.kind()) + static_cast<std::uint64_t>(v.value_or(0));
    for (const char c : v.value_or(std::string_view())) sum += static_cast<unsigned char>(c);
    if (const auto binary = v.as<ingot::bytes_view>()) sum += binary->size();
    EXPECT_LE(v.size(), bytes.size());
    std::size_t steps = 0;
    for (const auto& [key, value] : v.members()) {
      for (const char c : key) sum += static_cast<unsigned char>(c);
      sum += v.find(key).exists() ? 1U : 0U;
      left.push_back(value);
      if (++steps == 64) break;
    }
    steps = 0;
    for (const auto& value : v.elements()) {
      if (++steps == 64) break;
      if (!v.is_object()) left.push_back(value);
    }
    left.push_back(v[v.size() / 2]);
    if (max_steps % 16 == 5) sum += view->replace(v, "a text").has_value() ? 1U : 0U;
    if (max_steps % 16 == 6) sum += view->replace(v, 70'000).has_value() ? 1U : 0U;
    if (max_steps % 64 == 20) sum += v.to_document().has_value() ? 1U : 0U;
  }
  return sum;
}

/// Checks that the bytes are rejected with a reason, or are exactly what `archive` writes for their
/// value. Returns true if they are accepted.
inline bool exercise(ingot::bytes_view bytes) {
  // An allocation of its own, so that sanitizers report reads after its end.
  const std::unique_ptr<std::byte[]> exact(new std::byte[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), exact.get());
  const ingot::bytes_view copy(exact.get(), bytes.size());
  look_around(copy);
  const auto decoded = ingot::unarchive(copy, {.max_size = ingot::max_block_size{1 << 16}});
  const auto checked = ingot::validate_archive(copy);
  const auto opened = ingot::archive_view::open(copy);
  EXPECT_EQ(decoded.has_value(), checked.has_value());
  EXPECT_EQ(decoded.has_value(), opened.has_value()) << "`open` accepts what `unarchive` rejects";
  if (!decoded && !opened) {
    EXPECT_EQ(opened.error().message(), decoded.error().message());
  }
  if (!decoded) {
    EXPECT_LE(decoded.error().offset(), bytes.size()) << decoded.error().message();
    return false;
  }
  const auto again = archived(*decoded);
  EXPECT_TRUE(std::ranges::equal(again, bytes)) << "another archive of the same value was accepted";
  EXPECT_LE(decoded->bytes().size(), 44 * bytes.size() + 1024);
  const auto view = ingot::archive_view::over(copy);
  EXPECT_TRUE(view.has_value());
  if (!view || !opened) return true;
  expect_agreement(view->root(), std::as_const(*decoded).root());
  expect_agreement(opened->root(), std::as_const(*decoded).root());
  auto last = view->root();
  while (last.size() != 0) last = last[last.size() - 1];
  for (const auto& replaced : {view->replace(last, "another"), view->replace(last, -300)})
    EXPECT_TRUE(replaced.has_value() && ingot::validate_archive(*replaced).has_value());
  return true;
}

} // namespace archive_test
