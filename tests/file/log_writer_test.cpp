// SPDX-License-Identifier: Apache-2.0
// Appending: a record is complete or absent, whatever fails, and earlier records stay.
#include <ingot/file/file_info.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/save.hpp>

#include "file/log_tools.hpp"

#include <algorithm>
#include <csignal>
#include <set>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace log_writer_test {

using namespace file_test;
using ingot::errc;
using writer = ingot::log_writer<event>;

TEST(log_writer, appends_records_that_are_read_back_in_order) {
  const scratch_folder folder;
  for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
    const auto path = folder / (form == ingot::profile::packed ? "packed" : "compact");
    {
      auto log = writer::open(path, {.form = form});
      ASSERT_TRUE(log.has_value()) << log.error().message();
      EXPECT_EQ(log->records(), 0u);
      for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(log->append(event_of(i)));
      ASSERT_TRUE(log->sync());
      EXPECT_EQ(log->size(), std::filesystem::file_size(path));
    }
    // A log that is opened again keeps its own form, whatever the options request.
    auto log = writer::open(path);
    ASSERT_TRUE(log.has_value()) << log.error().message();
    EXPECT_EQ(log->records(), 100u);
    ASSERT_TRUE(log->append(event_of(100)));
    const auto back = read_all(path);
    EXPECT_EQ(back.events.size(), 101u);
    EXPECT_TRUE(in_order(back.events));
    EXPECT_EQ(back.lost_bytes, 0u);
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"compact", "packed"})) << "and no temporary file";
}

TEST(log_writer, writes_the_bytes_that_were_committed_on_every_machine) {
  simulated_disk disk;
  auto log = ingot::log_writer<std::string>::open("log", {.schema = false}, disk);
  for (const char* text : {"one", "", "three"}) ASSERT_TRUE(log->append(text));
  const byte_vector& bytes = disk.content("log");
  EXPECT_EQ(bytes, golden("log", "a log of three packed strings: \"one\", \"\", \"three\"", bytes));
}

TEST(log_writer, takes_records_without_bytes_and_large_ones) {
  const scratch_folder folder;
  auto log = ingot::log_writer<std::string>::open(folder / "log");
  const std::vector<std::string> texts{"", "x", std::string(1'000'000, 'y'), "", std::string(300'000, 'z')};
  for (const auto& text : texts) ASSERT_TRUE(log->append(text));
  auto reader = ingot::log_reader<std::string>::open(folder / "log");
  for (const auto& text : texts) {
    std::string read;
    ASSERT_TRUE(reader->next(read).value_or(false));
    EXPECT_TRUE(read == text);
  }
}

TEST(log_writer, has_a_log_for_itself) {
  const scratch_folder folder;
  auto first = writer::open(folder / "log");
  ASSERT_TRUE(first.has_value());
  const auto second = writer::open(folder / "log");
  EXPECT_EQ(second.error().code(), errc::io);
  EXPECT_EQ(second.error().expected(), "a log that no other program writes to");
  EXPECT_EQ(ingot::recover(folder / "log", {.how = ingot::recovery::truncate}).error().code(), errc::io);
  {
    const writer gone = std::move(*first);
  }
  EXPECT_TRUE(writer::open(folder / "log"));
}

TEST(log_writer, opens_no_other_file) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "value", event_of(1)));
  const byte_vector before = read_file(folder / "value");
  const auto value = writer::open(folder / "value");
  EXPECT_EQ(value.error().code(), errc::schema_mismatch);
  EXPECT_EQ(value.error().found(), "a packed value");
  EXPECT_EQ(read_file(folder / "value"), before);
  ASSERT_TRUE(ingot::log_writer<item>::open(folder / "items"));
  EXPECT_EQ(writer::open(folder / "items").error().code(), errc::schema_mismatch);
  EXPECT_EQ(writer::open(folder / "missing/log").error().code(), errc::io);
  EXPECT_EQ(ingot::load<event>(folder / "items").error().found(), "a log of packed records");
}

