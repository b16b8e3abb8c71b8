// SPDX-License-Identifier: Apache-2.0
// MONSTER: the usual benchmark of packed messages. cereal is first: ratios are to it.
#include "../harness/options.hpp"
#include "workload.hpp"

int main(int count, char** words) {
  const auto options = bench::read_options(count, words);
  bench::suite all("monster", "cereal", options.rounds, options.only);
  bench::enter_cereal(all);
  bench::enter_boost(all);
  bench::enter_msgpack(all);
  bench::enter_protobuf(all);
  bench::enter_flatbuffers(all);
  bench::enter_ingot_pack(all);
  bench::enter_ingot_compact(all);
  bench::enter_native(all);
  bench::enter_memcpy(all);
  bench::enter_null(all);

  // 0.55 and 0.80 (compact: 0.55/0.60 and 0.75/0.80) of the time of zpp_bits. cereal takes 11.8 and
  // 10.2 times as long as zpp_bits at -O2, 11.3 and 10.1 times at -O3.
  const bool o3 = std::string_view(BENCH_OPT) == "-O3";
  all.target("ser", "ingot-pack", {.ratio = o3 ? 0.049 : 0.047, .bytes = 8700});
  all.target("des-warm", "ingot-pack", {.ratio = o3 ? 0.079 : 0.078});
  all.target("ser", "ingot-compact", {.ratio = o3 ? 0.053 : 0.047, .bytes = 6913});
  all.target("des-warm", "ingot-compact", {.ratio = o3 ? 0.079 : 0.074});
  return bench::finish(all, "monster", options);
}
