// SPDX-License-Identifier: Apache-2.0
// Files of live blocks of an older version of a type, loaded as the current one, by the layout in
// the file.
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/file/detail/replace_file.hpp>
#include <ingot/file/edit_file.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/variant.hpp>

#include "file/file_tools.hpp"

#include <bitset>
#include <chrono>
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace older_live_file_test {

using namespace file_test;
using ingot::errc;

enum class old_mood : std::uint8_t { calm = 0, angry = 1 };
enum class mood : std::uint16_t { angry = 100, calm = 200, sad = 300 };

namespace yesterday {
struct weapon {
  ingot::string name;
  std::uint16_t damage = 0;
  old_mood of = old_mood::calm;
};
struct hero {
  ingot::string name;
  std::int32_t gold = 0;
  ingot::string title;
  ingot::vector<weapon> weapons;
  ingot::hash_map<ingot::string, std::uint8_t> skills;
  ingot::map<std::int16_t, weapon> slots;
  ingot::hash_set<std::uint16_t> seen;
  ingot::vector<float> path;
  ingot::variant<int, ingot::string> luck;
  std::bitset<12> marks;
  std::chrono::duration<std::int32_t, std::milli> age{};
  std::complex<float> where;
  ingot::optional<ingot::string> motto;
  ingot::string nick;
};
} // namespace yesterday

namespace today {
struct weapon {
  std::uint32_t damage = 0; // wider, and first
  mood of = mood::sad;
  ingot::string name;
  float weight = 2.5F; // new
};
struct hero {
  ingot::vector<weapon> weapons;
  ingot::string name;
  ingot::optional<std::int64_t> gold;
  ingot::map<ingot::string, int> quests; // new; the title is removed
  ingot::hash_map<ingot::string, std::uint32_t> skills;
  ingot::map<std::int32_t, weapon> slots;
  ingot::hash_set<std::uint64_t> seen;
  ingot::vector<float> path;
  ingot::variant<int, ingot::string, double> luck;
  std::bitset<70> marks;
  std::chrono::duration<std::int64_t, std::milli> age{};
  std::complex<double> where;
  ingot::optional<ingot::string> motto;
  ingot::string alias;
};
} // namespace today

namespace upgraded {
struct window_v1 {
  ingot::string title;
  std::uint16_t width_cm = 0;
};
struct window {
  ingot::string title;
  std::uint32_t width_mm = 0;
};
struct point_v1 {
  int x = 0;
};
struct point {
  int x = 0;
  int y = 0;
};
struct desk_v1 {
  ingot::vector<window_v1> windows;
  point_v1 cursor;
};
struct desk {
  ingot::vector<window> windows;
  point cursor;
};
struct desk_between { // in the new form, but without a member
  ingot::vector<window> windows;
};
} // namespace upgraded

namespace linked {
struct node_v1 {
  ingot::string name;
  ingot::ref<node_v1> next;
};
struct graph_v1 {
  ingot::pool<node_v1> nodes;
  ingot::ref<node_v1> first;
};
struct node {
  ingot::ref<node> next;
  ingot::string name;
  int weight = 7;
};
struct graph {
  ingot::ref<node> first;
  ingot::pool<node> nodes;
};
} // namespace linked

struct wide_hero {
  ingot::wide::string name;
  ingot::wide::vector<std::uint32_t> scores;
};
struct narrow_hero {
  ingot::string name;
  ingot::vector<std::uint32_t> scores;
};
struct far_hero { // the same members at other positions
  alignas(16) ingot::string name;
  alignas(16) ingot::vector<std::uint32_t> scores;
};

struct chain_v1 {
  ingot::box<chain_v1> next;
};
struct chain {
  ingot::box<chain> next;
  int extra = 0;
};

} // namespace older_live_file_test

template <>
inline constexpr auto ingot::annotations<older_live_file_test::today::hero> =
    ingot::annotate(ingot::member<"alias">(ingot::renamed_from("nick")));
