// SPDX-License-Identifier: Apache-2.0
// The simulated systems of other tests replace the code above system_posix.cpp; here the C library
// itself fails. The linker redirects every call of ingot::file to this file (--wrap). Here any call
// may return an error, be interrupted, or do less than requested. Without these tests the code
// between could lose an error, or treat half a write as a whole one.
#include <ingot/file/live_file.hpp>
#include <ingot/file/log_reader.hpp>
#include <ingot/file/map_file.hpp>

#include "file/commits.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>

namespace system_calls_test {

using namespace file_test;

/// The fault of the chosen call, and of later ones.
struct fault {
  enum class reach : std::uint8_t {
    once,
    kind,       ///< to all later ones of the same function
    everything, ///< to all later ones, but for closing and the removal of names
    each_once   ///< to every call from the chosen one on before it succeeds
  };

  std::string_view name{};
  int number = 0; ///< the error; 0: only half of the bytes are transferred
  reach reaches = reach::once;

  [[nodiscard]] bool interrupts() const noexcept { return number == EINTR; }
  [[nodiscard]] bool shortens() const noexcept { return number == 0; }
  /// The fault must have no visible effect.
  [[nodiscard]] bool is_harmless() const noexcept { return interrupts() || shortens(); }
};

struct trouble {
  bool active = false;
  fault what{};
  std::size_t at = 0;
  bool no_preallocation = false; ///< the file system does not support fallocate
  std::vector<std::string_view> calls{};
  std::set<std::string_view> hit{}; ///< functions that had the fault

  /// Returns true if this call has the fault.
  [[nodiscard]] bool takes(std::string_view function) {
    const std::size_t index = calls.size();
    if (index == max_calls) {
      std::fputs("a function of ingot::file asks the system without end\n", stderr);
      std::abort();
    }
    calls.push_back(function);
    if (index < at || !is_open_to(function)) return false;
    if (index == at) chosen_ = function;
    const bool spared = function == "close" || function == "unlinkat" || function == "munmap";
    const bool taken = index == at || (what.reaches == fault::reach::kind && function == chosen_) ||
                       (what.reaches == fault::reach::everything && !spared) ||
                       (what.reaches == fault::reach::each_once && !was_interrupted_);
    was_interrupted_ = taken && what.interrupts();
    if (taken) hit.insert(function);
    return taken;
  }

private:
  /// According to the manual only some functions can be interrupted, and only two report how much
  /// they did.
  [[nodiscard]] bool is_open_to(std::string_view function) const {
    static const std::set<std::string_view> interruptible{"open",   "openat", "close",     "pread",
                                                          "pwrite", "fsync",  "ftruncate", "fallocate",
                                                          "flock",  "fchmod", "fchown"};
    if (what.interrupts()) return interruptible.contains(function);
    if (what.shortens()) return function == "pread" || function == "pwrite";
    return true;
  }

  static constexpr std::size_t max_calls = 100'000;
  std::string_view chosen_{};
  bool was_interrupted_ = false;
};

trouble now; // NOLINT(*-avoid-non-const-global-variables): what the system calls find

/// Runs the call, or returns its error.
template <class Call>
[[nodiscard]] auto troubled(std::string_view function, const Call& call) -> decltype(call()) {
  if (!now.active || !now.takes(function)) return call();
  errno = now.what.number;
  return -1;
}
template <class Call>
[[nodiscard]] std::int64_t troubled_bytes(std::string_view function, std::size_t bytes, const Call& call) {
  if (!now.active || !now.takes(function)) return call(bytes);
  if (now.what.shortens()) return call(bytes - bytes / 2);
  errno = now.what.number;
  return -1;
}
template <class Call>
[[nodiscard]] void* troubled_map(const Call& call) {
  void* mapped = reinterpret_cast<void*>(-1); // NOLINT(performance-no-int-to-ptr): MAP_FAILED
  const int failed = troubled("mmap", [&] {
    mapped = call();
    return 0;
  });
  static_cast<void>(failed); // `mapped` says it
  return mapped;
}
/// Runs the call even if an error is returned.
template <class Call>
[[nodiscard]] int done_and_troubled(std::string_view function, const Call& call) {
  const bool taken = now.active && now.takes(function);
  const int returned = call();
  if (!taken) return returned;
  errno = now.what.number;
  return -1;
}

} // namespace system_calls_test

