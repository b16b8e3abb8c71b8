// SPDX-License-Identifier: Apache-2.0
// SEED: each step from entries in a row to a document, measured alone.
#include "../harness/options.hpp"
#include "workload.hpp"

int main(int count, char** words) {
  const auto options = bench::read_options(count, words);
  bench::suite all("seed", "ingot", options.rounds, options.only);
  bench::enter_search_entries(all);
  bench::enter_search_offsets(all);
  bench::enter_search_hashes(all);
  bench::enter_search_sorted(all);
  bench::enter_search_lanes(all);
  bench::enter_search_unordered_map(all);
  bench::enter_search_ingot(all);
  bench::enter_space_bump(all);
  bench::enter_space_first_fit(all);
  bench::enter_space_best_fit(all);
  bench::enter_space_prefetch(all);
  bench::enter_space_ingot(all);
  bench::enter_checks(all);
  for (const std::size_t n : bench::seed_sizes) {
    for (const std::size_t k : bench::space_operations)
      all.base("space-" + std::to_string(n) + "-ops-" + std::to_string(k), "texts");
  }
  return bench::finish(all, "seed", options);
}
