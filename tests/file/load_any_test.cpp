// SPDX-License-Identifier: Apache-2.0
// Values out of files of whatever kind: what was saved as a value, and documents whose members have the names of the type's.
#include <ingot/file/edit_file.hpp>
#include <ingot/file/load_any.hpp>

#include "file/file_tools.hpp"

namespace load_any_test {

using namespace file_test;
using ingot::errc;
using ingot::load_any;

[[nodiscard]] ingot::document document_of(const hero& from) { return ingot::document(from); }

TEST(load_any, reads_packed_compact_and_compressed_values_and_documents) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "packed", ada()));
  ASSERT_TRUE(ingot::save(folder / "compact", ada(), {.form = ingot::profile::compact}));
  ASSERT_TRUE(ingot::save(folder / "document", document_of(ada())));
  ASSERT_TRUE(ingot::create_edited_file(folder / "edited", document_of(ada())));
  for (const auto* const name : {"packed", "compact", "document", "edited"}) {
    const auto loaded = load_any<hero>(folder / name);
    ASSERT_TRUE(loaded.has_value()) << name << ": " << loaded.error().message();
    EXPECT_EQ(loaded->name, ada().name);
    EXPECT_EQ(loaded->position[1], 2.5F);
    EXPECT_EQ(loaded->equips, ada().equips);
    EXPECT_EQ(loaded->items.at("rope").count, 2u);
  }
}

TEST(load_any, names_file_and_member_of_what_a_document_has_otherwise) {
  simulated_disk disk;
  ingot::document doc = document_of(ada());
  doc["equips"][1]["count"] = -1;
  disk.put("x", file_of(doc));
  const auto low = load_any<hero>("x", {}, disk);
  ASSERT_FALSE(low.has_value());
  EXPECT_EQ(low.error().code(), errc::out_of_range);
  EXPECT_EQ(low.error().path(), "[x].equips[1].count");
  doc["equips"][1]["count"] = 1;
  doc["alive"] = "yes";
  disk.put("y", file_of(doc));
  const auto other = load_any<hero>("y", {}, disk);
  EXPECT_EQ(other.error().code(), errc::type_mismatch);
  EXPECT_EQ(other.error().path(), "[y].alive");
  EXPECT_EQ(disk.open_files(), 0u);
}

TEST(load_any, refuses_what_load_refuses) {
  simulated_disk disk;
  disk.put("live", file_of(live_ada()));
  EXPECT_EQ(load_any<hero>("live", {}, disk).error().code(), errc::other_type);
  disk.put("text", file_of(std::string("text")));
  EXPECT_EQ(load_any<hero>("text", {}, disk).error().code(), errc::other_type);
  byte_vector damaged = file_of(document_of(ada()));
  for (std::size_t at = 0; at < damaged.size(); at += 5) {
    damaged[at] ^= std::byte{4};
    disk.put("damaged", damaged);
    EXPECT_FALSE(load_any<hero>("damaged", {}, disk)) << at;
    damaged[at] ^= std::byte{4};
  }
  disk.put("whole", damaged);
  EXPECT_EQ(load_any<hero>("whole", {.max_bytes = 100}, disk).error().code(), errc::too_large);
  EXPECT_TRUE(load_any<hero>("whole", {}, disk));
}

} // namespace load_any_test
