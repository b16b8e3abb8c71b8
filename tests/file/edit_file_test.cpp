// SPDX-License-Identifier: Apache-2.0
// Files that are edited and grown in place: they contain all changes, and nothing moves.
// edit_file_damage_test.cpp tests crashes, full disks and interference by other programs.
#include <ingot/file/edit_file.hpp>

#include "file/edit_file_tools.hpp"
#include "live/failures.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace edit_file_test {

using namespace file_test;
using ingot::edit_file;
using ingot::errc;

TEST(edit_file, keeps_what_is_changed_in_a_live_block) {
  const scratch_folder folder;
  {
    auto file = ingot::create_edited_file(folder / "world", live_ada());
    ASSERT_TRUE(file.has_value()) << file.error().message();
    (*file)->name = "Grace, and so on, a name that needs a storage of its own";
    for (std::uint32_t i = 0; i < 100'000; ++i) (*file)->equips.push_back({i, i + 1}); // a megabyte
    (*file)->items.erase("rope");
    ASSERT_TRUE(file->close());
    EXPECT_FALSE(*file);
    EXPECT_TRUE(file->close()) << "twice is once";
    EXPECT_TRUE(file->sync()) << "it is on the disk";
    EXPECT_FALSE(file->last_error());
    EXPECT_TRUE(file->was_closed());
  }
  for (const bool trusted : {false, true}) {
    auto file = trusted ? ingot::edit_file_unchecked<live_file>(folder / "world")
                        : edit_file<live_file>(folder / "world");
    ASSERT_TRUE(file.has_value()) << file.error().message();
    EXPECT_TRUE(file->was_closed());
    EXPECT_EQ((*file)->name, "Grace, and so on, a name that needs a storage of its own");
    ASSERT_GE((*file)->equips.size(), 100'002u);
    EXPECT_EQ((*file)->equips[100'001].count, 100'000u);
    EXPECT_TRUE((*file)->items.empty());
    (*file)->equips.push_back({trusted, 0}); // closed by the destructor
  }
  EXPECT_EQ((*edit_file<live_file>(folder / "world"))->equips.size(), 100'004u);
}

TEST(edit_file, keeps_what_is_changed_in_a_document) {
  const scratch_folder folder;
  {
    auto file = ingot::create_edited_file<ingot::document>(folder / "doc");
    ASSERT_TRUE(file.has_value()) << file.error().message();
    for (int i = 0; i < 3000; ++i) (**file)["key " + std::to_string(i)] = std::string(100, 'x');
    (**file)["key 7"] = 7;
    EXPECT_EQ((*file)->root().size(), 3000u);
  }
  for (const bool trusted : {false, true}) {
    auto file = trusted ? ingot::edit_file_unchecked<ingot::document>(folder / "doc")
                        : edit_file<ingot::document>(folder / "doc");
    ASSERT_TRUE(file.has_value()) << file.error().message();
    EXPECT_EQ((**file)["key 7"].as<int>(), 7 + trusted);
    EXPECT_EQ((**file)["key 2999"].as<std::string_view>(), std::string(100, 'x'));
    (**file)["key 7"] = 8;
  }
}

TEST(edit_file, moves_nothing_while_it_grows_and_has_no_more_than_the_block_when_it_is_closed) {
  const scratch_folder folder;
  // 100 or 3 MB
  const std::uint32_t max_count = std::getenv("INGOT_TEST_FULL") != nullptr ? 12'000'000 : 400'000;
  auto file = ingot::create_edited_file(folder / "world", live_ada());
  ASSERT_TRUE(file.has_value());
  const ingot::string* const name = &(*file)->name;
  const item* const rope = &(*file)->items.find("rope")->second;
  (*file)->equips.reserve(2);
  for (std::uint32_t i = 0; i < max_count; ++i) (*file)->equips.push_back({i, i});
  EXPECT_EQ(&(*file)->name, name);
  EXPECT_EQ(&(*file)->items.find("rope")->second, rope);
  EXPECT_EQ(rope->count, 2u);
  const auto path = folder / "world";
  EXPECT_GE(std::filesystem::file_size(path), payload_at + (*file)->equips.size() * sizeof(item));
  (*file)->equips.resize(3);
  (*file)->equips.shrink_to_fit();
  (*file)->equips.push_back({9, 9});
  (**file).compact();
  EXPECT_EQ(&(*file)->name, name) << "rewritten where it is";
  ASSERT_TRUE(file->close());
  auto same = live_ada();
  same->equips.push_back({0, 0});
  same->equips.push_back({9, 9});
  same.compact();
  EXPECT_TRUE(std::ranges::equal(payload_of(read_file(path)), same.bytes()));
}

TEST(edit_file, begins_its_payload_after_the_schema_at_a_multiple_of_any_page) {
  simulated_disk disk;
  const byte_vector bytes = edited_ada(disk);
  const auto header = ingot::detail::read_header(ingot::bytes_view(bytes).first(64), bytes.size());
  ASSERT_TRUE(header.has_value()) << header.error().message();
  EXPECT_EQ(header->payload_at(), payload_at);
  EXPECT_EQ(header->schema_at(), 64u);
  EXPECT_NE(header->info.schema_size, 0u);
  EXPECT_EQ(header->info.payload_size, bytes.size() - payload_at);
  EXPECT_TRUE(std::ranges::equal(payload_of(bytes), live_ada().bytes()));
  EXPECT_TRUE(ingot::read_file_schema("made", disk));
  auto plain = ingot::create_edited_file("plain", live_ada(), {.schema = false}, disk);
  ASSERT_TRUE(plain && plain->close());
  EXPECT_EQ(ingot::peek_file("plain", disk)->schema_size, 0u);
}

TEST(edit_file, past_its_maximum_size_is_full_and_continues_with_a_larger_one) {
  const scratch_folder folder;
  {
    auto file = ingot::create_edited_file(folder / "world", live_ada(), {.max_size = {100'000}});
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ((**file).max_size(), 100'000u);
    std::size_t taken = 2;
    while ((*file)->equips.try_emplace_back(item{1, 1}) != nullptr) ++taken;
    EXPECT_EQ((*file)->equips.size(), taken);
    EXPECT_GT(taken, 3000u);
    EXPECT_FALSE(file->last_error()) << "nothing is wrong with the file";
#if INGOT_EXCEPTIONS
    try {
      (*file)->equips.reserve(1'000'000);
      ADD_FAILURE();
    } catch (const ingot::out_of_space& why) {
      EXPECT_EQ(why.why(), ingot::out_of_space_reason::full);
    }
#endif
  }
  auto file = edit_file<live_file>(folder / "world");
  ASSERT_TRUE(file.has_value()) << file.error().message();
  (*file)->equips.resize(1'000'000);
  EXPECT_EQ((*file)->equips[1].id, 8u);
  EXPECT_FALSE((**file).reserve(1 << 20)) << "at once, nothing moves";
}

TEST(edit_file, becomes_a_file_that_lasts_by_save) {
  const scratch_folder folder;
  auto file = ingot::create_edited_file(folder / "world.edit", live_ada());
  (*file)->name = "Grace";
  ASSERT_TRUE(ingot::save(folder / "world.ingot", **file));
  (*file)->name = "Edsger";
  EXPECT_EQ((*ingot::load<live_file>(folder / "world.ingot"))->name, "Grace");
  EXPECT_TRUE(file->sync());
  // Saving over the edited file itself also works: programs that open the name then find an
  // ordinary file.
  ASSERT_TRUE(ingot::save(folder / "world.edit", **file));
  EXPECT_TRUE(file->close());
  EXPECT_EQ((*ingot::load<live_file>(folder / "world.edit"))->name, "Edsger");
  EXPECT_EQ(edit_file<live_file>(folder / "world.edit").error().code(), errc::schema_mismatch);
}

TEST(edit_file, says_while_it_is_open_that_it_is_being_edited) {
  const scratch_folder folder;
  const auto path = folder / "doc";
  auto file = ingot::create_edited_file(path, ada_document());
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(info_of(path)->kind, ingot::file_kind::edited_document);
  EXPECT_FALSE(info_of(path)->closed);
  const auto loaded = ingot::load<ingot::document>(path);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().code(), errc::not_closed);
  EXPECT_EQ(loaded.error().found(), "one that is being edited");
  const auto second = edit_file<ingot::document>(path, {.repair = true});
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code(), errc::not_closed);
  EXPECT_EQ(second.error().expected(), "a file that no other program edits or reads");
  ASSERT_TRUE(file->close());
  EXPECT_TRUE(info_of(path)->closed);
  EXPECT_EQ((*ingot::load<ingot::document>(path))["name"].as<std::string_view>(), "Ada");
  EXPECT_EQ(ingot::map_file<ingot::document>(path).error().code(), errc::schema_mismatch)
      << "the next editor would change the mapped bytes";
}

TEST(edit_file, is_rejected_while_a_reader_has_the_file) {
  const scratch_folder folder;
  const auto path = folder / "doc";
  ASSERT_TRUE(ingot::create_edited_file(path, ada_document()));
  const int reader = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(reader, LOCK_SH), 0);
  EXPECT_TRUE(ingot::load<ingot::document>(path)) << "one more reader";
  EXPECT_EQ(edit_file<ingot::document>(path).error().code(), errc::not_closed);
  ::close(reader);
  EXPECT_TRUE(edit_file<ingot::document>(path));
}

TEST(edit_file, of_another_kind_or_type_names_both_sides) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  const auto why = edit_file<live_file>(folder / "world").error();
  EXPECT_EQ(why.code(), errc::schema_mismatch);
  EXPECT_EQ(why.expected(), "a live block that is edited in place");
  EXPECT_EQ(why.found(), "a live block");
  ASSERT_TRUE(ingot::create_edited_file(folder / "doc", ada_document()));
  EXPECT_EQ(edit_file<live_file>(folder / "doc").error().code(), errc::schema_mismatch);
  ASSERT_TRUE(ingot::create_edited_file(folder / "other", ingot::live<ingot::vector<int>>()));
  EXPECT_EQ(edit_file<live_file>(folder / "other").error().code(), errc::schema_mismatch);
  EXPECT_EQ(ingot::load<hero>(folder / "doc").error().found(), "a document that is edited in place");
}

TEST(edit_file, is_created_under_an_unused_name) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "taken", ada()));
  const auto before = read_file(folder / "taken");
  const auto created = ingot::create_edited_file<ingot::document>(folder / "taken");
  ASSERT_FALSE(created.has_value());
  EXPECT_EQ(created.error().code(), errc::io);
  EXPECT_EQ(read_file(folder / "taken"), before);
  EXPECT_EQ(edit_file<ingot::document>(folder / "none").error().code(), errc::io);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"taken"});
}

