// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a file of text. json_file_body.hpp ends the process if a promise is broken.
#include "fuzz.hpp"
#include "json_file_body.hpp"

#include <cstdint>

std::string fuzz::one_input(ingot::bytes_view input) {
  json_file_fuzz::run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  return {};
}
