// SPDX-License-Identifier: Apache-2.0
// Links and large values when a block of an older type is opened as the current type. Files of such
// blocks are in tests/file/older_live_file_test.cpp.
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace live_evolution_test {

using ingot::errc;

struct node {
  int value = 0;
  ingot::ref<node> next;
};
struct graph {
  ingot::pool<node> nodes;
  ingot::ref<node> first;
};
struct with_other_pool { // without renamed_from, so it is another pool
  ingot::pool<node> objects;
  ingot::ref<node> first;
};
struct with_named_pool {
  ingot::ref<node> first;
  ingot::pool<node> objects;
};
struct with_vector {
  ingot::vector<node> nodes;
  ingot::ref<node> first;
};
struct shelf {
  ingot::vector<graph> graphs;
  int height = 0;
};
struct shelf_with_others {
  ingot::vector<with_other_pool> graphs;
  int height = 0;
};
struct stones_v1 {
  ingot::pool<int> stones;
  int height = 7;
};
struct stones {
  int height = 0;
};
struct upgraded_graph { // its upgrade erases nodes, or does not
  ingot::pool<node> nodes;
  ingot::ref<node> first;
  bool erases = true;
};
struct world_v1 {
  ingot::string text;
  std::uint16_t cm = 0;
};
struct world {
  ingot::string text;
  std::uint32_t mm = 0;
};
struct dictionary_v1 {
  ingot::map<int, ingot::string> words;
  int extra = 0;
};
struct dictionary {
  ingot::map<int, ingot::string> words;
};

} // namespace live_evolution_test

template <>
inline constexpr auto ingot::annotations<live_evolution_test::with_named_pool> =
    ingot::annotate(ingot::member<"objects">(ingot::renamed_from("nodes")));
template <>
inline constexpr auto ingot::annotations<live_evolution_test::graph> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<live_evolution_test::upgraded_graph> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<live_evolution_test::world_v1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<live_evolution_test::world> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<live_evolution_test::upgraded_graph> {
  using type = live_evolution_test::graph;
  static void upgrade(const type& old, live_evolution_test::upgraded_graph& upgraded) {
    upgraded.nodes = old.nodes;
    upgraded.first = old.first;
    upgraded.erases = old.nodes.size() > 1;
    if (upgraded.erases) upgraded.nodes.erase(upgraded.nodes.begin());
  }
};
template <>
struct ingot::previous<live_evolution_test::world> {
  using type = live_evolution_test::world_v1;
  static void upgrade(const type& old, live_evolution_test::world& upgraded) {
    upgraded.text = old.text;
    upgraded.mm = old.cm * 10U;
  }
};

namespace live_evolution_test {

ingot::live<graph> graph_of(int nodes) {
  ingot::live<graph> block;
  for (int i = 0; i < nodes; ++i) {
    block->first = block->nodes.add();
    block->nodes.get(block->first)->value = i;
  }
  return block;
}
template <class To, class From>
ingot::result<ingot::live<To>> opened(const ingot::live<From>& from) {
  const auto conversion = ingot::live_evolution<To>::from(ingot::layout_of<From>());
  if (!conversion) return ingot::fail(conversion.error());
  return conversion->open(from.bytes());
}
template <class To, class From>
std::string why_not(const ingot::live<From>& from) {
  const auto block = opened<To>(from);
  return block ? "" : block.error().message();
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(live_evolution, removes_no_pool_whose_links_it_reads) {
  // In the current pool the links would find whatever is inserted next.
  const auto block = graph_of(3);
  const std::string removed = why_not<with_other_pool>(block);
  EXPECT_TRUE(has(removed, "(nodes)") && has(removed, "links")) << removed;
  const std::string changed = why_not<with_vector>(block);
  EXPECT_TRUE(has(changed, "(nodes)") && has(changed, "links")) << changed;
  const std::string nested = why_not<shelf_with_others>(ingot::live<shelf>());
  EXPECT_TRUE(has(nested, "(graphs[].nodes)")) << nested;
}

TEST(live_evolution, finds_a_pool_by_its_former_name) {
  const auto block = graph_of(3);
  const auto named = opened<with_named_pool>(block);
  ASSERT_TRUE(named) << named.error().message();
  ASSERT_NE((*named)->objects.get((*named)->first), nullptr);
  EXPECT_EQ((*named)->objects.get((*named)->first)->value, 2);
}

TEST(live_evolution, removes_a_pool_if_no_link_is_read) {
  ingot::live<stones_v1> block;
  block->stones.add(5);
  const auto without = opened<stones>(block);
  ASSERT_TRUE(without) << without.error().message();
  EXPECT_EQ((*without)->height, 7);
}

TEST(live_evolution, rejects_the_pool_that_an_upgrade_has_erased_from) {
  const auto opened_graph = opened<upgraded_graph>(graph_of(1));
  ASSERT_TRUE(opened_graph) << opened_graph.error().message();
  EXPECT_NE((*opened_graph)->nodes.get((*opened_graph)->first), nullptr);
  // the link would find nothing, or another node
  const std::string why = why_not<upgraded_graph>(graph_of(3));
  EXPECT_TRUE(has(why, "(nodes)") && has(why, "links")) << why;
}

TEST(live_evolution, upgrades_what_is_larger_than_a_block_has_by_itself) {
  ingot::live<world_v1> block(ingot::max_block_size{std::size_t{16} << 20});
  block->text = std::string(3'000'000, 'x');
  block->cm = 3;
  const auto upgraded = opened<world>(block);
  ASSERT_TRUE(upgraded) << upgraded.error().message();
  EXPECT_EQ((*upgraded)->text.size(), 3'000'000U);
  EXPECT_EQ((*upgraded)->mm, 30U);
}

TEST(live_evolution, reads_values_of_maps_that_are_larger_than_a_block_has_by_itself) {
  ingot::live<dictionary_v1> block(ingot::max_block_size{std::size_t{16} << 20});
  block->words[1] = "short";
  block->words[2] = std::string(3'000'000, 'x');
  const auto read = opened<dictionary>(block);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ((*read)->words.at(2).size(), 3'000'000U);
}

TEST(live_evolution, messages_of_pools_keep_links_or_are_rejected) {
  auto block = graph_of(3);
  const auto message = ingot::pack(*block);
  ASSERT_TRUE(message);
  ingot::live<graph> again;
  ASSERT_TRUE(ingot::unpack_into(*again, *message));
  EXPECT_TRUE(again == block);
  EXPECT_TRUE(ingot::compact::pack(*block));

  block->nodes.erase(block->nodes.begin());
  const auto packed = ingot::pack(*block);
  const auto compact = ingot::compact::pack(*block);
  ASSERT_FALSE(packed || compact);
  EXPECT_EQ(packed.error().code(), errc::invalid_value);
  EXPECT_TRUE(has(packed.error().message(), "(nodes)")) << packed.error().message();
  EXPECT_TRUE(has(compact.error().message(), "(nodes)")) << compact.error().message();
}

} // namespace live_evolution_test