// The linker defines the names: callers of x call __wrap_x, and __real_x is x. Functions with
// offsets are the 64-bit ones, for which ingot::file is compiled.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,*-naming,*-vararg)
extern "C" {
int __real_open64(const char* path, int flags, ...);
int __real_openat64(int folder, const char* path, int flags, ...);
int __real_close(int file);
ssize_t __real_pread64(int file, void* to, std::size_t bytes, std::int64_t from);
ssize_t __real_pwrite64(int file, const void* from, std::size_t bytes, std::int64_t to);
int __real_fsync(int file);
int __real_ftruncate64(int file, std::int64_t size);
int __real_renameat(int folder, const char* from, int to_folder, const char* to);
int __real_linkat(int folder, const char* from, int to_folder, const char* to, int flags);
int __real_unlinkat(int folder, const char* name, int flags);
int __real_fstat64(int file, void* out);
int __real_fstatat64(int folder, const char* name, void* out, int flags);
int __real_fchmod(int file, mode_t mode);
int __real_fchown(int file, uid_t user, gid_t group);
int __real_flock(int file, int how);
void* __real_mmap(void* at, std::size_t size, int allowed, int flags, int file, std::int64_t from);
void* __real_mmap64(void* at, std::size_t size, int allowed, int flags, int file, std::int64_t from);
int __real_munmap(void* at, std::size_t size);
int __real_fallocate64(int file, int mode, std::int64_t from, std::int64_t size);

int __wrap_open64(const char* path, int flags, mode_t mode) {
  return system_calls_test::troubled("open", [&] { return __real_open64(path, flags, mode); });
}
int __wrap_openat64(int folder, const char* path, int flags, mode_t mode) {
  return system_calls_test::troubled("openat", [&] { return __real_openat64(folder, path, flags, mode); });
}
int __wrap_close(int file) {
  return system_calls_test::done_and_troubled("close", [&] { return __real_close(file); });
}
ssize_t __wrap_pread64(int file, void* to, std::size_t bytes, std::int64_t from) {
  return system_calls_test::troubled_bytes("pread", bytes,
                                           [&](std::size_t n) { return __real_pread64(file, to, n, from); });
}
ssize_t __wrap_pwrite64(int file, const void* from, std::size_t bytes, std::int64_t to) {
  return system_calls_test::troubled_bytes("pwrite", bytes,
                                           [&](std::size_t n) { return __real_pwrite64(file, from, n, to); });
}
int __wrap_fsync(int file) {
  return system_calls_test::troubled("fsync", [&] { return __real_fsync(file); });
}
int __wrap_ftruncate64(int file, std::int64_t size) {
  return system_calls_test::troubled("ftruncate", [&] { return __real_ftruncate64(file, size); });
}
int __wrap_renameat(int folder, const char* from, int to_folder, const char* to) {
  return system_calls_test::troubled("renameat",
                                     [&] { return __real_renameat(folder, from, to_folder, to); });
}
int __wrap_linkat(int folder, const char* from, int to_folder, const char* to, int flags) {
  return system_calls_test::troubled("linkat",
                                     [&] { return __real_linkat(folder, from, to_folder, to, flags); });
}
int __wrap_unlinkat(int folder, const char* name, int flags) {
  return system_calls_test::troubled("unlinkat", [&] { return __real_unlinkat(folder, name, flags); });
}
int __wrap_fstat64(int file, void* out) {
  return system_calls_test::troubled("fstat", [&] { return __real_fstat64(file, out); });
}
int __wrap_fstatat64(int folder, const char* name, void* out, int flags) {
  return system_calls_test::troubled("fstatat", [&] { return __real_fstatat64(folder, name, out, flags); });
}
int __wrap_fchmod(int file, mode_t mode) {
  return system_calls_test::troubled("fchmod", [&] { return __real_fchmod(file, mode); });
}
int __wrap_fchown(int file, uid_t user, gid_t group) {
  return system_calls_test::troubled("fchown", [&] { return __real_fchown(file, user, group); });
}
int __wrap_flock(int file, int how) {
  return system_calls_test::troubled("flock", [&] { return __real_flock(file, how); });
}
void* __wrap_mmap64(void* at, std::size_t size, int allowed, int flags, int file, std::int64_t from) {
  return system_calls_test::troubled_map([&] { return __real_mmap64(at, size, allowed, flags, file, from); });
}
// An inline function that reserves addresses may be taken from this file, which is compiled for the
// other name.
void* __wrap_mmap(void* at, std::size_t size, int allowed, int flags, int file, std::int64_t from) {
  return system_calls_test::troubled_map([&] { return __real_mmap(at, size, allowed, flags, file, from); });
}
int __wrap_munmap(void* at, std::size_t size) {
  return system_calls_test::done_and_troubled("munmap", [&] { return __real_munmap(at, size); });
}
int __wrap_fallocate64(int file, int mode, std::int64_t from, std::int64_t size) {
  if (system_calls_test::now.active && system_calls_test::now.no_preallocation) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return system_calls_test::troubled("fallocate", [&] { return __real_fallocate64(file, mode, from, size); });
}
} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,*-naming,*-vararg)

