// SPDX-License-Identifier: Apache-2.0
// Runs the seed corpus of a target, with all inputs that fuzzers have found, as a test.
#include "fuzz.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

TEST(fuzz_corpus, holds_no_contradiction) {
  std::vector<std::filesystem::path> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(INGOT_FUZZ_CORPUS))
    inputs.push_back(entry.path());
  std::ranges::sort(inputs);
  EXPECT_GE(inputs.size(), 10u) << "too few seeds in " << INGOT_FUZZ_CORPUS;
  for (const auto& path : inputs) {
    std::ifstream file(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    // allocated with exactly the size of the input
    const std::vector<char> exact(content.begin(), content.end());
    EXPECT_EQ(fuzz::one_input(ingot::as_bytes_view(exact)), "") << path.filename();
  }
}

} // namespace
