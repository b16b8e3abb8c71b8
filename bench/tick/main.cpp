// SPDX-License-Identifier: Apache-2.0
// TICK: small messages, compared with a plain memcpy of the same values.
#include "../harness/options.hpp"
#include "latency.hpp"
#include "workload.hpp"

int main(int count, char** words) {
  const auto options = bench::read_options(count, words);
  bench::suite all("tick", "memcpy", options.rounds, options.only);
  bench::enter_tick_memcpy(all);
  bench::enter_tick_naive(all);
  bench::enter_tick_ingot(all);
  bench::enter_tick_null(all);
  bench::enter_latencies(all);

  all.target("write-12-growable", "ingot-pack", {.ratio = 2.0});
  all.target("write-80-growable", "ingot-pack", {.ratio = 1.6});
  all.target("write-12-fixed", "ingot-pack", {.ratio = 1.1});
  all.target("write-80-fixed", "ingot-pack", {.ratio = 1.1});
  all.target("read-12", "ingot-pack", {.ratio = 1.3});
  all.target("read-80", "ingot-pack", {.ratio = 1.3});
  all.target("ticks-1m", "ingot-pack", {.ratio = 1.2});
  all.target("ticks-1m", "ingot-batch", {.ratio = 1.2});
  return bench::finish(all, "tick", options);
}
