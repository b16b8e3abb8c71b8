// SPDX-License-Identifier: Apache-2.0
// Vectors for loading large files: memory in large pages, and elements that are not zeroed first.
//
//   auto ticks = ingot::load<ingot::bulk_vector<tick>>("ticks.ingot");
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// Minimum size in bytes of memory that is taken directly from the system. The system provides such
/// memory in large pages if it has large pages.
inline constexpr std::size_t large_page = std::size_t{2} << 20;

/// Alignment that the system's memory always has.
inline constexpr std::size_t min_page_size = 4096;

/// Allocates `bytes` bytes of zeroed memory. Requires that `bytes` is about `large_page` or more.
/// The memory begins at a multiple of `large_page`, or of a small page if addresses are scarce.
/// Returns null if there is no memory. Neither this function nor `give_large_pages` changes
/// `errno`.
[[nodiscard]] std::byte* take_large_pages(std::size_t bytes) noexcept;
/// Frees the memory that `take_large_pages(bytes)` returned.
void give_large_pages(std::byte* start, std::size_t bytes) noexcept;

} // namespace detail

/// Allocator that takes memory of 2 MiB and more from the system in large pages. Freed memory
/// returns to the system. On Linux, the allocator requests large pages if programs must request
/// them. Rounding wastes at most an eighth of the memory. Most of the time of loading is the
/// system's time for new pages. One page of 2 MiB takes a fraction of the time of 512 small pages.
/// Smaller memory comes from `operator new`.
///
/// Elements that are made without a value are not initialised, except for members with
/// initialisers. In a `std::vector`, these are the elements of `resize(n)` and `bulk_vector<T>(n)`.
///
/// Use this allocator for plain records and numbers, because leak checkers do not search memory
/// from the system for pointers.
template <class T>
class bulk_allocator {
public:
  using value_type = T;
  /// All allocators are equal.
  using is_always_equal = std::true_type;
  /// Move assignment of a container also moves its allocator.
  using propagate_on_container_move_assignment = std::true_type;

  constexpr bulk_allocator() noexcept = default;
  template <class U>
  constexpr bulk_allocator(const bulk_allocator<U>&) noexcept {} // NOLINT(*-explicit-*): allocator

  /// Allocates memory for `count` elements. If there is no memory, throws `std::bad_alloc`. A
  /// program that is compiled without exceptions ends instead.
  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>,
                  "ingot: bulk_allocator is for elements that are plain bytes");
    static_assert(alignof(T) <= detail::min_page_size);
    if (count < min_large_count) return std::allocator<T>().allocate(count);
    std::byte* const start = count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)
                                 ? nullptr
                                 : detail::take_large_pages(count * sizeof(T));
    if (start != nullptr) return reinterpret_cast<T*>(start);
#if INGOT_EXCEPTIONS
    throw std::bad_alloc{};
#else
    std::abort();
#endif
  }
  /// Frees memory that `allocate(count)` returned.
  void deallocate(T* at, std::size_t count) noexcept {
    if (count < min_large_count) return std::allocator<T>().deallocate(at, count);
    detail::give_large_pages(reinterpret_cast<std::byte*>(at), count * sizeof(T));
  }

  /// Default-initialises an element: plain bytes stay uninitialised.
  template <class U>
  void construct(U* at) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(at)) U;
  }
  /// Constructs an element from arguments.
  template <class U, class First, class... Rest>
  void construct(U* at, First&& first, Rest&&... rest) {
    std::construct_at(at, std::forward<First>(first), std::forward<Rest>(rest)...);
  }

  template <class U>
  [[nodiscard]] constexpr bool operator==(const bulk_allocator<U>&) const noexcept {
    return true;
  }

private:
  /// Minimum number of elements that come from the system.
  static constexpr std::size_t min_large_count =
      sizeof(T) < detail::large_page ? detail::large_page / sizeof(T) : std::size_t{1};
};

/// Packable like any vector. In messages and files, a `bulk_vector<T>` has the same bytes as a
/// `std::vector<T>`.
template <class T>
using bulk_vector = std::vector<T, bulk_allocator<T>>;

}} // namespace ingot::INGOT_V1
