// SPDX-License-Identifier: Apache-2.0
// Bytes that were made to mislead: `open` rejects them with a reason, or every operation works on
// their value. Reading them unchecked returns something or nothing, and touches no byte outside.
// Mutants: prefixes, every bit, boundary values, and references to every position.
#include <ingot/document/document.hpp>
#include <ingot/document/peek.hpp>

#include "document/offering.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace document_validation_test {

using namespace document_test;
using ingot::document;
using ingot::errc;

TEST(document_validation, the_untouched_bytes_are_accepted) {
  offering all("untouched");
  for (const auto& bytes : goldens()) EXPECT_TRUE(all.offer(bytes));
}

TEST(document_validation, every_prefix_and_every_addition_is_rejected) {
  for (const auto& bytes : goldens()) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(document::open(std::span(bytes).first(size)).has_value()) << size;
      EXPECT_FALSE(document::open_unchecked(std::span(bytes).first(size)).has_value()) << size;
    }
    auto longer = bytes;
    longer.resize(bytes.size() + 8);
    EXPECT_EQ(document::open(longer).error().code(), errc::trailing_bytes);
  }
}

TEST(document_validation, a_shortened_length_leaves_nothing_outside_reachable) {
  offering all("shortened");
  for (auto bytes : goldens()) {
    for (std::uint32_t used = 0; used < bytes.size(); used += 4) {
      std::memcpy(bytes.data() + 8, &used, sizeof used);
      all.offer(std::span(bytes).first(used));
    }
  }
}

