// SPDX-License-Identifier: Apache-2.0
// The harness alone: the loop, the choice of the data and the escape.
#include "workload.hpp"

namespace bench {

void enter_null(suite& all) {
  const auto* const data = monster_data().data();
  for (const char* name : {"ser", "ser-fixed", "des-warm", "des-fresh"}) {
    for (const bool varied : {false, true}) {
      const std::size_t mask = varied ? varied_count - 1 : 0;
      all.add(
          std::string(name) + (varied ? "-varied" : ""), "null", 0,
          [data, mask](std::size_t i) { escape(&data[i & mask]); }, [] { return true; });
    }
  }
}

} // namespace bench
