// SPDX-License-Identifier: Apache-2.0
// Packed messages of the zoo's annotated types.
#include "readers/messages.hpp"
#include "zoo/annotated.hpp"

void readers::add_annotated(std::vector<kind_of_message>& all) {
  zoo::for_each_annotated(adder<form::packed>{all, hostile::subjects()});
}
