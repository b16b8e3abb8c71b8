// SPDX-License-Identifier: Apache-2.0
// Packed messages of the zoo's types made to be hostile.
#include "hostile/crafted.hpp"
#include "readers/messages.hpp"

void readers::add_crafted(std::vector<kind_of_message>& all) {
  hostile::for_each_crafted(adder<form::packed>{all, hostile::subjects()});
}
