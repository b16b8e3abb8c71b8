// SPDX-License-Identifier: Apache-2.0
// Files that are edited in place after a crash, a power cut, a full disk, or changes by other
// programs and attackers: the result is a specific error, or the earlier block.
#include <ingot/file/edit_file.hpp>

#include "document/miscounted.hpp"
#include "file/edit_file_tools.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace edit_file_damage_test {

using namespace file_test;

[[nodiscard]] bool sampled() {
  return std::getenv("INGOT_TEST_SAMPLED") != nullptr; // NOLINT(concurrency-mt-unsafe)
}
using ingot::edit_file;
using ingot::errc;

// The state after a crash.

/// Runs `edit` on the open file in a process that `edit` kills, or that is killed after it.
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

TEST(edit_file_crashed, is_rejected_and_repaired_with_what_was_done_before) {
  const scratch_folder folder;
  const auto path = folder / "world";
  ASSERT_TRUE(ingot::create_edited_file(path, live_ada()));
  crash<live_file>(path, [](auto& file) {
    file->name = "Grace, and she was killed while she was working";
    for (std::uint32_t i = 0; i < 30'000; ++i) file->equips.push_back({i, i});
    file->items.erase("rope");
  });
  EXPECT_FALSE(info_of(path)->closed);
  for (const auto& why : {edit_file<live_file>(path).error(),
                          ingot::edit_file_unchecked<live_file>(path, {.repair = true}).error(),
                          ingot::load<live_file>(path).error()}) {
    EXPECT_EQ(why.code(), errc::not_closed);
    EXPECT_EQ(why.found(), "one that its editor did not close");
    EXPECT_NE(why.message().find("repair"), std::string::npos) << why.message();
  }
  auto file = edit_file<live_file>(path, {.repair = true});
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_FALSE(file->was_closed());
  EXPECT_EQ((*file)->name, "Grace, and she was killed while she was working");
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
    static_cast<void>((*file).root().erase("quote"));
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

TEST(edit_file_crashed, at_any_moment_is_opened_whole_or_rejected) {
  // Killed by another process at any moment: the repaired file can be used, and no block is half
  // written.
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

// Rejected system calls.

TEST(edit_file_failing, at_any_call_is_an_error_and_leaves_nothing_open) {
  simulated_disk source_disk;
  const byte_vector bytes = edited_ada(source_disk);
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
          EXPECT_TRUE(good || file->last_error()) << files.calls[n];
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
      // If the system can't allocate a generous piece of the disk, a small one is enough.
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
  ASSERT_TRUE(file->last_error());
  EXPECT_EQ(file->last_error()->code(), errc::io);
  EXPECT_NE(file->last_error()->found().find("No space left"), std::string::npos)
      << file->last_error()->message();
#if INGOT_EXCEPTIONS
  try {
    (*file)->equips.reserve(1'000'000);
    ADD_FAILURE();
  } catch (const ingot::out_of_space& why) {
    EXPECT_EQ(why.why(), ingot::out_of_space_reason::file);
  }
#endif
  disk.capacity = payload_at + 2'000'000;
  EXPECT_NE((*file)->equips.try_emplace_back(item{2, 2}), nullptr) << "it was tried again";
  EXPECT_FALSE(file->last_error());
  ASSERT_TRUE(file->close());
  EXPECT_EQ((*edit_file<live_file>("x", {}, disk))->equips.size(), taken + 1);
}

TEST(edit_file_on_a_full_disk, grows_by_less_if_that_fits) {
  simulated_disk disk;
  auto file = ingot::create_edited_file("x", live_ada(), {}, disk);
  ASSERT_TRUE(file.has_value());
  disk.capacity = payload_at + 500'000;
  const std::size_t before = disk.content("x").size();
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE((*file)->equips.try_reserve(1'000'000));
    ASSERT_TRUE(file->last_error());
    EXPECT_EQ(file->last_error()->code(), errc::io);
    EXPECT_EQ(disk.content("x").size(), before) << "what did not suffice was given back";
  }
  EXPECT_TRUE((*file)->equips.try_reserve(10'000));
  EXPECT_FALSE(file->last_error());
}

TEST(edit_file_on_a_full_disk, that_could_not_be_closed_says_so_for_good) {
  simulated_disk disk;
  auto file = ingot::create_edited_file("x", live_ada(), {}, disk);
  ASSERT_TRUE(file.has_value());
  disk.power_for = disk.calls();
  EXPECT_FALSE(file->close());
  EXPECT_FALSE(*file);
  ASSERT_TRUE(file->last_error());
  EXPECT_EQ(file->last_error()->code(), errc::io);
  EXPECT_FALSE(file->sync());
}

TEST(edit_file_failing, to_sync_is_not_closed_however_well_it_goes_later) {
  // The system may discard data that it could not write, and report success at the next call.
  simulated_disk source_disk;
  const byte_vector before = edited_ada(source_disk);
  for (const bool durable : {true, false}) {
    simulated_disk disk;
    disk.put("x", before);
    troubled_files files(disk);
    auto file = edit_file<live_file>("x", {.durable = durable}, files);
    ASSERT_TRUE(file.has_value()) << file.error().message();
    (*file)->equips[0].id = 5;
    files.fail_at = files.calls.size(); // and no later call
    ASSERT_FALSE(file->sync());
    ASSERT_EQ(files.calls.back(), "sync");
    const auto again = file->sync();
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code(), errc::io);
    EXPECT_NE(again.error().message().find("failed sync"), std::string::npos) << again.error().message();
    EXPECT_FALSE(file->close());
    EXPECT_FALSE(*file);
    ASSERT_TRUE(file->last_error());
    EXPECT_EQ(file->last_error()->code(), errc::io);
    EXPECT_EQ(files.open_files(), 0);
    EXPECT_EQ(edit_file<live_file>("x", {}, disk).error().code(), errc::not_closed);
    auto repaired = edit_file<live_file>("x", {.repair = true}, disk);
    ASSERT_TRUE(repaired.has_value()) << repaired.error().message();
    ASSERT_TRUE(repaired->close());
    EXPECT_TRUE(edit_file<live_file>("x", {}, disk)->was_closed());
  }
}

TEST(edit_file_on_a_full_disk, is_not_sent_a_signal_by_the_limit_of_its_process) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::create_edited_file(folder / "x", live_ada()));
  const pid_t child = ::fork();
  if (child == 0) {
    const ::rlimit max_size{payload_at + 300'000, payload_at + 300'000};
    if (::setrlimit(RLIMIT_FSIZE, &max_size) != 0) ::_exit(2);
    auto file = edit_file<live_file>(folder / "x");
    if (!file) ::_exit(3);
    while ((*file)->equips.try_emplace_back(item{1, 1}) != nullptr) {
    }
    if (!file->last_error() || (*file)->equips.size() < 5000) ::_exit(4);
    ::_exit(file->close() ? 0 : 5);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(edit_file<live_file>(folder / "x"));
}

#if defined(__linux__) && !INGOT_SANITIZED // sanitizers reserve addresses themselves
TEST(edit_file_without_addresses, is_an_error_without_endless_retries) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::create_edited_file(folder / "x", live_ada()));
  const pid_t child = ::fork();
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const ::rlim_t max_size = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + 65536;
    const ::rlimit addresses{max_size, max_size};
    const ::rlimit seconds{10, 10}; // far more than the test needs; an endless loop is killed
    if (pages == 0 || ::setrlimit(RLIMIT_CPU, &seconds) != 0) ::_exit(2);
    if (::setrlimit(RLIMIT_AS, &addresses) != 0) ::_exit(3);
    const auto file = edit_file<live_file>(folder / "x");
    if (file) ::_exit(4);
    ::_exit(file.error().code() == errc::no_memory ? 0 : 5);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(edit_file<live_file>(folder / "x"));
}
#endif

