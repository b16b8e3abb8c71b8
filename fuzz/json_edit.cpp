// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a path and a text. json_edit_body.hpp ends the process if a promise is broken.
#include "fuzz.hpp"
#include "json_edit_body.hpp"

#include <cstdint>

std::string fuzz::one_input(ingot::bytes_view input) {
  json_edit_fuzz::run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  return {};
}
