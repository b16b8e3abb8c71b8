// SPDX-License-Identifier: Apache-2.0
// Output of a run: a table with everything needed to judge it (date, machine, compiler,
// optimisation level), and the same rows as JSON for scripts.
#pragma once

#include "suite.hpp"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

inline std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

inline std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

inline std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

inline void print_goal(const row& r) {
  const auto verdict = [](bool reached) { return reached ? "yes" : "NO"; };
  if (r.limits.ratio != 0 && r.ratio == 0) std::printf("   ratio <= %.3f: not measured", r.limits.ratio);
  else if (r.limits.ratio != 0)
    std::printf("   ratio <= %.3f: %s", r.limits.ratio, verdict(r.ratio <= r.limits.ratio));
  if (r.limits.ns >= 1e9) std::printf("   <= %.2f s: %s", r.limits.ns * 1e-9, verdict(r.ns <= r.limits.ns));
  else if (r.limits.ns != 0) std::printf("   <= %.0f ns: %s", r.limits.ns, verdict(r.ns <= r.limits.ns));
  if (r.limits.bytes != 0)
    std::printf("   bytes <= %zu: %s", r.limits.bytes, verdict(r.bytes <= r.limits.bytes));
}

inline void print_title(std::string_view workload, std::size_t rounds, bool hurries) {
  std::printf("%.*s, %s, %s, %s, %s, %s%zu rounds: median time, median of the ratios within a round\n",
              static_cast<int>(workload.size()), workload.data(), today().c_str(), processor_name().c_str(),
              compiler_name().c_str(), BENCH_OPT, hurries ? "3 to " : "", rounds);
  std::fflush(stdout);
}

/// Prints the rows of one case. A run takes minutes, so each case is shown at once.
inline void print_case(std::span<const row> rows) {
  if (rows.empty()) return;
  std::printf("\n%-22s %-18s %14s %10s %10s   of %s\n", rows.front().name.c_str(), "contender", "ns", "ratio",
              "bytes", rows.front().base.c_str());
  for (const row& r : rows) {
    std::printf("%-22s %-18s %14.2f %10.4f %10zu", "", r.contender.c_str(), r.ns, r.ratio, r.bytes);
    if (r.cpu_ratio != 0) std::printf("   CPU %.4f", r.cpu_ratio);
    print_goal(r);
    if (!r.note.empty()) std::printf("   not timed: %s", r.note.c_str());
    std::printf("\n");
  }
  std::fflush(stdout);
}

/// Returns false if the file can't be written.
[[nodiscard]] inline bool write_json(const std::string& path, const std::vector<row>& rows) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  const char* separator = "[\n";
  for (const row& r : rows) { // names need no escapes, since the workloads define them
    std::fprintf(file,
                 "%s  {\"workload\": \"%s\", \"case\": \"%s\", \"contender\": \"%s\", \"ns\": %.6g, "
                 "\"base\": \"%s\", \"ratio\": %.6g, \"bytes\": %zu",
                 separator, r.workload.c_str(), r.name.c_str(), r.contender.c_str(), r.ns, r.base.c_str(),
                 r.ratio, r.bytes);
    if (r.cpu_ratio != 0) std::fprintf(file, ", \"cpu_ratio\": %.6g", r.cpu_ratio);
    if (!r.note.empty()) std::fprintf(file, ", \"note\": \"%s\"", r.note.c_str());
    std::fputs("}", file);
    separator = ",\n";
  }
  std::fputs(rows.empty() ? "[]\n" : "\n]\n", file);
  return std::fclose(file) == 0;
}

} // namespace bench
