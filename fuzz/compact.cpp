// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes for the compact profile's decoder, validator and view of a type, with all
// operations on accepted bytes. The first byte chooses the type; the rest is the message.
#include "fuzz.hpp"
#include "hostile/subjects.hpp"

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty()) return {};
  const auto& types = hostile::compact_subjects();
  const auto& type = types[std::to_integer<std::size_t>(input[0]) % types.size()];
  const auto outcome = type.exercise(input.subspan(1));
  return outcome.consistent() ? std::string{} : std::string(type.name) + ": " + outcome.contradiction;
}
