// SPDX-License-Identifier: Apache-2.0
#include <ingot/file/detail/fresh_pages.hpp>
#include <ingot/live/system_posix.hpp>

#include <cstdint>

#include <unistd.h>

namespace ingot::inline v1::detail {

void prepare_pages(std::span<std::byte> bytes) noexcept {
  static const long told = ::sysconf(_SC_PAGESIZE);
  if (told <= 0) return;
  // The page of the first byte may have others' bytes before it, and is there then; the one of the last is the next call's.
  const auto page = static_cast<std::size_t>(told);
  const std::size_t before = reinterpret_cast<std::uintptr_t>(bytes.data()) % page;
  const std::size_t all = (before + bytes.size()) / page * page;
  if (all >= 4 * page) static_cast<void>(system::prepare(bytes.data() - before, all));
}

} // namespace ingot::inline v1::detail
