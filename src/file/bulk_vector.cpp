// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/bulk_vector.hpp>
#include <ingot/live/detail/block.hpp>
#include <ingot/live/detail/system_posix.hpp>

#include <cerrno>
#include <cstdint>
#include <limits>

#include <sys/mman.h>
#include <unistd.h>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

[[nodiscard]] std::size_t small_page() noexcept {
  static const long page_size = ::sysconf(_SC_PAGESIZE);
  return page_size > 0 ? static_cast<std::size_t>(page_size) : 4096;
}
/// Returns the number of bytes to map for a request of `bytes`. Rounds up to whole large pages if
/// this adds at most an eighth of `bytes`, and to whole small pages otherwise.
[[nodiscard]] std::size_t taken_for(std::size_t bytes) noexcept {
  const std::size_t large = round_up(bytes, large_page);
  return large - bytes <= bytes / 8 ? large : round_up(bytes, small_page());
}

/// Maps zeroed memory. Returns null if there is no memory.
[[nodiscard]] std::byte* map_zeros(std::size_t bytes) noexcept {
  void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return nullptr; // NOLINT(performance-no-int-to-ptr): system's constant
  return static_cast<std::byte*>(start);
}

class errno_saver {
public:
  errno_saver() noexcept = default;
  errno_saver(const errno_saver&) = delete;
  errno_saver& operator=(const errno_saver&) = delete;
  ~errno_saver() { errno = before_; }

private:
  int before_ = errno;
};

} // namespace

std::byte* take_large_pages(std::size_t bytes) noexcept {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2 - 2 * large_page) return nullptr;
  const errno_saver saver;
  const std::size_t taken = taken_for(bytes);
  // Maps more memory than needed, so that the result can begin at a multiple of `large_page`. The
  // excess on both sides is freed. A program with limited address space may not get so much memory.
  std::byte* const mapped = map_zeros(taken + large_page);
  std::byte* start = mapped;
  if (mapped == nullptr) {
    start = map_zeros(taken);
    if (start == nullptr) return nullptr;
  } else {
    const std::size_t skew =
        (large_page - reinterpret_cast<std::uintptr_t>(mapped) % large_page) % large_page;
    if (skew != 0) static_cast<void>(::munmap(mapped, skew));
    start += skew;
    static_cast<void>(::munmap(start + taken, large_page - skew));
  }
  system::prefer_large_pages(start, taken);
  return start;
}

void give_large_pages(std::byte* start, std::size_t bytes) noexcept {
  const errno_saver saver;
  static_cast<void>(::munmap(start, taken_for(bytes)));
}

}}} // namespace ingot::INGOT_V1::detail