namespace system_calls_test {

[[nodiscard]] std::size_t open_descriptors() {
  std::size_t count = 0;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    static_cast<void>(each);
    ++count;
  }
  return count;
}
[[nodiscard]] bool is_mapped(const std::filesystem::path& path) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(path.string()) != std::string::npos) return true;
  }
  return false;
}

/// For a file that does not change: it is read as a whole, or not at all.
template <class Read>
[[nodiscard]] commit reading(std::string name, const byte_vector& before, const Read& read) {
  return {std::move(name), before,
          [read](file_system& system, const std::filesystem::path& path, steps& progress) {
            read(system, path, progress.done);
          },
          [before](const byte_vector& left, const steps& progress) {
            return left == before && progress.done <= 1;
          },
          1};
}
template <class Hero>
[[nodiscard]] bool is_ada(const Hero& read) {
  return read.name == ada().name && read.equips.size() == 2 && read.equips[1].id == 8 &&
         read.items.size() == 1;
}
constexpr std::size_t wrong = 1'000; ///< a number of steps that no commit promises

[[nodiscard]] std::vector<commit> readings() {
  std::vector<commit> all;
  all.push_back(reading("a packed file is loaded", file_of(ada()),
                        [](file_system& system, const std::filesystem::path& path, std::size_t& done) {
                          const auto read = ingot::load<hero>(path, {}, system);
                          if (read) done = is_ada(*read) ? 1 : wrong;
                        }));
  all.push_back(reading("a live file is loaded", file_of(live_ada()),
                        [](file_system& system, const std::filesystem::path& path, std::size_t& done) {
                          const auto read = ingot::load<ingot::live<live_hero>>(path, {}, system);
                          if (read) done = is_ada(**read) ? 1 : wrong;
                        }));
  all.push_back(reading("a live file is mapped", file_of(live_ada()),
                        [](file_system& system, const std::filesystem::path& path, std::size_t& done) {
                          const auto read = ingot::map_file<ingot::live_view<live_hero>>(path, {}, system);
                          if (read) done = is_ada(***read) ? 1 : wrong;
                        }));
  all.push_back(reading("a log is read", long_log(7),
                        [](file_system& system, const std::filesystem::path& path, std::size_t& done) {
                          const auto read = read_all(path, system);
                          if (read.failed) return;
                          done = read.events.size() == 7 && read.lost_bytes == 0 ? 1 : wrong;
                        }));
  return all;
}

/// Errors of these functions mean that a required action did not happen, and must be reported.
[[nodiscard]] bool must_be_said(std::string_view function) {
  static const std::set<std::string_view> all{"open",      "openat",   "pread",  "pwrite", "fsync",
                                              "ftruncate", "renameat", "linkat", "fstat",  "fallocate"};
  return all.contains(function);
}

