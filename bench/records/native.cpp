// SPDX-License-Identifier: Apache-2.0
// Native structs of standard containers: reading them; `serialize` copies them.
#include "workload.hpp"

namespace bench {

void enter_records_native(suite& all) {
  const auto* const data = &records_data().all;
  enter_records_reads(
      all, "native", 0, [data] { return read_everything(*data); },
      [data](const std::string& key) { return find_in_both(*data, key); });
  all.add(
      "serialize", "native", 0,
      [data](std::size_t) {
        const collection copy = *data;
        escape(&copy);
      },
      [] { return true; });
}

} // namespace bench
