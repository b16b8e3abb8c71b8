// SPDX-License-Identifier: Apache-2.0
// SINK: reading messages in place, compared with reading the native struct.
#include "../harness/options.hpp"
#include "workload.hpp"

int main(int count, char** words) {
  const auto options = bench::read_options(count, words);
  bench::suite all("sink", "native", options.rounds, options.only);
  bench::enter_sink_native(all);
  bench::enter_sink_ingot(all);
  bench::enter_sink_flatbuffers(all);
  bench::enter_sink_null(all);

  for (const char* one : {"early", "late", "tail", "late-x4"}) all.target(one, "ingot-view", {.ratio = 1.5});
  for (const char* one : {"all", "iterate"}) all.target(one, "ingot-view", {.ratio = 2.0});
  all.base("check", "ingot-pack"); // the base of a check is warm decoding, which the check replaces
  all.target("check", "ingot-view", {.ratio = 0.15});
  return bench::finish(all, "sink", options);
}
