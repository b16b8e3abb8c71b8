// SPDX-License-Identifier: Apache-2.0
// What a program's objects have between their members doesn't get into a block with them, by whatever way they come: it may be
// anything that was in memory before.
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace padding_test {

struct ticket {
  std::int8_t row = 0;
  std::int32_t seat = 0;
  friend auto operator<=>(const ticket&, const ticket&) = default;
};
static_assert(sizeof(ticket) == 8, "three bytes that no member is in");
static_assert(ingot::detail::has_padding<ticket>);
using couple = std::pair<ticket, std::int16_t>;

/// Objects of which every byte that no member is in has one value.
class sources {
public:
  explicit sources(unsigned char filling) {
    tickets_.resize(count);
    couples_.resize(count);
    std::memset(static_cast<void*>(tickets_.data()), filling, count * sizeof(ticket));
    std::memset(static_cast<void*>(couples_.data()), filling, count * sizeof(couple));
    for (std::size_t i = 0; i < count; ++i) {
      set(tickets_[i], i);
      set(couples_[i].first, i);
      set_member(couples_[i].second, static_cast<std::int16_t>(i));
    }
  }
  const ticket& operator[](std::size_t i) const { return tickets_[i]; }
  const couple& pair(std::size_t i) const { return couples_[i]; }
  std::span<const ticket> all() const { return tickets_; }
  std::span<const couple> pairs() const { return couples_; }

private:
  static constexpr std::size_t count = 40;
  template <class M>
  static void set_member(M& member, M value) {
    std::memcpy(&member, &value, sizeof value);
  }
  static void set(ticket& in, std::size_t i) {
    set_member(in.row, static_cast<std::int8_t>(i));
    set_member(in.seat, static_cast<std::int32_t>(i * i));
  }

  std::vector<ticket> tickets_;
  std::vector<couple> couples_;
};

/// The bytes of a block that `fill` made of such sources.
template <class Root, class F>
std::vector<std::byte> bytes_of(unsigned char filling, F fill) {
  const sources from(filling);
  ingot::live<Root> block;
  fill(*block, from);
  return {block.bytes().begin(), block.bytes().end()};
}
template <class Root, class F>
void expect_nothing_between(F fill) {
  EXPECT_TRUE(bytes_of<Root>(0xAA, fill) == bytes_of<Root>(0, fill));
}

struct rows {
  ingot::vector<ticket> list;
  ingot::vector<couple> couples;
};
TEST(live_padding, stays_out_of_vectors) {
  expect_nothing_between<rows>([](rows& to, const sources& from) { to.list.push_back(from[1]); });
  expect_nothing_between<rows>([](rows& to, const sources& from) { to.list.emplace_back(from[1]); });
  expect_nothing_between<rows>([](rows& to, const sources& from) { to.list = from.all(); });
  expect_nothing_between<rows>([](rows& to, const sources& from) { to.list = {from[1], from[2]}; });
  expect_nothing_between<rows>([](rows& to, const sources& from) { to.list.assign(5, from[1]); });
  expect_nothing_between<rows>([](rows& to, const sources& from) {
    to.list = from.all();
    to.list = from.all().first(20);
    to.list.insert(to.list.begin() + 3, from[1]);
    to.list.insert(to.list.begin(), 3, from[5]);
    to.list.resize(60, from[7]);
    std::swap(to.list[0], to.list[9]);
  });
  expect_nothing_between<rows>([](rows& to, const sources& from) { to.couples.push_back(from.pair(1)); });
  expect_nothing_between<rows>([](rows& to, const sources& from) { to.couples = from.pairs(); });
  expect_nothing_between<rows>([](rows& to, const sources& from) { to.couples.emplace_back(from[3], 4); });
}

struct keys {
  ingot::hash_set<ticket> hashed;
  ingot::set<ticket> ordered;
  ingot::flat_set<ticket> flat;
};
TEST(live_padding, stays_out_of_sets) {
  const auto each = []<class M>(M keys::* member) {
    expect_nothing_between<keys>([=](keys& to, const sources& from) {
      for (const ticket& one : from.all()) (to.*member).insert(one);
    });
    expect_nothing_between<keys>([=](keys& to, const sources& from) { (to.*member).emplace(from[2]); });
    expect_nothing_between<keys>([=](keys& to, const sources& from) { to.*member = from.all(); });
    expect_nothing_between<keys>([=](keys& to, const sources& from) { to.*member = {from[2], from[1]}; });
  };
  each(&keys::hashed);
  each(&keys::ordered);
  each(&keys::flat);
}

struct maps {
  ingot::hash_map<ticket, ticket> hashed;
  ingot::map<ticket, ticket> ordered;
  ingot::flat_map<ticket, ticket> flat;
};
TEST(live_padding, stays_out_of_maps) {
  const auto each = []<class M>(M maps::* member) {
    expect_nothing_between<maps>([=](maps& to, const sources& from) {
      for (std::size_t i = 0; i < 30; ++i) (to.*member).try_emplace(from[i], from[i + 1]);
    });
    expect_nothing_between<maps>([=](maps& to, const sources& from) {
      for (std::size_t i = 0; i < 30; ++i) (to.*member).insert_or_assign(from[i % 9], from[i + 1]);
    });
    expect_nothing_between<maps>(
        [=](maps& to, const sources& from) { (to.*member).insert({from[2], from[3]}); });
    expect_nothing_between<maps>([=](maps& to, const sources& from) { (to.*member)[from[2]].seat = 3; });
    expect_nothing_between<maps>([=](maps& to, const sources& from) {
      std::vector<std::pair<ticket, ticket>> both;
      for (std::size_t i = 0; i < 30; ++i) both.emplace_back(from[i], from[i]);
      to.*member = both;
    });
  };
  each(&maps::hashed);
  each(&maps::ordered);
  each(&maps::flat);
}

struct others {
  ingot::multimap<ticket, ticket> several;
  ingot::optional<ticket> maybe;
  ingot::variant<std::uint8_t, ticket> either;
  ingot::box<ticket> boxed;
  ingot::pool<ticket> pooled;
  ingot::queue<ticket> waiting;
};
TEST(live_padding, stays_out_of_the_others) {
  const auto each = [](auto fill) { expect_nothing_between<others>(fill); };
  each([](others& to, const sources& from) {
    for (std::size_t i = 0; i < 30; ++i) to.several.emplace(from[i % 7], from[i]);
  });
  each([](others& to, const sources& from) { to.several.insert({from[2], from[3]}); });
  each([](others& to, const sources& from) { to.maybe = from[2]; });
  each([](others& to, const sources& from) { to.maybe.emplace(from[2]); });
  each([](others& to, const sources& from) { to.either = from[2]; });
  each([](others& to, const sources& from) { to.either.emplace<ticket>(from[2]); });
  each([](others& to, const sources& from) { to.boxed.emplace(from[2]); });
  each([](others& to, const sources& from) { to.boxed = from[2]; });
  each([](others& to, const sources& from) { static_cast<void>(to.pooled.add(from[2])); });
  each([](others& to, const sources& from) {
    for (const ticket& one : from.all()) to.waiting.push_back(one);
    to.waiting.pop_front();
    to.waiting.push_back(from[1]);
  });
  each([](others& to, const sources& from) { to.waiting.emplace_back(from[1]); });
}

} // namespace padding_test