TEST(edit_file_with_others, notices_a_shorter_file_before_it_grows) {
  const scratch_folder folder;
  auto file = ingot::create_edited_file(folder / "x", live_ada());
  ASSERT_TRUE(file.has_value());
  const auto size = static_cast<off_t>(std::filesystem::file_size(folder / "x"));
  ASSERT_EQ(::truncate((folder / "x").c_str(), size - 8), 0); // the new end is in an existing page
  EXPECT_FALSE((*file)->equips.try_reserve(10'000));
  ASSERT_TRUE(file->last_error());
  EXPECT_EQ(file->last_error()->code(), errc::truncated);
}

TEST(edit_file_with_others, has_the_bytes_of_the_previous_owner) {
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

TEST(edit_file_with_others, is_rejected_if_they_ended_before_they_closed_it) {
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
  EXPECT_EQ(file.error().found(), "one that its editor did not close");
}

TEST(edit_file_with_holes, allocates_disk_space_before_it_is_written_to) {
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
    auto created = ingot::create_edited_file(sparse, live_ada());
    (*created)->equips.resize(100'000);
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

// Untrusted files.

TEST(edit_file_damaged, is_rejected_whatever_bit_of_its_head_is_another) {
  simulated_disk source_disk;
  for (const byte_vector& bytes : {edited_ada(source_disk), edited_document(source_disk)}) {
    const std::size_t head = 64 + (bytes[40] != std::byte{0} || bytes[41] != std::byte{0} ? 700 : 8);
    // Sampled tests flip a fifth of the bits of a description.
    for (std::size_t bit = 0; bit < 8 * head; bit += sampled() && bit >= 8 * 64 ? 5 : 1) {
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

TEST(edit_file_damaged, is_rejected_if_it_is_longer_or_shorter_than_it_says) {
  simulated_disk source_disk;
  const byte_vector bytes = edited_ada(source_disk);
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

/// If only the use counts of shared keys are wrong, they are counted again: in a file that is
/// marked as edited, and in no other.
TEST(edit_file_damaged, counts_are_put_right_when_nothing_says_no_any_more) {
  simulated_disk source_disk;
  const byte_vector head = edited_document(source_disk);
  for (const auto& payload : document_test::miscounted()) {
    byte_vector bytes(head.begin(), head.begin() + payload_at);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    auto header = *ingot::detail::read_header(ingot::bytes_view(head).first(64), head.size());
    header.info.payload_size = payload.size();
    ingot::detail::write_header(header, bytes.data());
    const auto open = [&](std::size_t fail_at, ingot::progress_ref progress) {
      simulated_disk disk;
      disk.put("x", bytes);
      troubled_files files(disk);
      files.fail_at = fail_at;
      const auto file = edit_file<ingot::document>("x", {.progress = progress}, files);
      EXPECT_EQ(disk.content("x") == bytes, !file) << "call " << fail_at << " failed";
      return file.has_value();
    };
    const auto never = static_cast<std::size_t>(-1);
    std::size_t rejected = 0;
    while (!open(rejected, {})) ++rejected;
    EXPECT_GE(rejected, 8U) << "with the requested space, and the mark";
    std::size_t calls_before_cancel = 0;
    for (bool opened = false; !opened; ++calls_before_cancel) {
      std::size_t calls = 0;
      opened = open(never, [&](std::uint64_t, std::uint64_t) { return calls++ != calls_before_cancel; });
    }
    EXPECT_GE(calls_before_cancel, 3U) << "stopped during reading and during validation";
  }
}

TEST(edit_file_damaged, payload_is_validated_where_it_is) {
  simulated_disk source_disk;
  const byte_vector live = edited_ada(source_disk);
  const byte_vector document = edited_document(source_disk);
  std::size_t rejected = 0;
  const auto offer = [&]<class T>(std::type_identity<T>, const byte_vector& bytes, std::size_t bit,
                                  bool closed) {
    byte_vector damaged = bytes;
    damaged[bit / 8] ^= std::byte{1} << bit % 8;
    if (!closed) {
      auto header = *ingot::detail::read_header(ingot::bytes_view(bytes).first(64), bytes.size());
      header.info.closed = false;
      ingot::detail::write_header(header, damaged.data());
      damaged.resize(damaged.size() + 5000, std::byte{0});    // reserved bytes, not used yet
      damaged.resize(damaged.size() + bit % 8, std::byte{1}); // and less than a whole granule
    }
    simulated_disk disk;
    disk.put("x", damaged);
    auto file = edit_file<T>("x", {.repair = true}, disk);
    if (!file) {
      ++rejected;
      EXPECT_EQ(disk.content("x"), damaged) << "and as it was: " << bit;
      EXPECT_EQ(disk.allocated, 0u) << "an untrusted file takes no space before it is validated";
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
  const std::size_t step = sampled() ? 13 : 3; // every bit position in turn
  for (const bool closed : {true, false}) {
    for (std::size_t bit = 8 * payload_at; bit < 8 * live.size(); bit += step)
      offer(std::type_identity<live_file>{}, live, bit, closed);
    for (std::size_t bit = 8 * payload_at; bit < 8 * document.size(); bit += step)
      offer(std::type_identity<ingot::document>{}, document, bit, closed);
  }
  EXPECT_GT(rejected, 1500 / step);
}

} // namespace edit_file_damage_test
