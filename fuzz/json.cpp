// SPDX-License-Identifier: Apache-2.0
// Any bytes as text: see json_body.hpp, which ends the process where a promise is broken.
#include "fuzz.hpp"
#include "json_body.hpp"

#include <cstdint>

std::string fuzz::one_input(ingot::bytes_view input) {
  json_fuzz::run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  return {};
}
