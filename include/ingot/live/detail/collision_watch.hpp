// SPDX-License-Identifier: Apache-2.0
// Distinguishes the reasons why a write into a block failed: no memory, or colliding keys in a
// table. The write itself only reports that it failed.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/live/detail/recursion.hpp>

#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Records whether an insertion into a table found no slot for its key, although there was memory.
/// The record begins with the construction of the watch. An outer watch includes what an inner
/// watch has recorded. Tables that the program's own code fills in the meantime don't count,
/// because such code runs under a `walks_aside`, which has a record of its own.
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
