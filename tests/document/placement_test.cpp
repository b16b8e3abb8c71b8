// SPDX-License-Identifier: Apache-2.0
// The position of a document's bytes must not matter: at any alignment, except for `open_in_place`,
// which reports it, and with nothing readable before or after them. The bytes are whole, cut or
// damaged.
#include <ingot/document/document.hpp>
#include <ingot/document/peek.hpp>

#include "document/offering.hpp"
#include "hostile/fenced_pages.hpp"

#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace document_placement_test {

using namespace document_test;
using ingot::document;
using ingot::errc;

/// All ways to read bytes and to work on them in place. The bytes are accepted, or they were cut or
/// damaged.
void use(std::span<std::byte> bytes, bool sound, std::uint64_t seed) {
  auto opened = document::open(bytes);
  EXPECT_TRUE(opened.has_value() || !sound);
  const auto trusted = document::open_unchecked(bytes);
  EXPECT_TRUE(trusted.has_value() || !sound);
  if (const auto peek = ingot::document_peek::over(bytes)) {
    const auto root = peek->root();
    for (std::size_t i = 0; i < root.size() && i < 40; ++i) {
      EXPECT_TRUE(!sound || root.key(i).empty() || root.find(root.key(i)).kind() == root[i].kind());
    }
  }
  auto here = document::open_in_place(bytes);
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 == 0) {
    EXPECT_EQ(here.has_value(), opened.has_value());
  } else {
    EXPECT_EQ(here.error().code(), errc::misaligned);
  }
  if (here && opened) {
    EXPECT_TRUE(*here == *opened);
    dice random(seed);
    change_all(*here, random);
    read_all(here->root());
    EXPECT_TRUE(document::open(here->bytes()).has_value());
  } else {
    exercise_unvalidated(bytes, seed);
  }
}

TEST(document_placement, at_every_offset_is_the_same_document) {
  for (const auto& bytes : goldens()) {
    const auto whole = document::open(bytes);
    ASSERT_TRUE(whole.has_value());
    std::vector<std::byte> storage(bytes.size() + 192);
    const std::size_t skew = 64 - reinterpret_cast<std::uintptr_t>(storage.data()) % 64;
    for (std::size_t offset = 0; offset < 64; offset += sampled() ? 5 : 1) {
      SCOPED_TRACE(offset);
      const std::span<std::byte> here(storage.data() + skew + offset, bytes.size());
      const auto again = [&] { std::memcpy(here.data(), bytes.data(), bytes.size()); };
      std::memset(storage.data(), 0xA5, storage.size());
      again();
      EXPECT_TRUE(*document::open(here) == *whole);
      use(here, true, offset);
      again();
      exercise_unvalidated(here, offset);
      const auto edited = document::open(here);
      EXPECT_TRUE(edited.has_value()) << "what a sound document is overwritten and added to stays one";
      EXPECT_EQ(storage[skew + offset - 1], std::byte{0xA5});
      EXPECT_EQ(storage[skew + offset + bytes.size()], std::byte{0xA5});
    }
  }
}

TEST(document_placement, between_unmapped_pages_nothing_outside_is_read_or_written) {
  const hostile::fenced_pages pages(8192);
  ASSERT_TRUE(pages.ready());
  for (const auto& bytes : goldens()) {
    ASSERT_LE(bytes.size(), 8192U);
    use(pages.at_begin(bytes), true, 1);
    use(pages.at_end(bytes), true, 2);
    const std::size_t step = sampled() ? 41 : 3;
    for (std::size_t n = 0; n < bytes.size() && !HasFailure(); n += step) {
      SCOPED_TRACE(n);
      // Cut, with the original header and with a header that gives the new length.
      auto cut = byte_vector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
      use(pages.at_end(cut), false, n);
      cut.resize(n / 8 * 8);
      const auto used = static_cast<std::uint32_t>(cut.size());
      if (used >= 16) std::memcpy(cut.data() + 8, &used, sizeof used);
      use(pages.at_end(cut), false, n);
      use(pages.at_begin(cut), false, n);
    }
  }
}

