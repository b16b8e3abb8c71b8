// SPDX-License-Identifier: Apache-2.0
// In mode `debug`, records when iterators become invalid. For each position of a container, the
// record is the time when iterators to that position last became invalid. The records are stored
// outside of the block, because everything in a block is part of its format. Any thread may read
// and write a record.
#pragma once

#include <ingot/core/detail/atomic_value.hpp>
#include <ingot/core/hardening.hpp>

#if INGOT_HARDENING_MODE >= INGOT_HARDENING_DEBUG

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

// All files of a program share one table of records, so this namespace has the same name in all
// files. In files with reflection, the types of namespace `detail` have other mangled names. The
// table may use `detail::atomic_value` anyway, because its layout is the same there.
namespace ingot { inline namespace v1_handler { namespace hardening {

/// Reason why an iterator became invalid.
enum class ending : std::uint8_t { moved, erased, inserted, block };

/// Size in bytes of the smallest piece of memory that has its own record.
inline constexpr std::size_t recorded_unit = 4;
inline constexpr std::size_t recorded_page = 4096;

/// The times of the last invalidations in a page: one for the whole page, and one for each unit of
/// `recorded_unit` bytes.
struct page_record {
  using units = std::array<detail::atomic_value<std::uint64_t>, recorded_page / recorded_unit>;
  detail::atomic_value<std::uint64_t> whole;
  detail::atomic_value<units*> each;
};
/// The records of 4096 pages, which are 16 MiB of addresses.
using page_table = std::array<page_record, 4096>;
using middle_table = std::array<detail::atomic_value<page_table*>, 4096>;

/// The root of the tables covers addresses of 48 bits; memory at other addresses has no records.
/// Tables of the lower levels are created on demand and never freed.
#if defined(__ELF__) || defined(__APPLE__)
[[gnu::visibility("default")]]
#endif
inline constinit std::array<detail::atomic_value<middle_table*>, 4096> records{};
#if defined(__ELF__) || defined(__APPLE__)
[[gnu::visibility("default")]]
#endif
inline constinit detail::atomic_value<std::uint64_t> clock_of_records{1};

/// Returns the current time: a number that grows with each recorded invalidation. A new iterator
/// stores it, and is invalid once its position has a record with a later time.
[[nodiscard]] inline std::uint64_t time_of_records() noexcept { return clock_of_records.load(); }

/// Returns the table that `slot` points to, and creates it first if needed. Null if there is no
/// memory.
template <class Table>
[[nodiscard]] Table* ensure_table(detail::atomic_value<Table*>& slot) noexcept {
  Table* there = slot.load();
  if (there != nullptr) return there;
  Table* const table = new (std::nothrow) Table();
  if (table == nullptr) return nullptr;
  if (slot.compare_exchange(there, table)) return table;
  delete table;
  return there;
}

[[nodiscard]] inline page_record* record_of(std::uintptr_t at, bool make) noexcept {
  const std::uint64_t page = std::uint64_t{at} / recorded_page;
  if (page >> 36 != 0) return nullptr;
  detail::atomic_value<middle_table*>& top = records[static_cast<std::size_t>(page >> 24)];
  middle_table* const middle = make ? ensure_table(top) : top.load();
  if (middle == nullptr) return nullptr;
  detail::atomic_value<page_table*>& low = (*middle)[static_cast<std::size_t>(page >> 12 & 4095)];
  page_table* const pages = make ? ensure_table(low) : low.load();
  return pages == nullptr ? nullptr : &(*pages)[static_cast<std::size_t>(page & 4095)];
}

/// Records that iterators into the `n` bytes at `at` become invalid now. Records the time for each
/// unit of `recorded_unit` bytes that starts in these bytes. O(n).
inline void note_ending(const void* at, std::size_t n, ending why) noexcept {
  auto from = (reinterpret_cast<std::uintptr_t>(at) + (recorded_unit - 1)) / recorded_unit * recorded_unit;
  const std::uintptr_t to =
      (reinterpret_cast<std::uintptr_t>(at) + n + (recorded_unit - 1)) / recorded_unit * recorded_unit;
  if (n == 0 || from >= to) return;
  const std::uint64_t now = clock_of_records.fetch_add(1) + 1;
  const std::uint64_t entry = now << 2 | static_cast<std::uint64_t>(why);
  while (from < to) {
    const std::uintptr_t next = (from / recorded_page + 1) * recorded_page;
    page_record* const page = record_of(from, true);
    if (page != nullptr) {
      if (from % recorded_page == 0 && next <= to) {
        page->whole.store(entry);
      } else if (page_record::units* const units = ensure_table(page->each)) {
        const std::uintptr_t end = next <= to ? next : to;
        for (; from < end; from += recorded_unit) (*units)[from % recorded_page / recorded_unit].store(entry);
      }
    }
    from = next;
  }
}

/// Returns when and why iterators to a position last became invalid, as `time << 2 | reason`.
/// Returns 0 if they never became invalid.
[[nodiscard]] inline std::uint64_t last_ending(const void* at) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const page_record* const page = record_of(address, false);
  if (page == nullptr) return 0;
  const std::uint64_t whole = page->whole.load();
  const page_record::units* const units = page->each.load();
  if (units == nullptr) return whole;
  const std::uint64_t one = (*units)[address % recorded_page / recorded_unit].load();
  return one > whole ? one : whole;
}

}}} // namespace ingot::v1_handler::hardening

#endif

// INGOT_NOTE(at, n, why): in mode `debug`, records that iterators into the `n` bytes at `at` become
// invalid here. In other modes it expands to nothing.
#if INGOT_HARDENING_MODE >= INGOT_HARDENING_DEBUG
#define INGOT_NOTE(at, n, why) ::ingot::hardening::note_ending(at, n, ::ingot::hardening::ending::why)
#else
#define INGOT_NOTE(at, n, why) static_cast<void>(0)
#endif
