// SPDX-License-Identifier: Apache-2.0
// Live values that a reader builds before they are put into a container.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
// A cycle: live.hpp includes this file at its end. So a file that includes only live.hpp can also
// read into a block.
#include <ingot/live/live.hpp> // NOLINT(misc-header-include-cycle)
#include <ingot/reflect/detail/temporary.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns the policy of the first container in a `T`.
template <class T>
consteval auto find_policy() {
  if constexpr (live_container<T>) {
    return std::type_identity<typename T::live_policy>{};
  } else if constexpr (is_array_like<T>) {
    return find_policy<std::remove_cv_t<element_t<T>>>();
  } else if constexpr (is_specialization<T, std::pair>) {
    if constexpr (finds_offsets<typename T::first_type>())
      return find_policy<std::remove_cv_t<typename T::first_type>>();
    else return find_policy<std::remove_cv_t<typename T::second_type>>();
  } else {
    constexpr std::size_t first = []<std::size_t... I>(std::index_sequence<I...>) {
      std::size_t found = 0;
      static_cast<void>(((finds_offsets<std::remove_cv_t<member_type<T, I>>>() || (++found, false)) || ...));
      return found;
    }(std::make_index_sequence<member_count<T>>{});
    return find_policy<std::remove_cv_t<member_type<T, first>>>();
  }
}

/// A value that a reader builds in a block of its own, and later puts into a container. The maximum
/// size of the block is 256 times the size of the input, and at least the default. No input expands
/// to more than 256 times its size. The maximum size takes only addresses, not memory.
template <class T>
  requires holds_offsets<T>
struct temporary<T> {
  using block_type = basic_live<T, typename decltype(find_policy<T>())::type>;
  static constexpr std::size_t expansion = 256;

  block_type block;
  temporary() = default;
  explicit temporary(std::size_t bytes)
      : block(max_block_size{std::max(block_type::default_max_block_size.bytes,
                                      bytes > static_cast<std::size_t>(-1) / expansion
                                          ? static_cast<std::size_t>(-1)
                                          : expansion * bytes)}) {}
  [[nodiscard]] T& operator*() noexcept { return *block; }
};

}}} // namespace ingot::INGOT_V1::detail