TEST(log_writer, rejects_a_log_that_does_not_end_with_a_whole_record_or_repairs_it) {
  const written_log whole = log_of(5);
  for (std::size_t size = whole.ends[4] + 1; size < whole.ends[5]; ++size) {
    simulated_disk disk;
    disk.put("log", ingot::bytes_view(whole.bytes).first(size));
    EXPECT_EQ(writer::open("log", {}, disk).error().code(), errc::truncated);
    EXPECT_EQ(disk.content("log").size(), size);
    auto log = writer::open("log", {.repair = true}, disk);
    ASSERT_TRUE(log.has_value()) << log.error().message();
    EXPECT_EQ(log->records(), 4u);
    ASSERT_TRUE(log->append(event_of(4)));
    EXPECT_EQ(disk.content("log"), whole.bytes);
  }
}

/// There are five events; opening the log and appending a sixth fails at some call.
TEST(log_writer_failing, at_any_call_leaves_the_records_that_were_there) {
  for (const int number : {EIO, ENOSPC}) {
    for (std::size_t n = 0;; ++n) {
      simulated_disk disk;
      disk.put("log", log_of(5).bytes);
      troubled_files files(disk);
      files.fail_at = n;
      files.number = number;
      bool appended = false;
      {
        auto log = writer::open("log", {}, files);
        if (log) {
          appended = log->append(event_of(5)).has_value();
          const auto synced = log->sync();
          EXPECT_TRUE(synced || !log->append(event_of(6))) << "after a failed sync nothing is taken";
        }
      }
      EXPECT_EQ(files.open_files(), 0);
      const auto back = read_all("log", disk);
      EXPECT_EQ(back.events.size(), appended ? 6u : 5u);
      EXPECT_TRUE(in_order(back.events));
      EXPECT_EQ(back.lost_bytes, 0u);
      if (n >= files.calls.size()) {
        EXPECT_TRUE(appended);
        break;
      }
    }
  }
}

TEST(log_writer_failing, in_the_middle_of_a_record_takes_back_what_was_written) {
  const written_log whole = log_of(6);
  for (std::size_t bytes_free = whole.ends[5]; bytes_free < whole.ends[6]; ++bytes_free) {
    simulated_disk disk;
    disk.put("log", log_of(5).bytes);
    disk.capacity = bytes_free;
    auto log = writer::open("log", {}, disk);
    const auto appended = log->append(event_of(5));
    ASSERT_FALSE(appended.has_value());
    EXPECT_EQ(appended.error().found(), "No space left on device");
    EXPECT_EQ(disk.content("log"), log_of(5).bytes);
    disk.capacity = 100'000;
    ASSERT_TRUE(log->append(event_of(5))) << "with free space it continues";
    EXPECT_EQ(disk.content("log"), whole.bytes);
  }
}

TEST(log_writer_failing, where_nothing_can_be_taken_back_takes_no_more_records) {
  simulated_disk disk;
  disk.put("log", log_of(5).bytes);
  disk.capacity = log_of(5).bytes.size() + 20;
  troubled_files files(disk);
  auto log = writer::open("log", {}, files);
  // The calls: status, a write, a write that finds the disk full, then the truncation.
  files.fail_at = files.calls.size() + 3;
  EXPECT_FALSE(log->append(event_of(5)));
  EXPECT_EQ(files.calls.back(), "truncate");
  disk.capacity = 100'000;
  EXPECT_EQ(log->append(event_of(5)).error().code(), errc::io);
  EXPECT_FALSE(log->sync());
  const auto back = read_all("log", disk);
  EXPECT_EQ(back.events.size(), 5u) << "readers stop before the part of a record";
  EXPECT_EQ(back.lost_bytes, 20u);
}

