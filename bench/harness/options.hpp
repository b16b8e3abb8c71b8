// SPDX-License-Identifier: Apache-2.0
// Options of all workloads, and the frame of their main functions.
#pragma once

#include "report.hpp"
#include "suite.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct options {
  std::string json; // file for the rows; empty = none
  std::size_t rounds = 15;
  bool has_rounds = false;
  std::string only{}; // prefix of the cases to run, or the name of one case and `$`; empty = all
};

/// Reads `--json FILE`, `--rounds N` and `--only PREFIX`; other options end the program with a
/// message. Fewer than `min_rounds` rounds are rejected: their median would be luck.
inline options read_options(int count, char** words, options settings = {}, std::size_t min_rounds = 9) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--json" && i + 1 < count) {
      settings.json = words[++i];
    } else if (word == "--rounds" && i + 1 < count) {
      settings.has_rounds = true;
      settings.rounds = std::max<std::size_t>(min_rounds, std::strtoul(words[++i], nullptr, 10));
    } else if (word == "--only" && i + 1 < count) {
      settings.only = words[++i];
    } else {
      std::fprintf(stderr, "unknown option '%s': use --json FILE, --rounds N and --only PREFIX\n", words[i]);
      std::exit(2);
    }
  }
  return settings;
}

/// Writes the JSON. Returns the exit code of the program.
inline int finish(const std::vector<row>& rows, const options& settings) {
  if (settings.json.empty() || write_json(settings.json, rows)) return EXIT_SUCCESS;
  std::fprintf(stderr, "cannot write %s\n", settings.json.c_str());
  return EXIT_FAILURE;
}
/// Runs the suite, prints its table case by case, and writes the JSON. Returns the exit code of the
/// program.
inline int finish(suite& all, std::string_view workload, const options& settings) {
  print_title(workload, settings.rounds, all.hurries());
  return finish(all.run(print_case), settings);
}

} // namespace bench
