// SPDX-License-Identifier: Apache-2.0
// Walks over a whole validated block. They measure the root's members, clear padding, or find the
// free bytes of a block if its allocator has no record of them.
#pragma once

#include <ingot/live/block_stats.hpp>
#include <ingot/live/detail/block_memory.hpp>
#include <ingot/live/detail/block_validator.hpp>
#include <ingot/live/detail/scrub.hpp>
#include <ingot/live/validate.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

template <class T>
[[nodiscard]] constexpr std::array<field_size, member_count<T>> unmeasured_fields() noexcept {
  std::array<field_size, member_count<T>> sizes{};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((sizes[I].name = member_name<T, I>), ...);
  }(std::make_index_sequence<member_count<T>>{});
  return sizes;
}
/// Returns the size in bytes of each member of `root`, including everything that the member holds.
/// The block has `used` bytes.
template <class T, block_policy P>
[[nodiscard]] std::array<field_size, member_count<T>> measured_fields(const T& root, const std::byte* start,
                                                                      std::size_t used) {
  auto sizes = unmeasured_fields<T>();
  if constexpr (poisons) unpoison(start, used);
  for_each_member(root, [&]<class I, class M>(I, const M& member) {
    block_validator<P, counting_claims, asking::positions> walk(start, used, first_storage<T>,
                                                                counting_claims{});
    static_cast<void>(check_object<std::remove_cv_t<M>>(member, walk));
    sizes[I::value].bytes = sizeof(M) + walk.claims().sum();
  });
  return sizes;
}

template <class T, block_policy P>
void scrub_block(T& root, const std::byte* start, std::size_t used) noexcept {
  if constexpr (poisons) unpoison(start, used);
  using claims = visiting_claims<scrub_padding>;
  block_validator<P, claims, asking::positions> walk(start, used, first_storage<T>, claims{});
  static_cast<void>(check_object(root, walk));
}

/// Marks the taken bytes in the allocator of `memory`: the header, `root`, and the storages that
/// `root` holds. All other bytes become free. Returns the number of free bytes.
template <class T, block_policy P>
[[nodiscard]] std::size_t reclaim_holes(const T& root, block_memory<P>& memory) {
  memory.drop_tail(); // before the allocator starts again and loses its peak
  auto& allocator = memory.block().allocator();
  const auto used = allocator.used();
  if constexpr (poisons) unpoison(memory.start(), used);
  std::uint64_t* const end = allocator.bitmap_end();
  const std::size_t words = round_up(used, 512) / 512;
  std::memset(end - words, 0, words * sizeof(std::uint64_t));
  bitmap_claims claims(end);
  static_cast<void>(claims.take(0, first_storage<T>));
  // Doesn't check `valid` and limits: this process may be in the middle of a change.
  block_validator<P, bitmap_claims, asking::positions> walk(memory.start(), used, first_storage<T>, claims);
  if (!check_object(root, walk)) { // the block is invalid and was opened unchecked: nothing is free
    allocator.start(used, memory.limit());
    return 0;
  }
  allocator.adopt(used, memory.limit());
  return allocator.free_bytes() + (used - allocator.used());
}

}}} // namespace ingot::INGOT_V1::detail
