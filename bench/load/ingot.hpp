// SPDX-License-Identifier: Apache-2.0
// Shared by ingot's contenders: the compressions of a file, and sums over values that are read in
// place.
#pragma once

#include <ingot/file/load.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/save.hpp>

#include "workload.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace bench {

struct load_variant {
  std::string_view name;
  ingot::save_options options;
};

/// Returns the compressions: none, each method at the level that suits files that are read often,
/// and by columns, which compact values don't have.
inline std::vector<load_variant> load_variants(ingot::profile form = ingot::profile::packed) {
  std::vector<load_variant> all;
  for (const std::string_view name : load_variant_names) all.push_back({name, {}});
  all[1].options.compress = {.method = ingot::codec::lz4, .level = 9};
  all[2].options.compress = {.method = ingot::codec::zstd, .level = 3};
  all[3].options.compress = all[1].options.compress;
  all[4].options.compress = all[2].options.compress;
  for (const std::size_t split : {3U, 4U}) all[split].options.columns = true;
  for (auto& each : all) {
    each.options.form = form;
    each.options.durable = false;
  }
  if (form == ingot::profile::compact) all.resize(3);
  return all;
}

inline void demand_saved(const ingot::result<void>& saved) {
  if (saved) return;
  std::fprintf(stderr, "%s\n", saved.error().message().c_str());
  std::exit(EXIT_FAILURE);
}

} // namespace bench
