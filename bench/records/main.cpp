// SPDX-License-Identifier: Apache-2.0
// RECORDS: validation of untrusted bytes, compared with a memcpy of them.
#include "../harness/options.hpp"
#include "workload.hpp"

#include <cinttypes>
#include <cstdio>

int main(int count, char** words) {
  const auto options = bench::read_options(count, words);
  std::printf("checksum of the data: %016" PRIx64 "\n", bench::checksum(bench::records_data().all));
  bench::suite all("records", "memcpy", options.rounds, options.only);
  const auto sizes = bench::enter_records_ingot_live(all);
  bench::enter_records_flatbuffers(all);
  bench::enter_records_native(all);
  bench::enter_records_memcpy(all, sizes);
  for (const char* name : {"lookup-present", "lookup-absent"})
    all.base(name, "native"); // a lookup has no lower bound by a memcpy

  all.target("open-canonical", "ingot-live", {.ratio = 2.0});
  all.target("open-canonical-maps", "ingot-live", {.ratio = 3.0});
  all.target("open-edited", "ingot-live", {.ratio = 4.5});
  all.target("floats-1m", "ingot-live", {.ratio = 0.01}); // one check, for any length
  return bench::finish(all, "records", options);
}