template <>
inline constexpr auto ingot::annotations<older_live_file_test::upgraded::window_v1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<older_live_file_test::upgraded::window> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<older_live_file_test::upgraded::point_v1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<older_live_file_test::upgraded::point> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<older_live_file_test::upgraded::window> {
  using type = older_live_file_test::upgraded::window_v1;
  static ingot::result<void> upgrade(const type& old,
                                     older_live_file_test::upgraded::window& upgraded_window) {
    if (old.width_cm == 13) return ingot::fail(ingot::error(ingot::errc::invalid_value));
    upgraded_window.title = old.title;
    upgraded_window.width_mm = old.width_cm * 10U;
    return {};
  }
};
template <>
// without containers: works as for any type
struct ingot::previous<older_live_file_test::upgraded::point> {
  using type = older_live_file_test::upgraded::point_v1;
  static older_live_file_test::upgraded::point upgrade(type&& old) { return {old.x, -old.x}; }
};

namespace older_live_file_test {

ingot::live<yesterday::hero> old_hero() {
  ingot::live<yesterday::hero> hero;
  hero->name = "Ada, whose name is longer than fits into a string.";
  hero->gold = -70;
  hero->title = "of old";
  for (const char* name : {"axe", "a bow that is quite a long one"}) {
    auto& weapon = hero->weapons.emplace_back();
    weapon.name = name;
    weapon.damage = 65'535;
    weapon.of = old_mood::angry;
  }
  for (int i = 0; i < 40; ++i) {
    hero->skills.emplace("skill " + std::to_string(i), static_cast<std::uint8_t>(i));
    hero->slots[static_cast<std::int16_t>(20 - i)].damage = static_cast<std::uint16_t>(i);
    hero->seen.insert(static_cast<std::uint16_t>(i * 777));
    hero->path.push_back(static_cast<float>(i) / 3);
  }
  hero->luck = std::string("good");
  hero->marks = 0xA5F;
  hero->age = std::chrono::milliseconds(1234);
  hero->where = {1.5F, -2};
  hero->motto = std::string("onwards");
  hero->nick = "A.";
  return hero;
}

TEST(older_live_file, is_read_by_the_names_of_its_members) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("hero", old_hero(), {}, disk));
  auto hero = ingot::load<ingot::live<today::hero>>("hero", {}, disk);
  ASSERT_TRUE(hero) << hero.error().message();
  EXPECT_EQ((*hero)->name, "Ada, whose name is longer than fits into a string.");
  EXPECT_EQ((*hero)->gold, -70);
  ASSERT_EQ((*hero)->weapons.size(), 2U);
  EXPECT_EQ((*hero)->weapons[1].name, "a bow that is quite a long one");
  EXPECT_EQ((*hero)->weapons[1].damage, 65'535U);
  EXPECT_EQ((*hero)->weapons[1].weight, 2.5F);
  EXPECT_EQ((*hero)->weapons[1].of, mood::angry);
  EXPECT_TRUE((*hero)->quests.empty());
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ((*hero)->skills.at("skill " + std::to_string(i)), static_cast<unsigned>(i));
    EXPECT_EQ((*hero)->slots.at(20 - i).damage, static_cast<unsigned>(i));
    EXPECT_TRUE((*hero)->seen.contains(static_cast<std::uint64_t>(i) * 777));
    EXPECT_EQ((*hero)->path[static_cast<std::size_t>(i)], static_cast<float>(i) / 3);
  }
  EXPECT_EQ((*hero)->luck.index(), 1U);
  EXPECT_EQ((*hero)->marks, std::bitset<70>(0xA5F));
  EXPECT_EQ((*hero)->age, std::chrono::milliseconds(1234));
  EXPECT_EQ((*hero)->where, (std::complex<double>(1.5, -2)));
  EXPECT_EQ(*(*hero)->motto, "onwards");
  EXPECT_EQ((*hero)->alias, "A.");
  (*hero)->quests.emplace("find the ring", 1); // it can grow
  EXPECT_TRUE(ingot::live<today::hero>::open(hero->bytes()));
}

TEST(older_live_file, of_the_current_type_needs_no_schema_and_no_evolution) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("hero", ingot::live<narrow_hero>(), {.schema = false}, disk));
  EXPECT_TRUE(ingot::load<ingot::live<narrow_hero>>("hero", {}, disk));
  const auto same = ingot::live_evolution<narrow_hero>::from(ingot::layout_of<narrow_hero>());
  EXPECT_TRUE(same && same->is_identity());
  const auto far = ingot::load<ingot::live<far_hero>>("hero", {}, disk);
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().code(), errc::layout_mismatch);
}

