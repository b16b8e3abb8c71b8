// SPDX-License-Identifier: Apache-2.0
// Runs the code of the fuzz target on its seeds, so that every build checks its properties.
#include "../../fuzz/json_file_body.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace json_file_fuzz_test {

void run(const std::string& input) {
  json_file_fuzz::run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

TEST(json_file_fuzz, every_prefix_of_the_seeds_keeps_the_promises) {
  std::size_t seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(INGOT_SOURCE_DIR "/fuzz/corpus/json_file")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string seed{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (std::size_t size = 0; size <= seed.size(); ++size) run(seed.substr(0, size));
    ++seeds;
  }
  EXPECT_GE(seeds, 10u);
}

} // namespace json_file_fuzz_test
