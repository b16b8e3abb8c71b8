// SPDX-License-Identifier: Apache-2.0
// libFuzzer's door to json_body.hpp.
#include "json_body.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  json_fuzz::run(data, size);
  return 0;
}