class walk {
public:
  /// Repeats the operation with the fault at each call in turn. Returns the number of faults.
  std::size_t through(const commit& one, const fault& what, bool no_preallocation) {
    SCOPED_TRACE(one.name + ", " + std::string(what.name) + (no_preallocation ? ", without fallocate" : ""));
    std::size_t faults = 0;
    for (std::size_t at = 0;; ++at) {
      const std::size_t calls = step(one, what, no_preallocation, at);
      if (testing::Test::HasFailure()) return faults;
      if (at >= calls) return faults;
      ++faults;
    }
  }
  /// The functions that ingot::file called, and how often each failed.
  std::map<std::string_view, std::size_t> hits{};

private:
  std::size_t step(const commit& one, const fault& what, bool no_preallocation, std::size_t at) {
    const scratch_folder folder = scratch_folder::in_memory();
    const auto path = folder / "x";
    if (!one.before.empty()) write_file(path, one.before);
    const std::size_t descriptors = open_descriptors();
    now = {};
    now.what = what;
    now.at = at;
    now.no_preallocation = no_preallocation;
    now.calls.reserve(1'000);
    steps progress;
    now.active = true;
    one.work(ingot::system_files(), path, progress);
    now.active = false;
    const std::string where =
        at < now.calls.size() ? std::string(now.calls[at]) + ", call " + std::to_string(at) : "no call";
    for (const auto each : now.hit) ++hits[each];

    EXPECT_EQ(open_descriptors(), descriptors) << where;
    EXPECT_FALSE(is_mapped(path)) << where;
    EXPECT_TRUE(one.is_promised(read_file(path), progress)) << where << ", done " << progress.done;
    if (now.hit.empty() || what.is_harmless()) {
      EXPECT_EQ(progress.done, one.count) << where << " is no failure";
    } else if (now.hit.size() == 1 && must_be_said(now.calls[at]) &&
               !asks_for_less(one, what, no_preallocation, now.calls[at])) {
      EXPECT_LT(progress.done, one.count) << where << " failed without an error";
    }
    // A temporary file that could not be removed stays, under a name that no reader uses.
    if (!now.hit.contains("unlinkat")) {
      for (const auto& name : folder.names())
        EXPECT_TRUE(name == "x" || name == "x~") << name << ", " << where;
    }
    if (progress.done < one.count) should_continue(one, path, where);
    return now.calls.size();
  }
  /// If space could not be reserved in advance for an edited file, a smaller size may be available.
  [[nodiscard]] static bool asks_for_less(const commit& one, const fault& what, bool no_preallocation,
                                          std::string_view function) {
    return one.repairs && what.reaches == fault::reach::once &&
           (no_preallocation || function == "fallocate" || function == "fstat");
  }
  /// Repeating the operation without faults completes it.
  static void should_continue(const commit& one, const std::filesystem::path& path,
                              const std::string& where) {
    if (one.repairs) {
      auto file = ingot::edit_file<edited_hero>(path, {.repair = true});
      ASSERT_TRUE(file.has_value()) << where << ": " << file.error().message();
      ASSERT_TRUE(file->close()) << where;
    }
    steps again;
    one.work(ingot::system_files(), path, again);
    EXPECT_EQ(again.done, one.count) << where;
    EXPECT_TRUE(one.is_promised(read_file(path), again)) << where;
  }
};

constexpr std::array faults{
    fault{"interrupted once", EINTR, fault::reach::once},
    fault{"each call interrupted", EINTR, fault::reach::each_once},
    fault{"half of the bytes once", 0, fault::reach::once},
    fault{"half of the bytes from then on", 0, fault::reach::everything},
    fault{"EIO once", EIO, fault::reach::once},
    fault{"EIO from then on, of that function", EIO, fault::reach::kind},
    fault{"EIO from then on", EIO, fault::reach::everything},
    fault{"ENOSPC once", ENOSPC, fault::reach::once},
    fault{"ENOSPC from then on, of that function", ENOSPC, fault::reach::kind},
    fault{"ENOSPC from then on", ENOSPC, fault::reach::everything},
};

TEST(system_calls, of_every_function_for_files_fail_one_after_the_other) {
  constexpr lengths few{2, 3, 2, 9, 2, 1};
  std::vector<commit> all = six_commits(few);
  all.push_back(file_that_is_edited(few.edits, true));
  all.push_back(
      saves("files are saved, and the previous version is kept", file_of(ada()), {.backup = "~"}, 2));
  for (commit& one : readings()) all.push_back(std::move(one));
  walk everywhere;
  std::size_t count = 0;
  for (const commit& one : all) {
    for (const fault& what : faults) {
      count += everywhere.through(one, what, false);
      if (one.repairs) count += everywhere.through(one, what, true);
      if (HasFailure()) return;
    }
  }
  // If the linker had not redirected a function, no fault would have reached it.
  for (const std::string_view each :
       {"open", "openat", "close", "pread", "pwrite", "fsync", "ftruncate", "renameat", "linkat", "unlinkat",
        "fstat", "fstatat", "fchmod", "flock", "mmap", "munmap", "fallocate"}) {
    EXPECT_GT(everywhere.hits[each], 0U) << each;
  }
  EXPECT_GE(count, 2'000U);
  RecordProperty("faults", static_cast<int>(count));
}

} // namespace system_calls_test