TEST(document_validation, every_flipped_bit_is_rejected_or_usable) {
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

/// Setting or clearing two bits is the same as flipping both, or one bit.
TEST(document_validation, two_flipped_bits_of_a_word_are_rejected_or_usable) {
  offering all("two flipped bits");
  const std::size_t step = std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : sampled() ? 499 : 5;
  std::size_t turn = 0;
  for (const auto& bytes : goldens()) {
    for (std::size_t at = 0; at + 4 <= bytes.size() && !HasFailure(); at += 4) {
      SCOPED_TRACE(at);
      for (unsigned high = 1; high < 32; ++high) {
        for (unsigned low = 0; low < high; ++low) {
          if (++turn % step != 0) continue;
          auto mutant = bytes;
          mutant[at + high / 8] ^= std::byte{1} << high % 8;
          mutant[at + low / 8] ^= std::byte{1} << low % 8;
          all.offer(mutant);
        }
      }
    }
  }
}

TEST(document_validation, boundary_values_in_every_word_are_rejected_or_usable) {
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

TEST(document_validation, boundary_values_in_every_half_word_and_byte_are_rejected_or_usable) {
  offering all("boundary values of two bytes and of one");
  const std::size_t step = std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : sampled() ? 97 : 7;
  std::size_t turn = 0;
  for (const auto& bytes : goldens()) {
    for (std::size_t at = 8; at + 2 <= bytes.size() && !HasFailure(); ++at) {
      SCOPED_TRACE(at);
      const auto left = static_cast<std::uint16_t>(bytes.size() - at);
      for (const unsigned n :
           {0U, 1U, 0x1FFFU, 0x2000U, 0x7FFFU, 0x8000U, 0xFFFFU, left + 0U, left / 8U, left / 8U + 1}) {
        if (++turn % step != 0) continue;
        auto mutant = bytes;
        const auto half = static_cast<std::uint16_t>(n);
        std::memcpy(mutant.data() + at, &half, sizeof half);
        all.offer(mutant);
      }
      for (const unsigned n : {0U, 1U, 0x20U, 0x21U, 0x7FU, 0x80U, 0x85U, 0xFFU}) {
        if (++turn % step != 0) continue;
        auto mutant = bytes;
        mutant[at] = static_cast<std::byte>(n);
        all.offer(mutant);
      }
    }
  }
}

/// If `open` accepts too great a number, an edit will fail.
template <class N>
void offer_greatest(offering& all, const byte_vector& bytes, std::size_t step) {
  live_test::exact_bytes there(bytes);
  if (!there.is_aligned()) return;
  const auto accepts = [&](std::size_t at, N value) {
    there.restore(bytes);
    std::memcpy(there.span().data() + at, &value, sizeof value);
    return document::open_in_place(there.span()).has_value();
  };
  const auto max_value = std::min<std::size_t>(bytes.size() + 8, std::numeric_limits<N>::max());
  for (std::size_t at = 12; at + sizeof(N) <= bytes.size() && !testing::Test::HasFailure(); at += step) {
    SCOPED_TRACE(at);
    N greatest = static_cast<N>(max_value);
    while (greatest != 0 && !accepts(at, greatest)) --greatest;
    N smallest = 0;
    while (smallest < greatest && !accepts(at, smallest)) ++smallest;
    for (const N value : {greatest, smallest}) {
      auto mutant = bytes;
      std::memcpy(mutant.data() + at, &value, sizeof value);
      all.offer(mutant);
    }
  }
}

TEST(document_validation, largest_and_smallest_accepted_numbers_are_usable) {
  offering all("greatest and least numbers");
  const std::size_t step = sampled() ? 13 : 1;
  for (const auto& bytes : goldens()) {
    offer_greatest<std::uint32_t>(all, bytes, 2 * step);
    offer_greatest<std::uint16_t>(all, bytes, step);
    offer_greatest<std::uint8_t>(all, bytes, step);
  }
  EXPECT_GT(all.accepted, all.tried / 4);
}

/// Returns the offsets in `bytes` at which a number of type N may be a reference: a position, or a
/// distance within a node.
template <class N>
std::vector<std::size_t> references(const byte_vector& bytes, std::size_t step, N multiple, N min_value) {
  std::vector<std::size_t> all;
  for (std::size_t at = 12; at + sizeof(N) <= bytes.size(); at += step) {
    N n = 0;
    std::memcpy(&n, bytes.data() + at, sizeof n);
    if (n >= min_value && n < bytes.size() && n % multiple == 0) all.push_back(at);
  }
  return all;
}

TEST(document_validation, exchanged_references_are_rejected_or_usable) {
  offering all("exchanged references");
  const std::size_t step = sampled() ? 29 : 1;
  std::size_t pair = 0;
  const auto put = [&](const byte_vector& bytes, std::size_t from, std::size_t to, std::size_t size) {
    SCOPED_TRACE(testing::Message() << from << " onto " << to);
    auto mutant = bytes;
    std::memcpy(mutant.data() + to, bytes.data() + from, size);
    all.offer(mutant);
    std::memcpy(mutant.data() + from, bytes.data() + to, size); // and an exchange of both
    all.offer(mutant);
  };
  const auto both = goldens();
  for (std::size_t i = 0; i < 2; ++i) {
    // References to nodes, anywhere in a heap.
    const auto positions = references<std::uint32_t>(both[i], 1, 8, 16);
    EXPECT_GT(positions.size(), 8U);
    for (const std::size_t from : positions) {
      for (const std::size_t to : positions) {
        if (from != to && ++pair % step == 0 && !HasFailure()) put(both[i], from, to, 4);
      }
    }
    // References to values within a node.
    const auto cells = references<std::uint16_t>(both[i], 2, 1, 1);
    for (const std::size_t from : cells) {
      for (const std::size_t to : cells) {
        if (from != to && ++pair % (13 * step) == 0 && !HasFailure()) put(both[i], from, to, 2);
      }
    }
  }
}

TEST(document_validation, another_kind_of_every_node_is_rejected_or_usable) {
  offering all("kinds of nodes");
  const std::size_t step = sampled() ? 104 : 8;
  for (const auto& bytes : goldens()) {
    for (std::size_t at = 16; at < bytes.size() && !HasFailure(); at += step) {
      for (unsigned kind = 0; kind < 16; ++kind) {
        SCOPED_TRACE(testing::Message() << at << " is of kind " << kind);
        auto mutant = bytes;
        mutant[at] = static_cast<std::byte>(kind);
        all.offer(mutant);
      }
    }
  }
}

TEST(document_validation, how_many_share_their_keys_is_counted_and_not_believed) {
  document doc;
  std::map<std::string, int> record{{"id", 1}, {"price", 70'000}, {"side", 2}, {std::string(40, 'k'), 3}};
  for (int i = 0; i < 5; ++i) {
    record["id"] = i;
    ASSERT_TRUE(doc.root().append(record));
  }
  doc.compact();
  const byte_vector bytes = bytes_of(doc);
  std::size_t accepted = 0;
  for (std::size_t at = 8; at + 4 <= bytes.size() && !HasFailure(); ++at) {
    std::uint32_t was = 0;
    std::memcpy(&was, bytes.data() + at, sizeof was);
    if (was == 0 || was > 8) continue; // not a count of users
    for (const std::uint32_t n : {0U, 1U, was - 1, was + 1, 0xFFFFFFFFU}) {
      SCOPED_TRACE(testing::Message() << at << " is " << n);
      auto mutant = bytes;
      std::memcpy(mutant.data() + at, &n, sizeof n);
      auto opened = document::open(mutant);
      if (!opened) continue;
      ++accepted;
      const document before(*opened);
      // Erased values must not take anything that the others need, and new values must be stored in
      // free bytes.
      ASSERT_TRUE(opened->root().erase(std::size_t{0}));
      ASSERT_TRUE(opened->root().erase(std::size_t{0}));
      for (std::size_t i = 0; i < 20; ++i) ASSERT_TRUE(opened->root().append(std::string(130 + 8 * i, '~')));
      for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(opened->root()[i] == before.root()[i + 2]);
      const auto again = document::open(opened->bytes());
      ASSERT_TRUE(again.has_value()) << again.error().message();
      ASSERT_TRUE(opened->root().set(nullptr));
      ASSERT_EQ(opened->stats().used - opened->stats().free_bytes, 16U)
          << "shared keys stay when no object has them";
    }
  }
  EXPECT_GT(accepted, 0U);
}

/// Overwrites the first occurrence of `from` in `bytes` by `to`. There has to be one.
void overwrite(byte_vector& bytes, std::span<const std::byte> from, std::span<const std::byte> to) {
  const auto found = std::ranges::search(std::span(bytes).subspan(16), from);
  ASSERT_FALSE(found.empty());
  std::ranges::copy(to, found.begin());
}

TEST(document_validation, keys_out_of_order_and_keys_that_are_there_twice_are_rejected) {
  for (const int count : {2, 9, 40}) {
    document doc;
    for (int i = 10; i < 10 + count; ++i) doc["k" + std::to_string(i)] = i;
    doc.compact();
    std::vector<std::string> keys;
    for (const auto [key, mapped] : std::as_const(doc).root().members()) keys.emplace_back(key);
    const auto bytes = bytes_of(doc);
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
      SCOPED_TRACE(keys[i] + " and " + keys[i + 1]);
      const std::uint16_t hashes[]{ingot::document_key(keys[i]).hash(),
                                   ingot::document_key(keys[i + 1]).hash()};
      const auto hash_of = [&](std::size_t k) { return std::as_bytes(std::span(hashes + k, 1)); };
      const auto text_of = [&](std::size_t k) { return std::as_bytes(std::span(keys[i + k])); };
      auto twice = bytes;
      overwrite(twice, hash_of(1), hash_of(0));
      overwrite(twice, text_of(1), text_of(0));
      EXPECT_FALSE(document::open(twice).has_value());
      if (count <= 16) { // with more members the index reports it
        EXPECT_EQ(document::open(twice).error().code(), errc::duplicate_key);
      }
      auto exchanged = bytes;
      const std::byte nowhere[]{std::byte{0xF1}, std::byte{0xF2}, std::byte{0xF3}};
      overwrite(exchanged, hash_of(0), std::span(nowhere).first(2));
      overwrite(exchanged, hash_of(1), hash_of(0));
      overwrite(exchanged, std::span(nowhere).first(2), hash_of(1));
      overwrite(exchanged, text_of(0), nowhere);
      overwrite(exchanged, text_of(1), text_of(0));
      overwrite(exchanged, nowhere, text_of(1));
      EXPECT_FALSE(document::open(exchanged).has_value());
      if (count <= 16) {
        EXPECT_EQ(document::open(exchanged).error().code(), errc::unsorted_keys);
      }
    }
  }
}

TEST(document_validation, an_index_of_keys_that_misleads_is_rejected_or_finds_each_of_them) {
  // Keys with one hash among others, so that the index has empty and crowded parts.
  ingot::document doc;
  const std::uint16_t hash = ingot::document_key("1000000").hash();
  for (int i = 1'000'000, alike = 0; alike < 24; ++i) {
    const std::string key = std::to_string(i);
    if (ingot::document_key(key).hash() != hash) continue;
    doc[key] = i;
    ++alike;
  }
  for (int i = 0; i < 60; ++i) doc["other " + std::to_string(i)] = i;
  doc.compact();
  const byte_vector bytes = bytes_of(doc);
  std::size_t accepted = 0;
  std::size_t turn = 0;
  for (std::size_t at = 16; at < bytes.size() && !HasFailure(); ++at) {
    for (const unsigned n : {0U, 1U, 0x7FU, 0x80U, 0xFFU, std::to_integer<unsigned>(bytes[at]) + 1,
                             std::to_integer<unsigned>(bytes[at]) - 1}) {
      if (++turn % (sampled() ? 97 : 3) != 0) continue;
      SCOPED_TRACE(testing::Message() << at << " is " << n);
      auto mutant = bytes;
      mutant[at] = static_cast<std::byte>(n);
      exercise_unvalidated(mutant, n);
      mutant = bytes;
      mutant[at] = static_cast<std::byte>(n);
      const auto opened = document::open(mutant);
      if (!opened) continue;
      ++accepted;
      std::size_t found = 0;
      for (const auto [key, mapped] : opened->root().members()) {
        ASSERT_TRUE(opened->find(key).exists()) << key;
        ASSERT_TRUE(opened->find(key) == mapped) << key;
        ++found;
      }
      ASSERT_EQ(found, opened->root().size());
    }
  }
  EXPECT_GT(accepted, 0U);
}

TEST(document_validation, corrupt_reference_is_rejected_or_stays_usable) {
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

TEST(document_validation, random_damage_at_many_positions_is_rejected_or_usable) {
  offering all("random damage");
  const char* const seed = std::getenv("INGOT_DOCUMENT_SEED");
  dice random(seed != nullptr ? std::strtoul(seed, nullptr, 10) : 11);
  const char* const requested = std::getenv("INGOT_DOCUMENT_MUTANTS");
  const std::size_t count = requested != nullptr ? std::strtoul(requested, nullptr, 10)
                            : sampled()          ? 500
                                                 : 10'000;
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

TEST(document_validation, depth_is_no_stack) {
  // 100,000 nested arrays: created, copied, compared, opened and freed.
  document doc(ingot::max_block_size{std::size_t{1} << 24});
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
  EXPECT_EQ(doc.stats().used - doc.stats().free_bytes, 32U);
}

/// Returns a document with one node, whose head has `count` elements or keys and no heap.
byte_vector one_node(std::uint8_t kind, std::uint32_t count, std::size_t bytes) {
  byte_vector node_bytes(16 + bytes);
  const document empty;
  const ingot::bytes_view header = empty.bytes();
  std::copy(header.begin(), header.end(), node_bytes.begin());
  const auto used = static_cast<std::uint32_t>(node_bytes.size());
  const std::uint32_t root = 16;
  std::memcpy(node_bytes.data() + 8, &used, 4);
  std::memcpy(node_bytes.data() + 12, &root, 4);
  node_bytes[16] = static_cast<std::byte>(kind);
  const auto eighths = static_cast<std::uint32_t>(bytes / 8);
  if (kind >= 8) {
    std::memcpy(node_bytes.data() + 20, &eighths, 4);
    std::memcpy(node_bytes.data() + 24, &count, 4);
  } else {
    const auto narrow_eighths = static_cast<std::uint16_t>(eighths);
    const auto narrow_count = static_cast<std::uint16_t>(count);
    std::memcpy(node_bytes.data() + 18, &narrow_eighths, 2);
    std::memcpy(node_bytes.data() + 20, &narrow_count, 2);
  }
  return node_bytes;
}

TEST(document_validation, narrow_nodes_hold_no_more_than_their_words_count) {
  EXPECT_TRUE(document::open(one_node(1, 8'191, 16'392)).has_value());
  EXPECT_EQ(document::open(one_node(1, 8'192, 16'392)).error().code(), errc::bad_length);
}

TEST(document_validation, a_count_is_held_against_the_bytes_before_it_is_computed_with) {
  for (const std::uint32_t count : {0x80000001U, 0xFFFFFFFFU, 0x40000000U, 33U}) {
    const auto bytes = one_node(2 | 8, count, 32);
    EXPECT_FALSE(document::open(bytes).has_value());
    const auto peeked = ingot::document_peek::over(bytes);
    if (peeked) {
      EXPECT_TRUE(peeked->root().kind() == ingot::value_kind::absent);
    }
  }
}

TEST(document_validation, a_length_that_no_key_has_is_not_taken_for_the_empty_key) {
  document doc;
  doc[""] = 10;
  auto bytes = bytes_of(doc);
  const auto key = std::ranges::find(bytes.rbegin(), bytes.rend(), std::byte{64 + 26});
  ASSERT_TRUE(key != bytes.rend() && key[1] == std::byte{1});
  ASSERT_TRUE(document::open(bytes).has_value());
  for (const unsigned first : {0U, 2U, 0x21U, 0x22U, 0x7FU, 0x80U, 0x81U, 0x84U, 0x86U, 0xFFU}) {
    key[1] = static_cast<std::byte>(first);
    EXPECT_FALSE(document::open(bytes).has_value()) << first;
  }
  key[1] = std::byte{0x80};
  EXPECT_EQ(document::open(bytes).error().code(), errc::bad_length);
}

TEST(document_validation, bytes_rejected_in_place_are_unchanged) {
  document doc;
  doc["records"] = nullptr;
  for (int i = 0; i < 5; ++i)
    static_cast<void>(
        doc.root().find("records").append(std::map<std::string, int>{{"one key", i}, {"another", 70'000}}));
  doc.compact();
  const byte_vector whole(doc.bytes().begin(), doc.bytes().end());
  std::size_t rejected = 0;
  for (std::size_t at = 16; at < whole.size(); ++at) {
    auto mutant = whole;
    mutant[at] = static_cast<std::byte>(0xA5);
    const auto before = mutant;
    if (document::open_in_place(mutant).has_value()) continue;
    ++rejected;
    EXPECT_TRUE(mutant == before) << at;
  }
  EXPECT_GT(rejected, 20U);
}

TEST(document_validation, says_what_is_wrong) {
  const auto bytes = goldens()[0];
  const auto rejected = [&](std::size_t at, std::uint8_t byte) {
    auto mutant = bytes;
    mutant[at] = static_cast<std::byte>(byte);
    return document::open(mutant).error().code();
  };
  EXPECT_EQ(rejected(0, 'x'), errc::not_ingot);
  EXPECT_EQ(rejected(4, 1), errc::wrong_version);
  EXPECT_EQ(rejected(5, std::to_integer<std::uint8_t>(bytes[5]) ^ 1), errc::layout_mismatch);
  EXPECT_EQ(rejected(6, 1), errc::bad_padding);
  // Byte of the length
  const std::size_t lowest = std::endian::native == std::endian::little ? 8 : 11;
  EXPECT_EQ(rejected(lowest, 9), errc::bad_length);
  EXPECT_EQ(rejected(16, 0), errc::bad_length); // a root with an invalid kind
  EXPECT_EQ(rejected(16, 8), errc::bad_length); // also invalid for a wide node
}

/// Returns long keys with a common beginning and one hash.
std::vector<std::string> keys_of_one_hash(std::size_t count, std::size_t length) {
  std::vector<std::string> keys;
  std::string key(length, 'k');
  std::uint16_t hash = 0;
  for (int i = 0; keys.size() < count; ++i) {
    const std::string tail = std::to_string(1'000'000 + i);
    key.replace(length - tail.size(), tail.size(), tail);
    if (i == 0) hash = ingot::document_key(key).hash();
    if (ingot::document_key(key).hash() == hash) keys.push_back(key);
  }
  return keys;
}

/// Returns a document of objects that share nothing but the long keys. Adjacent objects have the
/// same two keys, or other keys in turn. `filling` bytes of text come first.
document objects_of_long_keys(const std::vector<std::string>& keys, std::size_t count, bool in_turn,
                              std::size_t filling = 0) {
  document doc(ingot::max_block_size{1 << 26});
  static_cast<void>(doc.root().append(std::string(filling, 'f')));
  for (std::size_t i = 0; i < count; ++i) {
    auto object =
        *doc.root().append(std::map<std::string, int>{{keys[0], 1}, {"own " + std::to_string(i), 2}});
    EXPECT_TRUE(object.set(keys[in_turn && i % 2 == 0 ? 2 : 1], 3).has_value());
  }
  doc.compact();
  return doc;
}

TEST(document_validation, long_keys_of_one_hash_are_compared_a_bounded_number_of_times) {
  // A limit on the number of comparisons would reject a document that a program created itself.
  const auto keys = keys_of_one_hash(3, 5'000);
  for (const bool in_turn : {false, true}) {
    for (const std::size_t count : {std::size_t{20}, std::size_t{2'000}}) {
      const document doc = objects_of_long_keys(keys, count, in_turn);
      const auto read = document::open(doc.bytes(), {.max_size = {1 << 24}});
      ASSERT_TRUE(read.has_value()) << read.error().message();
      EXPECT_TRUE(*read == doc);
    }
  }
}

TEST(document_validation, long_keys_that_are_compared_last_are_compared) {
  const auto keys = keys_of_one_hash(3, 2'000);
  const document doc = objects_of_long_keys(keys, 1'000, true);
  const byte_vector whole = bytes_of(doc);
  ASSERT_TRUE(document::open(whole).has_value());
  // The text of one key is overwritten by that of another, or both are exchanged.
  std::vector<byte_vector::difference_type> offsets;
  for (const std::string& key : keys) {
    const auto there = std::search(whole.begin(), whole.end(), key.begin(), key.end(),
                                   [](std::byte b, char c) { return static_cast<char>(b) == c; });
    ASSERT_TRUE(there != whole.end());
    offsets.push_back(there - whole.begin());
  }
  const auto size = static_cast<byte_vector::difference_type>(keys[0].size());
  using indexes = std::pair<std::size_t, std::size_t>;
  for (const auto& [to, from] : {indexes(0, 1), indexes(2, 0), indexes(1, 0)}) {
    auto same = whole;
    std::copy_n(whole.begin() + offsets[from], size, same.begin() + offsets[to]);
    EXPECT_EQ(document::open(same).error().code(), errc::duplicate_key) << to << " becomes " << from;
    std::copy_n(whole.begin() + offsets[to], size, same.begin() + offsets[from]);
    EXPECT_EQ(document::open(same).error().code(), errc::unsorted_keys) << to << " and " << from;
  }
}

TEST(document_validation, long_keys_of_one_hash_survive_the_erasure_of_what_paid_for_them) {
  const auto keys = keys_of_one_hash(3, 2'000);
  document doc = objects_of_long_keys(keys, 1'000, true, 1 << 20);
  auto opened = document::open(doc.bytes(), {.max_size = {1 << 24}});
  ASSERT_TRUE(opened.has_value());
  ASSERT_TRUE(opened->root().erase(std::size_t{0}).has_value());
  expect_whole(*opened);
}

} // namespace document_validation_test