TEST(log_writer_failing, signals_and_short_writes_are_no_failure) {
  simulated_disk disk;
  troubled_files files(disk);
  files.interrupts = true;
  files.max_bytes = 5;
  auto log = writer::open("log", {}, files);
  ASSERT_TRUE(log.has_value()) << log.error().message();
  for (std::uint64_t i = 0; i < 5; ++i) ASSERT_TRUE(log->append(event_of(i)));
  ASSERT_TRUE(log->sync());
  EXPECT_EQ(disk.content("log"), log_of(5).bytes);
}

TEST(log_writer_failing, with_a_value_that_cant_be_packed_leaves_the_log_as_it_was) {
  simulated_disk disk;
  auto log = ingot::log_writer<std::map<double, int>>::open("log", {}, disk);
  const auto size = log->size();
  EXPECT_EQ(log->append({{std::numeric_limits<double>::quiet_NaN(), 1}}).error().code(), errc::not_canonical);
  EXPECT_EQ(log->size(), size);
  EXPECT_TRUE(log->append({{1.0, 1}}));
}

// Rotation by copy and truncate, or a log that is replaced or deleted: further records would go to
// a file that no program reads.
TEST(log_writer, cut_off_or_replaced_by_another_program_takes_no_more_records) {
  const std::vector<std::pair<const char*, void (*)(const std::filesystem::path&)>> changes{
      {"a file that was cut off", [](const auto& path) { std::filesystem::resize_file(path, 0); }},
      {"a file that was cut off",
       [](const auto& path) { std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1); }},
      {"a file that another program wrote to",
       [](const auto& path) { std::filesystem::resize_file(path, std::filesystem::file_size(path) + 8); }},
      {"a file that was deleted or replaced", [](const auto& path) { std::filesystem::remove(path); }},
      {"a file that was deleted or replaced",
       [](const auto& path) {
         const auto copy = path.parent_path() / "copy";
         std::filesystem::copy_file(path, copy);
         std::filesystem::rename(copy, path);
       }},
  };
  for (const auto& [found, change] : changes) {
    for (const bool by_sync : {false, true}) {
      const scratch_folder folder;
      const auto path = folder / "log";
      auto log = writer::open(path);
      ASSERT_TRUE(log->append(event_of(0)));
      change(path);
      const auto rejected = by_sync ? log->sync() : log->append(event_of(1));
      ASSERT_FALSE(rejected.has_value()) << found;
      EXPECT_EQ(rejected.error().code(), errc::file_changed);
      EXPECT_EQ(rejected.error().found(), found);
      EXPECT_FALSE(log->append(event_of(1))) << "and no later record, though the file may look right again";
      EXPECT_FALSE(log->sync());
      EXPECT_EQ(log->records(), 1u);
    }
  }
}

TEST(log_writer, renamed_by_another_program_says_so_and_continues) {
  const scratch_folder folder;
  auto log = writer::open(folder / "log");
  EXPECT_EQ(log->is_renamed().value(), false);
  ASSERT_TRUE(log->append(event_of(0)));
  std::filesystem::rename(folder / "log", folder / "old");
  EXPECT_EQ(log->is_renamed().value(), true);
  ASSERT_TRUE(log->append(event_of(1)));
  ASSERT_TRUE(log->sync());
  EXPECT_EQ(read_all(folder / "old").events.size(), 2u);
  EXPECT_EQ(log->rotate("older").error().code(), errc::file_changed) << "the path is not its own any more";
  ASSERT_TRUE(writer::open(folder / "log"));
  EXPECT_EQ(log->is_renamed().value(), true) << "another log has the path";
}

