// SPDX-License-Identifier: Apache-2.0
// Objects in a block: which types hold offsets; how objects are bound, moved, exchanged and
// destroyed; and the state after a constructor throws.
#include <ingot/live/detail/element.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"
#include "live/failures.hpp"
#include "live/thrower.hpp"

#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstring>
#include <utility>

#include <gtest/gtest.h>

namespace element_test {

using namespace live_test;
using ingot::live;
namespace detail = ingot::detail;

enum class tint : std::uint8_t { red, green };
struct flat {
  int number;
  tint colour;
  std::array<double, 3> point;
  std::pair<char, bool> both;
};
struct named {
  flat inner;
  ingot::string name;
};
struct deep {
  std::array<std::pair<int, named>, 2> pairs;
  ingot::vector<named> all;
};
struct loop {
  ingot::vector<loop> children;
};

static_assert(!detail::holds_offsets<int> && !detail::holds_offsets<flat> && !detail::holds_offsets<tint[3]>);
static_assert(!detail::holds_offsets<std::chrono::seconds> && !detail::holds_offsets<std::complex<float>>);
static_assert(detail::holds_offsets<ingot::string> && detail::holds_offsets<const ingot::string>);
static_assert(detail::holds_offsets<named> && detail::holds_offsets<deep>);
static_assert(detail::holds_offsets<ingot::string[2]> &&
              detail::holds_offsets<std::pair<int, ingot::vector<int>>>);
static_assert(detail::holds_offsets<loop> && detail::contains_itself<ingot::vector<loop>> &&
              !detail::contains_itself<ingot::vector<deep>>);

struct two {
  deep a;
  deep b;
};

std::size_t containers_of(deep& object) {
  std::size_t count = 0;
  detail::for_each_container(object, [&](auto&) { ++count; });
  return count;
}

TEST(live_element, every_container_directly_in_an_object_is_visited) {
  live<two> block;
  EXPECT_EQ(containers_of(block->a), 3U); // without those in the vector's elements
  block->a.all.emplace_back();
  EXPECT_EQ(containers_of(block->a), 3U);
}

TEST(live_element, a_new_object_is_part_of_the_block) {
  live<two> block;
  detail::for_each_container(*block, [&](auto& c) {
    EXPECT_TRUE(detail::container_access::anchor_of(c).bound());
    EXPECT_EQ(detail::container_access::anchor_of(c).data(),
              block.bytes().data() + detail::sentinel_position);
  });
}

TEST(live_element, objects_exchange_their_bytes_and_keep_what_they_hold) {
  live<two> block;
  block->a.pairs[0].second.name.assign("a name that is in a storage");
  block->a.pairs[1].second.name.assign("in place");
  block->b.pairs[1].second.name.assign("another name in a storage");
  block->b.all.emplace_back();
  block->b.all[0].name.assign("a third name in a storage");
  const char* const text = block->a.pairs[0].second.name.data();
  detail::swap_objects(block->a, block->b);
  EXPECT_EQ(block->b.pairs[0].second.name.data(), text);
  EXPECT_EQ(block->b.pairs[1].second.name, "in place");
  EXPECT_EQ(block->a.pairs[1].second.name, "another name in a storage");
  EXPECT_EQ(block->a.all[0].name, "a third name in a storage");
  EXPECT_TRUE(block->b.all.empty());
  detail::swap_objects(block->a, block->a);
  EXPECT_EQ(block->a.all[0].name, "a third name in a storage");
  expect_accounted(block);
  expect_opens_again(block);
}

TEST(live_element, relocated_objects_overlap_where_they_were) {
  struct names {
    std::array<ingot::string, 6> all;
  };
  live<names> block;
  auto& all = block->all;
  for (std::size_t i = 0; i < 5; ++i) all[i].assign(std::string(i * 6, static_cast<char>('a' + i)));
  detail::relocate(&all[1], &all[0], 5); // up by one; the bytes of the last object are not needed
  ::new (static_cast<void*>(&all[0])) ingot::string();
  detail::bind(all[0], detail::block_ref<ingot::narrow_policy>(const_cast<std::byte*>(block.bytes().data())));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(all[i + 1], std::string(i * 6, static_cast<char>('a' + i)));
  expect_accounted(block);
}

TEST(live_element, destruction_gives_everything_back) {
  live<two> block;
  const std::size_t empty = block.size();
  for (int i = 0; i < 10; ++i) {
    block->a.all.emplace_back();
    block->a.all.back().name.assign("a name that is in a storage");
    block->b.pairs[0].second.name.append("and one that grows ");
  }
  EXPECT_GT(block.size(), empty);
  const detail::block_ref<ingot::narrow_policy> inside(const_cast<std::byte*>(block.bytes().data()));
  detail::destroy(block->a, inside);
  detail::destroy(block->b, inside);
  EXPECT_EQ(block.stats().used - block.stats().free_bytes, empty);
  detail::construct_default(&block->a, inside);
  detail::construct_default(&block->b, inside);
  block.trim();
  EXPECT_EQ(stale_bytes(block), 0U);
  expect_opens_again(block);
}

#if INGOT_EXCEPTIONS
struct touchy {
  std::uint32_t before = 0xFFFFFFFF;
  std::uint32_t value = next();
  static inline bool throws = false;
  static std::uint32_t next() {
    if (throws) throw thrown{};
    return 7;
  }
};

TEST(live_element, a_default_that_throws_leaves_nothing) {
  struct touchies {
    ingot::vector<touchy> all;
  };
  live<touchies> block;
  block->all.resize(2);
  block->all.reserve(10);
  touchy::throws = true;
  EXPECT_THROW(block->all.emplace_back(), thrown);
  EXPECT_THROW(block->all.resize(5), thrown);
  EXPECT_THROW(static_cast<void>(live<touchy>()), thrown);
  touchy::throws = false;
  EXPECT_EQ(block->all.size(), 2U);
  EXPECT_TRUE(is_zero_after_elements(block->all));
  expect_accounted(block);
  const live<touchy> fresh;
  EXPECT_EQ(fresh->value, 7U);
  EXPECT_TRUE(is_zero_after(fresh));
}
#endif

TEST(live_element, a_default_text_that_fits_in_place_is_bound_and_a_longer_one_is_a_clear_error) {
  struct greeting {
    ingot::string text = "hello";
  };
  live<greeting> block;
  EXPECT_EQ(block->text, "hello");
  block->text.append(" and a good deal more");
  expect_opens_again(block);
  struct too_long {
    ingot::string text = "a default that needs a storage";
  };
  EXPECT_EQ(failure_of([] { const live<too_long> never; }), ingot::out_of_space_reason::outside_block);
}

} // namespace element_test
