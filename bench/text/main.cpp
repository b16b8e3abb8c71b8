// SPDX-License-Identifier: Apache-2.0
// TEXT: JSON in both directions.
#include "../harness/options.hpp"
#include "workload.hpp"

int main(int count, char** words) {
  const auto options = bench::read_options(count, words);
  bench::suite all("text", "nlohmann", options.rounds, options.only);
  bench::enter_text_nlohmann(all);
  bench::enter_text_rapidjson(all);
  bench::enter_text_simdjson(all);
  bench::enter_text_ingot(all);
  for (const char* name :
       {"read-chars", "write-chars", "read-iso", "write-iso", "read-document", "write-document", "edit-one"})
    all.target(name, "ingot-json", {.ratio = 0.125});
  return bench::finish(all, "text", options);
}
