// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace game {
struct level {
  std::string title;
  std::vector<int> doors;
};
} // namespace game
