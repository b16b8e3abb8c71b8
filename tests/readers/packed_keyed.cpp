// SPDX-License-Identifier: Apache-2.0
// Packed messages of the zoo's sets and maps.
#include "readers/messages.hpp"
#include "zoo/containers.hpp"

void readers::add_keyed(std::vector<kind_of_message>& all) {
  zoo::for_each_keyed(adder<form::packed>{all, hostile::subjects()});
}
