// SPDX-License-Identifier: Apache-2.0
// A block in POSIX shared memory: one process creates it. Another process attaches to it at another
// address, edits it and exits. The first process continues with the result.
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "live/block_tools.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shared_memory_test {

struct part {
  std::uint32_t number;
  ingot::string name;
};
struct store {
  ingot::vector<part> parts;
  ingot::map<std::uint64_t, ingot::string> index;
};
using block = ingot::live<store>;

/// A shared memory segment whose name is removed as soon as it is open.
class segment {
public:
  explicit segment(std::size_t size) : size_(size) {
    const std::string name = "/ingot_shared_memory_test_" + std::to_string(::getpid());
    file_ = ::shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file_ < 0) return;
    ::shm_unlink(name.c_str());
    if (::ftruncate(file_, static_cast<off_t>(size)) != 0) ::close(std::exchange(file_, -1));
  }
  segment(const segment&) = delete;
  segment& operator=(const segment&) = delete;
  ~segment() {
    if (file_ >= 0) ::close(file_);
  }
  [[nodiscard]] bool is_there() const { return file_ >= 0; }
  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] std::size_t size() const { return size_; }

private:
  std::size_t size_;
  int file_ = -1;
};

/// A mapping of a whole segment, at any address that is free.
class mapping {
public:
  explicit mapping(const segment& of, int access = PROT_READ | PROT_WRITE) : size_(of.size()) {
    void* const start = ::mmap(nullptr, size_, access, MAP_SHARED, of.file(), 0);
    if (start != MAP_FAILED) start_ = static_cast<std::byte*>(start); // NOLINT: system's constant
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  ~mapping() {
    if (start_ != nullptr) ::munmap(start_, size_);
  }
  [[nodiscard]] bool is_there() const { return start_ != nullptr; }
  [[nodiscard]] std::span<std::byte> bytes() const { return {start_, size_}; }

private:
  std::size_t size_;
  std::byte* start_ = nullptr;
};

/// Runs in the other process. Returns the number of the step that failed, or 0.
int edit(const segment& shared, const mapping& inherited) {
  // The inherited mapping still exists, so this one is at another address
  const mapping here(shared);
  if (!here.is_there() || here.bytes().data() == inherited.bytes().data()) return 1;
  auto there = block::attach(here.bytes());
  if (!there) return 2;
  store& root = **there;
  if (root.parts.size() != 3 || root.parts[1].name.view() != "the second part's name") return 3;
  for (std::uint32_t i = 0; i < 200; ++i) {
    part* const added = root.parts.try_emplace_back();
    if (added == nullptr || !added->name.try_assign("a part that another process added")) return 4;
    added->number = i;
  }
  root.parts.erase(root.parts.begin());
  root.index[9] = "an entry that another process added";
  static_cast<void>(there->bytes());
  return 0;
}

TEST(live_shared_memory, a_block_is_edited_by_two_processes_one_after_the_other) {
  const segment shared(std::size_t{1} << 16);
  if (!shared.is_there()) GTEST_SKIP() << "the system has no shared memory";
  const mapping mine(shared);
  ASSERT_TRUE(mine.is_there());
  {
    auto created = block::in(mine.bytes());
    ASSERT_TRUE(created.has_value()) << created.error().message();
    store& root = **created;
    for (std::uint32_t i = 0; i < 3; ++i) root.parts.emplace_back().number = i;
    root.parts[1].name = "the second part's name";
    root.index[1] = "the first entry, in a storage";
    // Writes the size into the header, for the process that attaches
    static_cast<void>(created->bytes());
  }
  const pid_t other = ::fork();
  ASSERT_GE(other, 0);
  if (other == 0) ::_exit(edit(shared, mine));
  int status = -1;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 0) << "the step that failed";

  auto back = block::attach(mine.bytes());
  ASSERT_TRUE(back.has_value()) << back.error().message();
  store& root = **back;
  ASSERT_EQ(root.parts.size(), 202U);
  EXPECT_EQ(root.parts[0].name, "the second part's name");
  EXPECT_EQ(root.parts[201].name, "a part that another process added");
  EXPECT_EQ(root.parts[201].number, 199U);
  EXPECT_EQ(root.index.at(9), "an entry that another process added");
  root.index.clear();
  live_test::expect_accounted(*back);
  live_test::expect_opens_again(*back);
}

TEST(live_shared_memory, a_full_segment_is_out_of_space_and_its_block_is_as_it_was) {
  const segment shared(8192);
  if (!shared.is_there()) GTEST_SKIP() << "the system has no shared memory";
  const mapping mine(shared);
  ASSERT_TRUE(mine.is_there());
  auto created = block::in(mine.bytes());
  ASSERT_TRUE(created.has_value()) << created.error().message();
  store& root = **created;
  std::uint32_t count = 0;
  for (; part* const added = root.parts.try_emplace_back(); ++count) added->number = count;
  ASSERT_GT(count, 100U);
  const auto [entry, added] = root.index.try_insert(std::uint64_t{1}, "an entry that does not fit any more");
  EXPECT_FALSE(added);
  EXPECT_TRUE(entry == root.index.end());
  ASSERT_EQ(root.parts.size(), count);
  for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(root.parts[i].number, i);
  const std::size_t size = created->bytes().size();
  EXPECT_LE(size, shared.size());

  // A process that may only read sees the block, too, at another address.
  const mapping read_only(shared, PROT_READ);
  ASSERT_TRUE(read_only.is_there());
  const auto skip = static_cast<std::size_t>(created->bytes().data() - mine.bytes().data());
  const auto seen =
      ingot::live_view<store>::open(std::span<const std::byte>(read_only.bytes()).subspan(skip, size));
  ASSERT_TRUE(seen.has_value()) << seen.error().message();
  EXPECT_EQ((*seen)->parts.size(), count);
}

} // namespace shared_memory_test
#endif
