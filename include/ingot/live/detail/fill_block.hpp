// SPDX-License-Identifier: Apache-2.0
// Builds blocks from sources that don't say how large the block will become.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/live/detail/slots.hpp>
#include <ingot/live/live.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns a block that `fill(block)` has filled. Calls `fill` again, with a larger new block, as
/// long as `fill` reports `no_memory` and a larger block is possible. A larger block reserves more
/// addresses, but no memory. An attempt with a block that is too small takes less time than
/// computing the size first.
template <class Declared, block_policy P, class Fill>
[[nodiscard]] result<basic_live<Declared, P>> fill_block(std::size_t limit, Fill&& fill) {
  constexpr std::size_t largest = slot_layout<P>::limit(std::size_t{1} << slot_pool::largest_class);
  limit = std::min(limit, largest);
// Without exceptions a full block can't report an error, so the largest available block is used.
#if !INGOT_EXCEPTIONS
  limit = largest;
  if (!block_memory<P>::reserve_slot(limit))
    return ingot::fail(error{errc::no_memory}.with_expected("enough memory"));
#endif
  for (;;) {
    auto attempt = catch_bad_alloc([&]() -> result<basic_live<Declared, P>> {
      basic_live<Declared, P> block(max_block_size{limit});
      if (const result<void> filled = fill(block); !filled) return ingot::fail(filled.error());
      return block;
    });
    if (attempt || attempt.error().code() != errc::no_memory || limit >= largest) return attempt;
    limit = limit < largest / 4 ? 4 * limit : largest;
  }
}

}}} // namespace ingot::INGOT_V1::detail
