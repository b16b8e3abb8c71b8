// SPDX-License-Identifier: Apache-2.0
// libFuzzer's door to json_document_body.hpp.
#include "json_document_body.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  json_document_fuzz::run(data, size);
  return 0;
}