TEST(older_live_file, that_cannot_be_read_as_the_type_names_the_member_and_both_sides) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("node", ingot::live<linked::node_v1>(), {}, disk));
  // its next is a box, not a link
  const auto chained = ingot::load<ingot::live<chain>>("node", {}, disk);
  ASSERT_FALSE(chained);
  EXPECT_EQ(chained.error().code(), errc::schema_mismatch);
  const std::string why = chained.error().message();
  for (const char* part : {"[node].next", "record", "ref", "that a link can be read as"})
    EXPECT_NE(why.find(part), std::string::npos) << why;
}

TEST(older_live_file, is_mapped_as_nothing_but_what_it_was_and_the_error_says_to_load_it) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("hero", old_hero(), {}, disk));
  const auto draft = ingot::map_file<ingot::live<today::hero>>("hero", {}, disk);
  const auto seen = ingot::map_file<ingot::live_view<today::hero>>("hero", {}, disk);
  ASSERT_FALSE(draft || seen);
  for (const auto& why : {draft.error(), seen.error()}) {
    EXPECT_EQ(why.code(), errc::schema_mismatch);
    EXPECT_NE(why.message().find("`load`"), std::string::npos) << why.message();
  }
}

// Two different fingerprints would not say what to correct.
TEST(older_live_file, is_rejected_where_it_lies_by_the_first_member_that_differs) {
  const auto says = [](const ingot::error& err, errc code, std::string_view path, std::string_view expected,
                       std::string_view found) {
    EXPECT_EQ(err.code(), code) << err.message();
    EXPECT_EQ(err.path(), path) << err.message();
    EXPECT_TRUE(err.expected().starts_with(expected)) << err.message();
    EXPECT_EQ(err.found(), found) << err.message();
    EXPECT_NE(err.message().find("`load`"), std::string::npos) << err.message();
  };
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("hero", old_hero(), {}, disk));
  using block = ingot::live<today::hero>;
  using view = ingot::live_view<today::hero>;
  const std::string_view first = "weapons, vector (";
  says(ingot::map_file<block>("hero", {}, disk).error(), errc::schema_mismatch, "[hero].weapons", first,
       "name, string");
  says(ingot::map_file<view>("hero", {}, disk).error(), errc::schema_mismatch, "[hero].weapons", first,
       "name, string");
  says(ingot::map_file_unchecked<view>("hero", {}, disk).error(), errc::schema_mismatch, "[hero].weapons",
       first, "name, string");
  ASSERT_TRUE(ingot::save("desk", ingot::live<upgraded::desk_v1>(), {}, disk));
  says(ingot::map_file<ingot::live<upgraded::desk>>("desk", {}, disk).error(), errc::schema_mismatch,
       "[desk].windows[]", "record window of version 2 (", "record window_v1 of version 1");
  ASSERT_TRUE(ingot::save("narrow", ingot::live<narrow_hero>(), {}, disk));
  says(ingot::map_file<ingot::live_view<far_hero>>("narrow", {}, disk).error(), errc::layout_mismatch,
       "[narrow]", "record far_hero, 32 bytes aligned to 16 (", "record narrow_hero, 24 bytes aligned to 4");
#if UINTPTR_MAX > 0xFFFFFFFF // other machines have no wide blocks
  says(ingot::map_file<ingot::wide::live_view<wide_hero>>("narrow", {}, disk).error(), errc::layout_mismatch,
       "[narrow]", "64-bit offsets (", "32-bit offsets");
#endif
  // Without a description the fingerprints are compared.
  ASSERT_TRUE(ingot::save("bare", old_hero(), {.schema = false}, disk));
  const auto bare = ingot::map_file<view>("bare", {}, disk).error();
  EXPECT_EQ(bare.code(), errc::schema_mismatch);
  EXPECT_TRUE(bare.expected().starts_with("schema_id 0x")) << bare.message();
  EXPECT_TRUE(bare.found().starts_with("schema_id 0x")) << bare.message();
  EXPECT_EQ(ingot::load<block>("bare", {}, disk).error().message(), bare.message());
}

TEST(older_live_file, is_not_edited_as_another_type_and_the_first_member_that_differs_is_named) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::create_edited_file(folder / "desk", ingot::live<upgraded::desk_v1>())->close());
  const auto why = ingot::edit_file<ingot::live<upgraded::desk_between>>(folder / "desk").error();
  EXPECT_EQ(why.code(), errc::schema_mismatch);
  EXPECT_TRUE(why.path().ends_with("desk].windows[]")) << why.message();
  EXPECT_EQ(why.found(), "record window_v1 of version 1");
  EXPECT_TRUE(ingot::edit_file<ingot::live<upgraded::desk_v1>>(folder / "desk")) << "nothing was marked";
}

