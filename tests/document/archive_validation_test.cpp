// SPDX-License-Identifier: Apache-2.0
// Bytes that are no archive, or that were made to mislead: they are rejected, or they are what
// `archive` writes for their value, and reading in place gives the same value. Mutants: prefixes,
// every bit, boundary values, unmapped pages, depth, and large values from few bytes.
#include "document/archive_exercise.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace archive_validation_test {

using namespace archive_test;
using ingot::errc;

[[nodiscard]] bool sampled() { return std::getenv("INGOT_TEST_SAMPLED") != nullptr; }

TEST(archive_validation, every_prefix_is_rejected_and_can_be_looked_at) {
  for (const auto& [name, what, doc] : subjects()) {
    const auto bytes = archived(doc);
    for (std::size_t n = 0; n < bytes.size() && !HasFailure(); ++n) {
      EXPECT_FALSE(exercise(ingot::bytes_view(bytes).first(n))) << name << ", " << n;
      // The header is changed to match: the content ends too soon.
      auto shorter = byte_vector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
      if (n < 8 || n > 127) continue;
      shorter[6] = static_cast<std::byte>(n - 7);
      if (bytes[6] < std::byte{0x80}) {
        EXPECT_FALSE(exercise(shorter)) << name << ", " << n;
      }
    }
  }
}

TEST(archive_validation, every_flipped_bit_is_rejected_or_another_archive) {
  std::size_t tried = 0;
  std::size_t accepted = 0;
  const std::size_t step = sampled() ? 31 : 1;
  for (const auto& [name, what, doc] : subjects()) {
    const auto bytes = archived(doc);
    for (std::size_t bit = 0; bit < 8 * bytes.size() && !HasFailure(); bit += step) {
      SCOPED_TRACE(bit);
      auto mutant = bytes;
      mutant[bit / 8] ^= std::byte{1} << bit % 8;
      ++tried;
      accepted += exercise(mutant) ? 1 : 0;
    }
  }
  std::printf("[  counted ] flipped bits: %zu tried, %zu accepted\n", tried, accepted);
  EXPECT_GT(accepted, tried / 20); // numbers and text
}

TEST(archive_validation, boundary_values_in_every_byte_are_rejected_or_another_archive) {
  const std::size_t step = sampled() ? 30 : 1;
  for (const auto& [name, what, doc] : subjects()) {
    const auto bytes = archived(doc);
    for (std::size_t at = 6; at < bytes.size() && !HasFailure(); at += step) {
      SCOPED_TRACE(at);
      for (const unsigned n : {0x00U, 0x7FU, 0x80U, 0x85U, 0x86U, 0xB7U, 0xC0U, 0xFFU}) {
        auto mutant = bytes;
        mutant[at] = static_cast<std::byte>(n);
        exercise(mutant);
      }
      // A length of five bytes that is greater than the number of bytes.
      auto mutant = bytes;
      for (std::size_t i = at; i < bytes.size() && i < at + 4; ++i) mutant[i] = std::byte{0xFF};
      if (at + 4 < bytes.size()) mutant[at + 4] = std::byte{0x07};
      exercise(mutant);
    }
  }
}

TEST(archive_validation, random_damage_is_rejected_or_another_archive) {
  dice random(11);
  const char* const requested = std::getenv("INGOT_DOCUMENT_MUTANTS");
  const std::size_t count = requested != nullptr ? std::strtoul(requested, nullptr, 10)
                            : sampled()          ? 300
                                                 : 4'000;
  const auto all = subjects();
  std::vector<byte_vector> whole;
  for (const auto& each : all) whole.push_back(archived(each.doc));
  for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    auto mutant = whole[i % whole.size()];
    for (auto changes = random() % 5 + 1; changes != 0; --changes) {
      const std::size_t at = 6 + random() % (mutant.size() - 6);
      switch (random() % 4) {
      case 0: mutant[at] = static_cast<std::byte>(random()); break;
      case 1: mutant[at] ^= std::byte{1} << random() % 8; break;
      case 2: mutant.erase(mutant.begin() + static_cast<std::ptrdiff_t>(at)); break;
      default:
        mutant.insert(mutant.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::byte>(random()));
        break;
      }
      if (mutant.size() < 8) break;
    }
    // Half of the mutants have a correct length, so that their content is read.
    if (random() % 2 == 0 && mutant.size() > 8 && mutant.size() < 128)
      mutant[6] = static_cast<std::byte>(mutant.size() - 7);
    exercise(mutant);
  }
}

