// SPDX-License-Identifier: Apache-2.0
// Packed messages of the zoo's sequences.
#include "readers/messages.hpp"
#include "zoo/containers.hpp"

void readers::add_sequences(std::vector<kind_of_message>& all) {
  zoo::for_each_sequence(adder<form::packed>{all, hostile::subjects()});
}
