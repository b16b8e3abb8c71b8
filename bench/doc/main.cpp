// SPDX-License-Identifier: Apache-2.0
// DOC: documents without a schema, against a std::unordered_map and the libraries people use for them.
#include "../harness/options.hpp"
#include "workload.hpp"

int main(int count, char** words) {
  const auto given = bench::read_options(count, words);
  bench::suite all("doc", "unordered_map", given.rounds);
  bench::enter_doc_unordered_map(all);
  bench::enter_doc_ingot(all);
  bench::enter_doc_archive(all);
  bench::enter_doc_tagged_linear(all);
  bench::enter_doc_nlohmann(all);
  bench::enter_doc_rapidjson(all);
  bench::enter_doc_flexbuffers(all);
  for (const std::size_t n : bench::doc_sizes) {
    const std::string size = std::to_string(n);
    all.base("size-" + size, "msgpack-like");
    all.base("steady-" + size, "compacted");
    all.base("verify-" + size, "ingot-doc");
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
  return bench::finish(all, "doc", given);
}
