// SPDX-License-Identifier: Apache-2.0
// The harness alone; `build` reads the values that characters are filled with.
#include "workload.hpp"

namespace bench {

void enter_char1_null(suite& all) {
  const auto* const table = edits().data();
  const auto nothing_to_check = [] { return true; };
  for (const char* name :
       {"write", "read", "finds", "finds-fresh-keys", "equips", "path", "map-64", "map-1000", "map-50000",
        "holes-8000", "handover-1k", "handover-1m", "handover-1g"}) {
    all.add(name, "null", 0, [table](std::size_t i) { escape(table + i % edit_count); }, nothing_to_check);
  }
  all.add(
      "build", "null", 0,
      [values = build_values().data()](std::size_t i) {
        std::uint64_t sum = 0;
        const std::uint64_t* const raw = values[i % build_seeds].data();
        for (std::size_t k = 0; k < raw_values::count; ++k) sum += raw[k];
        keep(sum);
      },
      nothing_to_check);
}

} // namespace bench
