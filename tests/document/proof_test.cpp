// SPDX-License-Identifier: Apache-2.0
// Bytes that were made to mislead: `open` refuses them with a reason, or everything can be done with what they hold. Looked at
// without proof they show something or nothing, and no byte outside is touched. Prefixes, every bit, boundary values, references
// to everywhere.
#include <ingot/document/document.hpp>
#include <ingot/document/peek.hpp>

#include "document/exercise.hpp"

#include <bit>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace document_proof_test {

using namespace document_test;
using ingot::document;
using ingot::errc;

/// Every kind of node and value.
document everything() {
  document doc;
  doc["small"] = 7;
  doc["int24"] = 100'000;
  doc["int64"] = -(std::int64_t{1} << 50);
  doc["large"] = ~std::uint64_t{0};
  doc["real"] = 0.1;
  doc["float"] = 0.375;
  doc["yes"] = true;
  doc["nothing"] = nullptr;
  doc["text"] = "short text";
  doc["long text"] = std::string(200, 'x');
  doc["bytes"] = std::vector<std::byte>(9, std::byte{7});
  doc["packed"] = std::vector<int>{1, 300, -5};
  doc["empty"] = std::vector<int>{};
  doc["a key that takes more than thirty-two bytes"] = 1;
  doc["mixed"] = nullptr;
  for (int i = 0; i < 3; ++i) {
    doc["records"] = doc["records"].is_array() ? doc["records"] : doc["mixed"];
    auto record =
        doc.root().find("records").append(std::map<std::string, int>{{"id", i}, {"price", 9000 * i}});
    static_cast<void>(record->set("another key that takes more than thirty-two bytes", "value"));
  }
  static_cast<void>(doc.root().find("mixed").append("in an array"));
  static_cast<void>(doc.root().find("mixed").append(2.5));
  for (int i = 0; i < 6; ++i) doc["key " + std::to_string(i)] = i; // more than 16, which have an index
  return doc;
}
std::vector<byte_vector> goldens() {
  document edited = everything();
  document canonical(edited);
  document scalar(std::string("a root of text"));
  return {bytes_of(canonical), bytes_of(edited), bytes_of(scalar)};
}

/// Offers mutants and counts.
class offering {
public:
  explicit offering(std::string_view what) : what_(what) {}
  offering(const offering&) = delete;
  offering& operator=(const offering&) = delete;
  ~offering() {
    std::printf("[  counted ] %.*s: %zu tried, %zu accepted\n", static_cast<int>(what_.size()), what_.data(),
                tried, accepted);
  }
  bool offer(std::span<const std::byte> bytes) {
    ++tried;
    // An allocation of its own, so that sanitizers see what is read behind.
    const std::unique_ptr<std::uint64_t[]> memory(new std::uint64_t[bytes.size() / 8 + 1]);
    const std::span<std::byte> exact(reinterpret_cast<std::byte*>(memory.get()), bytes.size());
    const auto restore = [&] {
      if (!bytes.empty()) std::memcpy(exact.data(), bytes.data(), bytes.size());
    };
    restore();
    exercise_unproved(exact, tried);
    restore();
    auto in_place = document::open_in_place(exact);
    const bool good = in_place.has_value();
    if (good && tried % 4 == 0) exercise(*in_place, tried);
    auto opened = document::open(bytes);
    EXPECT_EQ(good, opened.has_value());
    if (!opened) {
      EXPECT_LE(opened.error().offset(), bytes.size()) << opened.error().message();
      return false;
    }
    ++accepted;
    exercise(*opened, tried);
    return true;
  }
  std::size_t tried = 0;
  std::size_t accepted = 0;

private:
  std::string_view what_;
};

TEST(document_proof, the_untouched_bytes_are_accepted) {
  offering all("untouched");
  for (const auto& bytes : goldens()) EXPECT_TRUE(all.offer(bytes));
}

