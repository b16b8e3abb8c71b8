// SPDX-License-Identifier: Apache-2.0
// A program's own assignments may leave data in the padding of structs, which is then sent with the
// bytes of a block. `scrub` clears the padding wherever such a struct may be, and touches nothing
// else.
#include <ingot/live/box.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace scrub_test {

struct gappy {
  std::uint8_t small;
  alignas(8) std::uint64_t large;
  std::uint16_t last;
};
static_assert(sizeof(gappy) == 24, "seven bytes and six that no member is in");
struct named {
  std::uint8_t mark;
  ingot::string name;
  gappy inside;
};
struct within {
  bool truth;
  ingot::optional<gappy> maybe;
};
struct gallery {
  gappy own;
  std::array<gappy, 2> two;
  ingot::vector<gappy> list;
  ingot::vector<named> names;
  ingot::map<std::uint32_t, gappy> ordered;
  ingot::hash_map<ingot::string, gappy> hashed;
  ingot::optional<gappy> maybe;
  within inner; ///< no offset in it
  ingot::variant<std::uint8_t, gappy> either;
  ingot::box<gappy> boxed;
  ingot::vector<std::pair<gappy, std::uint8_t>> pairs;
};

void fill(gallery& to) {
  constexpr gappy full{0xFF, ~std::uint64_t{0}, 0xFFFF};
  to.own = to.two[1] = full;
  to.list.resize(3);
  to.list[1] = full;
  auto& one = to.names.emplace_back();
  one.mark = 0xFF;
  one.name = "a name that needs a storage";
  one.inside = full;
  to.ordered[7] = full;
  to.hashed["a key that needs a storage"] = full;
  to.maybe.emplace(full);
  to.inner.truth = true;
  to.inner.maybe.emplace(full);
  to.either.emplace<gappy>(full);
  to.boxed.emplace(full);
  to.pairs.resize(1);
  to.pairs[0].first = full;
  to.pairs[0].second = 0xFF;
}

/// Leaves data in the padding, as a compiler may that assigns a struct by its members.
void leave(gappy& in) {
  auto* const bytes = reinterpret_cast<std::byte*>(&in);
  std::memset(bytes + offsetof(gappy, small) + 1, 0x5A, offsetof(gappy, large) - offsetof(gappy, small) - 1);
  std::memset(bytes + offsetof(gappy, last) + 2, 0x5A, sizeof(gappy) - offsetof(gappy, last) - 2);
}
std::size_t leave_everywhere(gallery& in) {
  std::vector<gappy*> all{&in.own,
                          &in.two[0],
                          &*in.inner.maybe,
                          ingot::get_if<gappy>(&in.either),
                          &in.two[1],
                          &in.list[0],
                          &in.list[1],
                          &in.list[2],
                          &*in.maybe,
                          &*in.boxed,
                          &in.names[0].inside,
                          &in.pairs[0].first,
                          &in.ordered.at(7),
                          &in.hashed.at("a key that needs a storage")};
  for (gappy* each : all) leave(*each);
  std::memset(reinterpret_cast<std::byte*>(&in.names[0]) + 1, 0x5A, offsetof(named, name) - 1);
  auto& pair = in.pairs[0];
  auto* const padding = reinterpret_cast<std::byte*>(&pair.second) + 1;
  std::memset(padding, 0x5A, static_cast<std::size_t>(reinterpret_cast<std::byte*>(&pair + 1) - padding));
  return all.size();
}

TEST(live_scrub, what_lies_between_members_becomes_zero_and_nothing_else_changes) {
  ingot::live<gallery> block;
  fill(*block);
  block.scrub();
  const std::vector<std::byte> clean(block.bytes().begin(), block.bytes().end());
  const std::size_t objects = leave_everywhere(*block);
  std::size_t left = 0;
  for (std::size_t i = 0; i < clean.size(); ++i) left += block.bytes()[i] != clean[i];
  EXPECT_GE(left, 13 * objects);
  block.scrub();
  EXPECT_TRUE(std::ranges::equal(block.bytes(), clean));
  live_test::expect_opens_again(block);
}

TEST(live_scrub, serves_bytes_that_are_read_where_they_are) {
  ingot::live<gallery> block;
  fill(*block);
  block.compact();
  block.scrub();
  const std::vector<std::byte> clean(block.bytes().begin(), block.bytes().end());
  leave_everywhere(*block);
  alignas(16) std::array<std::byte, 4096> memory{};
  ASSERT_LE(block.size(), memory.size());
  std::memcpy(memory.data(), block.bytes().data(), block.size());
  auto there = ingot::live<gallery>::open_in_place(std::span(memory).first(block.size()));
  ASSERT_TRUE(there.has_value()) << there.error().message();
  there->scrub();
  EXPECT_EQ((*there)->list[1].large, ~std::uint64_t{0});
  EXPECT_TRUE(std::ranges::equal(std::span(there->bytes()).subspan(64), std::span(clean).subspan(64)));
}

} // namespace scrub_test
