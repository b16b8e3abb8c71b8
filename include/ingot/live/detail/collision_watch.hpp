// SPDX-License-Identifier: Apache-2.0
// Tells apart the reasons why a write into a block failed: no memory, or colliding keys in a table.
// The write itself only reports that it failed.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/live/detail/recursion.hpp>

#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Records whether a table with enough memory had no position for a key since the watch began. An
/// outer watch includes what an inner one has recorded. Tables that code of the program fills
/// meanwhile don't count: `walks_aside` keeps them apart.
class collision_watch {
public:
  collision_watch() noexcept : before_(std::exchange(walks_of_thread().collided, false)) {}
  collision_watch(const collision_watch&) = delete;
  collision_watch& operator=(const collision_watch&) = delete;
  ~collision_watch() {
    if (before_) walks_of_thread().collided = true;
  }
  [[nodiscard]] bool any() const noexcept { return walks_of_thread().collided; }
  static void note() noexcept { walks_of_thread().collided = true; }

private:
  bool before_;
};

}}} // namespace ingot::INGOT_V1::detail