TEST(document_proof, every_prefix_and_every_addition_is_refused) {
  for (const auto& bytes : goldens()) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(document::open(std::span(bytes).first(size)).has_value()) << size;
      EXPECT_FALSE(document::trust(std::span(bytes).first(size)).has_value()) << size;
    }
    auto longer = bytes;
    longer.resize(bytes.size() + 8);
    EXPECT_EQ(document::open(longer).error().code(), errc::trailing_bytes);
  }
}

TEST(document_proof, a_shortened_length_leaves_nothing_outside_reachable) {
  offering all("shortened");
  for (auto bytes : goldens()) {
    for (std::uint32_t used = 0; used < bytes.size(); used += 4) {
      std::memcpy(bytes.data() + 8, &used, sizeof used);
      all.offer(std::span(bytes).first(used));
    }
  }
}

TEST(document_proof, every_flipped_bit_is_refused_or_bears_everything) {
  offering all("flipped bits");
  const std::size_t step = sampled() ? 31 : 1;
  for (const auto& bytes : goldens()) {
    for (std::size_t bit = 0; bit < 8 * bytes.size() && !HasFailure(); bit += step) {
      SCOPED_TRACE(bit);
      auto mutant = bytes;
      mutant[bit / 8] ^= std::byte{1} << bit % 8;
      all.offer(mutant);
    }
  }
  EXPECT_GT(all.accepted, all.tried / 20); // numbers and text
}

TEST(document_proof, boundary_values_in_every_word_are_refused_or_bear_everything) {
  offering all("boundary values");
  const std::size_t step = sampled() ? 30 : 2;
  constexpr auto max = std::numeric_limits<std::uint32_t>::max();
  for (const auto& bytes : goldens()) {
    for (std::size_t at = 8; at + 4 <= bytes.size() && !HasFailure(); at += step) {
      SCOPED_TRACE(at);
      const auto left = static_cast<std::uint32_t>(bytes.size() - at);
      for (const std::uint32_t n :
           {0U, 1U, 0x7FFFU, 0x8000U, 0xFFFFU, max, max / 2, max / 2 + 1, left, left + 8}) {
        auto mutant = bytes;
        std::memcpy(mutant.data() + at, &n, sizeof n);
        all.offer(mutant);
      }
    }
  }
}

TEST(document_proof, references_to_every_place_are_refused_or_bear_everything) {
  offering all("redirected references");
  const auto bytes = goldens()[0];
  std::size_t pair = 0;
  const std::size_t step = sampled() ? 301 : 31;
  for (std::size_t at = 12; at + 4 <= bytes.size(); ++at) {
    for (std::uint32_t to = 0; to <= bytes.size() + 8 && !HasFailure(); to += 8) {
      if (++pair % step != 0) continue;
      SCOPED_TRACE(testing::Message() << at << " leads to " << to);
      auto mutant = bytes;
      std::memcpy(mutant.data() + at, &to, sizeof to);
      all.offer(mutant);
    }
  }
}

TEST(document_proof, random_damage_in_many_places_is_refused_or_bears_everything) {
  offering all("random damage");
  dice random(11);
  const char* const asked = std::getenv("INGOT_DOCUMENT_MUTANTS");
  const std::size_t count = asked != nullptr ? std::strtoul(asked, nullptr, 10) : sampled() ? 500 : 4'000;
  const auto all_bytes = goldens();
  for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    auto mutant = all_bytes[i % all_bytes.size()];
    for (auto changes = random() % 6 + 1; changes != 0; --changes) {
      const std::size_t at = 8 + random() % (mutant.size() - 8);
      if (random() % 2 == 0) mutant[at] = static_cast<std::byte>(random());
      else mutant[at] ^= std::byte{1} << random() % 8;
    }
    all.offer(mutant);
  }
}

TEST(document_proof, depth_is_no_stack) {
  // 100,000 arrays in one another, made, copied, compared, opened and released.
  document doc(ingot::ceiling{std::size_t{1} << 24});
  ingot::value_ref at = doc.root();
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(at.append(nullptr).has_value());
    at = at[0];
  }
  static_cast<void>(at.set("bottom"));
  document copy(doc);
  EXPECT_TRUE(copy == doc);
  const auto opened = document::open(copy.bytes());
  ASSERT_TRUE(opened.has_value());
  EXPECT_TRUE(*opened == doc);
  static_cast<void>(doc.root().set(1));
  EXPECT_EQ(doc.stats().used - doc.stats().holes, 32U);
}