TEST(log_writer, rotates_to_a_new_log_under_its_path) {
  for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
    const scratch_folder folder;
    auto log = writer::open(folder / "log", {.form = form});
    for (std::uint64_t i = 0; i < 3; ++i) ASSERT_TRUE(log->append(event_of(i)));
    ASSERT_TRUE(log->rotate("log.1"));
    EXPECT_EQ(log->records(), 0u);
    EXPECT_EQ(log->is_renamed().value(), false);
    ASSERT_TRUE(log->append(event_of(3)));
    EXPECT_EQ(read_all(folder / "log.1").events.size(), 3u);
    EXPECT_EQ(read_all(folder / "log").events, (std::vector{event_of(3)}));
    EXPECT_EQ(ingot::peek_file(folder / "log")->kind, ingot::peek_file(folder / "log.1")->kind);
    EXPECT_EQ(writer::open(folder / "log").error().code(), errc::io) << "the new one is locked";
    EXPECT_TRUE(writer::open(folder / "log.1")) << "the old one is not";

    // A name that is taken or invalid leaves everything unchanged.
    for (const char* const name : {"log.1", "", ".", "..", "there/log", "log"}) {
      EXPECT_EQ(log->rotate(name).error().code(), errc::io) << name;
      ASSERT_TRUE(log->append(event_of(4)));
    }
    EXPECT_EQ(read_all(folder / "log").events.size(), 7u);
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"log", "log.1"}));
  }
}

TEST(log_writer_failing, at_any_call_of_a_rotation_loses_no_record) {
  for (std::size_t n = 0;; ++n) {
    const scratch_folder folder;
    troubled_files files;
    auto log = writer::open(folder / "log", {}, files);
    for (std::uint64_t i = 0; i < 3; ++i) ASSERT_TRUE(log->append(event_of(i)));
    files.fail_at = files.calls.size() + n;
    const auto rotated = log->rotate("old");
    const bool is_done = files.fail_at >= files.calls.size();
    files.fail_at = troubled_files::never;
    const bool appended = log->append(event_of(3)).has_value();
    std::set<std::uint64_t> seen;
    for (const char* const name : {"log", "old"}) {
      if (!std::filesystem::exists(folder / name)) continue;
      const auto back = read_all(folder / name);
      EXPECT_FALSE(back.failed) << n;
      EXPECT_EQ(back.lost_bytes, 0u) << n;
      for (const event& each : back.events) seen.insert(each.number);
    }
    EXPECT_EQ(seen.size(), appended ? 4u : 3u) << n;
    if (!is_done) continue;
    EXPECT_TRUE(rotated.has_value() && appended);
    EXPECT_GE(n, 10u);
    break;
  }
}

