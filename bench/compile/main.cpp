// SPDX-License-Identifier: Apache-2.0
// What using ingot costs before anything runs: CPU seconds of the compiler and bytes of the object. `bytes` is the
// stripped object, in the cases `-text` the code and constants in it, in the cases `-memory` the compiler's peak.
#include "../harness/options.hpp"
#include "compiler.hpp"
#include "sources.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace {

struct unit {
  std::string name; // of the case
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

} // namespace

int main(int count, char** words) {
  const auto given =
      bench::read_options(count, words, {"", 3}, 1); // the spread is small and a round takes a minute
  const auto folder =
      std::filesystem::temp_directory_path() / ("ingot-bench-compile-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  auto all_units = units();
  for (std::size_t round = 0; round < given.rounds; ++round) {
    for (auto& u : all_units) u.results.push_back(bench::compile(folder, u.source, u.flags));
  }
  std::filesystem::remove_all(folder);

  bench::suite all("compile", "native", given.rounds, given.only);
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
  return bench::finish(all, "compile", given);
}
