// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "door.hpp" // which is generated

#include <string>
#include <vector>

namespace game {
struct level {
  std::string title;
  std::vector<door> doors;
};
} // namespace game
