// SPDX-License-Identifier: Apache-2.0
// If `edit_file` accepted a file, it accepts the file again after any edit: after a close, and with
// `repair` after the editing process ended.
#include <ingot/document/live_value.hpp>
#include <ingot/file/edit_file.hpp>

#include "file/edit_file_tools.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace edit_file_reopening_test {

using namespace file_test;

struct shelf {
  ingot::live_value value;
};
using shelf_file = ingot::live<shelf>;

TEST(edit_file_reopening, value_whose_count_of_holes_is_its_size_is_edited_and_opened_again) {
  simulated_disk disk;
  shelf_file shelves;
  for (const char* const key : {"first", "second", "third"})
    shelves->value[key] = "a text of some length that has a size";
  shelves.compact();
  ASSERT_TRUE(ingot::create_edited_file("x", shelves, {}, disk).has_value());
  byte_vector file = disk.content("x");
  const auto size = static_cast<std::uint32_t>(shelves->value.bytes().size());
  std::memcpy(file.data() + payload_at + ingot::detail::root_position + 4, &size, sizeof size);
  for (const bool closes : {false, true}) {
    disk.put("x", file);
    auto opened = ingot::edit_file<shelf_file>("x", {}, disk);
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    for (const char* const key : {"third", "first", "second"}) {
      EXPECT_TRUE((*opened)->value.erase(key).has_value());
      EXPECT_TRUE(opened->sync().has_value());
      disk.put("left", disk.content("x")); // the state after a crash at this point
      const auto repaired = ingot::edit_file<shelf_file>("left", {.repair = true}, disk);
      ASSERT_TRUE(repaired.has_value()) << key << ": " << repaired.error().message();
      EXPECT_TRUE((*repaired)->value == (*opened)->value);
    }
    if (!closes) continue;
    EXPECT_TRUE(opened->close().has_value());
    EXPECT_TRUE(ingot::edit_file<shelf_file>("x", {}, disk).has_value());
  }
}

} // namespace edit_file_reopening_test
