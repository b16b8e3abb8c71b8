// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/detail/fresh_pages.hpp>
#include <ingot/live/system_posix.hpp>

#include <cerrno>
#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace ingot::inline v1::detail {

namespace {

/// Less comes as fast by itself.
constexpr std::size_t least_prepared = std::size_t{64} * 1024;

/// Of memory that an allocator had in its hand: to ask for pages that are there takes half as long as to read into them.
[[nodiscard]] bool has_page([[maybe_unused]] std::byte* page, [[maybe_unused]] std::size_t size) noexcept {
#if defined(__linux__)
  unsigned char there = 0;
  const int before = errno;
  const bool told = ::mincore(page, size, &there) == 0;
  errno = before;
  return told && (there & 1U) != 0;
#else
  return false;
#endif
}

} // namespace

void prepare_pages(std::span<std::byte> bytes) noexcept {
  static const long told = ::sysconf(_SC_PAGESIZE);
  if (told <= 0) return;
  // The page of the first byte may have others' bytes before it, and is there then; the one of the last is the next call's.
  const auto page = static_cast<std::size_t>(told);
  const std::size_t before = reinterpret_cast<std::uintptr_t>(bytes.data()) % page;
  const std::size_t all = (before + bytes.size()) / page * page;
  if (all < least_prepared) return;
  std::byte* const first = bytes.data() - before;
  if (!has_page(first + all - page, page)) static_cast<void>(system::prepare(first, all));
}

} // namespace ingot::inline v1::detail