TEST(older_live_file, of_another_layout_of_the_same_members_is_read) {
  simulated_disk disk;
  ingot::wide::live<wide_hero> wide;
  wide->name = "a name that is longer than what fits in a string of either kind";
  wide->scores = std::vector<std::uint32_t>{1, 2, 3};
  ASSERT_TRUE(ingot::save("wide", wide, {}, disk));
  ASSERT_EQ(ingot::schema_id<wide_hero>, ingot::schema_id<narrow_hero>);
  const auto narrow = ingot::load<ingot::live<narrow_hero>>("wide", {}, disk);
  ASSERT_TRUE(narrow) << narrow.error().message();
  EXPECT_EQ((*narrow)->name, wide->name);
  EXPECT_EQ((*narrow)->scores.size(), 3U);
  ASSERT_TRUE(ingot::save("narrow", *narrow, {}, disk));
  const auto far = ingot::load<ingot::live<far_hero>>("narrow", {}, disk);
  ASSERT_TRUE(far) << far.error().message();
  EXPECT_EQ((*far)->scores[2], 3U);
  const auto mapped = ingot::map_file<ingot::live_view<far_hero>>("narrow", {}, disk);
  ASSERT_FALSE(mapped);
  EXPECT_EQ(mapped.error().code(), errc::layout_mismatch);
}

TEST(older_live_file, of_earlier_versions_is_upgraded_in_place_by_the_types_own_code) {
  simulated_disk disk;
  ingot::live<upgraded::desk_v1> old;
  auto& window = old->windows.emplace_back();
  window.title = "a title that is longer than a string";
  window.width_cm = 12;
  old->cursor.x = 5;
  ASSERT_TRUE(ingot::save("desk", old, {}, disk));
  const auto desk = ingot::load<ingot::live<upgraded::desk>>("desk", {}, disk);
  ASSERT_TRUE(desk) << desk.error().message();
  ASSERT_EQ((*desk)->windows.size(), 1U);
  EXPECT_EQ((*desk)->windows[0].title, "a title that is longer than a string");
  EXPECT_EQ((*desk)->windows[0].width_mm, 120U);
  EXPECT_EQ((*desk)->cursor.y, -5);

  old->windows[0].width_cm = 13; // the conversion code rejects this
  ASSERT_TRUE(ingot::save("desk", old, {}, disk));
  const auto rejected = ingot::load<ingot::live<upgraded::desk>>("desk", {}, disk);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::invalid_value);
  EXPECT_NE(rejected.error().message().find("windows[0]"), std::string::npos) << rejected.error().message();
}

TEST(older_live_file, of_the_version_that_the_type_has_is_not_upgraded_again) {
  simulated_disk disk;
  ingot::live<upgraded::desk_between> between;
  between->windows.emplace_back().width_mm = 7;
  ASSERT_TRUE(ingot::save("desk", between, {}, disk));
  const auto desk = ingot::load<ingot::live<upgraded::desk>>("desk", {}, disk);
  ASSERT_TRUE(desk) << desk.error().message();
  EXPECT_EQ((*desk)->windows[0].width_mm, 7U);
  // And a newer version of the type is rejected.
  const auto back =
      ingot::live_evolution<upgraded::desk_v1>::from(ingot::layout_of<upgraded::desk_between>());
  ASSERT_FALSE(back);
  EXPECT_NE(back.error().message().find("newer version"), std::string::npos) << back.error().message();
}

ingot::live<linked::graph_v1> old_graph() {
  ingot::live<linked::graph_v1> graph;
  const auto a = graph->nodes.add();
  const auto b = graph->nodes.add();
  graph->nodes.get(a)->name = "a";
  graph->nodes.get(b)->name = "b";
  graph->nodes.get(a)->next = b;
  graph->nodes.get(b)->next = a;
  graph->first = b;
  return graph;
}

TEST(older_live_file, keeps_its_links) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("graph", old_graph(), {}, disk));
  const auto loaded = ingot::load<ingot::live<linked::graph>>("graph", {}, disk);
  ASSERT_TRUE(loaded) << loaded.error().message();
  const linked::graph& graph = **loaded;
  ASSERT_EQ(graph.nodes.size(), 2U);
  const linked::node* const b = graph.nodes.get(graph.first);
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->name, "b");
  EXPECT_EQ(b->weight, 7);
  ASSERT_NE(graph.nodes.get(b->next), nullptr);
  EXPECT_EQ(graph.nodes.get(b->next)->name, "a");
}