TEST(archive_validation, nothing_is_read_outside_the_bytes) {
  // Bytes before and after the archive can't be read.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const memory =
      static_cast<std::byte*>(mmap(nullptr, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(static_cast<void*>(memory), MAP_FAILED);
  ASSERT_EQ(mprotect(memory + page, page, PROT_READ | PROT_WRITE), 0);
  for (const auto& [name, what, doc] : subjects()) {
    const auto bytes = archived(doc);
    ASSERT_LE(bytes.size(), page);
    for (std::byte* const to : {memory + page, memory + 2 * page - bytes.size()}) {
      std::memcpy(to, bytes.data(), bytes.size());
      const ingot::bytes_view there(to, bytes.size());
      look_around(there);
      const auto decoded = ingot::unarchive(there);
      ASSERT_TRUE(decoded.has_value());
      EXPECT_TRUE(*decoded == doc) << name;
      // Damage near the end, where lengths lead outside.
      for (std::size_t i = bytes.size() / 2; i < bytes.size(); ++i) {
        const std::byte was = to[i];
        to[i] = std::byte{0xCF};
        look_around(there, 100);
        static_cast<void>(ingot::validate_archive(there));
        to[i] = was;
      }
    }
  }
  munmap(memory, 3 * page);
}

void put_length(byte_vector& to, std::size_t n) {
  for (; n >= 0x80; n >>= 7) to.push_back(static_cast<std::byte>((n & 0x7F) | 0x80));
  to.push_back(static_cast<std::byte>(n));
}
/// Returns an archive with these tables and this root.
byte_vector framed(const byte_vector& tables, const byte_vector& root) {
  byte_vector archive;
  for (const char c : std::string_view("ingA\2")) archive.push_back(static_cast<std::byte>(c));
  archive.push_back(std::byte{0});
  put_length(archive, tables.size() + root.size());
  archive.insert(archive.end(), tables.begin(), tables.end());
  archive.insert(archive.end(), root.begin(), root.end());
  return archive;
}

TEST(archive_validation, depth_is_no_stack) {
  // A million nested arrays. The innermost one is empty.
  const std::size_t depth = sampled() ? 50'000 : 1'000'000;
  byte_vector root{std::byte{0x87}};
  for (std::size_t i = 0; i < depth; ++i) { // from the inside out, and in reverse
    byte_vector length;
    put_length(length, root.size());
    root.insert(root.end(), length.rbegin(), length.rend());
    root.push_back(std::byte{0x85});
  }
  std::reverse(root.begin(), root.end());
  const auto bytes = framed(byte_vector(4), root);
  const auto checked = ingot::validate_archive(bytes);
  ASSERT_TRUE(checked.has_value()) << checked.error().message();
  const auto decoded = ingot::unarchive(bytes);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message();
  EXPECT_EQ(archived(*decoded), bytes);
  auto view = ingot::archive_view::over(bytes);
  ASSERT_TRUE(view.has_value());
  std::size_t levels = 0;
  for (auto v = view->root(); v.size() != 0; v = v[0]) ++levels;
  EXPECT_EQ(levels, depth);
  auto broken = bytes;
  broken.back() = std::byte{0xFF};
  EXPECT_FALSE(ingot::unarchive(broken).has_value()) << "and an error so far down has a path";
}

TEST(archive_validation, little_becomes_no_more_than_forty_four_times_as_much) {
  // Each object leaves out another key of a table. The keys are as long as those that are stored in
  // an object, and each set of keys occurs once.
  constexpr std::size_t keys = 1'000;
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < keys; ++k) texts.push_back(std::string(28, 'k') + std::to_string(1000 + k));
  ingot::document_writer to({.max_size = ingot::max_block_size{1 << 26}});
  to.begin_array();
  for (std::size_t left_out = 0; left_out < keys; left_out += 2) {
    to.begin_object();
    for (std::size_t k = 0; k < keys; ++k) {
      if (k != left_out) to.key(texts[k]), to.number(0.0);
    }
    to.end();
  }
  to.end();
  const document doc = *to.finish();
  const auto bytes = archived(doc);
  const auto decoded = ingot::unarchive(bytes);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message();
  std::printf("[  counted ] %zu bytes become %zu\n", bytes.size(), decoded->bytes().size());
  EXPECT_LE(decoded->bytes().size(), 44 * bytes.size() + 1024);
  EXPECT_GT(decoded->bytes().size(), 40 * bytes.size() + 1024)
      << "this is meant to be about as bad as it gets";
  EXPECT_TRUE(*decoded == doc);
  const auto limited = ingot::unarchive(bytes, {.max_bytes = decoded->bytes().size() - 1});
  ASSERT_FALSE(limited.has_value());
  EXPECT_EQ(limited.error().code(), errc::too_large);
}

TEST(archive_validation, a_long_key_of_many_shapes_is_stored_once) {
  document doc(ingot::max_block_size{1 << 22});
  const std::string key(20'000, 'k');
  static_cast<void>(doc.root().set("records", std::vector<int>{}));
  for (int i = 0; i < 60; ++i) {
    auto record =
        *doc.root().find("records").append(std::map<std::string, int>{{"key " + std::to_string(i), i}});
    ASSERT_TRUE(record.set(key, 1).has_value());
  }
  const auto bytes = archived(doc);
  EXPECT_LT(bytes.size(), 22'000U);
  const auto decoded = ingot::unarchive(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_LT(decoded->bytes().size(), 28'000U);
  EXPECT_TRUE(*decoded == doc);
  EXPECT_TRUE(document::open(decoded->bytes()).has_value());
}

/// Returns a table of keys of a few bytes.
std::string sorted_keys(std::vector<std::string> keys) {
  std::ranges::sort(keys, {},
                    [](const std::string& key) { return std::pair(ingot::document_key(key).hash(), key); });
  std::string bytes;
  for (const auto& key : keys) bytes += static_cast<char>(key.size()) + key;
  return static_cast<char>(keys.size()) + (static_cast<char>(bytes.size()) + bytes);
}

/// Returns the shortest time of a few runs of `f`.
template <class F>
[[nodiscard]] double seconds_of(F&& f) {
  double fastest = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto before = std::chrono::steady_clock::now();
    f();
    fastest =
        std::min(fastest, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
  }
  return fastest;
}

TEST(archive_validation, looking_for_keys_costs_no_more_because_others_are_huge) {
  constexpr std::size_t length = 1 << 18;
  document doc(ingot::max_block_size{1 << 24});
  for (char c = 'a'; c <= 'p'; ++c) doc[std::string(length, c)] = 1;
  const auto bytes = archived(doc);
  const double once = seconds_of([&] {
    unsigned sum = 0;
    for (char c = 'a'; c <= 'p'; ++c) sum += ingot::document_key(std::string(length, c)).hash();
    EXPECT_GT(sum, 0U);
  });
  const double looks = seconds_of([&] {
    const auto view = ingot::archive_view::over(bytes);
    for (int i = 0; i < 5'000; ++i) EXPECT_FALSE(view->contains("key " + std::to_string(i)));
  });
  EXPECT_LT(looks, 100 * once) << "which 5,000 looks at four of sixteen keys would be 1,250 times";
}

TEST(archive_validation, documents_of_many_values_validate_their_keys_once) {
  document doc(ingot::max_block_size{1 << 24});
  std::map<std::string, int> many;
  for (int i = 0; i < 20'000; ++i) many["key " + std::to_string(i)] = i;
  doc["all"] = many;
  doc["records"] = std::vector<std::map<std::string, int>>(1'000, {{"key 7", 1}, {"key 8", 2}});
  const auto bytes = archived(doc);
  const double whole = seconds_of([&] { EXPECT_TRUE(ingot::unarchive(bytes).has_value()); });
  const double parts = seconds_of([&] {
    const auto view = ingot::archive_view::over(bytes);
    for (const auto& record : view->find("records").elements())
      EXPECT_EQ(record.to_document()->root()["key 8"].value_or(0), 2);
  });
  EXPECT_LT(parts, 20 * whole) << "if each validated all keys, they would take a hundred times as long";
}

TEST(archive_validation, a_part_of_an_archive_with_bad_tables_is_rejected_each_time) {
  const auto bytes = framed({std::byte{1}, std::byte{2}, std::byte{1}, std::byte{'a'}, std::byte{2},
                             std::byte{2}, std::byte{1}, std::byte{1}},
                            {std::byte{0x85}, std::byte{1}, std::byte{1}});
  const auto view = ingot::archive_view::over(bytes);
  ASSERT_TRUE(view.has_value());
  for (int i = 0; i < 3; ++i) {
    const auto converted = view->root().to_document();
    ASSERT_FALSE(converted.has_value());
    EXPECT_EQ(converted.error().code(), errc::not_canonical);
    EXPECT_EQ(converted.error().offset(), 14U);
  }
}

TEST(archive_validation, wrong_tables_are_rejected) {
  const auto rejected = [](std::string_view tables, std::string_view root) {
    byte_vector halves[2];
    for (const char c : tables) halves[0].push_back(static_cast<std::byte>(c));
    for (const char c : root) halves[1].push_back(static_cast<std::byte>(c));
    const auto bytes = framed(halves[0], halves[1]);
    look_around(bytes);
    const auto decoded = ingot::unarchive(bytes);
    return decoded ? errc::io : decoded.error().code();
  };
  using namespace std::string_view_literals;
  // Two keys of one byte, and the set of both: `{"a": 1, "b": 2}`, or the reverse order, as the
  // hashes require.
  const bool in_order = ingot::document_key("a").hash() < ingot::document_key("b").hash();
  const std::string both = in_order ? "\2\4\1a\1b" : "\2\4\1b\1a";
  const std::string wrong = in_order ? "\2\4\1b\1a" : "\2\4\1a\1b";
  EXPECT_EQ(rejected(both + "\1\1\2", "\xC0\2\1\2"), errc::io) << "which is not refused";
  EXPECT_EQ(rejected(wrong + "\1\1\2", "\xC0\2\1\2"), errc::unsorted_keys);
  EXPECT_EQ(rejected("\2\4\1a\1a\1\1\2", "\xC0\2\1\2"), errc::unsorted_keys);
  EXPECT_EQ(rejected(both + "\1\2\2\2", "\xC0\2\1\2"), errc::bad_length) << "bytes after the shapes";
  EXPECT_EQ(rejected(both + "\2\2\2\2", "\x85\6\xC0\2\1\2\x80\x80"), errc::not_canonical) << "a shape twice";
  EXPECT_EQ(rejected(both + "\1\2\1"sv.data() + std::string(1, '\0'), "\xC0\1\1"), errc::not_canonical)
      << "a key that nothing has";
  EXPECT_EQ(rejected(both + "\1\1\2", "\x80"), errc::not_canonical) << "a shape that nothing has";
  EXPECT_EQ(rejected(both + "\1\1\2", "\xC1\2\1\2"), errc::out_of_range);
  EXPECT_EQ(rejected(both + "\1\1\2", "\xC0\1\1"), errc::bad_length) << "too few members";
  EXPECT_EQ(rejected(both + "\1\1\2", "\xC0\3\1\2\3"), errc::bad_length) << "too many";
  EXPECT_EQ(rejected(both + "\1\1\2", "\xC0\2\1\2\1"), errc::trailing_bytes);
  EXPECT_EQ(rejected(both + "\1\1\3", "\xC0\2\1\2"), errc::bad_length) << "more members than keys";
  // A shape with more keys than the bytes after it, and shapes with more keys in total: the error
  // is reported at the shape, not at the end.
  const auto where = [](std::string_view tables, std::string_view root) {
    byte_vector halves[2];
    for (const char c : tables) halves[0].push_back(static_cast<std::byte>(c));
    for (const char c : root) halves[1].push_back(static_cast<std::byte>(c));
    const auto checked = ingot::validate_archive(framed(halves[0], halves[1]));
    return checked ? std::pair(errc::io, std::uint64_t{0})
                   : std::pair(checked.error().code(), std::uint64_t{checked.error().offset()} - 7);
  };
  const std::string three = sorted_keys({"a", "b", "c"});
  EXPECT_EQ(where(three + "\3\6\2\3\2\5\2\6", "\x85\x0C\xC0\2\1\2\xC1\2\1\2\xC2\2\1\2").first, errc::io);
  EXPECT_EQ(where(three + "\3\6\2\3\2\5\2\6", "\xC0\2\1\2"),
            std::pair(errc::not_canonical, three.size() + 6));
  EXPECT_EQ(where(three + "\2\3\2\3\3", "\xC0\0"sv), std::pair(errc::not_canonical, three.size() + 4));
  EXPECT_EQ(rejected("\2\3\1a"sv.data() + std::string(1, '\0') + "\1\1\2", "\xC0\2\1\2"),
            in_order ? errc::unsorted_keys : errc::unsorted_keys);
}

} // namespace archive_validation_test
