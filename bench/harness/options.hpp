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
  bool rounds_given = false;
  std::string only{}; // prefix of the cases to run, or the name of one case and `$`; empty = all
};

/// Reads `--json FILE`, `--rounds N` and `--only PREFIX`; other options end the program with a
/// message. Fewer than `least` rounds are rejected: their median would be luck.
inline options read_options(int count, char** words, options given = {}, std::size_t least = 9) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--json" && i + 1 < count) {
      given.json = words[++i];
    } else if (word == "--rounds" && i + 1 < count) {
      given.rounds_given = true;
      given.rounds = std::max<std::size_t>(least, std::strtoul(words[++i], nullptr, 10));
    } else if (word == "--only" && i + 1 < count) {
      given.only = words[++i];
    } else {
      std::fprintf(stderr, "unknown option '%s': use --json FILE, --rounds N and --only PREFIX\n", words[i]);
      std::exit(2);
    }
  }
  return given;
}

/// Writes the JSON. Returns the exit code of the program.
inline int finish(const std::vector<row>& rows, const options& given) {
  if (given.json.empty() || write_json(given.json, rows)) return EXIT_SUCCESS;
  std::fprintf(stderr, "cannot write %s\n", given.json.c_str());
  return EXIT_FAILURE;
}
/// Runs the suite, prints its table case by case, and writes the JSON. Returns the exit code of the
/// program.
inline int finish(suite& all, std::string_view workload, const options& given) {
  print_title(workload, given.rounds, all.hurries());
  return finish(all.run(print_case), given);
}

} // namespace bench
