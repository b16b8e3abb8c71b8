// SPDX-License-Identifier: Apache-2.0
// The cost of ingot before a program runs: CPU seconds of the compiler, and bytes of the object.
// `bytes` is the stripped object, in the cases `-text` its code and constants, in the cases
// `-memory` the compiler's peak.
#include "../harness/options.hpp"
#include "compiler.hpp"
#include "headers.hpp"
#include "sources.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace {

struct unit {
  std::string name; // name of the case
  std::string contender;
  std::string source;
  std::vector<std::string> flags;
  std::vector<bench::compilation> results = {};
};

std::vector<unit> units() {
  const std::vector<std::string> optimised{BENCH_OPT, "-DNDEBUG", "-I" BENCH_INCLUDE};
  const std::vector<std::string> plain{"-O0", "-I" BENCH_INCLUDE};
  std::vector<unit> all;
  for (const std::string header : {"core/bytes", "core/error", "core/buffer", "core/sink", "reflect/members",
                                   "pack/pack", "pack/unpack", "pack/view", "json/json"}) {
    std::string name = "include-" + header;
    name[name.find('/')] = '-';
    all.push_back({name, "native", bench::include_source("vector") + bench::include_source("string"), plain});
    all.push_back({name, "ingot", bench::include_source("ingot/" + header + ".hpp"), plain});
  }
  all.push_back({"round-trip", "native", bench::round_trip_native, optimised});
  all.push_back({"round-trip", "ingot-pack", bench::round_trip_ingot_pack, optimised});
  all.push_back({"round-trip", "ingot-compact", bench::round_trip_ingot_compact, optimised});
  all.push_back({"round-trip", "cereal", bench::round_trip_cereal, optimised});
  all.push_back({"round-trip", "boost", bench::round_trip_boost, optimised});
  all.push_back({"round-trip", "msgpack", bench::round_trip_msgpack, optimised});
  all.push_back({"reflect-100x20", "native", bench::hundred_native, plain});
  all.push_back({"reflect-100x20", "ingot", bench::hundred_reflected, plain});
  all.push_back({"json-100x20", "native", bench::hundred_native, plain});
  all.push_back({"json-100x20", "ingot", bench::hundred_json, plain});
  return all;
}

/// A unit with the compiler that compiles it.
struct header_case {
  bench::header_unit unit;
  std::string compiler;
  double min_time = 0; ///< minimum user time over all rounds
};

/// Returns the units whose user time is measured, as `only` chooses, for each compiler.
std::vector<header_case> header_cases(const bench::suite& all, std::string_view only,
                                      const std::filesystem::path& folder) {
  auto candidates = bench::header_units();
  if (only.starts_with("each-")) candidates = bench::each_header(BENCH_INCLUDE);
  std::vector<header_case> wanted;
  for (const std::pair<std::string, std::string>& compiler :
       {std::pair<std::string, std::string>{BENCH_CXX, "-this"}, {BENCH_CLANG, "-clang"}}) {
    if (compiler.first.empty()) {
      std::printf("clang++ is not installed: its rows are missing\n");
      continue;
    }
    for (auto unit : candidates) {
      unit.name += compiler.second;
      if (!all.wants(unit.name)) continue;
      if (unit.optional && !bench::compiles(folder, compiler.first, unit.source)) {
        std::printf("%s: %s is missing, or not for this compiler\n", unit.name.c_str(),
                    unit.contender.c_str());
        continue;
      }
      wanted.push_back({std::move(unit), compiler.first});
    }
  }
  return wanted;
}

/// The result is the minimum over all rounds, since other processes only add time. A round compiles
/// each unit once, so that a change of the clock affects all.
void measure_headers(bench::suite& all, std::vector<header_case>& cases, std::size_t rounds,
                     const std::filesystem::path& folder) {
  for (std::size_t round = 0; round < rounds; ++round) {
    for (auto& one : cases) {
      const double ns = bench::user_time(folder, one.compiler, one.unit.source, one.unit.optimisation);
      one.min_time = round == 0 ? ns : std::min(one.min_time, ns);
    }
  }
  for (const auto& one : cases) {
    all.add_measured(one.unit.name, one.unit.contender, 0, {one.min_time});
    if (one.unit.max_ratio != 0) all.target(one.unit.name, one.unit.contender, {.ratio = one.unit.max_ratio});
    all.base(one.unit.name, one.unit.name.starts_with("unit-six") ? "cereal" : "std");
  }
}

} // namespace

int main(int count, char** words) {
  // Few rounds, since the spread is small and a round takes a minute.
  const auto options = bench::read_options(count, words, {"", 3}, 1);
  const auto folder =
      std::filesystem::temp_directory_path() / ("ingot-bench-compile-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  bench::suite all("compile", "native", options.rounds, options.only);
  auto all_units = units();
  std::erase_if(all_units, [&](const unit& u) {
    return !all.wants(u.name) && !all.wants(u.name + "-text") && !all.wants(u.name + "-memory");
  });
  for (std::size_t round = 0; round < options.rounds; ++round) {
    for (auto& u : all_units) u.results.push_back(bench::compile(folder, u.source, u.flags));
  }
  auto headers = header_cases(all, options.only, folder);
  measure_headers(all, headers, options.rounds, folder);
  std::filesystem::remove_all(folder);

  for (const auto& u : all_units) {
    std::vector<double> times;
    for (const auto& r : u.results) times.push_back(r.ns);
    const auto& last = u.results.back();
    all.add_measured(u.name, u.contender, last.object_bytes, times);
    if (u.name == "round-trip") all.add_measured(u.name + "-text", u.contender, last.text_bytes, times);
    if (u.name.ends_with("100x20")) all.add_measured(u.name + "-memory", u.contender, last.peak_bytes, times);
  }
  for (const char* header : {"bytes", "error", "buffer", "sink"}) {
    all.target(std::string("include-core-") + header, "ingot", {.ns = 1.0e9});
  }
  for (const char* one : {"ingot-pack", "ingot-compact"}) {
    all.target("round-trip", one, {.ns = 2.0e9});
    all.target("round-trip-text", one, {.bytes = 15'000});
  }
  all.target("json-100x20", "ingot", {.ns = 15.0e9});
  all.target("json-100x20-memory", "ingot", {.bytes = 600'000'000});
  return bench::finish(all, "compile", options);
}