TEST(edit_file, takes_home_what_was_assigned_as_a_whole) {
  const scratch_folder folder;
  auto file = ingot::create_edited_file(folder / "world", live_ada(), {.max_size = {200'000}});
  ingot::live<live_hero> other;
  other->name = "Barbara, whose name is longer than what was there, so that there is more than before";
  other->equips.resize(1000);
  **file = other;
  ASSERT_TRUE(file->sync());
  (*file)->equips.push_back({3, 4});
  ASSERT_TRUE(file->close());
  {
    auto again = edit_file<live_file>(folder / "world", {.max_size = {200'000}});
    ASSERT_TRUE(again.has_value()) << again.error().message();
    EXPECT_EQ((*again)->name, other->name);
    EXPECT_EQ((*again)->equips.size(), 1001u);
    other->equips.resize(100'000);
    EXPECT_EQ(live_test::failure_of([&] { **again = other; }), ingot::out_of_space_reason::full);
    EXPECT_EQ((*again)->equips.size(), 1001u) << "as it was";
    **again = std::move(other);
    const auto closed = again->close();
    ASSERT_FALSE(closed.has_value());
    EXPECT_EQ(closed.error().code(), errc::no_space);
    **again = live_ada();
    EXPECT_TRUE(again->close());
  }
  auto document = ingot::create_edited_file<ingot::document>(folder / "doc");
  **document = ada_document();
  ASSERT_TRUE(document->close());
  EXPECT_EQ(*ingot::load<ingot::document>(folder / "doc"), ada_document());
}

TEST(edit_file, grows_for_a_copy_that_is_assigned_and_holds_it_at_once) {
  const scratch_folder folder;
  auto file = ingot::create_edited_file(folder / "world", live_ada());
  const std::byte* const there = (**file).bytes().data();
  ingot::live<live_hero> other;
  other->equips.resize(50'000);
  **file = other;
  EXPECT_EQ((**file).bytes().data(), there);
  EXPECT_TRUE(**file == other);
  (*file)->equips.push_back({3, 4});
  EXPECT_EQ((**file).bytes().data(), there);
  ASSERT_TRUE(file->close());
  auto again = edit_file<live_file>(folder / "world");
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_EQ((*again)->equips.size(), 50'001u);
}

TEST(edit_file, moves_in_constant_time_with_everything_in_it) {
  const scratch_folder folder;
  auto a = ingot::create_edited_file(folder / "a", live_ada());
  auto b = ingot::create_edited_file(folder / "b", live_ada());
  const item* const first = &(*a)->equips[0];
  ingot::edited_file<live_file> c = std::move(*a);
  EXPECT_EQ(&c->equips[0], first);
  c->equips.resize(50'000);
  c->name = "c";
  *b = std::move(c);
  EXPECT_EQ((*b)->name, "c");
  ASSERT_TRUE(b->close());
  EXPECT_EQ((*edit_file<live_file>(folder / "a"))->name, "c");
  EXPECT_EQ((*edit_file<live_file>(folder / "b"))->name, ada().name);
}

TEST(edit_file, has_blocks_of_wide_offsets) {
  struct far {
    ingot::wide::vector<std::uint64_t> numbers;
  };
  const scratch_folder folder;
  {
    auto file = ingot::create_edited_file<ingot::wide::live<far>>(folder / "far");
    ASSERT_TRUE(file.has_value()) << file.error().message();
    for (std::uint64_t i = 0; i < 100'000; ++i) (*file)->numbers.push_back(i * i);
  }
  auto file = edit_file<ingot::wide::live<far>>(folder / "far");
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ((*file)->numbers[99'999], 99'999ull * 99'999);
}

TEST(edit_file, maximum_size_includes_the_memory_beside_the_block) {
  struct far {
    ingot::wide::vector<std::uint64_t> numbers;
  };
  const scratch_folder folder;
  auto file =
      ingot::create_edited_file<ingot::wide::live<far>>(folder / "far", {.max_size = {std::size_t{1} << 42}});
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_LT((**file).max_size(), std::size_t{1} << 41);
  for (std::uint64_t i = 0; i < 100'000; ++i) (*file)->numbers.push_back(i * i);
  ASSERT_TRUE(file->close());
}

TEST(edit_file_golden, is_the_bytes_of_the_page) {
  simulated_disk disk;
  ingot::document doc;
  doc["id"] = 7;
  ASSERT_TRUE(ingot::create_edited_file("x", doc, {}, disk));
  byte_vector bytes = disk.content("x");
  EXPECT_TRUE(std::ranges::all_of(ingot::bytes_view(bytes).subspan(64, payload_at - 64),
                                  [](std::byte b) { return b == std::byte{}; }));
  bytes.erase(bytes.begin() + 64, bytes.begin() + payload_at);
  EXPECT_EQ(bytes,
            golden("edited",
                   "a document edited in place, {\"id\": 7}, closed; without the zeros from 64 to 65535",
                   bytes));
}

} // namespace edit_file_test
