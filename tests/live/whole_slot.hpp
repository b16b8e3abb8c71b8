// SPDX-License-Identifier: Apache-2.0
// A slot that a test reads from its beginning to its end.
#pragma once

#include <ingot/live/detail/slots.hpp>

#include <cstddef>

#include <gtest/gtest.h>

namespace live_test {

/// Returns the slot. All of its bytes can be read, also on systems where memory must be requested.
[[nodiscard]] inline ingot::detail::raw_slot with_memory(ingot::detail::raw_slot slot) {
#if INGOT_COMMITS
  EXPECT_TRUE(ingot::detail::system::commit(slot.start, std::size_t{1} << slot.size_class));
#endif
  return slot;
}

} // namespace live_test
