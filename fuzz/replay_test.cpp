// SPDX-License-Identifier: Apache-2.0
// The seed corpus of a target, and everything it ever found, as a test.
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
    const std::vector<char> exact(content.begin(), content.end()); // an allocation of the input's size
    EXPECT_EQ(fuzz::one_input(ingot::as_bytes_view(exact)), "") << path.filename();
  }
}

} // namespace
