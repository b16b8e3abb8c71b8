// SPDX-License-Identifier: Apache-2.0
// The harness alone.
#include "workload.hpp"

namespace bench {

void enter_sink_null(suite& all) {
  const auto* data = sink_data().data();
  for (const char* name :
       {"early", "late", "tail", "all", "iterate", "late-x4", "check", "decode-fresh", "decode-warm"}) {
    all.add(name, "null", 0, [data](std::size_t i) { keep(data + i % sink_count); }, [] { return true; });
  }
}

} // namespace bench
