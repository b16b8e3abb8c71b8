// SPDX-License-Identifier: Apache-2.0
// Runs the code of the fuzz target on its seeds with small changes, so that every build checks its
// properties.
#include "../../fuzz/json_document_body.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace json_document_fuzz_test {

void run(const std::string& input) {
  json_document_fuzz::run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}
std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(INGOT_SOURCE_DIR "/fuzz/corpus/json_document")) {
    std::ifstream file(entry.path(), std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  EXPECT_GE(all.size(), 10u);
  return all;
}

TEST(json_document_fuzz, every_prefix_and_flip_of_the_seeds_keeps_the_promises) {
  for (const std::string& seed : seeds()) {
    for (std::size_t size = 0; size <= seed.size(); ++size) run(seed.substr(0, size));
    for (std::size_t bit = 0; bit < seed.size() * 8; ++bit) {
      std::string flipped = seed;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
      run(flipped);
    }
  }
}

TEST(json_document_fuzz, random_texts_of_tokens_keep_the_promises) {
  constexpr std::string_view pieces[] = {
      "{",      "}",     "[",           "]",  ",",   ":",         "\"a\"",
      "\"b\":", "\"\":", "1",           "-0", "1e5", "300",       "18446744073709551616",
      "null",   "true",  "\"\\u0000\"", " ",  "//",  "{\"a\":1,", "[[",
      "]]",     "\xFF",  "\"a\":[]"};
  std::mt19937 random(5);
  for (int i = 0; i < 4000; ++i) {
    std::string text(1, static_cast<char>(random()));
    for (auto left = random() % 16; left != 0; --left) text += pieces[random() % std::size(pieces)];
    run(text);
  }
}

} // namespace json_document_fuzz_test