/// A document of one node, whose head says `count` elements or keys and no heap.
byte_vector one_node(std::uint8_t kind, std::uint32_t count, std::size_t bytes) {
  byte_vector made(16 + bytes);
  const document empty;
  const ingot::bytes_view header = empty.bytes();
  std::copy(header.begin(), header.end(), made.begin());
  const auto used = static_cast<std::uint32_t>(made.size());
  const std::uint32_t root = 16;
  std::memcpy(made.data() + 8, &used, 4);
  std::memcpy(made.data() + 12, &root, 4);
  made[16] = static_cast<std::byte>(kind);
  const auto eighths = static_cast<std::uint32_t>(bytes / 8);
  if (kind >= 8) {
    std::memcpy(made.data() + 20, &eighths, 4);
    std::memcpy(made.data() + 24, &count, 4);
  } else {
    const auto narrow_eighths = static_cast<std::uint16_t>(eighths);
    const auto narrow_count = static_cast<std::uint16_t>(count);
    std::memcpy(made.data() + 18, &narrow_eighths, 2);
    std::memcpy(made.data() + 20, &narrow_count, 2);
  }
  return made;
}

TEST(document_proof, narrow_nodes_hold_no_more_than_their_words_count) {
  EXPECT_TRUE(document::open(one_node(1, 8'191, 16'392)).has_value());
  EXPECT_EQ(document::open(one_node(1, 8'192, 16'392)).error().code(), errc::bad_length);
}

TEST(document_proof, a_count_is_held_against_the_bytes_before_it_is_computed_with) {
  for (const std::uint32_t count : {0x80000001U, 0xFFFFFFFFU, 0x40000000U, 33U}) {
    const auto bytes = one_node(2 | 8, count, 32);
    EXPECT_FALSE(document::open(bytes).has_value());
    const auto peeked = ingot::document_peek::open(bytes);
    if (peeked) {
      EXPECT_TRUE(peeked->root().kind() == ingot::value_kind::absent);
    }
  }
}

TEST(document_proof, what_is_refused_in_place_stays_as_it_was) {
  document doc;
  doc["records"] = nullptr;
  for (int i = 0; i < 5; ++i)
    static_cast<void>(
        doc.root().find("records").append(std::map<std::string, int>{{"one key", i}, {"another", 70'000}}));
  doc.compact();
  const byte_vector whole(doc.bytes().begin(), doc.bytes().end());
  std::size_t refused = 0;
  for (std::size_t at = 16; at < whole.size(); ++at) {
    auto mutant = whole;
    mutant[at] = static_cast<std::byte>(0xA5);
    const auto before = mutant;
    if (document::open_in_place(mutant).has_value()) continue;
    ++refused;
    EXPECT_TRUE(mutant == before) << at;
  }
  EXPECT_GT(refused, 20U);
}

TEST(document_proof, says_what_is_wrong) {
  const auto bytes = goldens()[0];
  const auto refused = [&](std::size_t at, std::uint8_t byte) {
    auto mutant = bytes;
    mutant[at] = static_cast<std::byte>(byte);
    return document::open(mutant).error().code();
  };
  EXPECT_EQ(refused(0, 'x'), errc::not_ingot);
  EXPECT_EQ(refused(4, 1), errc::wrong_version);
  EXPECT_EQ(refused(5, std::to_integer<std::uint8_t>(bytes[5]) ^ 1), errc::other_layout);
  EXPECT_EQ(refused(6, 1), errc::bad_padding);
  const std::size_t lowest = std::endian::native == std::endian::little ? 8 : 11; // byte of the length
  EXPECT_EQ(refused(lowest, 9), errc::bad_length);
  EXPECT_EQ(refused(16, 0), errc::bad_length); // a root of no kind
  EXPECT_EQ(refused(16, 8), errc::bad_length); // nor a wide one
}

} // namespace document_proof_test