/// Keys are searched in vectors of 16 and 32 hashes. An object may have fewer: the bytes before its
/// hashes must be inside the document, and must not be taken for a key.
TEST(document_placement, objects_of_every_number_of_members_are_found_and_changed_between_unmapped_pages) {
  const hostile::fenced_pages pages(8192);
  ASSERT_TRUE(pages.ready());
  for (int n = 0; n <= 40 && !HasFailure(); ++n) {
    SCOPED_TRACE(n);
    const auto key = [](int i) { return std::string(1, static_cast<char>('A' + i)); };
    std::map<std::string, int> members;
    for (int i = 0; i < n; ++i) members.emplace(key(i), i);
    document doc;
    doc = members;
    doc.compact();
    const auto bytes = bytes_of(doc);
    for (const auto here : {pages.at_begin(bytes), pages.at_end(bytes)}) {
      const auto find = [&](const auto& in) {
        for (int i = 0; i <= 60; ++i) EXPECT_EQ(in.find(key(i)).value_or(-1), i < n ? i : -1) << i;
      };
      const auto peek = ingot::document_peek::over(here);
      ASSERT_TRUE(peek.has_value());
      find(*peek);
      auto opened = document::open_in_place(here);
      ASSERT_TRUE(opened.has_value());
      find(opened->root());
      for (int i = 0; i < n; ++i) { // erases one and inserts another, at each position of the order
        ASSERT_TRUE(*opened->root().erase(key(i)));
        ASSERT_FALSE(opened->root().contains(key(i)));
        ASSERT_TRUE(opened->root().set(key(60), 1).has_value());
        ASSERT_TRUE(*opened->root().erase(key(60)));
        ASSERT_TRUE(opened->root().set(key(i), i).has_value());
      }
      find(opened->root());
      EXPECT_TRUE(document::open(here).has_value());
    }
  }
}

