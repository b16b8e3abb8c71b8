// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/detail/fresh_pages.hpp>
#include <ingot/live/detail/system_posix.hpp>

#include <cerrno>
#include <cstdint>

#include <sys/resource.h>
#include <unistd.h>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

/// Minimum size of a request in bytes. A request for fewer bytes saves no time.
constexpr std::size_t min_prepared = std::size_t{64} * 1024;
/// If a check finds that memory has no pages yet, this number of bytes after the memory is assumed
/// to have no pages either. Checks are rare, because a check takes three system calls, and each
/// call takes 1 us under some hypervisors.
constexpr std::size_t bytes_per_check = std::size_t{2} * 1024 * 1024;

/// Returns the number of page faults of this thread so far.
[[nodiscard]] std::int64_t brought() noexcept {
#if defined(RUSAGE_THREAD)
  ::rusage usage{};
  const int before = errno;
  const bool known = ::getrusage(RUSAGE_THREAD, &usage) == 0;
  errno = before;
  return known ? std::int64_t{usage.ru_minflt} + usage.ru_majflt : 0;
#else
  return 0;
#endif
}

} // namespace

void page_asker::prepare(std::span<std::byte> bytes) noexcept {
  static const long system_page_size = ::sysconf(_SC_PAGESIZE);
  if (system_page_size <= 0) return;
  // The page of the first byte may also contain bytes of other objects, and then exists already.
  // The page of the last byte is prepared by the next call.
  const auto page = static_cast<std::size_t>(system_page_size);
  const std::size_t before = reinterpret_cast<std::uintptr_t>(bytes.data()) % page;
  const std::size_t all = (before + bytes.size()) / page * page;
  if (all < min_prepared) return;
  std::byte* const first = bytes.data() - before;
  if (all <= believed_) {
    believed_ -= all;
    static_cast<void>(system::prepare(first, all));
    return;
  }
  // Memory that an allocator reuses has its pages already. Preparing them would take half as long
  // as reading into them. So the last page is prepared first: if this causes no page fault, the
  // memory has its pages. `mincore` could also tell whether pages exist, but common system-call
  // filters end programs that call `mincore`.
  believed_ = 0;
  const std::int64_t so_far = brought();
  if (!system::prepare(first + all - page, page) || brought() == so_far) return;
  static_cast<void>(system::prepare(first, all - page));
  believed_ = bytes_per_check;
}

}}} // namespace ingot::INGOT_V1::detail
