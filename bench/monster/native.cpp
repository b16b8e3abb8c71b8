// SPDX-License-Identifier: Apache-2.0
// The bound for making these objects: copying them, to existing objects and to new ones.
#include "workload.hpp"

namespace bench {

void enter_native(suite& all) {
  const auto* const data = monster_data().data();
  auto* const warm = &all.make<monsters>();
  for (const bool varied : {false, true}) {
    const std::string suffix = varied ? "-varied" : "";
    const std::size_t mask = varied ? varied_count - 1 : 0;
    const auto nothing_to_check = [] { return true; };
    all.add(
        "des-warm" + suffix, "native", 0,
        [data, warm, mask](std::size_t i) {
          *warm = data[i & mask];
          escape(warm);
        },
        nothing_to_check);
    all.add(
        "des-fresh" + suffix, "native", 0,
        [data, mask](std::size_t i) {
          const monsters fresh = data[i & mask];
          escape(&fresh);
        },
        nothing_to_check);
  }
}

} // namespace bench
