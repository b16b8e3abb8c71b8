// SPDX-License-Identifier: Apache-2.0
// Blocks that are made of something else, of which nobody knows how large a block it will become.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/live/detail/slots.hpp>
#include <ingot/live/live.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// A block of what `fill(block)` makes, which is called again, for a new block, while it says `no_memory` and there is a larger one. Larger
/// ones are addresses, not memory: one that turned out too small is worth less than finding out how large it will be.
template <class Declared, block_policy P, class Fill>
[[nodiscard]] result<basic_live<Declared, P>> fill_block(std::size_t room, Fill&& fill) {
  constexpr std::size_t largest = slot_layout<P>::limit(std::size_t{1} << slot_pool::largest_class);
  room = std::min(room, largest);
#if !INGOT_EXCEPTIONS // a block that is full can't say so: the largest that can be had
  room = largest;
  if (!block_memory<P>::of_ceiling(room))
    return ingot::fail(error{errc::no_memory}.with_expected("enough memory"));
#endif
  for (;;) {
    auto made = guard_memory([&]() -> result<basic_live<Declared, P>> {
      basic_live<Declared, P> block(ceiling{room});
      if (const result<void> filled = fill(block); !filled) return ingot::fail(filled.error());
      return block;
    });
    if (made || made.error().code() != errc::no_memory || room >= largest) return made;
    room = room < largest / 4 ? 4 * room : largest;
  }
}

}}} // namespace ingot::INGOT_V1::detail
