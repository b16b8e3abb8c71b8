// SPDX-License-Identifier: Apache-2.0
// Files of values that are larger than the stack: loading into an existing value needs no copy on
// the stack.
#include <ingot/file/load.hpp>
#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>

#include "file/simulated_disk.hpp"
#include "small_stack.hpp"

#include <array>
#include <cstdint>
#include <memory>

#include <gtest/gtest.h>

namespace file_small_stack_test {

using file_test::simulated_disk;

/// 9 MB.
struct world {
  std::array<std::array<std::uint32_t, 1024>, 2304> cells{};
  std::uint64_t number = 7;
};
struct world_before {
  std::array<std::array<std::uint16_t, 1024>, 2304> cells{};
  std::uint64_t number = 7;
};

/// Saves a value as `Saved` and loads it as `world`, on a small stack.
template <class Saved>
void save_and_load() {
  simulated_disk disk;
  const auto value = std::make_unique<Saved>();
  const auto again = std::make_unique<world>();
  value->cells[1000][1000] = 5;
  for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
    again->cells[1000][1000] = 0;
    small_stack::run([&] {
      EXPECT_TRUE(ingot::save("x", *value, {.form = form}, disk).has_value());
      const auto loaded = ingot::load_into(*again, "x", {}, disk);
      EXPECT_TRUE(loaded.has_value()) << loaded.error().message();
      if (form == ingot::profile::packed) {
        EXPECT_TRUE(ingot::map_file<Saved>("x", {}, disk).has_value());
      }
    });
    EXPECT_EQ(again->cells[1000][1000], 5U);
  }
}

TEST(file_small_stack, larger_value_is_saved_loaded_and_mapped) { save_and_load<world>(); }
TEST(file_small_stack, larger_value_of_an_older_version_is_loaded) { save_and_load<world_before>(); }

TEST(file_small_stack, larger_records_of_a_log_are_written_and_read) {
  simulated_disk disk;
  const auto value = std::make_unique<world_before>();
  value->cells[1000][1000] = 5;
  const auto same = std::make_unique<world_before>();
  const auto newer = std::make_unique<world>();
  small_stack::run([&] {
    auto log = ingot::log_writer<world_before>::open("log", {}, disk);
    ASSERT_TRUE(log.has_value());
    EXPECT_TRUE(log->append(*value).has_value());
    auto read = ingot::log_reader<world_before>::open("log", {}, disk);
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->next(*same).value_or(false));
    auto read_as_newer = ingot::log_reader<world>::open("log", {}, disk);
    ASSERT_TRUE(read_as_newer.has_value());
    EXPECT_TRUE(read_as_newer->next(*newer).value_or(false));
  });
  EXPECT_EQ(same->cells[1000][1000], 5U);
  EXPECT_EQ(newer->cells[1000][1000], 5U);
}

} // namespace file_small_stack_test
