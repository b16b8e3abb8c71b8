// SPDX-License-Identifier: Apache-2.0
// DOC: documents without a schema, compared with std::unordered_map and popular libraries.
#include "../harness/options.hpp"
#include "workload.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Removes `--fields N`, `--ops N` and `--mix READS/WRITES/STRUCTURE` (percent) from the arguments.
/// They choose one case with that size and number of operations, in place of all documented ones.
std::vector<char*> take_plan(int count, char** words) {
  std::vector<char*> rest;
  auto& plan = bench::plan();
  std::size_t fields = 128;
  int reads = 90, writes = 5, structure = 5;
  for (int i = 0; i < count; ++i) {
    const std::string_view word = words[i];
    const char* const value = i + 1 < count ? words[i + 1] : "";
    char* end = nullptr;
    if (word == "--fields") {
      fields = std::strtoul(value, &end, 10);
    } else if (word == "--ops") {
      plan.operations = std::strtoul(value, &end, 10);
    } else if (word == "--mix") {
      int used = 0;
      if (std::sscanf(value, "%d/%d/%d%n", &reads, &writes, &structure, &used) == 3 &&
          std::strlen(value) == static_cast<std::size_t>(used) && reads >= 0 && writes >= 0 &&
          structure >= 0 && reads + writes + structure == 100)
        end = words[i + 1] + used;
    } else {
      rest.push_back(words[i]);
      continue;
    }
    if (end == nullptr || end == value || *end != 0 || fields < 2 || fields > 100'000 ||
        plan.operations < 1 || plan.operations > 10'000'000) {
      std::fprintf(stderr, "%s: use --fields 2..100000, --ops 1..10000000, --mix R/W/S that add up to 100\n",
                   words[i]);
      std::exit(2);
    }
    plan.is_requested = true;
    ++i;
  }
  if (plan.is_requested) {
    plan.sizes = {fields};
    plan.mixes = {{"mix-" + std::to_string(reads) + "-" + std::to_string(writes) + "-" +
                       std::to_string(structure) + "-",
                   reads, writes}};
  }
  return rest;
}

} // namespace

int main(int count, char** words) {
  auto rest = take_plan(count, words);
  const auto options = bench::read_options(static_cast<int>(rest.size()), rest.data());
  bench::suite all("doc", "unordered_map", options.rounds, options.only);
  bench::enter_doc_unordered_map(all);
  bench::enter_doc_ingot(all);
  bench::enter_doc_archive(all);
  bench::enter_doc_tagged_linear(all);
  bench::enter_doc_nlohmann(all);
  bench::enter_doc_rapidjson(all);
  bench::enter_doc_flexbuffers(all);
  if (bench::plan().is_requested) return bench::finish(all, "doc", options);
  bench::enter_doc_checks(all);
  bench::enter_doc_reading(all);
  for (const std::size_t n : bench::doc_sizes) {
    const std::string size = std::to_string(n);
    all.base("size-" + size, "msgpack-like");
    all.base("steady-" + size, "compacted");
    all.base("verify-" + size, "ingot-doc");
    all.base("verify-edited-" + size, "ingot-doc");
    for (const char* who : {"ingot-doc", "ingot-doc-key"}) {
      all.target("read-" + size, who, {.ratio = 0.9});
      all.target("mixed-" + size, who, {.ratio = 0.9});
      all.target("write-" + size, who, {.ratio = 1.0});
    }
    all.target("verify-" + size, "ingot-doc", {.ns = 12.0 * static_cast<double>(n)});
    all.target("steady-" + size, "ingot-doc", {.ratio = 1.25});
    if (n >= 32) {
      all.target("size-" + size, "ingot-doc", {.ratio = 1.3});
      all.target("size-" + size, "ingot-archive", {.ratio = 1.07});
    }
  }
  all.target("route-inplace-32", "ingot-doc", {.ns = 160});
  all.target("route-inplace-1024", "ingot-doc", {.ns = 200});
  all.base("repeat", "msgpack-like");
  all.target("repeat", "ingot-doc", {.bytes = 6800});
  all.base("repeat-varied", "msgpack-like");
  return bench::finish(all, "doc", options);
}
