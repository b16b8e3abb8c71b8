// SPDX-License-Identifier: Apache-2.0
// The padding between the members of a program's objects is not copied into a block, whichever
// operation copies the objects. It may hold anything that was in memory before.
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
#include <array>
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

/// Objects that are moved pass through the stack, where earlier data may remain.
[[gnu::noinline]] void leave_on_the_stack(unsigned char filling) {
  std::array<unsigned char, 16'384> left;
  std::memset(left.data(), filling, left.size());
  volatile unsigned char* const seen = left.data();
  static_cast<void>(seen[left.size() / 2]);
}

/// Objects in which every byte of padding has one value.
class sources {
public:
  explicit sources(unsigned char filling) : filling_(filling) {
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
  /// Overwrites the stack before elements are moved by the function that is called last.
  void also_on_the_stack() const { leave_on_the_stack(filling_); }

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

  unsigned char filling_;
  std::vector<ticket> tickets_;
  std::vector<couple> couples_;
};

/// Types for both widths of offsets, whose elements are at different positions.
struct narrow {
  template <class Root>
  using live = ingot::live<Root>;
  template <class T>
  using vector = ingot::vector<T>;
  template <class T>
  using hash_set = ingot::hash_set<T>;
  template <class T>
  using set = ingot::set<T>;
  template <class T>
  using flat_set = ingot::flat_set<T>;
  template <class K, class V>
  using hash_map = ingot::hash_map<K, V>;
  template <class K, class V>
  using map = ingot::map<K, V>;
  template <class K, class V>
  using flat_map = ingot::flat_map<K, V>;
  template <class K, class V>
  using multimap = ingot::multimap<K, V>;
  template <class T>
  using optional = ingot::optional<T>;
  template <class... T>
  using variant = ingot::variant<T...>;
  template <class T>
  using box = ingot::box<T>;
  template <class T>
  using pool = ingot::pool<T>;
  template <class T>
  using queue = ingot::queue<T>;
};
struct wide {
  template <class Root>
  using live = ingot::wide::live<Root>;
  template <class T>
  using vector = ingot::wide::vector<T>;
  template <class T>
  using hash_set = ingot::wide::hash_set<T>;
  template <class T>
  using set = ingot::wide::set<T>;
  template <class T>
  using flat_set = ingot::wide::flat_set<T>;
  template <class K, class V>
  using hash_map = ingot::wide::hash_map<K, V>;
  template <class K, class V>
  using map = ingot::wide::map<K, V>;
  template <class K, class V>
  using flat_map = ingot::wide::flat_map<K, V>;
  template <class K, class V>
  using multimap = ingot::wide::multimap<K, V>;
  template <class T>
  using optional = ingot::wide::optional<T>;
  template <class... T>
  using variant = ingot::wide::variant<T...>;
  template <class T>
  using box = ingot::wide::box<T>;
  template <class T>
  using pool = ingot::wide::pool<T>;
  template <class T>
  using queue = ingot::wide::queue<T>;
};

template <class Width>
class live_padding : public testing::Test {};
using widths = testing::Types<narrow, wide>;
TYPED_TEST_SUITE(live_padding, widths);

/// Returns the bytes of a block that `fill` made from such objects.
template <class Width, class Root, class F>
std::vector<std::byte> bytes_of(unsigned char filling, F fill) {
  const sources from(filling);
  typename Width::template live<Root> block;
  from.also_on_the_stack();
  fill(*block, from);
  return {block.bytes().begin(), block.bytes().end()};
}
template <class Width, class Root, class F>
void expect_nothing_between(F fill) {
  const auto one = bytes_of<Width, Root>(0xAA, fill);
  const auto other = bytes_of<Width, Root>(0, fill);
  EXPECT_TRUE(one == other);
}

/// Objects that hold offsets are moved by other code than plain bytes.
template <class Width>
struct drawer {
  std::int8_t number = 0;
  typename Width::template vector<ticket> tickets;
};
template <class Width>
struct rows {
  typename Width::template vector<ticket> list;
  typename Width::template vector<couple> couples;
  typename Width::template vector<drawer<Width>> drawers;
};
TYPED_TEST(live_padding, stays_out_of_vectors) {
  expect_nothing_between<TypeParam, rows<TypeParam>>(
      [](rows<TypeParam>& to, const sources& from) { to.list.push_back(from[1]); });
  expect_nothing_between<TypeParam, rows<TypeParam>>(
      [](rows<TypeParam>& to, const sources& from) { to.list.emplace_back(from[1]); });
  expect_nothing_between<TypeParam, rows<TypeParam>>(
      [](rows<TypeParam>& to, const sources& from) { to.list = from.all(); });
  expect_nothing_between<TypeParam, rows<TypeParam>>(
      [](rows<TypeParam>& to, const sources& from) { to.list = {from[1], from[2]}; });
  expect_nothing_between<TypeParam, rows<TypeParam>>(
      [](rows<TypeParam>& to, const sources& from) { to.list.assign(5, from[1]); });
  expect_nothing_between<TypeParam, rows<TypeParam>>([](rows<TypeParam>& to, const sources& from) {
    to.list = from.all();
    to.list = from.all().first(20);
    to.list.insert(to.list.begin() + 3, from[1]);
    to.list.insert(to.list.begin(), 3, from[5]);
    to.list.resize(60, from[7]);
    from.also_on_the_stack();
    std::swap(to.list[0], to.list[9]);
  });
  for (const std::size_t middle : {1U, 7U, 20U, 39U}) {
    expect_nothing_between<TypeParam, rows<TypeParam>>([=](rows<TypeParam>& to, const sources& from) {
      to.list = from.all();
      from.also_on_the_stack();
      to.list.rotate(to.list.begin(), to.list.begin() + middle, to.list.end());
    });
    expect_nothing_between<TypeParam, rows<TypeParam>>([=](rows<TypeParam>& to, const sources& from) {
      to.couples = from.pairs();
      from.also_on_the_stack();
      to.couples.rotate(to.couples.begin() + 1, to.couples.begin() + middle, to.couples.end());
      from.also_on_the_stack();
      std::rotate(to.couples.begin(), to.couples.begin() + middle, to.couples.end());
    });
    expect_nothing_between<TypeParam, rows<TypeParam>>([=](rows<TypeParam>& to, const sources& from) {
      for (std::size_t i = 0; i < 40; ++i) to.drawers.emplace_back().tickets.push_back(from[i]);
      from.also_on_the_stack();
      to.drawers.rotate(to.drawers.begin(), to.drawers.begin() + middle, to.drawers.end());
      to.drawers[3].tickets = from.all();
      from.also_on_the_stack();
      to.drawers[3].tickets.rotate(to.drawers[3].tickets.begin() + 1, to.drawers[3].tickets.begin() + middle,
                                   to.drawers[3].tickets.end());
    });
  }
  expect_nothing_between<TypeParam, rows<TypeParam>>(
      [](rows<TypeParam>& to, const sources& from) { to.couples.push_back(from.pair(1)); });
  expect_nothing_between<TypeParam, rows<TypeParam>>(
      [](rows<TypeParam>& to, const sources& from) { to.couples = from.pairs(); });
  expect_nothing_between<TypeParam, rows<TypeParam>>(
      [](rows<TypeParam>& to, const sources& from) { to.couples.emplace_back(from[3], 4); });
}

template <class Width>
struct keys {
  typename Width::template hash_set<ticket> hashed;
  typename Width::template set<ticket> ordered;
  typename Width::template flat_set<ticket> flat;
};
TYPED_TEST(live_padding, stays_out_of_sets) {
  const auto each = []<class M>(M keys<TypeParam>::* member) {
    expect_nothing_between<TypeParam, keys<TypeParam>>([=](keys<TypeParam>& to, const sources& from) {
      for (const ticket& one : from.all()) (to.*member).insert(one);
    });
    expect_nothing_between<TypeParam, keys<TypeParam>>(
        [=](keys<TypeParam>& to, const sources& from) { (to.*member).emplace(from[2]); });
    expect_nothing_between<TypeParam, keys<TypeParam>>(
        [=](keys<TypeParam>& to, const sources& from) { to.*member = from.all(); });
    expect_nothing_between<TypeParam, keys<TypeParam>>(
        [=](keys<TypeParam>& to, const sources& from) { to.*member = {from[2], from[1]}; });
  };
  each(&keys<TypeParam>::hashed);
  each(&keys<TypeParam>::ordered);
  each(&keys<TypeParam>::flat);
}

template <class Width>
struct maps {
  typename Width::template hash_map<ticket, ticket> hashed;
  typename Width::template map<ticket, ticket> ordered;
  typename Width::template flat_map<ticket, ticket> flat;
};
TYPED_TEST(live_padding, stays_out_of_maps) {
  const auto each = []<class M>(M maps<TypeParam>::* member) {
    expect_nothing_between<TypeParam, maps<TypeParam>>([=](maps<TypeParam>& to, const sources& from) {
      for (std::size_t i = 0; i < 30; ++i) (to.*member).try_emplace(from[i], from[i + 1]);
    });
    expect_nothing_between<TypeParam, maps<TypeParam>>([=](maps<TypeParam>& to, const sources& from) {
      for (std::size_t i = 0; i < 30; ++i) (to.*member).insert_or_assign(from[i % 9], from[i + 1]);
    });
    expect_nothing_between<TypeParam, maps<TypeParam>>(
        [=](maps<TypeParam>& to, const sources& from) { (to.*member).insert({from[2], from[3]}); });
    expect_nothing_between<TypeParam, maps<TypeParam>>(
        [=](maps<TypeParam>& to, const sources& from) { (to.*member)[from[2]].seat = 3; });
    expect_nothing_between<TypeParam, maps<TypeParam>>([=](maps<TypeParam>& to, const sources& from) {
      std::vector<std::pair<ticket, ticket>> both;
      for (std::size_t i = 0; i < 30; ++i) both.emplace_back(from[i], from[i]);
      to.*member = both;
    });
  };
  each(&maps<TypeParam>::hashed);
  each(&maps<TypeParam>::ordered);
  each(&maps<TypeParam>::flat);
}

template <class Width>
struct others {
  typename Width::template multimap<ticket, ticket> several;
  typename Width::template optional<ticket> maybe;
  typename Width::template variant<std::uint8_t, ticket> either;
  typename Width::template box<ticket> boxed;
  typename Width::template pool<ticket> pooled;
  typename Width::template queue<ticket> waiting;
};
TYPED_TEST(live_padding, stays_out_of_the_others) {
  const auto each = [](auto fill) { expect_nothing_between<TypeParam, others<TypeParam>>(fill); };
  each([](others<TypeParam>& to, const sources& from) {
    for (std::size_t i = 0; i < 30; ++i) to.several.emplace(from[i % 7], from[i]);
  });
  each([](others<TypeParam>& to, const sources& from) { to.several.insert({from[2], from[3]}); });
  each([](others<TypeParam>& to, const sources& from) { to.maybe = from[2]; });
  each([](others<TypeParam>& to, const sources& from) { to.maybe.emplace(from[2]); });
  each([](others<TypeParam>& to, const sources& from) { to.either = from[2]; });
  each([](others<TypeParam>& to, const sources& from) { to.either.template emplace<ticket>(from[2]); });
  each([](others<TypeParam>& to, const sources& from) { to.boxed.emplace(from[2]); });
  each([](others<TypeParam>& to, const sources& from) { to.boxed = from[2]; });
  each([](others<TypeParam>& to, const sources& from) { static_cast<void>(to.pooled.add(from[2])); });
  each([](others<TypeParam>& to, const sources& from) {
    for (const ticket& one : from.all()) to.waiting.push_back(one);
    to.waiting.pop_front();
    to.waiting.push_back(from[1]);
  });
  each([](others<TypeParam>& to, const sources& from) { to.waiting.emplace_back(from[1]); });
}

} // namespace padding_test
