// SPDX-License-Identifier: Apache-2.0
// The character of standard containers without the timing code, since tests use it, too, with
// warnings as errors.
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
