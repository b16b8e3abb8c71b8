// SPDX-License-Identifier: Apache-2.0
// Packed messages of the zoo's scalars.
#include "readers/messages.hpp"
#include "zoo/scalars.hpp"

void readers::add_scalars(std::vector<kind_of_message>& all) {
  zoo::for_each_scalar(adder<form::packed>{all, hostile::subjects()});
}
