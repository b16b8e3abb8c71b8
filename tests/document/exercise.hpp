// SPDX-License-Identifier: Apache-2.0
// All operations of a program on a document that it received: reading all values, looking up absent
// ones, overwriting, growing, erasing, renaming, copying, compacting, opening again. A document
// that `open` accepted has to withstand them.
#pragma once

#include <ingot/document/detail/document_validator.hpp>
#include <ingot/document/detail/position_map.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/key_finder.hpp>
#include <ingot/document/peek.hpp>

#include "live/dice.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace document_test {

using byte_vector = std::vector<std::byte>;
using live_test::dice;

[[nodiscard]] inline byte_vector bytes_of(const ingot::document& doc) {
  const auto bytes = doc.bytes();
  return {bytes.begin(), bytes.end()};
}
[[nodiscard]] inline bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

/// Reads a value in every way. Its children are pushed to `next`.
inline std::uint64_t read_one(const ingot::value& v, std::vector<ingot::value>& next) {
  std::uint64_t sum = static_cast<std::uint64_t>(v.kind()) + v.size() + v.length();
  sum += static_cast<std::uint64_t>(v.value_or(0)) + v.value_or(std::string_view{}).size();
  if (const auto d = v.as<double>()) sum += *d == *d ? 1 : 0;
  if (const auto b = v.as<bool>()) sum += *b ? 1 : 0;
  if (const auto u = v.as<std::uint64_t>()) sum += *u;
  if (const auto text = v.as<std::string>()) {
    for (const char c : *text) sum += static_cast<unsigned char>(c);
  }
  if (const auto bytes = v.as<ingot::bytes_view>()) {
    for (const auto b : *bytes) sum += std::to_integer<unsigned>(b);
  }
  sum += v.find("no such key").exists() ? 1 : 0;
  sum += v[v.size()].exists() ? 1 : 0;
  if (v.is_object()) {
    for (const auto [key, mapped] : v.members()) {
      EXPECT_TRUE(v.find(key) == mapped);
      sum += key.size();
      next.push_back(mapped);
    }
  } else {
    for (const auto element : v.elements()) next.push_back(element);
  }
  return sum;
}
/// Reads all values, at most `max_steps`.
inline std::uint64_t read_all(const ingot::value& root, std::size_t max_steps = 20'000) {
  std::vector<ingot::value> left{root};
  std::uint64_t sum = 0;
  while (!left.empty() && max_steps-- != 0) {
    const auto v = left.back();
    left.pop_back();
    sum += read_one(v, left);
  }
  return sum;
}

/// Inserts more keys and bytes of elements than a narrow node can count, then erases most of them.
inline void crowd(ingot::value_ref v) {
  const std::string text(120, 'c');
  for (int i = 0; i < 2'200; ++i) {
    std::string key = std::to_string(i) + " is the key of a crowd";
    key.resize(32, '.');
    if (v.is_array()) static_cast<void>(v.append(text));
    else if (!v.set(key, i)) break;
  }
  if (v.is_array()) {
    while (v.size() > 20) static_cast<void>(v.erase(v.size() - 1));
    return;
  }
  for (int i = 0; i < 2'200; i += i % 2 == 0 ? 1 : 3) {
    std::string key = std::to_string(i) + " is the key of a crowd";
    key.resize(32, '.');
    static_cast<void>(v.erase(key));
  }
}

[[nodiscard]] inline std::size_t edits_between_validations() {
  static const std::size_t count = std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 8;
  return count;
}
/// Validates the bytes as they would be sent now, without a copy.
inline void expect_reopens(const ingot::document& doc) {
  const ingot::bytes_view bytes = doc.bytes();
  ingot::detail::doc::position_bitmap claims(bytes.size());
  ASSERT_TRUE(claims);
  ingot::detail::doc::document_validator validator(const_cast<std::byte*>(bytes.data()),
                                                   static_cast<std::uint32_t>(bytes.size()), claims.end());
  EXPECT_TRUE(validator.validate_unmodified()) << "refused after an edit: " << validator.reason().message();
}

