// SPDX-License-Identifier: Apache-2.0
// Files that are edited and grown where they are: what is changed is in them, nothing moves, and what a crash, a full disk or somebody else
// does to them is an error with a name.
#include <ingot/file/edit_file.hpp>

#include "document/miscounted.hpp"
#include "file/file_tools.hpp"
#include "live/failures.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace edit_file_test {

using namespace file_test;
using ingot::edit_file;
using ingot::errc;

using live_file = ingot::live<live_hero>;
constexpr std::size_t payload_at = 65536;

[[nodiscard]] std::optional<ingot::file_info> info_of(const std::filesystem::path& path) {
  const auto info = ingot::peek_file(path);
  return info ? std::optional(*info) : std::nullopt;
}
[[nodiscard]] ingot::bytes_view payload_of(const byte_vector& file) {
  return ingot::bytes_view(file).subspan(payload_at);
}
/// A closed file of live ada, and one of her document.
[[nodiscard]] byte_vector edited_ada(simulated_disk& disk) {
  EXPECT_TRUE(ingot::create_edited_file("made", live_ada(), {}, disk));
  return disk.content("made");
}
[[nodiscard]] byte_vector edited_document(simulated_disk& disk) {
  EXPECT_TRUE(ingot::create_edited_file("made_too", ada_document(), {}, disk));
  return disk.content("made_too");
}

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
    EXPECT_FALSE(file->trouble());
    EXPECT_TRUE(file->was_closed());
  }
  for (const bool trusted : {false, true}) {
    auto file = trusted ? ingot::edit_file_trusted<live_file>(folder / "world")
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
    auto file = trusted ? ingot::edit_file_trusted<ingot::document>(folder / "doc")
                        : edit_file<ingot::document>(folder / "doc");
    ASSERT_TRUE(file.has_value()) << file.error().message();
    EXPECT_EQ((**file)["key 7"].as<int>(), 7 + trusted);
    EXPECT_EQ((**file)["key 2999"].as<std::string_view>(), std::string(100, 'x'));
    (**file)["key 7"] = 8;
  }
}