TEST(older_live_file, whose_links_would_find_other_objects_is_rejected_by_the_pools_name) {
  simulated_disk disk;
  auto graph = old_graph();
  graph->nodes.erase(graph->nodes.get(graph->first)->next); // a, before b
  ASSERT_TRUE(ingot::save("graph", graph, {}, disk));
  const auto loaded = ingot::load<ingot::live<linked::graph>>("graph", {}, disk);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code(), errc::layout_mismatch);
  EXPECT_NE(loaded.error().message().find("[graph].nodes"), std::string::npos) << loaded.error().message();
  EXPECT_NE(loaded.error().message().find("links"), std::string::npos) << loaded.error().message();
}

TEST(older_live_file, that_nests_deeper_than_messages_do_is_rejected) {
  const auto make = [](int depth) {
    ingot::live<chain_v1> block;
    chain_v1* last = &*block;
    for (int i = 0; i < depth; ++i) last = &last->next.emplace();
    return block;
  };
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("chain", make(100), {}, disk));
  EXPECT_TRUE(ingot::load<ingot::live<chain>>("chain", {}, disk));
  ASSERT_TRUE(ingot::save("chain", make(10'000), {}, disk));
  const auto deep = ingot::load<ingot::live<chain>>("chain", {}, disk);
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().code(), errc::too_deep);
}

TEST(older_live_file, may_need_more_than_the_default_maximum_size) {
  simulated_disk disk;
  ingot::live<narrow_hero> old(ingot::max_block_size{std::size_t{64} << 20});
  old->name = std::string(3'000'000, 'x');
  old->scores = std::vector<std::uint32_t>(200'000, 9);
  ASSERT_TRUE(ingot::save("large", old, {}, disk));
  const auto far =
      ingot::load<ingot::live<far_hero>>("large", {.max_size = ingot::max_block_size{65'536}}, disk);
  ASSERT_TRUE(far) << far.error().message();
  EXPECT_EQ((*far)->name.size(), 3'000'000U);
  EXPECT_EQ((*far)->scores[199'999], 9U);
}

TEST(older_live_file, whose_description_is_of_another_block_is_rejected) {
  simulated_disk disk;
  const auto hero = old_hero();
  const ingot::bytes_view description = ingot::layout_of<linked::graph_v1>();
  ASSERT_TRUE(ingot::detail::save_payload(disk, "hero",
                                          ingot::detail::file_form<ingot::live<yesterday::hero>>::info({}),
                                          hero.bytes(), description, ingot::detail::replacing::fast));
  const auto loaded = ingot::load<ingot::live<today::hero>>("hero", {}, disk);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code(), errc::schema_mismatch);
  EXPECT_NE(loaded.error().message().find("schema_id of the schema in the file"), std::string::npos);
  ingot::file_info info = ingot::detail::file_form<ingot::live<yesterday::hero>>::info({});
  ++info.layout_id;
  ASSERT_TRUE(ingot::detail::save_payload(
      disk, "hero", info, hero.bytes(), ingot::layout_of<yesterday::hero>(), ingot::detail::replacing::fast));
  const auto other = ingot::load<ingot::live<today::hero>>("hero", {}, disk);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), errc::layout_mismatch);
  EXPECT_NE(other.error().message().find("layout_id of the schema in the file"), std::string::npos);
}

TEST(older_live_file, damaged_anywhere_is_rejected_with_its_checksums_or_harmless_without) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("graph", old_graph(), {}, disk));
  byte_vector bytes = disk.content("graph");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const std::byte flip : {std::byte{1}, std::byte{0x80}}) {
      bytes[i] ^= flip;
      disk.put("graph", bytes);
      EXPECT_FALSE(ingot::load<ingot::live<linked::graph>>("graph", {}, disk)) << i;
      const auto without = ingot::load<ingot::live<linked::graph>>("graph", {.checksum = false}, disk);
      EXPECT_TRUE(!without || ingot::live<linked::graph>::open(without->bytes())) << i;
      bytes[i] ^= flip;
    }
  }
}

} // namespace older_live_file_test