/// Changes values all over the document, whether the changes fit or not. The bytes are valid after
/// each edit.
inline void change_all(ingot::document& doc, dice& random, std::size_t max_steps = 300) {
  std::size_t edits = doc.bytes().size() / 8; // so that many documents together cover all edits
  std::vector<ingot::value_ref> left{doc.root()};
  const std::string text(random() % 200, 't');
  while (!left.empty() && max_steps-- != 0) {
    ingot::value_ref v = left.back();
    left.pop_back();
    if (v.is_array() || v.is_object()) {
      for (const auto each : v.elements()) left.push_back(each);
    }
    switch (random() % 12) {
    case 0: static_cast<void>(v.set(static_cast<std::int64_t>(random()) >> random() % 60)); break;
    case 1: static_cast<void>(v.set(text)); break;
    case 2: static_cast<void>(v.append(random() % 1000)); break;
    case 3: static_cast<void>(v.set("a new key", 0.25)); break;
    case 4: static_cast<void>(v.set("a key that is longer than thirty-two characters", text)); break;
    case 5: static_cast<void>(v.erase(random() % (v.size() + 1))); break;
    case 6: static_cast<void>(v.insert(random() % (v.size() + 1), text)); break;
    case 7: {
      std::string key;
      for (const auto& each : v.members()) key = each.key;
      static_cast<void>(v.rename(key, "renamed"));
      break;
    }
    case 8: static_cast<void>(v.set(v[random() % (v.size() + 1)])); break;
    case 9:
      if (doc.bytes().size() < 100'000) static_cast<void>(v.append(doc));
      break;
    case 10: static_cast<void>(v.clear()); break;
    default:
      static_cast<void>(v.erase("a new key"));
      if (random() % 2'048 == 0) crowd(v);
      break;
    }
    if (++edits % edits_between_validations() == 0) expect_reopens(doc);
  }
  expect_reopens(doc);
}

/// Expects that the bytes open as the same value, and so does the canonical form, which is equal
/// for each copy.
inline void expect_whole(const ingot::document& doc) {
  auto opened = ingot::document::open(doc.bytes());
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_TRUE(*opened == doc);
  ingot::document copy(doc);
  EXPECT_TRUE(copy == doc);
  const auto compacted = opened->try_compact();
  ASSERT_TRUE(compacted.has_value()) << compacted.error().message();
  EXPECT_EQ(bytes_of(*opened), bytes_of(copy)) << "the canonical form of one value";
  auto again = ingot::document::open(copy.bytes());
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_TRUE(*again == doc);
  again->compact();
  EXPECT_EQ(bytes_of(*again), bytes_of(copy)) << "canonical already";
}

/// Expects that no two values of the root share a byte: each keeps its value until it is
/// overwritten itself.
inline void expect_apart(const ingot::document& doc) {
  auto opened = ingot::document::open(doc.bytes());
  ASSERT_TRUE(opened.has_value());
  ingot::value_ref all = opened->root();
  const std::size_t count = all.is_array() || all.is_object() ? all.size() : 0;
  for (std::size_t i = 0; i < count && i < 100; ++i) {
    ingot::value_ref v = all[i];
    ASSERT_TRUE(v == doc.root()[i]) << "another one was overwritten";
    if (v.is_string()) static_cast<void>(v.set(std::string(v.length(), '~')));
    else if (v.is_number()) static_cast<void>(v.set(-v.value_or(0.1)));
    else if (v.kind() == ingot::value_kind::integer) static_cast<void>(v.set(v.value_or(0) ^ 1));
    else if (!v.is_boolean()) static_cast<void>(v.set(~std::uint64_t{0}));
  }
}

inline void exercise(ingot::document& doc, std::uint64_t seed) {
  dice random(seed);
  read_all(doc.root());
  EXPECT_TRUE(doc == doc);
  if (seed % 2 == 0) expect_apart(doc);
  change_all(doc, random);
  read_all(doc.root());
  expect_whole(doc);
  if (doc.try_compact()) change_all(doc, random);
  expect_whole(doc);
  static_cast<void>(doc.root().clear());
  expect_whole(doc);
}

/// Expects that `document_peek::find` and a lookup from `root()` find the same members. The first
/// uses attributes of the root that `open` read, the second reads them again.
inline void exercise_opened(ingot::bytes_view bytes) {
  const auto peek = ingot::document_peek::over(bytes);
  if (!peek) return;
  const auto root = peek->root();
  const auto same = [&](std::string_view key) {
    const auto found = peek->find(key);
    const auto anew = root.find(key);
    EXPECT_EQ(found.kind(), anew.kind());
    EXPECT_EQ(found.value_or(0), anew.value_or(0));
    EXPECT_EQ(found.value_or(std::string_view()), anew.value_or(std::string_view()));
  };
  for (std::size_t i = 0; i < root.size() && i < 64; ++i) same(root.key(i));
  for (const char* const key : {"", "key", "a key", "sixteen bytes it"}) same(key);
}

/// Reads unchecked bytes one level at a time, a few levels deep, and writes where no node has to
/// move. With `are_accepted`, `open` accepts the bytes, also after each edit.
inline void exercise_unvalidated(std::span<std::byte> bytes, std::uint64_t seed, bool are_accepted = false) {
  exercise_opened(bytes);
  auto peek = ingot::document_peek::edit(bytes);
  if (!peek) return;
  dice random(seed);
  std::uint64_t sum = 0;
  std::size_t edits = static_cast<std::size_t>(seed);
  const auto edited = [&](const ingot::result<void>& done) {
    if (!done || !are_accepted || ++edits % edits_between_validations() != 0) return;
    const auto again = ingot::document::open(bytes, {.max_size = {500'000}});
    EXPECT_TRUE(again) << "refused after an edit: " << (again ? "" : again.error().message());
  };
  // Finders keep what they learned, while other values are visited and bytes change.
  std::deque<std::string> texts;
  std::deque<ingot::key_finder> finders;
  std::vector<ingot::peek_value> left{peek->root()};
  for (std::size_t max_steps = 500; !left.empty() && max_steps != 0; --max_steps) {
    auto v = left.back();
    left.pop_back();
    sum += static_cast<std::uint64_t>(v.kind()) + static_cast<std::uint64_t>(v.value_or(0));
    if (const auto text = v.as<std::string>()) sum += text->size();
    for (const char c : v.value_or(std::string_view())) sum += static_cast<unsigned char>(c);
    EXPECT_LE(v.size(), bytes.size());
    EXPECT_LE(v.length(), bytes.size());
    sum += v.at("/a/0/b").length() + (v.empty() ? 1U : 0U);
    for (ingot::key_finder& finder : finders) {
      const auto quick = finder.find(v);
      sum += static_cast<std::uint64_t>(quick.kind()) + quick.value_or(std::string_view()).size();
      if (are_accepted) {
        EXPECT_EQ(quick.kind(), v.find(finder.key()).kind());
      }
    }
    for (std::size_t i = 0; i < v.size() && i < 64; ++i) {
      const auto key = v.key(i);
      const auto found = v.find(key);
      if (finders.size() < 4 && !key.empty()) {
        finders.emplace_back(texts.emplace_back(key));
        sum += static_cast<std::uint64_t>(finders.back().find(v).kind());
      }
      sum += key.size() + (v.contains(key) ? 1U : 0U) + v.at("/" + std::string(key)).size();
      sum += (found.exists() ? 1U : 0U) + static_cast<std::uint64_t>(found.value_or(0));
      if (const auto text = found.as<std::string>()) sum += text->size();
      left.push_back(v[i]);
    }
    edited(peek->set(v, random() % 3 == 0 ? 1 : 1'000'000));
    edited(peek->set(v, "text"));
    edited(peek->set(v, 1.1));
    edited(peek->append(v, static_cast<int>(random() % 100'000)));
    edited(peek->set(v, "key", 7));
    // Keys whose records start with a length: an empty key, one that begins with a zero, and one of
    // sixteen bytes.
    using namespace std::string_view_literals;
    for (const auto key : {""sv, "\0key"sv, "sixteen bytes it"sv}) {
      sum += v.find(key).length() + (v.contains(key) ? 1U : 0U);
      edited(peek->set(v, key, 7));
    }
    edited(peek->set(v, nullptr));
  }
  const volatile std::uint64_t read = sum; // any value, but the compiler must compute it
  static_cast<void>(read);
}

} // namespace document_test