/// Documents with one node, or with one more node that the root refers to: if a length is too
/// great, it leads outside the bytes.
std::vector<byte_vector> small_documents() {
  std::vector<byte_vector> all;
  const auto add = [&](const auto& from) {
    document doc;
    doc = from;
    doc.compact();
    all.push_back(bytes_of(doc));
  };
  add(std::map<std::string, int>{{"a", 1}});
  add(std::map<std::string, std::string>{{"a", "text"}, {"another", ""}});
  std::map<std::string, int> indexed;
  for (int i = 0; i < 18; ++i) indexed.emplace(std::to_string(i), i);
  add(indexed);
  add(std::map<std::string, int>{{std::string(40, 'k'), 1}});
  add(std::vector<std::map<std::string, int>>(4, {{"the same", 1}, {"keys", 2}, {"for all", 3}}));
  add(std::vector<std::string>{"one", "two"});
  add(std::vector<std::vector<int>>{{1, 2, 70'000}});
  add(std::string("text"));
  add(std::string(200, 't'));
  add(0.1);
  return all;
}

TEST(document_placement, small_documents_damaged_at_the_end_of_memory_are_read_no_further) {
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  for (const auto& bytes : small_documents()) {
    use(pages.at_end(bytes), true, 3);
    for (std::size_t at = 8; at < bytes.size() && !HasFailure(); ++at) {
      const auto was = std::to_integer<unsigned>(bytes[at]);
      for (const unsigned n : {was + 1, was + 2, was + 8, was ^ 8, 0x20U, 0x7FU, 0x85U, 0xFFU}) {
        SCOPED_TRACE(testing::Message() << at << " is " << n);
        auto mutant = bytes;
        mutant[at] = static_cast<std::byte>(n);
        use(pages.at_end(mutant), false, n);
      }
    }
  }
}

/// The document `{"k0": text, ...}`. Each text ends as a record that stores the length of a key.
byte_vector object_of(unsigned count) {
  document doc;
  for (unsigned i = 0; i < count; ++i) doc["k" + std::to_string(10 + i)] = "text\3";
  doc.compact();
  return bytes_of(doc);
}

TEST(document_placement, members_are_looked_for_in_nodes_that_end_with_the_memory) {
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  std::vector<std::string> keys{""};
  for (char c = '!'; keys.size() < 70; ++c) keys.emplace_back(1, c);
  for (std::size_t count = 1; count <= keys.size(); ++count) {
    SCOPED_TRACE(count);
    document doc;
    for (std::size_t i = 0; i < count; ++i) doc[keys[i]] = nullptr; // as short as members can be
    doc.compact();
    const auto here = pages.at_end(bytes_of(doc));
    const auto opened = document::open_in_place(here);
    ASSERT_TRUE(opened.has_value());
    const auto peek = ingot::document_peek::over(here);
    ASSERT_TRUE(peek.has_value());
    for (const auto& key : keys) {
      EXPECT_EQ(opened->contains(key), doc.contains(key)) << key;
      EXPECT_EQ(peek->find(key).exists(), doc.contains(key)) << key;
    }
  }
}

TEST(document_placement, members_of_forged_nodes_are_looked_for_in_their_bytes_alone) {
  const hostile::fenced_pages pages(4096);
  ASSERT_TRUE(pages.ready());
  const auto look = [&](const byte_vector& bytes, unsigned count) {
    for (const auto here : {pages.at_begin(bytes), pages.at_end(bytes)}) {
      const auto peek = ingot::document_peek::over(here);
      ASSERT_TRUE(peek.has_value());
      for (unsigned i = 0; i < count; ++i) {
        const auto found = peek->find("k" + std::to_string(10 + i));
        const auto text = found.value_or<std::string_view>({});
        if (text.empty()) continue;
        EXPECT_TRUE(text.data() >= reinterpret_cast<const char*>(here.data()) &&
                    text.data() + text.size() <= reinterpret_cast<const char*>(here.data() + here.size()));
      }
    }
  };
  for (const unsigned count : {1U, 2U, 8U, 16U, 17U, 18U, 32U, 33U}) {
    SCOPED_TRACE(count);
    const auto bytes = object_of(count);
    const std::size_t node = 16;
    const auto put = [](byte_vector& to, std::size_t at, unsigned n) {
      const auto stored = static_cast<std::uint16_t>(n);
      std::memcpy(to.data() + at, &stored, sizeof stored);
    };
    // Changes one number of the head or of the columns at a time.
    for (std::size_t at = node; at < node + 8 + std::size_t{4} * count; at += 2) {
      for (const unsigned n : {0U, 1U, 2U, 4U, 17U, 33U, 0x100U, 0x1FFFU, 0x7FFFU, 0xFFFFU}) {
        auto forged = bytes;
        put(forged, at, n);
        look(forged, count);
      }
    }
    // A greater count of members, with a heap that leaves space for their columns.
    for (unsigned more = count; more <= 80; ++more) {
      for (const unsigned heap : {0U, 4U}) {
        auto forged = bytes;
        put(forged, node + 4, more);
        put(forged, node + 6, heap);
        look(forged, count);
        // The wanted hash at every position at which a hash may be.
        const std::size_t hashes = node + 8 + std::size_t{2} * more;
        const std::uint16_t wanted = ingot::document_key("k10").hash();
        for (std::size_t at = hashes; at + 2 <= forged.size(); at += 2) put(forged, at, wanted);
        look(forged, count);
      }
    }
  }
}

TEST(document_placement, damaged_between_unmapped_pages_nothing_outside_is_read_or_written) {
  const hostile::fenced_pages pages(8192);
  ASSERT_TRUE(pages.ready());
  dice random(5);
  const auto all = goldens();
  const int count = sampled() ? 300 : 4'000;
  for (int i = 0; i < count && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    auto mutant = all[random() % all.size()];
    for (auto changes = random() % 4 + 1; changes != 0; --changes) {
      const std::size_t at = 8 + random() % (mutant.size() - 8);
      if (random() % 3 == 0) mutant[at] = static_cast<std::byte>(random());
      else mutant[at] ^= std::byte{1} << random() % 8;
    }
    use(i % 2 == 0 ? pages.at_end(mutant) : pages.at_begin(mutant), false, random());
  }
}

} // namespace document_placement_test
