// SPDX-License-Identifier: Apache-2.0
// Vectors to load large files into: memory in large pages, elements that are not zeroed first.
//
//   auto ticks = ingot::load<ingot::bulk_vector<tick>>("ticks.ingot");
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot::inline v1 {

namespace detail {

/// From so many bytes on memory comes from the system, and in large pages where it has them.
inline constexpr std::size_t large_page = std::size_t{2} << 20;

/// Any memory of the system's begins at a multiple of it.
inline constexpr std::size_t least_page = 4096;

/// Zeros for so many bytes, some `large_page` or more, that begin at a multiple of that, or of a small page where addresses are scarce. Null where
/// there are none. Neither call changes `errno`.
[[nodiscard]] std::byte* take_large_pages(std::size_t bytes) noexcept;
/// What `take_large_pages` gave for so many bytes.
void give_large_pages(std::byte* start, std::size_t bytes) noexcept;

} // namespace detail

/// Memory of 2 MiB and more comes from the system, in its large pages (Linux: where they are given to those who ask for them), of which what is rounded up
/// is an eighth at most; it goes back there when it is freed. Fresh pages are what loading costs: one of 2 MiB is had in a fraction of the time of 512
/// small ones. Less memory comes from `operator new`. Elements that are made without a value have none yet, except for members with initialisers: with
/// `std::vector`, those of `resize(n)` and of `bulk_vector<T>(n)`.
///
/// Of plain records and numbers: memory that the system gave isn't searched for pointers by programs that look for leaks.
template <class T>
class bulk_allocator {
public:
  using value_type = T;
  using is_always_equal = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;

  constexpr bulk_allocator() noexcept = default;
  template <class U>
  constexpr bulk_allocator(const bulk_allocator<U>&) noexcept {} // NOLINT(*-explicit-*): as allocators do

  /// Without memory: throws `std::bad_alloc`; ends a program that is compiled without exceptions.
  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>,
                  "ingot: bulk_allocator is for elements that are plain bytes");
    static_assert(alignof(T) <= detail::least_page);
    if (count < least_large) return std::allocator<T>().allocate(count);
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
  void deallocate(T* at, std::size_t count) noexcept {
    if (count < least_large) return std::allocator<T>().deallocate(at, count);
    detail::give_large_pages(reinterpret_cast<std::byte*>(at), count * sizeof(T));
  }

  template <class U>
  void construct(U* at) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class First, class... Rest>
  void construct(U* at, First&& first, Rest&&... rest) {
    std::construct_at(at, std::forward<First>(first), std::forward<Rest>(rest)...);
  }

  template <class U>
  [[nodiscard]] constexpr bool operator==(const bulk_allocator<U>&) const noexcept {
    return true;
  }

private:
  /// In elements.
  static constexpr std::size_t least_large =
      sizeof(T) < detail::large_page ? detail::large_page / sizeof(T) : std::size_t{1};
};

/// Packable, as any vector is, and equal in its bytes to `std::vector<T>`, in messages and in files.
template <class T>
using bulk_vector = std::vector<T, bulk_allocator<T>>;

} // namespace ingot::inline v1
