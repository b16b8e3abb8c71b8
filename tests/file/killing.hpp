// SPDX-License-Identifier: Apache-2.0
// Kills a process before each of its system calls for files, and checks the remaining file. The
// system keeps written data, whether or not it was forced to disk; so the tests force nothing, and
// are quick. simulated_disk.hpp simulates power cuts, which can lose more.
#pragma once

#include "file/commits.hpp"

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <new>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace file_test {

/// The steps that a killed process reported before.
class shared_steps {
public:
  shared_steps()
      : at_(::mmap(nullptr, sizeof(steps), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (at_ != MAP_FAILED) ::new (at_) steps;
  }
  shared_steps(const shared_steps&) = delete;
  shared_steps& operator=(const shared_steps&) = delete;
  ~shared_steps() {
    if (at_ != MAP_FAILED) ::munmap(at_, sizeof(steps));
  }
  explicit operator bool() const noexcept { return at_ != MAP_FAILED; }
  [[nodiscard]] steps& operator*() const noexcept { return *static_cast<steps*>(at_); }

private:
  void* at_;
};

/// Counts in `kills` how often the process was killed. Each time the file has the promised
/// contents, and repeating the operation completes it.
inline void kill_everywhere(const commit& one, std::size_t& kills,
                            const std::function<void(const std::filesystem::path&)>& prepare = {}) {
  SCOPED_TRACE(one.name);
  for (std::size_t n = 0;; ++n, ++kills) {
    const scratch_folder folder = scratch_folder::in_memory();
    const auto path = folder / "x";
    if (prepare) prepare(folder.path());
    if (!one.before.empty()) write_file(path, one.before);
    const shared_steps progress;
    ASSERT_TRUE(progress);
    const pid_t child = ::fork();
    if (child == 0) {
      troubled_files files;
      files.kill_at = n;
      files.forces = false;
      one.work(files, path, *progress);
      ::_exit((*progress).done == one.count ? 0 : 2);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(one.is_promised(read_file(path), *progress)) << "killed before call " << n;
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0) << "it was not killed, and it failed";
      return;
    }
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
    troubled_files files;
    files.forces = false;
    if (one.repairs) {
      auto file = ingot::edit_file<edited_hero>(path, {.repair = true}, files);
      ASSERT_TRUE(file.has_value()) << "killed before call " << n << ": " << file.error().message();
      ASSERT_TRUE(file->close());
    }
    steps again;
    one.work(files, path, again);
    ASSERT_EQ(again.done, one.count) << "killed before call " << n;
    ASSERT_TRUE(one.is_promised(read_file(path), again)) << "killed before call " << n;
    EXPECT_EQ(files.open_files(), 0);
  }
}

} // namespace file_test