TEST(edit_file, moves_nothing_while_it_grows_and_has_no_more_than_the_block_when_it_is_closed) {
  const scratch_folder folder;
  const std::uint32_t most = std::getenv("INGOT_TEST_FULL") != nullptr ? 12'000'000 : 400'000; // 100 or 3 MB
  auto file = ingot::create_edited_file(folder / "world", live_ada());
  ASSERT_TRUE(file.has_value());
  const ingot::string* const name = &(*file)->name;
  const item* const rope = &(*file)->items.find("rope")->second;
  (*file)->equips.reserve(2);
  for (std::uint32_t i = 0; i < most; ++i) (*file)->equips.push_back({i, i});
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

TEST(edit_file, begins_its_payload_behind_the_schema_at_a_multiple_of_any_page) {
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

TEST(edit_file, past_its_ceiling_is_full_and_goes_on_with_a_larger_one) {
  const scratch_folder folder;
  {
    auto file = ingot::create_edited_file(folder / "world", live_ada(), {.most = {100'000}});
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ((**file).max_size(), 100'000u);
    std::size_t taken = 2;
    while ((*file)->equips.try_emplace_back(item{1, 1}) != nullptr) ++taken;
    EXPECT_EQ((*file)->equips.size(), taken);
    EXPECT_GT(taken, 3000u);
    EXPECT_FALSE(file->trouble()) << "nothing is wrong with the file";
#if INGOT_EXCEPTIONS
    try {
      (*file)->equips.reserve(1'000'000);
      ADD_FAILURE();
    } catch (const ingot::out_of_space& why) {
      EXPECT_EQ(why.why(), ingot::space_failure::full);
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
  // Also to where it came from: whoever opens the name finds a file like any other.
  ASSERT_TRUE(ingot::save(folder / "world.edit", **file));
  EXPECT_TRUE(file->close());
  EXPECT_EQ((*ingot::load<live_file>(folder / "world.edit"))->name, "Edsger");
  EXPECT_EQ(edit_file<live_file>(folder / "world.edit").error().code(), errc::other_type);
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
  EXPECT_EQ(second.error().expected(), "a file that nobody else edits or reads");
  ASSERT_TRUE(file->close());
  EXPECT_TRUE(info_of(path)->closed);
  EXPECT_EQ((*ingot::load<ingot::document>(path))["name"].as<std::string_view>(), "Ada");
  EXPECT_EQ(ingot::map_file<ingot::document>(path).error().code(), errc::other_type)
      << "whoever edits it next would change what is mapped";
}

TEST(edit_file, is_refused_while_somebody_reads) {
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
  EXPECT_EQ(why.code(), errc::other_type);
  EXPECT_EQ(why.expected(), "a live block that is edited in place");
  EXPECT_EQ(why.found(), "a live block");
  ASSERT_TRUE(ingot::create_edited_file(folder / "doc", ada_document()));
  EXPECT_EQ(edit_file<live_file>(folder / "doc").error().code(), errc::other_type);
  ASSERT_TRUE(ingot::create_edited_file(folder / "other", ingot::live<ingot::vector<int>>()));
  EXPECT_EQ(edit_file<live_file>(folder / "other").error().code(), errc::other_type);
  EXPECT_EQ(ingot::load<hero>(folder / "doc").error().found(), "a document that is edited in place");
}

TEST(edit_file, is_made_under_a_name_that_nothing_has) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "taken", ada()));
  const auto before = read_file(folder / "taken");
  const auto made = ingot::create_edited_file<ingot::document>(folder / "taken");
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code(), errc::io);
  EXPECT_EQ(read_file(folder / "taken"), before);
  EXPECT_EQ(edit_file<ingot::document>(folder / "none").error().code(), errc::io);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"taken"});
}

TEST(edit_file, takes_home_what_was_assigned_as_a_whole) {
  const scratch_folder folder;
  auto file = ingot::create_edited_file(folder / "world", live_ada(), {.most = {200'000}});
  ingot::live<live_hero> other;
  other->name = "Barbara, whose name is longer than what was there, so that there is more than before";
  other->equips.resize(1000);
  **file = other;
  ASSERT_TRUE(file->sync());
  (*file)->equips.push_back({3, 4});
  ASSERT_TRUE(file->close());
  {
    auto again = edit_file<live_file>(folder / "world", {.most = {200'000}});
    ASSERT_TRUE(again.has_value()) << again.error().message();
    EXPECT_EQ((*again)->name, other->name);
    EXPECT_EQ((*again)->equips.size(), 1001u);
    other->equips.resize(100'000);
    EXPECT_EQ(live_test::failure_of([&] { **again = other; }), ingot::space_failure::full);
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

TEST(edit_file, has_a_ceiling_that_what_belongs_to_the_block_in_memory_can_have) {
  struct far {
    ingot::wide::vector<std::uint64_t> numbers;
  };
  const scratch_folder folder;
  auto file =
      ingot::create_edited_file<ingot::wide::live<far>>(folder / "far", {.most = {std::size_t{1} << 42}});
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_LT((**file).max_size(), std::size_t{1} << 41);
  for (std::uint64_t i = 0; i < 100'000; ++i) (*file)->numbers.push_back(i * i);
  ASSERT_TRUE(file->close());
}

// What a crash leaves.

/// Runs `edit` on the open file in a process that is killed by it, or behind it.
template <class T, class F>
void crash(const std::filesystem::path& path, F&& edit) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = edit_file<T>(path, {.durable = false});
    if (!file) ::_exit(2);
    edit(*file);
    static_cast<void>(std::raise(SIGKILL));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

TEST(edit_file_crashed, is_refused_and_repaired_with_what_was_done_before) {
  const scratch_folder folder;
  const auto path = folder / "world";
  ASSERT_TRUE(ingot::create_edited_file(path, live_ada()));
  crash<live_file>(path, [](auto& file) {
    file->name = "Grace, who was killed while she was at her work";
    for (std::uint32_t i = 0; i < 30'000; ++i) file->equips.push_back({i, i});
    file->items.erase("rope");
  });
  EXPECT_FALSE(info_of(path)->closed);
  for (const auto& why : {edit_file<live_file>(path).error(),
                          ingot::edit_file_trusted<live_file>(path, {.repair = true}).error(),
                          ingot::load<live_file>(path).error()}) {
    EXPECT_EQ(why.code(), errc::not_closed);
    EXPECT_EQ(why.found(), "one whose editor ended before it closed it");
    EXPECT_NE(why.message().find("repair"), std::string::npos) << why.message();
  }
  auto file = edit_file<live_file>(path, {.repair = true});
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_FALSE(file->was_closed());
  EXPECT_EQ((*file)->name, "Grace, who was killed while she was at her work");
  EXPECT_EQ((*file)->equips.size(), 30'002u);
  EXPECT_TRUE((*file)->items.empty());
  (*file)->equips.resize(60'000);
  ASSERT_TRUE(file->close());
  EXPECT_TRUE(edit_file<live_file>(path)->was_closed());
}

TEST(edit_file_crashed, repairs_documents) {
  const scratch_folder folder;
  const auto path = folder / "doc";
  ASSERT_TRUE(ingot::create_edited_file(path, ada_document()));
  crash<ingot::document>(path, [](auto& file) {
    for (int i = 0; i < 2000; ++i) (*file)["k" + std::to_string(i)] = std::string(60, 'y');
    (*file).root().erase("quote");
  });
  EXPECT_EQ(edit_file<ingot::document>(path).error().code(), errc::not_closed);
  auto file = edit_file<ingot::document>(path, {.repair = true});
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ((*file)->root().size(), 2002u);
  EXPECT_EQ((**file)["k1999"].as<std::string_view>(), std::string(60, 'y'));
  (**file)["more"] = std::string(100'000, 'z');
  ASSERT_TRUE(file->close());
  EXPECT_EQ((*ingot::load<ingot::document>(path))["more"].as<std::string_view>()->size(), 100'000u);
}

TEST(edit_file_crashed, at_any_moment_is_opened_whole_or_refused) {
  // Killed by somebody else, wherever it happens to be: what repair opens can be used, and no block is half a one.
  const scratch_folder folder;
  const auto path = folder / "world";
  ASSERT_TRUE(ingot::create_edited_file(path, live_ada(), {.durable = false}));
  const int rounds = std::getenv("INGOT_TEST_FULL") != nullptr ? 500 : 12;
  int accepted = 0;
  for (int round = 0; round < rounds; ++round) {
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto file = edit_file<live_file>(path, {.repair = true, .durable = false});
      if (!file || ::write(ready[1], "", 1) != 1) ::_exit(2);
      for (std::uint32_t i = 0;; ++i) {
        (*file)->equips.push_back({i, i});
        (*file)->items.try_emplace("key " + std::to_string(i % 500), item{i, i});
        if (i % 3 == 0) (*file)->items.erase("key " + std::to_string(i / 2 % 500));
        if (i % 5000 == 4999) (*file)->equips.clear(), (*file)->equips.shrink_to_fit();
      }
    }
    ::close(ready[1]);
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::usleep(static_cast<useconds_t>(500 + 700 * (round % 7)));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ::close(ready[0]);
    auto file = edit_file<live_file>(path, {.repair = true, .durable = false});
    if (!file) { // in the middle of a change
      ASSERT_NE(file.error().code(), errc::not_closed);
      std::filesystem::remove(path);
      ASSERT_TRUE(ingot::create_edited_file(path, live_ada(), {.durable = false}));
      continue;
    }
    ++accepted;
    const auto copy = ingot::live<live_hero>::open((**file).bytes());
    ASSERT_TRUE(copy.has_value()) << copy.error().message();
    (*file)->items.try_emplace("another", item{1, 1});
    (*file)->equips.resize((*file)->equips.size() + 1000);
    ASSERT_TRUE(ingot::live<live_hero>::open((**file).bytes()));
  }
  EXPECT_GT(accepted, 0);
}

TEST(edit_file_power_cut, never_leaves_a_file_that_says_it_was_closed_with_other_bytes) {
  simulated_disk first;
  const byte_vector before = edited_ada(first);
  byte_vector after;
  for (std::size_t calls = 0;; ++calls) {
    simulated_disk disk;
    disk.put("x", before);
    disk.power_for = calls;
    bool closed = false;
    {
      auto file = edit_file<live_file>("x", {}, disk);
      if (file) {
        (*file)->name = "Grace";
        if ((*file)->equips.try_reserve(300)) {
          (*file)->equips.resize(300);
          static_cast<void>(file->sync());
          (*file)->equips[299].id = 5;
          closed = file->close().has_value();
        }
      }
    }
    if (closed && after.empty()) after = disk.content("x");
    const bool whole = disk.calls() < calls;
    for (const byte_vector& state : disk.after_power_cut("x")) {
      const auto header = ingot::detail::read_header(
          ingot::bytes_view(state).first(std::min<std::size_t>(64, state.size())), state.size());
      if (header && header->info.closed) {
        const bool is_old = std::ranges::equal(payload_of(state), payload_of(before));
        EXPECT_TRUE(is_old || header->info.payload_size != before.size() - payload_at) << calls;
        if (!is_old) {
          simulated_disk rest;
          rest.put("x", state);
          auto there = edit_file<live_file>("x", {}, rest);
          ASSERT_TRUE(there.has_value()) << there.error().message();
          EXPECT_EQ((*there)->equips[299].id, 5u);
        }
      }
      EXPECT_TRUE(!closed || state == after) << "for good";
    }
    if (whole) break;
  }
}

// What the system refuses.

TEST(edit_file_failing, at_any_call_is_an_error_and_leaves_nothing_open) {
  simulated_disk made;
  const byte_vector bytes = edited_ada(made);
  for (const bool interrupted : {false, true}) {
    for (std::size_t n = 0;; ++n) {
      simulated_disk disk;
      disk.put("x", bytes);
      troubled_files files(disk);
      files.fail_at = n;
      files.interrupts = interrupted;
      bool good = false;
      {
        auto file = edit_file<live_file>("x", {}, files);
        if (file) {
          good = (*file)->equips.try_reserve(10'000);
          EXPECT_TRUE(good || file->trouble()) << files.calls[n];
          EXPECT_EQ((*file)->equips.size(), 2u);
          good = file->sync().has_value() && good;
          good = file->close().has_value() && good;
        } else {
          EXPECT_EQ(disk.content("x").size(), bytes.size()) << files.calls[n];
        }
      }
      EXPECT_EQ(files.open_files(), 0);
      EXPECT_EQ(disk.open_files(), 0u);
      if (n >= files.calls.size()) {
        EXPECT_TRUE(good);
        break;
      }
      // Without a generous piece of the disk a small one will do.
      EXPECT_TRUE(!good || files.calls[n] == "close" || files.calls[n] == "allocate") << files.calls[n];
    }
  }
}

TEST(edit_file_on_a_full_disk, keeps_the_block_as_it_was_and_says_why) {
  simulated_disk disk;
  auto file = ingot::create_edited_file("x", live_ada(), {}, disk);
  ASSERT_TRUE(file.has_value());
  disk.capacity = payload_at + 80'000;
  std::size_t taken = 2;
  while ((*file)->equips.try_emplace_back(item{1, 1}) != nullptr) ++taken;
  EXPECT_EQ((*file)->equips.size(), taken);
  EXPECT_GT(taken, 3000u);
  ASSERT_TRUE(file->trouble());
  EXPECT_EQ(file->trouble()->code(), errc::io);
  EXPECT_NE(file->trouble()->found().find("No space left"), std::string::npos) << file->trouble()->message();
#if INGOT_EXCEPTIONS
  try {
    (*file)->equips.reserve(1'000'000);
    ADD_FAILURE();
  } catch (const ingot::out_of_space& why) {
    EXPECT_EQ(why.why(), ingot::space_failure::file);
  }
#endif
  disk.capacity = payload_at + 2'000'000;
  EXPECT_NE((*file)->equips.try_emplace_back(item{2, 2}), nullptr) << "it was tried again";
  EXPECT_FALSE(file->trouble());
  ASSERT_TRUE(file->close());
  EXPECT_EQ((*edit_file<live_file>("x", {}, disk))->equips.size(), taken + 1);
}

TEST(edit_file_on_a_full_disk, that_has_no_room_for_much_has_it_for_a_little) {
  simulated_disk disk;
  auto file = ingot::create_edited_file("x", live_ada(), {}, disk);
  ASSERT_TRUE(file.has_value());
  disk.capacity = payload_at + 500'000;
  const std::size_t before = disk.content("x").size();
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE((*file)->equips.try_reserve(1'000'000));
    ASSERT_TRUE(file->trouble());
    EXPECT_EQ(file->trouble()->code(), errc::io);
    EXPECT_EQ(disk.content("x").size(), before) << "what did not suffice was given back";
  }
  EXPECT_TRUE((*file)->equips.try_reserve(10'000));
  EXPECT_FALSE(file->trouble());
}

TEST(edit_file_on_a_full_disk, that_could_not_be_closed_says_so_for_good) {
  simulated_disk disk;
  auto file = ingot::create_edited_file("x", live_ada(), {}, disk);
  ASSERT_TRUE(file.has_value());
  disk.power_for = disk.calls();
  EXPECT_FALSE(file->close());
  EXPECT_FALSE(*file);
  ASSERT_TRUE(file->trouble());
  EXPECT_EQ(file->trouble()->code(), errc::io);
  EXPECT_FALSE(file->sync());
}

TEST(edit_file_on_a_full_disk, is_not_sent_a_signal_by_the_limit_of_its_process) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::create_edited_file(folder / "x", live_ada()));
  const pid_t child = ::fork();
  if (child == 0) {
    const ::rlimit most{payload_at + 300'000, payload_at + 300'000};
    if (::setrlimit(RLIMIT_FSIZE, &most) != 0) ::_exit(2);
    auto file = edit_file<live_file>(folder / "x");
    if (!file) ::_exit(3);
    while ((*file)->equips.try_emplace_back(item{1, 1}) != nullptr) {
    }
    if (!file->trouble() || (*file)->equips.size() < 5000) ::_exit(4);
    ::_exit(file->close() ? 0 : 5);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(edit_file<live_file>(folder / "x"));
}

TEST(edit_file_with_others, notices_before_it_grows_that_somebody_else_made_the_file_shorter) {
  const scratch_folder folder;
  auto file = ingot::create_edited_file(folder / "x", live_ada());
  ASSERT_TRUE(file.has_value());
  const auto size = static_cast<off_t>(std::filesystem::file_size(folder / "x"));
  ASSERT_EQ(::truncate((folder / "x").c_str(), size - 8), 0); // of a page that is there
  EXPECT_FALSE((*file)->equips.try_reserve(10'000));
  ASSERT_TRUE(file->trouble());
  EXPECT_EQ(file->trouble()->code(), errc::truncated);
}

TEST(edit_file_with_others, has_what_was_closed_by_who_had_the_file_before) {
  simulated_disk disk;
  disk.put("x", edited_ada(disk));
  troubled_files files(disk);
  files.before_lock = [&] {
    auto other = edit_file<live_file>("x", {}, disk);
    ASSERT_TRUE(other.has_value());
    for (std::uint32_t i = 0; i < 1000; ++i) (*other)->equips.push_back({i, i});
    ASSERT_TRUE(other->close());
  };
  auto file = edit_file<live_file>("x", {}, files);
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ((*file)->equips.size(), 1002u);
  (*file)->equips.push_back({1, 1});
  ASSERT_TRUE(file->close());
  EXPECT_EQ((*edit_file<live_file>("x", {}, disk))->equips.size(), 1003u);
}

TEST(edit_file_with_others, is_refused_if_they_ended_before_they_closed_it) {
  simulated_disk disk;
  disk.put("x", edited_ada(disk));
  troubled_files files(disk);
  files.before_lock = [&] {
    auto other = edit_file<live_file>("x", {}, disk);
    ASSERT_TRUE(other.has_value());
    (*other)->equips.push_back({1, 1});
    disk.power_for = disk.calls();
    EXPECT_FALSE(other->close());
    disk.power_for = static_cast<std::size_t>(-1);
  };
  const auto file = edit_file<live_file>("x", {}, files);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code(), errc::not_closed);
  EXPECT_EQ(file.error().found(), "one whose editor ended before it closed it");
}

TEST(edit_file_with_holes, has_room_on_the_disk_for_all_of_it_before_it_is_written_to) {
  simulated_disk disk;
  disk.put("x", edited_ada(disk));
  troubled_files files(disk);
  auto file = edit_file<live_file>("x", {}, files);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(std::ranges::count(files.calls, "allocate"), 1);
#if defined(__linux__)
  const scratch_folder folder;
  std::filesystem::path sparse = folder / "sparse";
  {
    auto made = ingot::create_edited_file(sparse, live_ada());
    (*made)->equips.resize(100'000);
  }
  // As cp --sparse=always would write it.
  const byte_vector bytes = read_file(sparse);
  std::filesystem::remove(sparse);
  std::ofstream(sparse, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), payload_at + 4096);
  ASSERT_EQ(::truncate(sparse.c_str(), static_cast<off_t>(bytes.size())), 0);
  const auto opened = edit_file<live_file>(sparse);
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  struct ::stat found{};
  ASSERT_EQ(::stat(sparse.c_str(), &found), 0);
  EXPECT_GE(static_cast<std::size_t>(found.st_blocks) * 512, bytes.size() - payload_at);
#endif
}

// What strangers send.

TEST(edit_file_damaged, is_refused_whatever_bit_of_its_head_is_another) {
  simulated_disk made;
  for (const byte_vector& bytes : {edited_ada(made), edited_document(made)}) {
    const std::size_t head = 64 + (bytes[40] != std::byte{0} || bytes[41] != std::byte{0} ? 700 : 8);
    for (std::size_t bit = 0; bit < 8 * head; ++bit) {
      byte_vector damaged = bytes;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      simulated_disk disk;
      disk.put("x", damaged);
      EXPECT_FALSE(edit_file<live_file>("x", {.repair = true}, disk)) << bit;
      EXPECT_FALSE(edit_file<ingot::document>("x", {.repair = true}, disk)) << bit;
      EXPECT_EQ(disk.open_files(), 0u);
      EXPECT_EQ(disk.content("x"), damaged) << "and as it was";
    }
  }
}

TEST(edit_file_damaged, is_refused_if_it_is_longer_or_shorter_than_it_says) {
  simulated_disk made;
  const byte_vector bytes = edited_ada(made);
  for (std::size_t size = 0; size <= bytes.size() + 1;
       size += size > 100 && size + 100 < payload_at ? 97 : 1) {
    if (size == bytes.size()) continue;
    byte_vector other = bytes;
    other.resize(size);
    simulated_disk disk;
    disk.put("x", other);
    EXPECT_FALSE(edit_file<live_file>("x", {}, disk)) << size;
    EXPECT_EQ(disk.content("x"), other);
  }
}

/// What is right but for how many use the same keys is counted anew: in a file that says of itself that it is edited, and in no other.
TEST(edit_file_damaged, counts_are_put_right_when_nothing_says_no_any_more) {
  simulated_disk made;
  const byte_vector head = edited_document(made);
  for (const auto& payload : document_test::miscounted()) {
    byte_vector bytes(head.begin(), head.begin() + payload_at);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    auto header = *ingot::detail::read_header(ingot::bytes_view(head).first(64), head.size());
    header.info.payload_size = payload.size();
    ingot::detail::write_header(header, bytes.data());
    const auto open = [&](std::size_t fail_at, ingot::progress_ref told) {
      simulated_disk disk;
      disk.put("x", bytes);
      troubled_files files(disk);
      files.fail_at = fail_at;
      const auto file = edit_file<ingot::document>("x", {.progress = told}, files);
      EXPECT_EQ(disk.content("x") == bytes, !file) << "call " << fail_at << " failed";
      return file.has_value();
    };
    const auto never = static_cast<std::size_t>(-1);
    std::size_t refused = 0;
    while (!open(refused, {})) ++refused;
    EXPECT_GE(refused, 8U) << "with the room that is asked for, and the mark";
    std::size_t told = 0;
    for (bool opened = false; !opened; ++told) {
      std::size_t calls = 0;
      opened = open(never, [&](std::uint64_t, std::uint64_t) { return calls++ != told; });
    }
    EXPECT_GE(told, 3U) << "stopped once as it was read and once as it was proved";
  }
}

TEST(edit_file_damaged, payload_is_proved_where_it_is) {
  simulated_disk made;
  const byte_vector live = edited_ada(made);
  const byte_vector document = edited_document(made);
  std::size_t refused = 0;
  const auto offer = [&]<class T>(std::type_identity<T>, const byte_vector& bytes, std::size_t bit,
                                  bool closed) {
    byte_vector damaged = bytes;
    damaged[bit / 8] ^= std::byte{1} << bit % 8;
    if (!closed) {
      auto header = *ingot::detail::read_header(ingot::bytes_view(bytes).first(64), bytes.size());
      header.info.closed = false;
      ingot::detail::write_header(header, damaged.data());
      damaged.resize(damaged.size() + 5000, std::byte{0});    // room that was not used yet
      damaged.resize(damaged.size() + bit % 8, std::byte{1}); // and what is no whole granule
    }
    simulated_disk disk;
    disk.put("x", damaged);
    auto file = edit_file<T>("x", {.repair = true}, disk);
    if (!file) {
      ++refused;
      EXPECT_EQ(disk.content("x"), damaged) << "and as it was: " << bit;
      EXPECT_EQ(disk.allocated, 0u) << "a stranger's file takes no room before it is proved";
      return;
    }
    if constexpr (requires { (*file)->equips; }) {
      (*file)->equips.resize((*file)->equips.size() % 100 + 500);
      (*file)->items.try_emplace("new", item{1, 2});
      (*file)->name = std::string(300, 'n');
      EXPECT_TRUE(ingot::live<live_hero>::open((**file).bytes()));
    } else {
      EXPECT_TRUE((*file)->root().set(std::string(300, 'n')));
      EXPECT_TRUE(ingot::document::open((**file).bytes()));
    }
    EXPECT_TRUE(file->close());
    EXPECT_TRUE(edit_file<T>("x", {}, disk));
  };
  for (const bool closed : {true, false}) {
    for (std::size_t bit = 8 * payload_at; bit < 8 * live.size(); bit += 3)
      offer(std::type_identity<live_file>{}, live, bit, closed);
    for (std::size_t bit = 8 * payload_at; bit < 8 * document.size(); bit += 3)
      offer(std::type_identity<ingot::document>{}, document, bit, closed);
  }
  EXPECT_GT(refused, 500u);
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
