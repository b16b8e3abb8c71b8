// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/detail/fresh_pages.hpp>
#include <ingot/live/detail/system_posix.hpp>

#include <cerrno>
#include <cstdint>

#include <sys/resource.h>
#include <unistd.h>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

/// Less comes as fast by itself.
constexpr std::size_t least_prepared = std::size_t{64} * 1024;
/// So far memory is taken to be as it was where it was looked at: looking costs three calls, which under some hypervisors take 1 us each.
constexpr std::size_t told_by_one = std::size_t{2} * 1024 * 1024;

/// How many pages had to be brought for this thread so far, by whatever it did.
[[nodiscard]] std::int64_t brought() noexcept {
#if defined(RUSAGE_THREAD)
  ::rusage told{};
  const int before = errno;
  const bool known = ::getrusage(RUSAGE_THREAD, &told) == 0;
  errno = before;
  return known ? std::int64_t{told.ru_minflt} + told.ru_majflt : 0;
#else
  return 0;
#endif
}

} // namespace

void page_asker::prepare(std::span<std::byte> bytes) noexcept {
  static const long told = ::sysconf(_SC_PAGESIZE);
  if (told <= 0) return;
  // The page of the first byte may have others' bytes before it, and is there then; the one of the last is the next call's.
  const auto page = static_cast<std::size_t>(told);
  const std::size_t before = reinterpret_cast<std::uintptr_t>(bytes.data()) % page;
  const std::size_t all = (before + bytes.size()) / page * page;
  if (all < least_prepared) return;
  std::byte* const first = bytes.data() - before;
  if (all <= believed_) {
    believed_ -= all;
    static_cast<void>(system::prepare(first, all));
    return;
  }
  // Memory that an allocator had in its hand has its pages, and to ask for those takes half as long as to read into them. The last one tells.
  // `mincore` would, too, but is not among what services are let do by common filters, which end a program that does anything else.
  believed_ = 0;
  const std::int64_t so_far = brought();
  if (!system::prepare(first + all - page, page) || brought() == so_far) return;
  static_cast<void>(system::prepare(first, all - page));
  believed_ = told_by_one;
}

}}} // namespace ingot::INGOT_V1::detail