TEST(log_writer_killed, in_a_rotation_leaves_all_records_and_the_next_one_completes_it) {
  for (std::size_t n = 0;; ++n) {
    const scratch_folder folder;
    const pid_t child = ::fork();
    if (child == 0) {
      troubled_files files;
      auto log = writer::open(folder / "log", {}, files);
      for (std::uint64_t i = 0; i < 3; ++i) static_cast<void>(log->append(event_of(i)));
      files.kill_at = files.calls.size() + n;
      static_cast<void>(log->rotate("old"));
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    const bool is_renamed = std::filesystem::exists(folder / "old");
    EXPECT_EQ(read_all(is_renamed ? folder / "old" : folder / "log").events.size(), 3u) << n;
    auto log = writer::open(folder / "log");
    ASSERT_TRUE(log.has_value()) << log.error().message();
    if (log->records() == 3) {
      ASSERT_TRUE(log->rotate("old")) << n << ": it may have both names already";
    }
    EXPECT_EQ(log->records(), 0u);
    EXPECT_EQ(read_all(folder / "old").events.size(), 3u);
    if (WIFEXITED(status)) break;
  }
}

// The system would end the process by SIGXFSZ.
TEST(log_writer, at_the_process_s_limit_of_file_sizes_fails_as_on_a_full_disk) {
  const scratch_folder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const struct ::rlimit limit{4096, 4096};
    std::signal(SIGXFSZ, SIG_DFL);
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    auto log = ingot::log_writer<std::string>::open(folder / "log");
    if (!log || !log->append(std::string(1000, 'a'))) ::_exit(3);
    const auto rejected = log->append(std::string(10'000, 'b'));
    if (rejected || rejected.error().code() != errc::io) ::_exit(4);
    if (!log->append(std::string(1000, 'c')) || !log->sync()) ::_exit(5);
    const auto saved = ingot::save(folder / "file", std::string(10'000, 'd'));
    if (saved || saved.error().code() != errc::io) ::_exit(6);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"log"})) << "and no temporary file";
}

TEST(log_writer_killed, before_any_call_leaves_whole_records) {
  for (std::size_t n = 0;; ++n) {
    const scratch_folder folder;
    const auto path = folder / "log";
    const pid_t child = ::fork();
    if (child == 0) {
      troubled_files files;
      files.kill_at = n;
      files.max_bytes = 30; // so that records take several calls
      auto log = writer::open(path, {}, files);
      for (std::uint64_t i = 0; log && i < 4; ++i) static_cast<void>(log->append(event_of(i)));
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (std::filesystem::exists(path)) {
      const auto back = read_all(path);
      EXPECT_FALSE(back.failed);
      EXPECT_TRUE(in_order(back.events));
      EXPECT_EQ(writer::open(path, {.repair = true})->records(), back.events.size());
    }
    if (WIFEXITED(status)) {
      EXPECT_EQ(read_all(path).events.size(), 4u);
      EXPECT_GE(n, 15u);
      break;
    }
  }
}

TEST(log_writer_power_cut, leaves_what_was_synced_and_whole_records) {
  std::size_t states = 0;
  for (std::size_t n = 0;; ++n) {
    simulated_disk disk;
    disk.power_for = n;
    std::size_t synced = 0;
    bool created = false;
    {
      auto log = writer::open("log", {}, disk);
      created = log.has_value();
      for (std::uint64_t i = 0; log && i < 9; ++i) {
        if (!log->append({i, std::string(600, 'x'), true})) break;
        if (i % 3 == 2 && log->sync()) synced = static_cast<std::size_t>(i) + 1;
      }
    }
    for (const byte_vector& left : disk.after_power_cut("log")) {
      ++states;
      if (left.empty()) {
        EXPECT_FALSE(created);
        continue;
      }
      simulated_disk rebooted;
      rebooted.put("log", left);
      const auto back = read_all("log", rebooted);
      ASSERT_FALSE(back.failed);
      EXPECT_GE(back.events.size(), synced);
      for (std::size_t i = 0; i < back.events.size(); ++i) EXPECT_EQ(back.events[i].number, i);
      const auto repaired = writer::open("log", {.repair = true}, rebooted);
      ASSERT_TRUE(repaired.has_value()) << repaired.error().message();
      EXPECT_EQ(repaired->records(), back.events.size());
    }
    if (disk.calls() < n) break;
  }
  EXPECT_GT(states, 100u);
}

TEST(log_writer_power_cut, leaves_what_was_synced_into_a_log_whose_maker_did_not_live_to_keep_its_name) {
  simulated_disk disk;
  {
    troubled_files files(disk);
    static_cast<void>(writer::open("whole", {}, files));
    const auto linked = std::ranges::find(files.calls, "link") - files.calls.begin();
    files.calls.clear();
    files.fail_at =
        static_cast<std::size_t>(linked) + 2; // the folder, after the removal of the temporary file
    EXPECT_EQ(writer::open("log", {}, files).error().expected(),
              "the renamed file to survive a power cut (the folder could not be synced)");
    EXPECT_EQ(files.calls[files.fail_at], "sync");
  }
  ASSERT_TRUE(disk.after_power_cut("log").contains(byte_vector{}));
  auto log = writer::open("log", {}, disk);
  ASSERT_TRUE(log.has_value()) << log.error().message();
  ASSERT_TRUE(log->append(event_of(0)) && log->sync());
  EXPECT_EQ(disk.after_power_cut("log"), std::set<byte_vector>{disk.content("log")});
}

TEST(log_writer_power_cut, brings_no_temporary_file_back) {
  simulated_disk disk;
  ASSERT_TRUE(writer::open("log", {}, disk));
  EXPECT_EQ(disk.durable_names(), std::vector<std::string>{"log"});
}

} // namespace log_writer_test
