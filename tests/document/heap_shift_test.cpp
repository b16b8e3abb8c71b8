// SPDX-License-Identifier: Apache-2.0
// Values that change their length in the heap of a node. An error would keep a shortened value from
// growing back into its former bytes, lose a value that moves for another one, or take an immediate
// value for a position.
#include <ingot/document/detail/heap_shift.hpp>
#include <ingot/document/document.hpp>

#include "document/exercise.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace document_heap_shift_test {

using namespace document_test;
using ingot::document;
using ingot::value;
namespace doc = ingot::detail::doc;

TEST(document_heap_shift, only_cells_that_lead_as_far_are_moved) {
  dice random(3);
  for (std::uint32_t count = 0; count <= 40; ++count) {
    std::vector<std::byte> node(8 + std::size_t{4} * count + 8);
    doc::store(node.data() + 2, static_cast<std::uint16_t>(node.size() / 8));
    doc::store(node.data() + 4, static_cast<std::uint16_t>(count));
    const std::uint32_t c = 1 + static_cast<std::uint32_t>(random() % 0x7000);
    std::vector<std::uint16_t> expected;
    for (std::uint32_t i = 0; i < count; ++i) {
      // Null, the position itself, its neighbours, and immediate values.
      const std::array<std::uint32_t, 7> some{
          0, c, c - 1, c + 1, 0x7000, 0x8000, 0xFFFF - static_cast<std::uint32_t>(random() % 0x7FFF)};
      const auto cell = static_cast<std::uint16_t>(some[random() % some.size()]);
      doc::store(node.data() + 8 + std::size_t{2} * i, cell);
      expected.push_back(cell >= c && cell < 0x8000 ? static_cast<std::uint16_t>(cell + 5) : cell);
    }
    doc::shift_cells(node.data(), doc::narrow_head(node.data()), c, 5);
    for (std::uint32_t i = 0; i < count; ++i)
      ASSERT_EQ(doc::load<std::uint16_t>(node.data() + 8 + std::size_t{2} * i), expected[i])
          << count << ' ' << i;
    for (std::size_t i = 8 + std::size_t{2} * count; i < node.size(); ++i) ASSERT_EQ(node[i], std::byte{0});
  }
}

TEST(document_heap_shift, dead_bytes_end_where_something_begins) {
  for (std::size_t zeros = 0; zeros <= 30; ++zeros) {
    std::vector<std::byte> bytes(zeros + 3, std::byte{0});
    bytes[zeros] = std::byte{7};
    const auto* const end = bytes.data() + bytes.size();
    for (std::uint32_t max_count = 1; max_count <= 30; ++max_count) {
      const auto there = static_cast<std::uint32_t>(zeros);
      EXPECT_EQ(doc::dead_bytes(bytes.data(), end, max_count), there < max_count ? there : max_count);
      EXPECT_EQ(doc::dead_bytes(bytes.data(), bytes.data() + zeros, max_count),
                there < max_count ? there : max_count)
          << "at the node's end";
    }
  }
}

/// Returns the cells of the root's node.
[[nodiscard]] std::vector<std::uint32_t> cells_of(const document& from) {
  const auto bytes = from.bytes();
  const doc::validated in{{bytes.data(), static_cast<std::uint32_t>(bytes.size())}};
  doc::node n;
  if (!doc::find_node(in, doc::read_root(in).position(), n)) return {};
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < n.count; ++i) all.push_back(n.cell(i));
  return all;
}

/// All lengths: after a value had its greatest length once, no further bytes are taken.
TEST(document_heap_shift, a_value_that_was_as_long_before_is_written_where_it_is) {
  for (const bool text : {false, true}) {
    document edited(std::map<std::string, int>{});
    for (int i = 0; i < 12; ++i) ASSERT_TRUE(edited.root().set("key " + std::to_string(i), 1'000'000));
    const auto write = [&](std::uint64_t key, std::uint64_t random) {
      const std::string name = "key " + std::to_string(key);
      if (text) ASSERT_TRUE(edited.root().set(name, std::string(random % 21, 't')));
      else ASSERT_TRUE(edited.root().set(name, static_cast<std::int64_t>(random >> (40 + random % 24))));
    };
    for (std::uint64_t i = 0; i < 12; ++i) write(i, text ? 20 : ~std::uint64_t{0} << 6);
    const auto cells = cells_of(edited);
    ASSERT_EQ(cells.size(), 12U);
    dice random(11);
    for (int step = 0; step < 2000; ++step) {
      write(random() % 12, random());
      ASSERT_EQ(cells_of(edited), cells) << step;
    }
    EXPECT_TRUE(document::open(edited.bytes()).has_value());
  }
}

