// SPDX-License-Identifier: Apache-2.0
// Any bytes to the decoder and the view of any type, and everything that can be done with what they accept.
// Two bytes choose the type, the rest is the message.
#include <ingot/core/endian.hpp>

#include "fuzz.hpp"
#include "hostile/subjects.hpp"

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.size() < 2) return {};
  const auto& type = hostile::subject_of(ingot::load_le<std::uint16_t>(input.data()));
  const auto outcome = type.exercise(input.subspan(2));
  return outcome.consistent() ? std::string{} : std::string(type.name) + ": " + outcome.contradiction;
}
