// SPDX-License-Identifier: Apache-2.0
// Without these tests a hint about memory could change its contents, or the memory next to it, or a
// program's errno; and lists could lose their elements.
#include <ingot/file/detail/fresh_pages.hpp>
#include <ingot/live/detail/system_posix.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace {

using ingot::detail::page_asker;
using ingot::detail::pages_step;
using ingot::detail::prepare_pages;

/// New pages from the system; the page after them can't be accessed.
class fresh_mapping {
public:
  explicit fresh_mapping(std::size_t size) : size_(size) {
    void* const at =
        ::mmap(nullptr, size + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    start_ = static_cast<std::byte*>(at);
    EXPECT_EQ(::mprotect(start_ + size, page(), PROT_NONE), 0);
  }
  fresh_mapping(const fresh_mapping&) = delete;
  fresh_mapping& operator=(const fresh_mapping&) = delete;
  ~fresh_mapping() { ::munmap(start_, size_ + page()); }

  static std::size_t page() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }
  [[nodiscard]] std::span<std::byte> bytes() const { return {start_, size_}; }

private:
  std::byte* start_ = nullptr;
  std::size_t size_;
};

#if defined(__linux__)
/// Returns the number of these whole pages that are resident.
std::ptrdiff_t pages_of(std::span<std::byte> bytes) {
  std::vector<unsigned char> there(bytes.size() / fresh_mapping::page());
  EXPECT_EQ(::mincore(bytes.data(), bytes.size(), there.data()), 0);
  return std::ranges::count_if(there, [](unsigned char one) { return (one & 1U) != 0; });
}

