// SPDX-License-Identifier: Apache-2.0
// Files of an older version of a type, read as the current one, by the schema in the file.
#include <ingot/file/load.hpp>
#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>

#include "file/file_tools.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace older_file_test {

using namespace file_test;
using ingot::errc;

namespace yesterday {
struct weapon {
  std::string name;
  std::uint16_t damage = 0;
};
struct hero {
  std::string name;
  std::int32_t gold = 0;
  std::string title;
  std::vector<weapon> weapons;
};
} // namespace yesterday

namespace today {
struct weapon {
  std::uint32_t damage = 0; // wider, and first
  std::string name;
  float weight = 2.5F; // new
};
struct hero {
  std::vector<weapon> weapons;
  std::string name;
  std::optional<std::int64_t> gold;
  std::map<std::string, int> quests; // new; the title is removed
};
} // namespace today

namespace elsewhere {
struct hero {
  std::string name;
  std::string gold; // was a number
};
} // namespace elsewhere

yesterday::hero old_hero() { return {"Ada", 70, "of old", {{"axe", 7}, {"bow", 65'535}}}; }

void expect_upgraded(const today::hero& hero) {
  EXPECT_EQ(hero.name, "Ada");
  EXPECT_EQ(hero.gold, 70);
  ASSERT_EQ(hero.weapons.size(), 2U);
  EXPECT_EQ(hero.weapons[1].name, "bow");
  EXPECT_EQ(hero.weapons[1].damage, 65'535U);
  EXPECT_EQ(hero.weapons[1].weight, 2.5F);
  EXPECT_TRUE(hero.quests.empty());
}

TEST(older_file, is_read_by_the_names_of_its_members) {
  for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
    simulated_disk disk;
    ASSERT_TRUE(ingot::save("hero", old_hero(), {.form = form}, disk));
    const auto hero = ingot::load<today::hero>("hero", {}, disk);
    ASSERT_TRUE(hero) << hero.error().message();
    expect_upgraded(*hero);
    today::hero into;
    into.name = "someone else";
    ASSERT_TRUE(ingot::load_into(into, "hero", {}, disk));
    expect_upgraded(into);
  }
}

TEST(older_file, without_its_schema_is_a_file_of_another_type) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("hero", old_hero(), {.schema = false}, disk));
  const auto hero = ingot::load<today::hero>("hero", {}, disk);
  ASSERT_FALSE(hero);
  EXPECT_EQ(hero.error().code(), errc::schema_mismatch);
}

TEST(older_file, that_cannot_be_read_as_the_type_names_the_member_and_both_sides) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("hero", old_hero(), {}, disk));
  const auto hero = ingot::load<elsewhere::hero>("hero", {}, disk);
  ASSERT_FALSE(hero);
  EXPECT_EQ(hero.error().code(), errc::schema_mismatch);
  const std::string why = hero.error().message();
  for (const char* part : {"[hero]", "gold", "i32", "string"})
    EXPECT_NE(why.find(part), std::string::npos) << why;
}

TEST(older_file, of_a_type_with_no_member_in_common_is_a_file_of_another_type) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("item", item{7, 1}, {}, disk));
  const auto hero = ingot::load<today::hero>("item", {}, disk);
  ASSERT_FALSE(hero);
  EXPECT_EQ(hero.error().code(), errc::schema_mismatch);
  EXPECT_EQ(hero.error().expected(), "any of 4 members: weapons, name, gold, quests");
  EXPECT_EQ(hero.error().found(), "item with 2 members: id, count");
  const std::string message = hero.error().message();
  EXPECT_TRUE(message.starts_with("other type at byte 0 ([item]): expected any of ")) << message;
  EXPECT_TRUE(message.ends_with("; read it as the type that wrote it, in the form that it has")) << message;
}

TEST(older_file, is_not_seen_through_a_view_of_the_new_type) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("hero", old_hero(), {}, disk));
  const auto seen = ingot::map_file<today::hero>("hero", {}, disk);
  ASSERT_FALSE(seen);
  EXPECT_EQ(seen.error().code(), errc::schema_mismatch);
}

TEST(older_file, damaged_anywhere_is_rejected_with_its_checksums_or_harmless_without) {
  simulated_disk disk;
  byte_vector bytes = file_of(old_hero());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] ^= std::byte{1};
    disk.put("hero", bytes);
    EXPECT_FALSE(ingot::load<today::hero>("hero", {}, disk)) << i;
    static_cast<void>(ingot::load<today::hero>("hero", {.checksum = false}, disk));
    bytes[i] ^= std::byte{1};
  }
}

TEST(older_file, of_records_is_read_record_by_record) {
  simulated_disk disk;
  {
    auto log = ingot::log_writer<yesterday::hero>::open("log", {}, disk).value();
    ASSERT_TRUE(log.append(old_hero()));
    ASSERT_TRUE(log.append({"Bob", -1, "", {}}));
  }
  auto reader = ingot::log_reader<today::hero>::open("log", {}, disk);
  ASSERT_TRUE(reader) << reader.error().message();
  today::hero hero;
  ASSERT_TRUE(reader->next(hero).value());
  expect_upgraded(hero);
  ASSERT_TRUE(reader->next(hero).value());
  EXPECT_EQ(hero.name, "Bob");
  EXPECT_EQ(hero.gold, -1);
  EXPECT_FALSE(reader->next(hero).value());
  EXPECT_EQ(reader->lost_bytes(), 0U);
  EXPECT_FALSE(ingot::log_writer<today::hero>::open("log", {}, disk)) << "two versions in one log";
}

} // namespace older_file_test
