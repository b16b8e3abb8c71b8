// SPDX-License-Identifier: Apache-2.0
// The native struct: reading its members; for decoding, a copy of it is the bound.
#include "workload.hpp"

namespace bench {

void enter_sink_native(suite& all) {
  enter_sink_reads(all, "native", 0, all.make<native_sink>());
  enter_sink_decoding(all, "native", 0, [data = sink_data().data()](std::size_t i, sink_message& out) {
    out = data[i];
    return true;
  });
}

} // namespace bench
