// SPDX-License-Identifier: Apache-2.0
// The character of standard containers, and nothing of what times it: tests have it, too, whose warnings are errors.
#pragma once

#include "model.hpp"

#include <map>
#include <string>
#include <vector>

namespace bench {

struct std_family {
  template <class T>
  using vector = std::vector<T>;
  template <class K, class V>
  using map = std::map<K, V>;
  using string = std::string;
};
using std_equip = equip_of<std_family>;
using std_character = character_of<std_family>;

} // namespace bench