/// Installs a filter as services use: from here on the system kills the process at any other call.
/// Returns false if there are no filters.
bool allow_what_services_do(unsigned looks = __NR_getrusage) {
  std::array<sock_filter, 6> program{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_madvise, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, looks, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_exit_group, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog filter{program.size(), program.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// Ignores `reserve`, as a container may, and does not own its memory.
struct advised_list {
  using value_type = std::byte;
  std::span<std::byte> memory;
  std::size_t taken = 0;

  [[nodiscard]] std::byte* data() const { return memory.data(); }
  [[nodiscard]] std::size_t size() const { return taken; }
  [[nodiscard]] std::size_t capacity() const { return taken; }
  void reserve(std::size_t) {}
  void resize(std::size_t count) { taken = count; }
};
#endif

} // namespace

TEST(fresh_pages, bytes_stay_what_they_are) {
  const fresh_mapping memory(pages_step);
  const auto all = memory.bytes();
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::byte>(i * 7);
  for (const std::size_t skip : {0U, 1U, 4096U, 5000U}) prepare_pages(all.subspan(skip));
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<std::byte>(i * 7)) << i;
}

TEST(fresh_pages, new_bytes_are_zero_and_those_after_them_are_left_alone) {
  const fresh_mapping memory(2 * pages_step);
  const auto all = memory.bytes();
  errno = 1234;
  prepare_pages(all.subspan(100)); // up to the page that can't be accessed
  // beyond the end: the system rejects the call, which has no effect
  prepare_pages({all.data() + all.size() - 100, pages_step});
  EXPECT_EQ(errno, 1234);
  EXPECT_TRUE(std::ranges::all_of(all, [](std::byte b) { return b == std::byte{}; }));
}

#if defined(__linux__)
TEST(fresh_pages, all_whole_pages_are_there_at_once) {
  const std::size_t page = fresh_mapping::page();
  const auto all_there = [page](std::span<std::byte> bytes) {
    return pages_of(bytes) == static_cast<std::ptrdiff_t>(bytes.size() / page);
  };
  const fresh_mapping first(page);
  if (!ingot::detail::system::prepare(first.bytes().data(), page) || !all_there(first.bytes()))
    GTEST_SKIP() << "the system, or what stands for it, has no such call";
  const fresh_mapping memory(pages_step);
  ASSERT_FALSE(all_there(memory.bytes()));
  prepare_pages(memory.bytes().subspan(100));
  EXPECT_TRUE(all_there(memory.bytes()));
}

TEST(fresh_pages, ask_for_nothing_that_ends_a_service) {
  const fresh_mapping memory(2 * pages_step);
  const auto all = memory.bytes();
  prepare_pages(all.first(pages_step)); // the page size is queried once
  const auto confined = [all] {
    if (allow_what_services_do()) prepare_pages(all);
    ::syscall(SYS_exit_group, 0); // sanitizers replace _exit by a function that looks for leaks
  };
  EXPECT_EXIT(confined(), testing::ExitedWithCode(0), "");
}

TEST(fresh_pages, are_not_looked_for_at_each_step) {
  const fresh_mapping memory(5 * pages_step);
  const auto all = memory.bytes();
  page_asker asker;
  asker.prepare(all.first(pages_step));
  if (pages_of(all.first(pages_step)) == 0)
    GTEST_SKIP() << "the system, or what stands for it, has no such call";
  const auto confined = [&] {                   // a child process with its own pages
    if (allow_what_services_do(__NR_madvise)) { // a search for pages would also call getrusage
      for (std::size_t i = 1; i < 5; ++i) asker.prepare(all.subspan(i * pages_step, pages_step));
    }
    ::syscall(SYS_exit_group, 0);
  };
  EXPECT_EXIT(confined(), testing::ExitedWithCode(0), "");
  for (std::size_t i = 1; i < 5; ++i) asker.prepare(all.subspan(i * pages_step, pages_step));
  EXPECT_EQ(pages_of(all), static_cast<std::ptrdiff_t>(all.size() / fresh_mapping::page()));
}

TEST(fresh_pages, that_are_there_are_looked_at_again) {
  const fresh_mapping memory(2 * pages_step);
  const auto all = memory.bytes();
  std::ranges::fill(all.first(pages_step), std::byte{1});
  page_asker asker;
  asker.prepare(all.first(pages_step));
  asker.prepare(all.subspan(pages_step));
  const auto there = pages_of(all.subspan(pages_step));
  EXPECT_TRUE(there == 0 || there == static_cast<std::ptrdiff_t>(pages_step / fresh_mapping::page()));
  EXPECT_TRUE(std::ranges::all_of(all.first(pages_step), [](std::byte b) { return b == std::byte{1}; }));
}

TEST(fresh_pages, are_none_after_what_a_list_has) {
  const fresh_mapping memory(2 * pages_step);
  advised_list list{memory.bytes()};
  list.resize(100);
  ingot::detail::pages_ahead<advised_list>(list, 2 * pages_step, true).reach(2 * pages_step);
  EXPECT_EQ(pages_of(memory.bytes()), 0);
  ingot::detail::resize_fresh(list, 2 * pages_step);
  EXPECT_EQ(list.size(), 2 * pages_step);
}
#endif

TEST(fresh_pages, no_bytes_are_nothing_to_do) {
  prepare_pages({});
  const fresh_mapping memory(pages_step);
  prepare_pages(memory.bytes().first(1));
}

TEST(fresh_pages, a_list_grows_to_its_length_and_keeps_what_it_held) {
  const std::size_t step = ingot::detail::pages_ahead<std::vector<std::uint32_t>>::step;
  for (const std::size_t had : {std::size_t{0}, std::size_t{5}, 2 * step}) {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{3}, step - 1, step, step + 1, 3 * step + 17}) {
      std::vector<std::uint32_t> list(had);
      std::iota(list.begin(), list.end(), 1U);
      ingot::detail::resize_fresh(list, count);
      ASSERT_EQ(list.size(), count);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(list[i], i < had ? i + 1 : 0) << had << ' ' << count;
    }
  }
}

TEST(fresh_pages, only_new_memory_is_fresh) {
  std::vector<std::uint32_t> list;
  const std::size_t count = pages_step / sizeof(std::uint32_t);
  EXPECT_TRUE(ingot::detail::will_be_fresh(list, count));
  EXPECT_FALSE(ingot::detail::will_be_fresh(list, count / 2));
  list.reserve(count);
  EXPECT_FALSE(ingot::detail::will_be_fresh(list, count));
}

TEST(fresh_pages, elements_that_hold_memory_keep_it) {
  std::vector<std::string> list(3, std::string(100, 'x'));
  const char* const held = list[2].data();
  ingot::detail::resize_fresh(list, pages_step / sizeof(std::string) + 10);
  EXPECT_EQ(list[2], std::string(100, 'x'));
  EXPECT_EQ(list[2].data(), held);
  EXPECT_TRUE(list.back().empty());
}
