// SPDX-License-Identifier: Apache-2.0
// Why a write into a block failed, which says no more than that it did: for want of room, or
// because keys of a table collide.
#pragma once

#include <ingot/core/detail/config.hpp>

namespace ingot::inline INGOT_V1::detail {

/// Whether a table of this thread was in want of a seed, not of room, since this began. Watches
/// within this one tell it.
class collision_watch {
public:
  collision_watch() noexcept { seen = false; }
  collision_watch(const collision_watch&) = delete;
  collision_watch& operator=(const collision_watch&) = delete;
  ~collision_watch() { seen = seen || before_; }
  [[nodiscard]] bool any() const noexcept { return seen; }
  static void note() noexcept { seen = true; }

private:
  static inline thread_local bool seen = false;
  bool before_ = seen;
};

} // namespace ingot::inline INGOT_V1::detail
