// SPDX-License-Identifier: Apache-2.0
// A promise about edited blocks: a block that `open` accepted is accepted again after any public
// edit, and can be copied and compacted. Exercises call `edited` after each edit. Then the bytes
// are validated in place, and sometimes copied and compacted, too.
#pragma once

#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>

#include "live/block_tools.hpp"
#include "live/effort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include <gtest/gtest.h>

namespace live_test {

/// Returns true for the limits of a type, which the program has to keep: the exercises do not keep
/// them.
[[nodiscard]] inline bool is_limit(ingot::errc code) {
  return code == ingot::errc::out_of_range || code == ingot::errc::too_long ||
         code == ingot::errc::invalid_utf8 || code == ingot::errc::invalid_value;
}

/// Number of edits between two validations. The bytes decide which edits are followed by one, so
/// that many mutants together cover all.
[[nodiscard]] inline std::size_t edits_between_validations() {
  static const std::size_t count = std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 8;
  return count;
}
/// Number of validations per validation that also copies and compacts. Each of those takes some
/// microseconds.
[[nodiscard]] inline std::size_t validations_between_copies() {
  static const std::size_t count = std::getenv("INGOT_TEST_FULL") != nullptr ? 1 : 8;
  return count;
}

/// Expects that the block opens again. With `wholly` it is also copied and compacted.
template <class T, class P>
void expect_reopens(const ingot::basic_live<T, P>& block, bool wholly) {
  using live = ingot::basic_live<T, P>;
  const auto viewed = ingot::basic_live_view<T, P>::open(block.bytes());
  if (!viewed) {
    EXPECT_TRUE(is_limit(viewed.error().code())) << "refused after an edit: " << viewed.error().message();
    EXPECT_TRUE(reach(block).sound);
    return;
  }
  if (!wholly) return;
  const ingot::max_block_size same{block.max_size()};
  auto opened = live::open(block.bytes(), {.max_size = same});
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  live copy(block);
  EXPECT_TRUE((ingot::basic_live_view<T, P>::open(copy.bytes()).has_value())) << "copied, then refused";
  for (live* const each : {&*opened, &copy}) {
    const auto compacted = each->try_compact();
    ASSERT_TRUE(compacted.has_value()) << "not compacted: " << compacted.error().message();
  }
  EXPECT_TRUE(std::ranges::equal(opened->bytes(), copy.bytes())) << "two canonical forms of one value";
  const auto again = live::open(copy.bytes());
  EXPECT_TRUE(again.has_value()) << "compacted, then refused: " << (again ? "" : again.error().message());
}

/// Makes each `edited(e)` check `block`. `e` belongs to an exercise of this block.
template <class T, class P>
void reopen_after_each_edit(ingot::basic_live<T, P>& block, effort& e) {
  e.block = &block;
  for (const std::byte b : block.bytes()) e.edits = e.edits * 31 + std::to_integer<std::size_t>(b);
  e.again = [](void* of, std::size_t edits) {
    if (edits % edits_between_validations() != 0) return;
    expect_reopens(*static_cast<const ingot::basic_live<T, P>*>(of),
                   edits / edits_between_validations() % validations_between_copies() == 0);
  };
}

} // namespace live_test
