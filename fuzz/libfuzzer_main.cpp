// SPDX-License-Identifier: Apache-2.0
// Entry point of a target for libFuzzer.
#include "fuzz.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string contradiction = fuzz::one_input(std::as_bytes(std::span{data, size}));
  if (!contradiction.empty()) {
    std::fprintf(stderr, "contradiction: %s\n", contradiction.c_str());
    std::abort(); // libFuzzer keeps the input and ends with 77
  }
  return 0;
}
