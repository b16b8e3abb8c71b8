// SPDX-License-Identifier: Apache-2.0
// A write into a block that failed says no more than that it failed. This tells the reasons apart:
// no room, or keys of a table that collide.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/live/detail/recursion.hpp>

#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Says whether a table had room for a key but no place, since the watch began. An outer watch
/// counts what an inner one has seen. Tables that code of the program fills meanwhile don't count:
/// `walks_aside` keeps them apart.
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