TEST(document_heap_shift, handles_to_what_moves_go_on) {
  document edited(std::map<std::string, int>{});
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i) {
    texts.emplace_back("text " + std::to_string(i));
    ASSERT_TRUE(edited.root().set(std::to_string(i), texts.back()));
  }
  std::vector<value> handles;
  for (int i = 0; i < 40; ++i) handles.push_back(edited.find(std::to_string(i)));
  dice random(5);
  for (int step = 0; step < 500; ++step) {
    const auto which = static_cast<std::size_t>(random() % 40);
    texts[which].assign(random() % 60, static_cast<char>('a' + step % 26));
    ASSERT_TRUE(edited.find(std::to_string(which)).exists());
    ASSERT_TRUE(edited.root().set(std::to_string(which), texts[which]));
    for (std::size_t i = 0; i < 40; ++i)
      ASSERT_EQ(handles[i].as<std::string>(), texts[i]) << step << ' ' << i;
  }
  EXPECT_TRUE(document::open(edited.bytes()).has_value());
}

/// Up to the reach of cells of 16 bits, and beyond it, where the node becomes a wide one.
TEST(document_heap_shift, an_array_grows_by_a_little_each_until_it_is_wide) {
  document edited(std::vector<std::string>{});
  std::vector<std::string> twin;
  for (int i = 0; i < 300; ++i) {
    twin.push_back(std::to_string(i));
    ASSERT_TRUE(edited.root().append(twin.back()));
  }
  for (std::size_t length = 3; length < 126; length += 9) {
    for (std::size_t i = 0; i < twin.size(); ++i) {
      twin[i].resize(length, 'x');
      ASSERT_TRUE(edited[i].set(twin[i]));
    }
    for (std::size_t i = 0; i < twin.size(); ++i) ASSERT_EQ(edited[i].as<std::string>(), twin[i]) << length;
    ASSERT_TRUE(document::open(edited.bytes()).has_value()) << length;
  }
}

/// In canonical form a member is stored right before the member with the next lower hash, for any
/// number of keys and of free bytes after their hashes.
TEST(document_heap_shift, a_key_without_text_is_not_taken_for_dead_bytes_in_objects_of_any_size) {
  for (int count = 1; count <= 40; ++count) {
    SCOPED_TRACE(count);
    document members(std::map<std::string, int>{});
    ASSERT_TRUE(members.root().set("", 7));
    for (int i = 0; i < count; ++i) ASSERT_TRUE(members.root().set(std::to_string(i), "texts"));
    members.compact();
    for (int i = 0; i < count; ++i) {
      const std::string key = std::to_string(i);
      const auto whole = [&](const document& edited) {
        return edited.find("").value_or(0) == 7 && document::open(edited.bytes()).has_value();
      };
      document texts = document::open(members.bytes()).value();
      ASSERT_TRUE(texts.root().set(key, "s") && texts.root().set(key, "longer"));
      EXPECT_TRUE(whole(texts)) << key;
      document numbers = document::open(members.bytes()).value();
      ASSERT_TRUE(numbers.root().set(key, 1) && numbers.root().set(key, std::int64_t{1} << 45));
      EXPECT_TRUE(whole(numbers)) << key;
      document by_index = document::open(members.bytes()).value();
      // Also where too few bytes follow the hashes for a search by vector registers.
      for (const char* text : {"s", "longer"}) {
        for (std::size_t at = 0; at < by_index.root().size(); ++at)
          ASSERT_TRUE(!by_index[at].is_string() || by_index[at].set(std::string_view(text)));
      }
      EXPECT_TRUE(whole(by_index)) << key;
    }
  }
}

/// A value moves alone if many bytes precede it, or if there are many cells.
TEST(document_heap_shift, what_has_much_before_it_moves_to_the_gap_alone) {
  for (const std::size_t count : {std::size_t{200}, std::size_t{2'060}}) {
    SCOPED_TRACE(count);
    document edited(std::map<std::string, int>{});
    std::vector<std::string> twin;
    for (std::size_t i = 0; i < count; ++i) {
      twin.emplace_back(count == 200 ? 100 : 4, 'a');
      ASSERT_TRUE(edited.root().set(std::to_string(i), twin.back()));
    }
    dice random(17);
    for (std::size_t step = 0; step < 300; ++step) {
      // The first elements are farthest away
      const std::size_t at = step % 3 == 0 ? random() % 20 : random() % count;
      const std::string key = std::to_string(at);
      if (step % 4 == 0) {
        ASSERT_TRUE(*edited.root().erase(key));
        twin[at].clear();
      }
      twin[at].resize(twin[at].size() % 110 + 1 + step % 7, 'b');
      ASSERT_TRUE(edited.root().set(key, twin[at]));
      ASSERT_TRUE(step % 16 != 0 || document::open(edited.bytes()).has_value()) << step;
    }
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(edited.find(std::to_string(i)).as<std::string>(), twin[i]) << i;
    EXPECT_TRUE(document::open(edited.bytes()).has_value());
  }
}

} // namespace document_heap_shift_test
